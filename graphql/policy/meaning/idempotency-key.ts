/** The form of an idempotency key. */

const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;
/** Includes line ends, which a key has by mistake if it was read from a file. */
const CONTROL_CHARACTER_PATTERN = /\p{Cc}/u;

/**
 * Returns the reason why a key is invalid.
 * @returns undefined when the key is valid
 */
export function findIdempotencyKeyProblem(key: string): string | undefined {
  if (key.length === 0 || key.length > MAX_IDEMPOTENCY_KEY_CHARACTERS) {
    return `The key of @idempotent has 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} characters, not ${key.length}. Use a random UUID.`;
  }
  if (CONTROL_CHARACTER_PATTERN.test(key))
    return 'The key of @idempotent has no control characters and no line ends.';
  return undefined;
}
