/** What a GraphQL document does: only what certainly reads, or has a key, is sent again without knowing what came of it. */

/** Strings and comments are passed over as one; of the rest, what tells definitions and their first fields apart. */
const TOKENS =
  /"""(?:\\"""|(?!"""|\\""")[\s\S])*"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*|[$@]?[_A-Za-z][_0-9A-Za-z]*|[{}():]/g;

type Definition = {
  readonly type: string;
  readonly name: string | undefined;
  /** Of the first level. */
  fields: number;
  keyed: number;
  /** The variables of `@idempotent(key: $…)`. */
  readonly keyVariables: string[];
};

export type Operation = {
  /** Whether sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean;
  readonly isChange: boolean;
  readonly keyVariables: readonly string[];
};

/** `isRepeatable`: a query, or a mutation each of whose fields has `@idempotent`. What is not understood is neither. */
export function readOperation(document: string, operationName?: string): Operation {
  const meant = definitionsOf(document).filter(
    ({ type, name }) => type !== 'fragment' && (operationName === undefined || name === operationName),
  );
  const isQuery = meant.every(({ type }) => type === 'query');
  const isKeyed =
    meant.length === 1 && meant.every(({ type, fields, keyed }) => type === 'mutation' && fields === keyed);
  return {
    isRepeatable: meant.length > 0 && (isQuery || isKeyed),
    isChange: !isQuery,
    keyVariables: meant.flatMap(({ keyVariables }) => keyVariables),
  };
}

function definitionsOf(document: string): Definition[] {
  const definitions: Definition[] = [];
  let [braces, parentheses] = [0, 0];
  let head: string[] = [];
  let directive = '';
  for (const token of document.match(TOKENS) ?? []) {
    const current = definitions[definitions.length - 1];
    if (token === '(') parentheses++;
    else if (token === ')') parentheses--;
    else if (parentheses > 0) {
      if (directive === '@idempotent' && token.startsWith('$')) current?.keyVariables.push(token.slice(1));
    } else if (token === '{') {
      if (braces++ === 0) definitions.push(toDefinition(head));
      head = [];
    } else if (token === '}') braces--;
    else if (/^["#]/.test(token)) continue;
    else if (braces === 0) head.push(token);
    else if (braces === 1 && current) {
      directive = token.startsWith('@') ? token : '';
      if (directive === '@idempotent') current.keyed++;
      // Two names stand at an alias.
      if (token === ':') current.fields--;
      else if (directive === '') current.fields++;
    }
  }
  return definitions;
}

/** `head`: the words before the braces. None of them: a query in short form (GraphQL, section 2.3). */
function toDefinition([type = 'query', name]: string[]): Definition {
  return { type, name: name?.startsWith('@') ? undefined : name, fields: 0, keyed: 0, keyVariables: [] };
}
