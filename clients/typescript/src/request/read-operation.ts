/** What a GraphQL document does: only what certainly reads, or has a key, is sent again without knowing what came of it. */

/** Strings and comments are passed over as one; of the rest, what tells definitions and their first fields apart. */
const TOKENS = /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*|[$@]?\w+|[{}():]|\.{3}/g;
const KEY = '@idempotent';
/** Whether the field only searches, as `subscriptionBillingCycleBulkSearch` does: a second search changes nothing. */
const isSearch = (field: string) => field.endsWith('Search');

type Definition = {
  /** The words before the braces. None of them: a query in short form (GraphQL, section 2.3). */
  readonly head: string[];
  /** Fields of the first level without a key. Three dots count as one: the fields of a fragment are not read. */
  readonly unkeyed: string[];
  readonly keyVariables: string[];
};

export type Operation = {
  /** Whether sending it twice does no more than sending it once: a query, or a mutation whose fields each have a key or search. */
  readonly isRetryable: boolean;
  /** Whether it changes something. */
  readonly isChange: boolean;
  /** The variables of `@idempotent(key: $…)`. */
  readonly keyVariables: readonly string[];
};

/** Of the operation with the name, or of all. */
export function readOperation(document: string, operationName?: string): Operation {
  const meant = definitionsOf(document).filter(
    ({ head: [type, name] }) =>
      type !== 'fragment' && (operationName === undefined || name === operationName),
  );
  const [first, second] = meant;
  const isChange = meant.some(({ head: [type = 'query'] }) => type !== 'query');
  return {
    isRetryable:
      !!first && (!isChange || (!second && first.head[0] === 'mutation' && first.unkeyed.every(isSearch))),
    isChange,
    keyVariables: meant.flatMap(({ keyVariables }) => keyVariables),
  };
}

function definitionsOf(document: string): Definition[] {
  const definitions: Definition[] = [];
  let [braces, parentheses, directive] = [0, 0, ''];
  let current: Definition = { head: [], unkeyed: [], keyVariables: [] };
  for (const token of document.match(TOKENS) ?? []) {
    const [first] = token;
    if (first === '(') parentheses++;
    else if (first === ')') {
      parentheses--;
      directive = '';
    } else if (parentheses > 0) {
      if (directive === KEY && first === '$') current.keyVariables.push(token.slice(1));
    } else if (first === '{') {
      if (braces++ === 0) definitions.push(current);
    } else if (first === '}') {
      if (--braces <= 0) current = { head: [], unkeyed: [], keyVariables: [] };
    } else if (first === '"' || first === '#') continue;
    else if (braces === 0) current.head.push(token);
    else if (braces === 1) {
      directive = first === '@' ? token : '';
      // Two names stand at an alias.
      if (directive === KEY || first === ':') current.unkeyed.pop();
      else if (directive === '') current.unkeyed.push(token);
    }
  }
  return definitions;
}
