/** What a GraphQL document does: only what certainly reads may be sent again without knowing what came of it. */

/** Strings and comments are passed over as one; of the rest, what tells definitions apart. */
const TOKENS =
  /"""(?:\\"""|(?!"""|\\""")[\s\S])*"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*|[$@]?[_A-Za-z][_0-9A-Za-z]*|[{}()]/g;

type Definition = { type: string; name?: string };

/** True unless the operation that would run is a query: mutations, and whatever is not understood. */
export function isChange(document: string, operationName?: string): boolean {
  const operations = definitionsOf(document).filter(({ type }) => type !== 'fragment');
  const meant = operations.filter(({ name }) => operationName === undefined || name === operationName);
  return meant.length === 0 || meant.some(({ type }) => type !== 'query');
}

function definitionsOf(document: string): Definition[] {
  const definitions: Definition[] = [];
  let depth = 0;
  let head: string[] = [];
  for (const token of document.match(TOKENS) ?? []) {
    if (token.startsWith('"') || token.startsWith('#')) continue;
    if (token === '{' && depth === 0) definitions.push(toDefinition(head));
    if (token === '{' || token === '(') depth++;
    else if (token === '}' || token === ')') depth--;
    else if (depth === 0) head.push(token);
    if (token === '}' && depth === 0) head = [];
  }
  return definitions;
}

/** `head`: the words before the braces. None of them: a query in short form (GraphQL, section 2.3). */
function toDefinition([type = 'query', name]: string[]): Definition {
  return name === undefined || name.startsWith('@') ? { type } : { type, name };
}
