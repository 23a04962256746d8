/**
 * An error response of AWS. It has AWS's error name and the SDK's `$metadata`, so callers need not distinguish the
 * two clients.
 */

type Facts = {
  readonly name: string;
  readonly message: string;
  readonly httpStatusCode: number;
  readonly requestId: string | undefined;
  /** The time of AWS's clock, epoch milliseconds, if the response contains it. */
  readonly serverTimeMs?: number | undefined;
  /** How long AWS asks the client to wait. */
  readonly retryAfterMs?: number | undefined;
};

/** The message is AWS's own and may quote the request. */
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
