/**
 * Runs a synthesised template on this machine: creates its table and secret, starts its functions from their bundled
 * assets with the template's own handler, memory, time-out and environment, and opens its routes. Only the endpoints in
 * the environment are replaced: the platform's origin and those of AWS.
 */

import { createHash, randomBytes } from 'node:crypto';
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';
import { startSecretsManagerEmulator } from '../../../sandbox/aws/secrets-manager/secrets-manager.ts';
import { startDynamoDbEmulator } from '../../../sandbox/aws/start-dynamodb.ts';
import { createMovableClock } from '../../../sandbox/clock/movable-clock.ts';
import { createEdge } from '../../../sandbox/local/gateway/edge.ts';
import { startGateway } from '../../../sandbox/local/gateway/handle-gateway-request.ts';
import { createRouteMatcher } from '../../../sandbox/local/gateway/match-route.ts';
import { type DemoStore, installDemoStores } from '../../../sandbox/local/install-demo-stores.ts';
import { type Platform, startPlatform } from '../../../sandbox/platform/platform.ts';
import { type DeployStandIn, startDeployStandIn } from './deploy-stand-in.ts';
import { type AwsCall, allows } from './recording-proxy.ts';
import { type Resources, resolveTemplate } from './resolve-intrinsics.ts';
import { cpuMsOf, type HostedFunction } from './runtime-host.ts';
import { type FunctionStart, startFunction } from './start-function.ts';
import { statementsWithout } from './statements-without.ts';
import {
  type DeployedFunction,
  functionsOf,
  hookFunctionOf,
  ofType,
  routesOf,
  scheduledFunctionsOf,
  theOne,
} from './template-parts.ts';
import type { Weigh } from './weigh-call.ts';

/** Production's template contains hashes without known secrets. */
const EDGE_SECRET = randomBytes(32).toString('hex');
const EDGE_SECRET_HASH = createHash('sha256').update(EDGE_SECRET).digest('hex');

export type Synthesised = { readonly dir: string; readonly resources: Resources };
type RecordedCall = AwsCall & { readonly functionName: string; readonly allowed: boolean };
export type RunningTemplate = {
  readonly baseUrl: string;
  readonly platform: Platform;
  readonly stores: readonly DemoStore[];
  readonly dynamoDbUrl: string;
  readonly secretsManagerUrl: string;
  readonly tableName: string;
  readonly secretsPrefix: string;
  readonly functions: readonly (DeployedFunction & Pick<HostedFunction, 'initMs' | 'pid' | 'output'>)[];
  /** Every call of a function to AWS so far. */
  readonly calls: readonly RecordedCall[];
  /** Emulates Lambda and CodeDeploy for the trial of new versions. */
  readonly deploy: DeployStandIn;
  /** Runs the function that CodeDeploy runs before requests reach a new version. */
  runHook(event: object): Promise<unknown>;
  /**
   * Runs what a schedule runs, `scheduled-work` if none is named; with `aheadMs` in an instance of its own whose clock is so
   * far ahead.
   */
  runSchedule(event: object, aheadMs?: number, name?: string): Promise<unknown>;
  /**
   * Starts another instance and stops it. Returns its processor's milliseconds until it requested its first invocation.
   */
  restart(functionName: string): Promise<number>;
  close(): Promise<void>;
};

/** The size of the platform's first store, and the measurements of a running template. */
type TemplateOptions = {
  /** See the platform's option of this name. */
  readonly contracts?: number;
  /** Makes what calls of the table are weighed with. */
  readonly createScale?: (dynamoDbUrl: string) => { readonly weigh: Weigh; readonly close: () => void };
  /** Receives a function's response to a route. */
  readonly onAnswer?: (answer: unknown) => void;
  /** An instance that has worked for `runSchedule` ahead of the clock, and is about to end. */
  readonly onRun?: (instance: HostedFunction) => void;
  /** Returns the address at which the functions reach the platform instead of its own. */
  readonly wrapPlatform?: (platformUrl: string) => Promise<string>;
};

