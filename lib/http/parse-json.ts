import { parseJsonObject } from '../domain/json-object.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { HandlerStep } from './exchange.ts';

/** The field that `parseJson` adds to the exchange. */
export type ParsedBody = { json: Readonly<Record<string, unknown>> };

const LONE_SURROGATE_TEXT =
  'The body has half a character (a UTF-16 surrogate without its other half, such as \\ud83d). Send texts as they are, in UTF-8.';

/**
 * Parses the body as a JSON object.
 * @throws INVALID_JSON when the body is no JSON object (an array, as in a batch, is not accepted), or contains a lone
 * surrogate, which neither the table nor the platform accepts
 */
export const parseJson: HandlerStep<ParsedBody> = {
  name: 'parseJson',
  before: ({ event: { exchange } }) => {
    const { body } = exchange.request;
    const json = parseJsonObject(body);
    if (json === undefined) throw new ServiceError('INVALID_JSON');
    if (hasLoneSurrogate(body)) throw new ServiceError('INVALID_JSON', { message: LONE_SURROGATE_TEXT });
    exchange.json = json;
  },
};

const ESCAPED_SURROGATE_PATTERN = /\\u[dD][89a-fA-F]/;
const ESCAPED_BACKSLASH_PATTERN = /\\\\/g;
const ESCAPED_SURROGATE_PAIR_PATTERN = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/g;

/** Whether the JSON contains a lone UTF-16 surrogate, directly or as an escape (RFC 8259, section 8.2). */
function hasLoneSurrogate(json: string): boolean {
  if (!json.isWellFormed()) return true;
  // Test for any escaped surrogate first, because almost no body has one. Valid pairs and escaped backslashes are
  // replaced by a space, so that the text around them does not join to a new escape.
  return (
    ESCAPED_SURROGATE_PATTERN.test(json) &&
    ESCAPED_SURROGATE_PATTERN.test(
      json.replace(ESCAPED_BACKSLASH_PATTERN, ' ').replace(ESCAPED_SURROGATE_PAIR_PATTERN, ' '),
    )
  );
}
