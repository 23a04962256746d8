/** What AWS answered in place of a result. Named as AWS names it, with the SDK's `$metadata`, so that callers need not know who asked. */

type Facts = {
  readonly name: string;
  readonly message: string;
  readonly httpStatusCode: number;
  readonly requestId: string | undefined;
  /** The time of AWS's clock, epoch milliseconds, if the answer told it. */
  readonly serverTimeMs?: number | undefined;
  /** How long AWS wants us to wait. */
  readonly retryAfterMs?: number | undefined;
};

/** Its message is AWS's own: it may quote the request. */
export class AwsError extends Error {
  readonly $metadata: { readonly httpStatusCode: number; readonly requestId?: string; attempts: number };
  readonly serverTimeMs: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor({ name, message, httpStatusCode, requestId, serverTimeMs, retryAfterMs }: Facts) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode, ...(requestId !== undefined && { requestId }), attempts: 1 };
    this.serverTimeMs = serverTimeMs;
    this.retryAfterMs = retryAfterMs;
  }
}
