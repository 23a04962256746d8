/** The shared state of a soak: the stack, its faults, the counts, and the texts that must not occur again. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { refreshTokenFormat } from '../../lib/domain/tokens/refresh-token.ts';
import { decodeSessionClaims, type SessionClaims } from '../../lib/domain/tokens/session-claims.ts';
import { createSdkTableClient } from '../../lib/storage/sdk-client/sdk-table.ts';
import { createSessionRepository, type Sessions } from '../../lib/storage/sessions/sessions.ts';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';
import type { Answer } from '../contract/world/service-client.ts';
import { createFaultControl, type FaultControl } from '../faults/fault-control.ts';
import type { TestStack } from '../stack.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createSecretsSeen, type SecretsSeen } from './secrets-seen.ts';

export type SoakWorld = {
  readonly stack: TestStack;
  readonly faults: FaultControl;
  readonly ledger: Ledger;
  readonly secrets: SecretsSeen;
  /** The table itself, past every fault. */
  readonly sessions: Sessions;
  /** Epoch milliseconds of the stack's clock. */
  readonly now: () => number;
  advance(seconds: number): Promise<void>;
  /** The number of concurrent equal refreshes of an app. */
  readonly copies: number;
  /** Bodies of refusals, without their request ids. */
  readonly refusals: Set<string>;
  close(): void;
};

export async function createSoakWorld(stack: TestStack, copies: number): Promise<SoakWorld> {
  const client = new DynamoDBClient(emulatorClientSettings(stack.dynamoDbUrl));
  let offsetMs = Date.parse(await stack.control.now()) - Date.now();
  return {
    stack,
    faults: createFaultControl(stack),
    ledger: createLedger(),
    secrets: createSecretsSeen(),
    sessions: createSessionRepository({
      table: createSdkTableClient({ client, tableName: stack.tableName }),
    }),
    now: () => Date.now() + offsetMs,
    async advance(seconds) {
      await stack.control.clock({ advance: seconds });
      offsetMs += seconds * 1000;
    },
    copies,
    refusals: new Set(),
    close: () => client.destroy(),
  };
}

/**
 * Retries immediately a few times while the response is a transient error.
 * @returns undefined when the error persists.
 */
export async function insist(
  world: SoakWorld,
  request: () => Promise<Answer>,
  tries = 8,
): Promise<Answer | undefined> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const answer = await request();
    if (answer.status !== 200) world.refusals.add(answer.text.replace(/"requestId":"[^"]*"/, ''));
    if (answer.status < 500) return answer;
    world.ledger.count(answer.status === 503 ? 'answered 503' : 'answered 500');
  }
  return undefined;
}

const MAC_BYTES = 16;

/** Reads the key and the claims of a refresh token without checking its MAC: the service issued it. */
export function readToken(refreshToken: string): { readonly kid: string; readonly claims: SessionClaims } {
  const kid = refreshTokenFormat.parse(refreshToken)?.kid;
  const bytes = Buffer.from(refreshToken.slice('SVC_RT_'.length), 'base64url');
  const claims =
    kid === undefined ? undefined : decodeSessionClaims(bytes.subarray(2 + kid.length, -MAC_BYTES), 0);
  if (kid === undefined || claims === undefined)
    throw new Error('The service gave a token of no known form.');
  return { kid, claims };
}
