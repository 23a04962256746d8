/** An error of a function in the form that Lambda reports. */
export type RuntimeError = {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly stackTrace?: readonly string[];
};

/** The error of an invocation without a result. The gateway responds to it with 500. */
export class InvocationError extends Error {
  override readonly name = 'InvocationError';
  readonly error: RuntimeError;

  constructor(error: RuntimeError) {
    super(`${error.errorType}: ${error.errorMessage}`);
    this.error = error;
  }
}
