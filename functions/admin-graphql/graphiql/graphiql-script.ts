/**
 * The script that starts GraphiQL. All input, including the admin key, stays in the memory of the tab: GraphiQL gets a
 * map in place of the browser's storage. It sends requests only to the endpoint that the page belongs to.
 */
export const graphiqlScript = `'use strict';
(() => {
  const kept = new Map();
  const storage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
    clear: () => kept.clear(),
    get length() {
      return kept.size;
    },
  };
  const fetcher = async (request, { headers } = {}) => {
    const answer = await fetch('graphql.json', {
      method: 'POST',
      credentials: 'omit',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(request),
    });
    return answer.json();
  };
  const explorer = React.createElement(GraphiQL, {
    fetcher,
    storage,
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: 'headers',
    defaultHeaders: JSON.stringify({ Authorization: 'Bearer ' }, null, 2),
    defaultQuery: '{ shop { name } }',
  });
  ReactDOM.createRoot(document.getElementById('graphiql')).render(explorer);
})();
`;
