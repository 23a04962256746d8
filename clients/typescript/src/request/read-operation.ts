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
  /** The number of root fields without an idempotency key. */
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
  const namedDefinitions = parseDefinitions(document).filter(
    ({ head: [type, name] }) =>
      type !== 'fragment' && (operationName === undefined || name === operationName),
  );
  const operationTypes = namedDefinitions.map(({ head: [type = 'query'] }) => type);
  const isChange = operationTypes.some((type) => type !== 'query');
  const acceptsIdempotencyKey =
    !operationTypes[1] && operationTypes[0] === 'mutation' && namedDefinitions[0]?.unkeyed === 0;
  return {
    name: namedDefinitions[0]?.head[1]?.replace(/^@.*/, '') ?? '',
    isRetryable: acceptsIdempotencyKey || (operationTypes.length > 0 && !isChange),
    isChange,
    keyVariables: namedDefinitions.flatMap(({ keyVariables }) => keyVariables),
  };
}

function parseDefinitions(document: string): DefinitionTokens[] {
  const definitions: DefinitionTokens[] = [];
  let [openBraces, openParentheses, directive] = [0, 0, ''];
  let currentDefinition: DefinitionTokens = { head: [], unkeyed: 0, keyVariables: [] };
  for (const token of document.replace(GRAPHQL_TEXTS_PATTERN, '').match(GRAPHQL_TOKENS_PATTERN) ?? []) {
    const [firstCharacter] = token;
    if (firstCharacter === '(') openParentheses++;
    else if (firstCharacter === ')') {
      openParentheses--;
      directive = '';
    } else if (openParentheses > 0) {
      if (directive === IDEMPOTENT_DIRECTIVE && firstCharacter === '$')
        currentDefinition.keyVariables.push(token.slice(1));
    } else if (firstCharacter === '{') {
      if (!openBraces++) definitions.push(currentDefinition);
    } else if (firstCharacter === '}') {
      if (--openBraces <= 0) currentDefinition = { head: [], unkeyed: 0, keyVariables: [] };
    } else if (!openBraces) currentDefinition.head.push(token);
    else if (openBraces === 1) {
      directive = firstCharacter === '@' ? token : '';
      // An aliased field has two names.
      if (directive === IDEMPOTENT_DIRECTIVE || firstCharacter === ':') currentDefinition.unkeyed--;
      else if (!directive) currentDefinition.unkeyed++;
    }
  }
  return definitions;
}
