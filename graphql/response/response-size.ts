/**
 * Limits the size of a response. The values that the service computes are counted while the response is built, because a short
 * document can select one value many times. The finished body is measured again before it is sent.
 */
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { ResponseBudget } from '../plan/root-response.ts';

/**
 * The maximum size of a body. Lambda limits a response to 6 MB, including headers, and sends the body as a JSON string,
 * in which each quotation mark takes two bytes.
 */
const MAX_RESPONSE_BYTES = 6 * 1024 * 1024 - 32 * 1024;
/**
 * The maximum number of characters that the service adds; the difference to the bytes leaves room for escaped
 * quotation marks.
 */
const MAX_ADDED_CHARACTERS = 5 * 1024 * 1024;
/** A character takes three bytes at most (one of four bytes counts as two characters). */
const MAX_BYTES_PER_CHARACTER = 3;

/** Creates the budget of one request. Its `take` throws QUERY_TOO_COMPLEX when the response has become too large. */
export function createResponseBudget(): ResponseBudget {
  let remainingCharacterCount = MAX_ADDED_CHARACTERS;
  return {
    take(characters) {
      remainingCharacterCount -= characters;
      if (remainingCharacterCount < 0) throw createQueryTooLargeError();
    },
  };
}

/** Whether a response with this body is small enough for Lambda. */
export function isWithinResponseSize(body: string): boolean {
  if (body.length * MAX_BYTES_PER_CHARACTER <= MAX_RESPONSE_BYTES) return true;
  return Buffer.byteLength(JSON.stringify(body)) <= MAX_RESPONSE_BYTES;
}

/** Builds the error of a query whose response would be too large. */
export function createQueryTooLargeError(): ServiceError {
  return new ServiceError('QUERY_TOO_COMPLEX', {
    message:
      'The response would be larger than 5 MB. Request fewer objects at a time: smaller pages, fewer fields and aliases.',
    extensions: { limit: 'answer bytes', max: MAX_ADDED_CHARACTERS },
  });
}

/** Builds the error of a mutation that was sent to the platform, but whose response is too large. */
export function createChangeResponseTooLargeError(): ServiceError {
  return new ServiceError('OUTCOME_UNKNOWN', {
    message:
      'The change was sent, its answer is larger than 5 MB: read before trying again, and ask for less then.',
    extensions: { limit: 'answer bytes', max: MAX_ADDED_CHARACTERS },
  });
}
