/**
 * An error response of AWS. Name and `$metadata` are as in errors of the AWS SDK, so callers handle both clients alike.
 */

type AwsErrorFacts = {
  readonly name: string;
  readonly message: string;
  readonly httpStatusCode: number;
  readonly requestId: string | undefined;
  /** The time of AWS's clock in the response, epoch milliseconds. */
  readonly serverTimeMs?: number | undefined;
  /** How long the client must wait before a retry, as AWS demands; in milliseconds. */
  readonly retryAfterMs?: number | undefined;
};

/** An error response of AWS. Its message is the text of AWS, which may quote the request. */
export class AwsError extends Error {
  readonly $metadata: { readonly httpStatusCode: number; readonly requestId?: string; attempts: number };
  readonly serverTimeMs: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor({ name, message, httpStatusCode, requestId, serverTimeMs, retryAfterMs }: AwsErrorFacts) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode, ...(requestId !== undefined && { requestId }), attempts: 1 };
    this.serverTimeMs = serverTimeMs;
    this.retryAfterMs = retryAfterMs;
  }
}
