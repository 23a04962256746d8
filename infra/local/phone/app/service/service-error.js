const FINAL = ['STORE_ACCESS_MISSING', 'STORE_DISCONNECTED'];

/** Everything that can go wrong on the way to the service, by its code. words/errors.js puts it in words. */
export class ServiceError extends Error {
  /**
   * @param {{ code: string, status?: number, message?: string, retryAfterSeconds?: number }} facts
   *   `status` is 0 where no answer came.
   */
  constructor({ code, status = 0, message = code, retryAfterSeconds }) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The same request may well succeed in a moment; nobody's sign-in ends because of it. */
  get transient() {
    // Only the merchant can connect a store again, or grant what is missing.
    if (FINAL.includes(this.code)) return false;
    return this.code === 'NETWORK' || this.status === 429 || this.status >= 500;
  }
}

/** @param {unknown} error @param {string} code */
export function hasCode(error, code) {
  return error instanceof ServiceError && error.code === code;
}
