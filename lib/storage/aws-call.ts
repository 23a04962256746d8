/** How DynamoDB and Secrets Manager are asked: by the AWS SDK, or by the small client in aws-client/. */

/**
 * One call of a JSON protocol: the API's name of the operation, such as GetItem, and its input; resolves with its output.
 * Rejects with an Error named as AWS names it, and with `$metadata` if AWS answered at all.
 */
export type AwsCall = (operation: string, input: object) => Promise<AwsOutput>;
export type AwsOutput = Readonly<Record<string, unknown>>;

type Metadata = {
  readonly httpStatusCode?: number;
  readonly requestId?: string;
  /** How many tries there were, this one included. */
  readonly attempts?: number;
};

/** What is known of a failed call: AWS's name of it, and the status and request id of its last answer. */
export function failureOf(error: unknown): { readonly name: string } & Metadata {
  const { name = '', $metadata = {} } = (error ?? {}) as { name?: string; $metadata?: Metadata };
  const { httpStatusCode, requestId, attempts } = $metadata;
  return {
    name,
    ...(httpStatusCode !== undefined && { httpStatusCode }),
    ...(requestId !== undefined && { requestId }),
    ...(attempts !== undefined && { attempts }),
  };
}

/** Whether a conditional write was refused. */
export function isConditionRefused(error: unknown): boolean {
  return failureOf(error).name === 'ConditionalCheckFailedException';
}
