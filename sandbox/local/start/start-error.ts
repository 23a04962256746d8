/** Why the stack cannot start, in one sentence that says what to do; shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
