/** The interface to DynamoDB and Secrets Manager, which the AWS SDK and the small client in aws-client/ implement. */

/**
 * One call of a JSON protocol: the API's operation name, such as GetItem, and its input; resolves with its output.
 * Rejects with an Error that has AWS's error name, and `$metadata` if AWS responded.
 */
export type AwsCall = (operation: string, input: object) => Promise<AwsOutput>;
export type AwsOutput = Readonly<Record<string, unknown>>;

type Metadata = {
  readonly httpStatusCode?: number;
  readonly requestId?: string;
  /** The number of attempts, including this one. */
  readonly attempts?: number;
};

/** Returns the facts of a failed call: AWS's error name, and the status and request id of its last response. */
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

/** Whether the condition of a write was refused. */
export function isConditionRefused(error: unknown): boolean {
  return failureOf(error).name === 'ConditionalCheckFailedException';
}
