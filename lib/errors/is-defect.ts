/**
 * Recognizes errors that come from a defect in the code. A retry does not help against them, so other work should not
 * wait for one.
 */

const DEFECT_CLASS_NAMES: ReadonlySet<string> = new Set([
  'Error',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
]);

/** Whether the error is one of the language, such as TypeError, or a plain Error for a failed assumption. */
export function isDefect(error: unknown): error is Error {
  return error instanceof Error && DEFECT_CLASS_NAMES.has(error.constructor.name);
}
