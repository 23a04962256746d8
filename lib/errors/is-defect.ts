/**
 * The classes of errors that a defect in the code causes. A retry does not help, so other work should not wait for
 * it.
 */

const DEFECTS: ReadonlySet<string> = new Set([
  'Error',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
]);

/** Whether this is an error of the language or a failed assumption, not one that describes a failure. */
export function isDefect(error: unknown): error is Error {
  return error instanceof Error && DEFECTS.has(error.constructor.name);
}
