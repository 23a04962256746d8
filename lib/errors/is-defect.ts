/** A mistake in this code meets data that it was not made for: trying again does not help, and others are not to wait for it. */

const DEFECTS: ReadonlySet<string> = new Set([
  'Error',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
]);

/** Whether this is an error of the language or a broken assumption, and not one that says what has failed. */
export function isDefect(error: unknown): error is Error {
  return error instanceof Error && DEFECTS.has(error.constructor.name);
}
