/** What the operator did wrong or must decide, in words that say what to do; shown without a stack trace. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  /** 2: the command was not understood; 1: it was, and could not be done. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
