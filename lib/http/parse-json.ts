import { parseJsonObject } from '../domain/json-object.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Step } from './exchange.ts';

/** The exchange once `parseJson` has run. */
export type ParsedBody = { json: Readonly<Record<string, unknown>> };

const HALF_CHARACTER =
  'The body has half a character (a UTF-16 surrogate without its other half, such as \\ud83d). Send texts as they are, in UTF-8.';

/**
 * Parses the body as a JSON object. Throws INVALID_JSON for anything else, arrays (batches) and bare values included, and
 * where a text or a name has half a character: neither the table nor the platform takes one.
 */
export const parseJson: Step<ParsedBody> = {
  name: 'parseJson',
  before: ({ event: { exchange } }) => {
    const { body } = exchange.request;
    const json = parseJsonObject(body);
    if (json === undefined) throw new ServiceError('INVALID_JSON');
    if (hasHalfCharacter(body)) throw new ServiceError('INVALID_JSON', { message: HALF_CHARACTER });
    exchange.json = json;
  },
};

const HALF = /\\u[dD][89a-fA-F]/;
const BACKSLASH = /\\\\/g;
const WHOLE = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/g;

/** Whether texts of the JSON hold surrogates without their other half (RFC 8259, section 8.2). */
function hasHalfCharacter(json: string): boolean {
  if (!json.isWellFormed()) return true;
  // Nearly no body has such an escape. What was removed leaves a space, so that nothing comes together over it.
  return HALF.test(json) && HALF.test(json.replace(BACKSLASH, ' ').replace(WHOLE, ' '));
}
