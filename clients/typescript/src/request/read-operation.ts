/**
 * Classifies a GraphQL document. Without a known result, only queries and changes with an idempotency key are sent
 * again.
 */

/** Strings and comments. */
const GRAPHQL_TEXTS_PATTERN = /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*/g;
/**
 * The tokens that separate definitions and their first fields. Excludes a call of `subscriptionBillingCycleBulkSearch`:
 * it is a mutation, but a second search changes nothing. Counts dots as fields, because the fields of a fragment are
 * not read.
 */
const GRAPHQL_TOKENS_PATTERN = /[$@]?\b(?!\w*BulkSearch\()\w+|[{}():.]/g;
const IDEMPOTENT_DIRECTIVE = '@idempotent';

type DefinitionTokens = {
  /** The words before the braces. An empty head is a query in short form (GraphQL, section 2.3). */
  readonly head: string[];
  /** Fields of the first level without a key. */
  unkeyed: number;
  readonly keyVariables: string[];
};

export type OperationTraits = {
  /** Empty for an anonymous operation. */
  readonly name: string;
  /**
   * Whether the operation can be sent twice without harm: a query, or a mutation whose fields have keys or only search.
   */
  readonly isRetryable: boolean;
  /** Whether the operation changes data. */
  readonly isChange: boolean;
  /** The variables of `@idempotent(key: $…)`. */
  readonly keyVariables: readonly string[];
};

/** Classifies the operation with the name, or all operations of the document. */
export function readOperation(document: string, operationName?: string): OperationTraits {
  const meant = parseDefinitions(document).filter(
    ({ head: [type, name] }) =>
      type !== 'fragment' && (operationName === undefined || name === operationName),
  );
  const types = meant.map(({ head: [type = 'query'] }) => type);
  const isChange = types.some((type) => type !== 'query');
  const isKeyed = !types[1] && types[0] === 'mutation' && meant[0]?.unkeyed === 0;
  return {
    name: meant[0]?.head[1]?.replace(/^@.*/, '') ?? '',
    isRetryable: isKeyed || (types.length > 0 && !isChange),
    isChange,
    keyVariables: meant.flatMap(({ keyVariables }) => keyVariables),
  };
}

function parseDefinitions(document: string): DefinitionTokens[] {
  const definitions: DefinitionTokens[] = [];
  let [braces, parentheses, directive] = [0, 0, ''];
  let current: DefinitionTokens = { head: [], unkeyed: 0, keyVariables: [] };
  for (const token of document.replace(GRAPHQL_TEXTS_PATTERN, '').match(GRAPHQL_TOKENS_PATTERN) ?? []) {
    const [first] = token;
    if (first === '(') parentheses++;
    else if (first === ')') {
      parentheses--;
      directive = '';
    } else if (parentheses > 0) {
      if (directive === IDEMPOTENT_DIRECTIVE && first === '$') current.keyVariables.push(token.slice(1));
    } else if (first === '{') {
      if (!braces++) definitions.push(current);
    } else if (first === '}') {
      if (--braces <= 0) current = { head: [], unkeyed: 0, keyVariables: [] };
    } else if (!braces) current.head.push(token);
    else if (braces === 1) {
      directive = first === '@' ? token : '';
      // An aliased field has two names.
      if (directive === IDEMPOTENT_DIRECTIVE || first === ':') current.unkeyed--;
      else if (!directive) current.unkeyed++;
    }
  }
  return definitions;
}
