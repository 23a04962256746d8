/**
 * An answer has a largest size. The part that is put together here is counted while it grows, since a short document
 * can ask for one thing many times; what goes out is measured once more as it goes.
 */
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { AnswerBudget } from '../plan/root-answer.ts';

/**
 * A Lambda response takes 6 MB, headers and all, with the body as a string in JSON: each quotation mark is two bytes.
 */
const MAX_RESPONSE_BYTES = 6 * 1024 * 1024 - 32 * 1024;
/** The most characters that are put together here; the difference leaves room for the quotation marks of the rest. */
const MAX_CHARACTERS = 5 * 1024 * 1024;
/** A character takes three bytes at most (one of four bytes counts as two characters). */
const BYTES_PER_CHARACTER = 3;

/** The budget of one request. */
export function createAnswerBudget(): AnswerBudget {
  let left = MAX_CHARACTERS;
  return {
    take(characters) {
      left -= characters;
      if (left < 0) throw queryTooLargeError();
    },
  };
}

/** Whether a body can go out. */
export function isWithinResponseSize(body: string): boolean {
  if (body.length * BYTES_PER_CHARACTER <= MAX_RESPONSE_BYTES) return true;
  return Buffer.byteLength(JSON.stringify(body)) <= MAX_RESPONSE_BYTES;
}

/** The answer to a query that asks for more than can go out. */
export function queryTooLargeError(): ServiceError {
  return new ServiceError('QUERY_TOO_COMPLEX', {
    message:
      'The response would be larger than 5 MB. Request fewer objects at a time: smaller pages, fewer fields and aliases.',
    extensions: { limit: 'answer bytes', max: MAX_CHARACTERS },
  });
}

/** The answer to a change that was made, whose answer is larger than can go out. */
export function changeResponseTooLargeError(): ServiceError {
  return new ServiceError('OUTCOME_UNKNOWN', {
    message:
      'The change was sent, its answer is larger than 5 MB: read before trying again, and ask for less then.',
    extensions: { limit: 'answer bytes', max: MAX_CHARACTERS },
  });
}
