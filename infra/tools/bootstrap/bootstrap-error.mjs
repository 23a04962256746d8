/** Why a script cannot run, in one sentence that says what to do; shown without a stack trace. */
export class BootstrapError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.name = 'BootstrapError';
    this.exitCode = exitCode;
  }
}
