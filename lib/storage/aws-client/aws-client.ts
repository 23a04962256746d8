/**
 * The small client of one AWS service: a call is signed (sign-request.ts), sent (send-once.ts), read (read-answer.ts) and
 * tried again (try-again.ts). The AWS SDK does the same, and takes three quarters of a short request to do it.
 */
import type { AwsCredentials, AwsService } from '../../config/aws-environment.ts';
import { type AwsCall, type AwsOutput, failureOf } from '../aws-call.ts';
import { createClockOffset } from './clock-offset.ts';
import { createKeptConnections } from './kept-connections.ts';
import { readAnswer } from './read-answer.ts';
import { createSendOnce } from './send-once.ts';
import { signRequest } from './sign-request.ts';
import { createTryAgain } from './try-again.ts';

export type AwsClientOptions = {
  readonly service: AwsService;
  readonly endpoint: URL;
  readonly region: string;
  readonly credentials: AwsCredentials;
  /** The wall clock. */
  readonly now: () => number;
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly newId: () => string;
  /** Of one try, from its start to the last byte of the answer. */
  readonly timeoutMs: number;
  /** AWS no longer takes the credentials: nothing will succeed again. */
  readonly onExpired: () => void;
};
export type AwsClient = { readonly call: AwsCall; close(): void };

const PROTOCOLS: Readonly<Record<AwsService, { target: string; type: string; backOffMs: number }>> = {
  dynamodb: { target: 'DynamoDB_20120810', type: 'application/x-amz-json-1.0', backOffMs: 25 },
  secretsmanager: { target: 'secretsmanager', type: 'application/x-amz-json-1.1', backOffMs: 50 },
};

/** A client of one service at one place. Rejects as AwsCall says. */
export function createAwsClient(options: AwsClientOptions): AwsClient {
  const { service, endpoint, region, credentials, now, newId, timeoutMs, onExpired } = options;
  const { target, type, backOffMs } = PROTOCOLS[service];
  const connections = createKeptConnections(endpoint.protocol, now);
  const sendOnce = createSendOnce({ endpoint, connections, timeoutMs });
  const tryAgain = createTryAgain({ ...options, backOffMs });
  const clock = createClockOffset(now);
  const attempt = async (headers: Readonly<Record<string, string>>, body: string): Promise<AwsOutput> => {
    const unsigned = { host: endpoint.host, region, service, headers, body, atMs: clock.now() };
    return readAnswer(await sendOnce(signRequest(unsigned, credentials), body));
  };
  return {
    close: connections.close,
    async call(operation, input) {
      const body = JSON.stringify(input);
      const headers = {
        'Content-Type': type,
        'X-Amz-Target': `${target}.${operation}`,
        'Amz-Sdk-Invocation-Id': newId(),
      };
      const corrected = (error: unknown) => {
        if (clock.corrects(error)) return attempt(headers, body);
        throw error;
      };
      try {
        return await tryAgain(() => attempt(headers, body).catch(corrected));
      } catch (error) {
        if (failureOf(error).name.startsWith('ExpiredToken')) onExpired();
        throw error;
      }
    },
  };
}
