/** The codes of errors that the command line itself finds; docs/operators.md lists them with those of the service. */
export type OperatorErrorCode =
  | 'INVALID_COMMAND'
  | 'CONFIRMATION_REQUIRED'
  | 'CONFIRMATION_DENIED'
  | 'NOT_FOUND'
  | 'REFUSED';

/** An error that the operator can resolve; the message says how, and is shown without a stack trace. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  /** 2: the command was not understood; 1: it was, and could not be done. */
  readonly exitCode: 1 | 2;
  /** For programs that read --json. */
  readonly code: OperatorErrorCode;

  constructor(
    message: string,
    exitCode: 1 | 2 = 1,
    code: OperatorErrorCode = exitCode === 2 ? 'INVALID_COMMAND' : 'REFUSED',
  ) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}
