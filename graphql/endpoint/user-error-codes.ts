/**
 * The field `userErrors` of a request's log line: the different codes of all its user errors, as one text. It has no
 * messages and no ids, which may name a person, and its length is limited, because some codes are the platform's.
 */
import type { UserErrorWithCode } from '../plan/run-context.ts';

/** The maximum number of codes in a line. A line that omits codes ends with `MORE`. */
const MAX_CODES_PER_LOG_LINE = 10;
const MAX_CODE_LENGTH = 64;
const CODE_PATTERN = new RegExp(`^[A-Z][A-Z0-9_]{0,${MAX_CODE_LENGTH - 1}}$`);

/** Returns the field with the codes of these user errors added. `field`: its value so far, if it has one. */
export function addUserErrorCodes(field: unknown, userErrors: readonly UserErrorWithCode[]): string {
  const fieldCodes = typeof field === 'string' ? field.split(' ') : [];
  const codes = [...new Set([...fieldCodes, ...userErrors.map(toLoggableCode)])];
  return (
    codes.length <= MAX_CODES_PER_LOG_LINE ? codes : [...codes.slice(0, MAX_CODES_PER_LOG_LINE), 'MORE']
  ).join(' ');
}

/** Returns the code, or a word for a user error that has none, or one that does not look like a code. */
function toLoggableCode({ code }: UserErrorWithCode): string {
  if (code === undefined || code === null) return 'NO_CODE';
  return typeof code === 'string' && CODE_PATTERN.test(code) ? code : 'OTHER';
}
