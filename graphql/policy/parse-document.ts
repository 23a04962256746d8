/**
 * Parses a request's text. Tokens are counted before, because the parser is recursive, and refusing a text for its
 * size must cost almost nothing.
 */
import { type DocumentNode, GraphQLError, parse, Source } from 'graphql';
import type { Surface } from '../schema/schema.ts';
import { createTooComplexError } from './errors/document-errors.ts';
import { shortenMessage } from './errors/shorten-message.ts';
import { LIMITS_BY_SURFACE } from './limits/limits.ts';
import { scanTokens } from './limits/scan-tokens.ts';

/** Above this number, the error says only that there are more tokens. */
const MAX_COUNTED_TOKENS = 20_000;

function rejectBeyondTextLimits(surface: Surface, source: Source): void {
  const documentLimits = LIMITS_BY_SURFACE[surface];
  const { length } = source.body;
  if (length > documentLimits.characters)
    throw createTooComplexError({ limit: 'characters', max: documentLimits.characters, actual: length });
  const { tokens, nesting } = scanTokens(source.body, MAX_COUNTED_TOKENS);
  if (tokens > documentLimits.tokens) {
    const isCountIncomplete = tokens > MAX_COUNTED_TOKENS;
    throw createTooComplexError({
      limit: 'tokens',
      max: documentLimits.tokens,
      actual: Math.min(tokens, MAX_COUNTED_TOKENS),
      isMinimum: isCountIncomplete,
    });
  }
  if (nesting > documentLimits.nesting)
    throw createTooComplexError({ limit: 'nesting', max: documentLimits.nesting, actual: nesting });
}

/**
 * Parses the document of a request's `query`.
 * @throws GraphQLError with the code GRAPHQL_PARSE_FAILED or QUERY_TOO_COMPLEX; its message has no suggestions on the
 * customer endpoint
 */
export function parseDocument(surface: Surface, text: string): DocumentNode {
  const graphqlSource = new Source(text, 'GraphQL request');
  try {
    rejectBeyondTextLimits(surface, graphqlSource);
    return parse(graphqlSource, { maxTokens: LIMITS_BY_SURFACE[surface].tokens });
  } catch (error) {
    if (!(error instanceof GraphQLError) || error.extensions.code !== undefined) throw error;
    const message =
      surface === 'customer' ? error.message.replace(/,? did you mean.*$/is, '.') : error.message;
    throw new GraphQLError(shortenMessage(message), {
      source: graphqlSource,
      positions: error.positions ?? null,
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    });
  }
}
