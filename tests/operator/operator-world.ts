/** The command line with emulators of table, secrets and platform. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { formatOperatorsLogGroup } from '../../infra/definition/operators-log-group.ts';
import { createSdkTableClient } from '../../lib/storage/sdk-client/sdk-table.ts';
import type { Item } from '../../lib/storage/table.ts';
import { runCommandLine } from '../../operator/command-line/program.ts';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';
import { startLogsEmulator } from '../../sandbox/aws/logs/start-logs-emulator.ts';
import { startSecretsManagerEmulator } from '../../sandbox/aws/secrets-manager/secrets-manager.ts';
import { startDynamoDbEmulator } from '../../sandbox/aws/start-dynamodb.ts';
import { startStsEmulator } from '../../sandbox/aws/start-sts-emulator.ts';
import { createMovableClock } from '../../sandbox/clock/movable-clock.ts';
import { createStackSecrets } from '../../sandbox/local/create-stack-secrets.ts';
import { startPlatform } from '../../sandbox/platform/platform.ts';
import { startRightsProxies } from './rights-proxies.ts';

export type OperatorWorld = Awaited<ReturnType<typeof createOperatorWorld>>;
export type Ran = { readonly exitCode: number; readonly out: string; readonly err: string };
type Person = {
  readonly input?: string;
  readonly answers?: readonly boolean[];
  readonly columns?: number;
  /** Another description of the stack, in which something is broken. */
  readonly state?: string;
  /** Returns the text to paste, from all text displayed before. */
  readonly pastes?: (displayed: string) => Promise<string>;
};

const secretsPrefix = 'subscriptions/local';
const tableName = 'subscriptions-local';

export async function createOperatorWorld() {
  const clock = createMovableClock(0);
  const [dynamoDb, secretsManager, logs, sts, platform] = await Promise.all([
    startDynamoDbEmulator({ tableName, path: undefined }),
    startSecretsManagerEmulator({ path: undefined, now: clock.now }),
    startLogsEmulator({
      path: undefined,
      now: clock.now,
      groups: { [formatOperatorsLogGroup('local')]: 400 },
    }),
    startStsEmulator(),
    startPlatform({ port: 0, clock }),
  ]);
  const secrets = new SecretsManagerClient(emulatorClientSettings(secretsManager.url));
  await createStackSecrets(secrets, secretsPrefix);
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const state = {
    baseUrl: 'http://127.0.0.1:3000',
    platformUrl: platform.url,
    dynamoDbUrl: dynamoDb.url,
    secretsManagerUrl: secretsManager.url,
    logsUrl: logs.url,
    stsUrl: sts.url,
    tableName,
    secretsPrefix,
  };
  const file = (name: string, content: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const rights = await startRightsProxies(state);
  const stateFile = file('stack.json', { ...state, ...rights.urls });

  /** Returns the output of all commands. */
  const displayed: string[] = [];

  /** Runs a command line; `person` provides standard input or answers to prompts. By default there is no terminal. */
  async function run(line: readonly string[], person: Person = {}): Promise<Ran> {
    const out: string[] = [];
    const err: string[] = [];
    const answers = [...(person.answers ?? [])];
    const exitCode = await runCommandLine([...line, '--state', person.state ?? stateFile], {
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
      columns: person.columns ?? 200,
      isInteractive: person.answers !== undefined,
      confirm: async (question) => {
        err.push(question);
        return answers.shift() ?? false;
      },
      ask: async () => (await person.pastes?.(err.join('\n'))) ?? '',
      readInput: async () => person.input ?? '',
    });
    const ran = { exitCode, out: out.join('\n'), err: err.join('\n') };
    displayed.push(ran.out, ran.err);
    return ran;
  }

  async function json(line: readonly string[]) {
    const ran = await run([...line, '--json']);
    if (ran.exitCode !== 0) throw new Error(`exit code ${ran.exitCode}: ${ran.err} ${ran.out}`);
    return JSON.parse(ran.out);
  }

  /** Credentials of a store of the platform's, as an operator has them in a file. */
  function credentials(index = 0) {
    const store = platform.stores[index];
    return { grant: { accessToken: store?.accessToken ?? '' }, clientId: store?.clientId ?? '' };
  }

  return {
    run,
    json,
    credentials,
    /** Installs a store of the platform's, unless an earlier test has. */
    async install(domain: string) {
      const known: { domain: string }[] = await json(['store', 'list']);
      if (known.some((store) => store.domain === domain)) return;
      const index = platform.stores.findIndex(({ shop }) => shop === domain);
      await json(['store', 'install', domain, '--credentials', file(domain, credentials(index))]);
    },
    platform,
    state,
    file,
    folder,
    stateFile,
    clock: async () => ({ offsetMs: clock.offsetMs() }),
    rights,
    /** Writes an item, like another process. */
    putItem: async (item: Item) => {
      const client = new DynamoDBClient(emulatorClientSettings(dynamoDb.url));
      await createSdkTableClient({ client, tableName }).put(item);
      client.destroy();
    },
    output: () => displayed.join('\n'),
    /** The operators' trace so far. */
    trace: () => logs.messages().map((line) => JSON.parse(line) as Record<string, unknown>),
    control: async (name: string, body: unknown) => {
      const answer = await fetch(`${platform.url}/_control/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Record<string, unknown>;
    },
    /** Replaces or deletes a secret; resolves with a function that restores it. */
    async secret(name: string, text: string | undefined): Promise<() => Promise<void>> {
      const SecretId = `${secretsPrefix}/${name}`;
      const before = await secrets.send(new GetSecretValueCommand({ SecretId }));
      const put = (SecretString: string | undefined) =>
        secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
      if (text === undefined)
        await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
      else await put(text);
      return async () => {
        if (text !== undefined) await put(before.SecretString);
        else
          await secrets.send(new CreateSecretCommand({ Name: SecretId, SecretString: before.SecretString }));
      };
    },
    async close() {
      secrets.destroy();
      const servers = [rights, dynamoDb, secretsManager, logs, sts, platform];
      await Promise.all(servers.map((each) => each.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
