/**
 * The service's own client for AWS: signs a call (sign-request.ts), sends it (send-once.ts), parses the response
 * (parse-aws-response.ts) and retries it (run-with-retries.ts). The AWS SDK does the same, but its overhead is three quarters of the
 * duration of a short request.
 */
import type { AwsCredentials, AwsService } from '../../config/aws-environment.ts';
import { createConnectionPool } from '../../domain/outgoing/connection-pool.ts';
import { type AwsCall, type AwsOutput, awsFailureFactsOf } from './aws-call.ts';
import { createClockOffset } from './clock-offset.ts';
import { parseAwsResponse } from './parse-aws-response.ts';
import { createRunWithRetries } from './run-with-retries.ts';
import { createSendOnce } from './send-once.ts';
import { createRequestSigner } from './sign-request.ts';

/** The AWS services with a JSON protocol. */
type AwsJsonService = Exclude<AwsService, 'lambda'>;

export type AwsClientOptions = {
  readonly service: AwsJsonService;
  readonly endpoint: URL;
  readonly region: string;
  /** Returns the present credentials. */
  readonly credentials: () => AwsCredentials;
  /** The wall clock, epoch milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly newId: () => string;
  /** The timeout of one attempt in milliseconds, from its start to the last byte of the response. */
  readonly timeoutMs: number;
  /** Called when AWS rejects the credentials as expired: no further call of this container can succeed. */
  readonly onCredentialsExpired: () => void;
};
export type AwsClient = { readonly call: AwsCall; close(): void };

const PROTOCOL_BY_SERVICE: Readonly<
  Record<AwsJsonService, { targetPrefix: string; contentType: string; backOffMs: number }>
> = {
  dynamodb: { targetPrefix: 'DynamoDB_20120810', contentType: 'application/x-amz-json-1.0', backOffMs: 25 },
  secretsmanager: {
    targetPrefix: 'secretsmanager',
    contentType: 'application/x-amz-json-1.1',
    backOffMs: 50,
  },
  codedeploy: {
    targetPrefix: 'CodeDeploy_20141006',
    contentType: 'application/x-amz-json-1.1',
    backOffMs: 100,
  },
};

/** A call. All its attempts have the same id and the same body. */
type AwsCallRequest = { readonly target: string; readonly body: string; readonly id: string };

/** Creates a client for one service at one endpoint. Its calls throw as `AwsCall` describes. */
export function createAwsClient(options: AwsClientOptions): AwsClient {
  const { service, endpoint, credentials, now, newId, timeoutMs, onCredentialsExpired } = options;
  const { targetPrefix, contentType, backOffMs } = PROTOCOL_BY_SERVICE[service];
  const signRequest = createRequestSigner({ ...options, host: endpoint.host, contentType });
  const connectionPool = createConnectionPool(endpoint.protocol, now);
  const sendOnce = createSendOnce({ endpoint, connections: connectionPool, timeoutMs });
  const runWithRetries = createRunWithRetries({ ...options, backOffMs });
  const clockOffset = createClockOffset(now);
  const sendAttempt = async (call: AwsCallRequest): Promise<AwsOutput> => {
    const { body } = call;
    const signedHeaders = signRequest({ ...call, signedAtMs: clockOffset.now() });
    return parseAwsResponse(await sendOnce({ ...signedHeaders, 'Amz-Sdk-Invocation-Id': call.id }, body));
  };
  return {
    close: connectionPool.close,
    async call(operation, input) {
      const awsCall = { target: `${targetPrefix}.${operation}`, body: JSON.stringify(input), id: newId() };
      const { accessKeyId } = credentials();
      const areCredentialsRenewed = () => credentials().accessKeyId !== accessKeyId;
      const resendAfterCorrection = (error: unknown) => {
        if (
          clockOffset.correctIfSkewed(error) ||
          (isExpiredCredentialsError(error) && areCredentialsRenewed())
        )
          return sendAttempt(awsCall);
        throw error;
      };
      try {
        return await runWithRetries(() => sendAttempt(awsCall).catch(resendAfterCorrection));
      } catch (error) {
        if (isExpiredCredentialsError(error)) onCredentialsExpired();
        throw error;
      }
    },
  };
}

function isExpiredCredentialsError(error: unknown): boolean {
  return awsFailureFactsOf(error).name.startsWith('ExpiredToken');
}
