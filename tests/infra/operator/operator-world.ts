/** The command line against stand-ins: table, secrets and the emulated platform. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { localAwsClient } from '../../../infra/emulators/aws/local-aws-client.ts';
import { startSecretsManager } from '../../../infra/emulators/aws/secrets-manager/secrets-manager.ts';
import { startDynamoDb } from '../../../infra/emulators/aws/start-dynamodb.ts';
import { createMovableClock } from '../../../infra/emulators/clock/movable-clock.ts';
import { startPlatform } from '../../../infra/emulators/platform/platform.ts';
import { runCommandLine } from '../../../infra/operator/command-line/program.ts';

export type OperatorWorld = Awaited<ReturnType<typeof createOperatorWorld>>;
export type Ran = { readonly exitCode: number; readonly out: string; readonly err: string };
type Person = {
  readonly input?: string;
  readonly answers?: readonly boolean[];
  readonly columns?: number;
  /** Ctrl-C at this question, counted from 1. */
  readonly endsAt?: number;
  /** What is pasted, given all that was shown before. */
  readonly pastes?: (shown: string) => Promise<string>;
};

const secretsPrefix = 'subscriptions/local';
const tableName = 'subscriptions-local';

export async function createOperatorWorld() {
  const clock = createMovableClock(0);
  const [dynamoDb, secretsManager, platform] = await Promise.all([
    startDynamoDb({ tableName, path: undefined }),
    startSecretsManager({ path: undefined, now: clock.now }),
    startPlatform({ port: 0, clock }),
  ]);
  const secrets = new SecretsManagerClient(localAwsClient(secretsManager.url));
  const ring = {
    Name: `${secretsPrefix}/token-keys`,
    SecretString: JSON.stringify({ seed: 'made once by the stack' }),
  };
  await secrets.send(new CreateSecretCommand(ring));
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const state = {
    baseUrl: 'http://127.0.0.1:3000',
    platformUrl: platform.url,
    dynamoDbUrl: dynamoDb.url,
    secretsManagerUrl: secretsManager.url,
    tableName,
    secretsPrefix,
  };
  const file = (name: string, content: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const stateFile = file('stack.json', state);

  /** Runs a command line; `person` gives standard input or answers questions, else nobody is there. */
  async function run(line: readonly string[], person: Person = {}): Promise<Ran> {
    const out: string[] = [];
    const err: string[] = [];
    const answers = [...(person.answers ?? [])];
    let asked = 0;
    let end: () => void = () => undefined;
    const exitCode = await runCommandLine([...line, '--state', stateFile], {
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
      columns: person.columns ?? 200,
      isInteractive: person.answers !== undefined,
      confirm: async (question) => {
        err.push(question);
        if (++asked === person.endsAt) end();
        return answers.shift() ?? false;
      },
      ask: async () => (await person.pastes?.(err.join('\n'))) ?? '',
      onInterrupt: (handler) => {
        end = handler;
        return () => undefined;
      },
      readInput: async () => person.input ?? '',
    });
    return { exitCode, out: out.join('\n'), err: err.join('\n') };
  }

  return {
    run,
    platform,
    state,
    file,
    folder,
    stateFile,
    json: async (line: readonly string[]) => {
      const ran = await run([...line, '--json']);
      if (ran.exitCode !== 0) throw new Error(`exit code ${ran.exitCode}: ${ran.err} ${ran.out}`);
      return JSON.parse(ran.out);
    },
    control: async (name: string, body: unknown) => {
      const answer = await fetch(`${platform.url}/_control/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Record<string, unknown>;
    },
    /** Gives a secret another text, or none; resolves with what puts it back. */
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
    /** Credentials of a store of the platform's, as an operator has them in a file. */
    credentials: (index = 0) => {
      const store = platform.stores[index];
      return { grant: { accessToken: store?.accessToken ?? '' }, clientId: store?.clientId ?? '' };
    },
    async close() {
      secrets.destroy();
      await Promise.all([dynamoDb.close(), secretsManager.close(), platform.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
