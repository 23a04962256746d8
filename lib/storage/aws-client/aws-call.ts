/**
 * The interface through which the code calls AWS. Both the AWS SDK and the service's own client (aws-client.ts)
 * implement it.
 */

/**
 * Calls one operation of an AWS API, for example `GetItem`, and returns its output. Throws an Error whose name is AWS's
 * error code. The error has `$metadata` if AWS responded.
 */
export type AwsCall = (operation: string, input: object) => Promise<AwsOutput>;
export type AwsOutput = Readonly<Record<string, unknown>>;

type ResponseMetadata = {
  readonly httpStatusCode?: number;
  readonly requestId?: string;
  /** The number of attempts that have been made, including those that failed. */
  readonly attempts?: number;
};

/** Returns the facts of a failed call: AWS's error code, and status and request id of the last response. */
export function awsFailureFactsOf(error: unknown): { readonly name: string } & ResponseMetadata {
  const { name = '', $metadata = {} } = (error ?? {}) as { name?: string; $metadata?: ResponseMetadata };
  const { httpStatusCode, requestId, attempts } = $metadata;
  return {
    name,
    ...(httpStatusCode !== undefined && { httpStatusCode }),
    ...(requestId !== undefined && { requestId }),
    ...(attempts !== undefined && { attempts }),
  };
}

/** Whether the call failed because the condition of a write did not hold. */
export function isConditionalCheckFailure(error: unknown): boolean {
  return awsFailureFactsOf(error).name === 'ConditionalCheckFailedException';
}