/** `without`: a right that is taken out, for example `customer-graphql PutItem COOLDOWN`. */
export async function startTemplate(
  { dir, resources }: Synthesised,
  without = '',
  { contracts, createScale, onAnswer, onRun, wrapPlatform }: TemplateOptions = {},
): Promise<RunningTemplate> {
  await using parts = new AsyncDisposableStack();
  const connected = Promise.withResolvers<ReadonlyMap<string, HostedFunction>>();
  const gateway = await startGateway({
    port: 0,
    now: Date.now,
    edge: createEdge({ secret: EDGE_SECRET, now: Date.now }),
    matchRoute: createRouteMatcher(routesOf(resolveTemplate(resources, ''))),
    invoke: async (id, event, onStart) => {
      const hosted = (await connected.promise).get(id);
      onStart();
      const answer = await hosted?.invoke(event);
      onAnswer?.(answer);
      return answer;
    },
  });
  parts.defer(() => gateway.close());
  const resolved = resolveTemplate(resources, gateway.url);
  const deployed = functionsOf(resolved);
  const calls: RecordedCall[] = [];
  const hookId = hookFunctionOf(resolved);
  const { functionName, statements } = deployed.get(hookId) ?? { functionName: '', statements: [] };
  const deploy = await startDeployStandIn({
    async live(name, event) {
      const [id = ''] = [...deployed].find(([, one]) => one.functionName === name) ?? [];
      return (await connected.promise).get(id)?.invoke(event);
    },
    onCall(call) {
      calls.push({ ...call, functionName, allowed: statements.some((one) => allows(one, call)) });
    },
  });
  parts.defer(() => deploy.close());
  const standIns = await startStandIns(parts, resolved, contracts);
  const scale = createScale?.(standIns.dynamoDbUrl);
  parts.defer(() => scale?.close());
  const platformUrl = (await wrapPlatform?.(standIns.platformUrl)) ?? standIns.platformUrl;
  const places = { ...standIns, platformUrl, deployUrl: deploy.url, edgeSecretHash: EDGE_SECRET_HASH };
  const start = (one: DeployedFunction, ahead: Pick<FunctionStart, 'clockAheadMs'> = {}) => {
    const { functionName, statements } = one;
    const restricted = { ...one, statements: statementsWithout(without, functionName, statements) };
    const onCall = (call: AwsCall, allowed: boolean) => calls.push({ ...call, functionName, allowed });
    return startFunction({ dir, places, deployed: restricted, onCall, weigh: scale?.weigh, ...ahead });
  };
  const starting = [...deployed].map(async ([id, one]) => {
    const started = await start(one);
    parts.defer(() => started.close());
    return [id, started] as const;
  });
  const hosted = new Map(await Promise.all(starting));
  connected.resolve(hosted);
  const scheduledIds = scheduledFunctionsOf(resolved);
  const scheduledOf = (name: string) => {
    const id = scheduledIds.find((one) => deployed.get(one)?.functionName.endsWith(name));
    const scheduled = id === undefined ? undefined : deployed.get(id);
    if (id === undefined || scheduled === undefined) throw new Error(`No schedule runs ${name}.`);
    return { id, scheduled };
  };
  const owned = parts.move();
  return {
    ...places,
    baseUrl: gateway.url,
    calls,
    deploy,
    functions: [...deployed].map(([id, one]) => {
      const { initMs = 0, pid = 0, output = () => '' } = hosted.get(id) ?? {};
      return { ...one, initMs, pid, output };
    }),
    runHook: async (event) => hosted.get(hookId)?.invoke(event),
    async runSchedule(event, clockAheadMs, name = 'scheduled-work') {
      const { id, scheduled } = scheduledOf(name);
      if (clockAheadMs === undefined) return hosted.get(id)?.invoke(event);
      const later = await start(scheduled, { clockAheadMs });
      const done = later.invoke(event).finally(() => onRun?.(later));
      return await done.finally(() => later.close());
    },
    async restart(functionName) {
      const one = [...deployed.values()].find((other) => other.functionName === functionName);
      if (one === undefined) throw new Error(`There is no ${functionName}.`);
      const another = await start(one);
      const cpuMs = cpuMsOf(another.pid);
      await another.close();
      return cpuMs;
    },
    close: () => owned.disposeAsync(),
  };
}

async function startStandIns(parts: AsyncDisposableStack, resources: Resources, contracts?: number) {
  const clock = createMovableClock();
  const table = theOne(resources, 'AWS::DynamoDB::Table');
  const rings = ofType(resources, 'AWS::SecretsManager::Secret').map(([, { Properties }]) => Properties);
  const secret = rings.find(({ Name }) => /token-keys$/.test(String(Name))) ?? {};
  const [dynamoDb, secretsManager, platform] = await Promise.all([
    startDynamoDbEmulator({ tableName: 'of-another-stack', path: undefined }),
    startSecretsManagerEmulator({ path: undefined, now: clock.now }),
    startPlatform({ port: 0, clock, contracts }),
  ]);
  for (const one of [dynamoDb, secretsManager, platform]) parts.defer(() => one.close());
  await makeTable(dynamoDb.url, table);
  for (const ring of rings) await makeSecret(secretsManager.url, ring);
  await makeEdgeSecret(secretsManager.url, String(secret.Name).replace(/token-keys$/, 'edge'));
  const tableName = String(table.TableName);
  const secretsPrefix = String(secret.Name).replace(/\/token-keys$/, '');
  const places = {
    dynamoDbUrl: dynamoDb.url,
    secretsManagerUrl: secretsManager.url,
    tableName,
    secretsPrefix,
  };
  const stores = await installDemoStores({
    ...places,
    platformOrigin: `${platform.url}/{shop}`,
    stores: platform.stores,
    savedKeys: {},
  });
  return { ...places, platform, platformUrl: platform.url, stores };
}

/** As CloudFormation makes it, from the template's own keys and indexes. */
async function makeTable(url: string, properties: Readonly<Record<string, unknown>>): Promise<void> {
  const { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode } = properties;
  const client = new DynamoDBClient(emulatorClientSettings(url));
  const input = { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode };
  await client.send(new CreateTableCommand(input as CreateTableCommandInput));
  client.destroy();
}

async function makeSecret(
  url: string,
  { Name, GenerateSecretString }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const {
    SecretStringTemplate: template,
    GenerateStringKey: key,
    PasswordLength: length,
  } = GenerateSecretString as Record<string, string>;
  if (template === undefined || key === undefined) throw new Error('The secret is not generated.');
  const generated = randomBytes(Number(length)).toString('hex').slice(0, Number(length));
  const value = { ...JSON.parse(template), [key]: generated };
  const client = new SecretsManagerClient(emulatorClientSettings(url));
  await client.send(new CreateSecretCommand({ Name: String(Name), SecretString: JSON.stringify(value) }));
  client.destroy();
}

/** Created like by an operator, in the edge's region: one emulator serves both. */
async function makeEdgeSecret(url: string, name: string): Promise<void> {
  const client = new SecretsManagerClient(emulatorClientSettings(url));
  const value = { a: EDGE_SECRET, b: 'the next one' };
  await client.send(new CreateSecretCommand({ Name: name, SecretString: JSON.stringify(value) }));
  client.destroy();
}
