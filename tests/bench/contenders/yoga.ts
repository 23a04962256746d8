/** The same plan behind graphql-yoga's own HTTP layer. */
import { createYoga, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import { executeRequest } from '../../../graphql/endpoint/execute-request.ts';
import { getSchema } from '../../../graphql/schema/schema.ts';
import type { CustomerActor } from '../../../lib/credentials/actor.ts';
import { deps } from './without-table.ts';

type Bench = { readonly actor: CustomerActor };

/** graphql-js does not execute: the plan does. */
const plan: Plugin<Bench & YogaInitialContext> = {
  onExecute({ args, setExecuteFn }) {
    const { actor, params } = args.contextValue;
    const { query = '', variables } = params;
    const request = { query: query ?? '', operationName: undefined, variables: variables ?? {} };
    setExecuteFn(() => executeRequest(deps, { actor, request, requestId: 'bench', startedAtMs: Date.now() }));
  },
};

const yoga = createYoga<Bench>({
  schema: getSchema('customer'),
  graphqlEndpoint: '/api/storefront/unstable/graphql.json',
  graphiql: false,
  landingPage: false,
  logging: false,
  plugins: [plan as unknown as Plugin],
});

type Event = { rawPath: string; body: string; headers: Record<string, string> };

/** Answers one event. */
export async function handler({ rawPath, body, headers }: Event) {
  const actor = await deps.verify(headers.authorization);
  const request = { method: 'POST', headers, body };
  const response = await yoga.fetch(`http://localhost${rawPath}`, request, { actor });
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
