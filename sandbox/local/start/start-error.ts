/** The error when the stack cannot start. Its message says what to do; it is printed without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
