/** The drill's own stand-ins, in memory: nothing that somebody has is touched. */
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { operatorsLogGroup } from '../../definition/operators-log-group.ts';
import { startLogs } from '../../emulators/aws/logs/start-logs.ts';
import { startSecretsManager } from '../../emulators/aws/secrets-manager/secrets-manager.ts';
import { createTable, startDynamoDb } from '../../emulators/aws/start-dynamodb.ts';
import { startSts } from '../../emulators/aws/start-sts.ts';
import { createMovableClock } from '../../emulators/clock/movable-clock.ts';
import { type Platform, startPlatform } from '../../emulators/platform/platform.ts';
import { closeTarget, localTarget, type Target } from '../target.ts';

export const TABLE = 'subscriptions-drill';
export const RESTORED_TABLE = `${TABLE}-restored`;

const SECRETS_PREFIX = 'subscriptions/drill';

export type StandIns = {
  readonly platform: Platform;
  /** The environment, with its table or the restored one. */
  readonly targetOf: (tableName: string) => Target;
  /** Makes the table that a restore makes, as empty as DynamoDB begins. */
  readonly createRestored: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startStandIns(): Promise<StandIns> {
  await using parts = new AsyncDisposableStack();
  const clock = createMovableClock();
  const started = async <Part extends { close(): Promise<void> }>(starting: Promise<Part>) => {
    const part = await starting;
    parts.defer(() => part.close());
    return part;
  };
  const [dynamoDb, secretsManager, logs, sts, platform] = await Promise.all([
    started(startDynamoDb({ tableName: TABLE, path: undefined })),
    started(startSecretsManager({ path: undefined, now: clock.now })),
    started(startLogs({ path: undefined, now: clock.now, groups: { [operatorsLogGroup('local')]: 400 } })),
    started(startSts()),
    started(startPlatform({ port: 0, clock })),
  ]);
  const places = {
    baseUrl: 'http://127.0.0.1',
    platformUrl: platform.url,
    dynamoDbUrl: dynamoDb.url,
    secretsManagerUrl: secretsManager.url,
    logsUrl: logs.url,
    stsUrl: sts.url,
    secretsPrefix: SECRETS_PREFIX,
  };
  const targets: Target[] = [];
  parts.defer(async () => targets.forEach(closeTarget));
  const targetOf = (tableName: string): Target => {
    const target = localTarget({ ...places, tableName }, 0);
    targets.push(target);
    return target;
  };
  const { secretsManager: secrets, dynamoDb: client } = targetOf(TABLE);
  for (const [name, field] of [
    ['token-keys', 'seed'],
    ['tombstone-key', 'key'],
  ] as const) {
    const SecretString = JSON.stringify({ [field]: 'made once by the stack' });
    await secrets.send(new CreateSecretCommand({ Name: `${SECRETS_PREFIX}/${name}`, SecretString }));
  }
  const owned = parts.move();
  return {
    platform,
    targetOf,
    createRestored: () => createTable(client, RESTORED_TABLE),
    close: () => owned.disposeAsync(),
  };
}
