/**
 * The whole service on one machine: first the emulators, then the functions, then the pages. Each part is started only
 * here, and closed in reverse order.
 */

import { createHash, randomBytes } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  FUNCTION_NAMES,
  type FunctionName,
  SCHEDULED_FUNCTION_NAMES,
} from '../../infra/definition/function-definitions.ts';
import { formatOperatorsLogGroup } from '../../infra/definition/operators-log-group.ts';
import { INTERVAL_MINUTES } from '../../infra/definition/timetable.ts';
import { PLATFORM_WEBHOOKS_PATH } from '../../lib/webhooks/in/webhook-registration.ts';
import { buildFunctions, type FunctionsBuild } from '../../tools/build/build-functions.ts';
import { markBuildInUse } from '../../tools/build/use-build.ts';
import { emulatorClientSettings } from '../aws/local-client-settings.ts';
import { startLogsEmulator } from '../aws/logs/start-logs-emulator.ts';
import { startSecretsManagerEmulator } from '../aws/secrets-manager/secrets-manager.ts';
import { startDynamoDbEmulator } from '../aws/start-dynamodb.ts';
import { startStsEmulator } from '../aws/start-sts-emulator.ts';
import { createMovableClock, type MovableClock } from '../clock/movable-clock.ts';
import { setClockOffset } from '../clock/shifted-date.mjs';
import { startFaults } from '../faults/start-faults.ts';
import { phonePageUrl, startPhone } from '../phone/phone.ts';
import type { AppForm } from '../platform/grants/app-grants.ts';
import { type Platform, startPlatform } from '../platform/platform.ts';
import { createStackSecrets } from './create-stack-secrets.ts';
import { createDeliveryTrigger } from './functions/delivery-trigger.ts';
import type { FunctionLogs } from './functions/logs.ts';
import { startScheduler } from './functions/scheduler.ts';
import { createEdge } from './gateway/edge.ts';
import { type InvokeFunction, startGateway } from './gateway/handle-gateway-request.ts';
import { type DemoStore, installDemoStores, type StoredDemoKeys } from './install-demo-stores.ts';
import type { DataFolder } from './start/data-folder.ts';
import { openOnPort } from './start/open-on-port.ts';
import type { RunningStackDescription } from './start/stack-file.ts';
import type { RequestedPorts } from './start/start-options.ts';
import { type RunningFunctions, type StackUrls, startFunctions } from './start-functions.ts';
import { installDemoEndpoint } from './webhooks/install-demo-endpoint.ts';
import { startMerchantEndpoint } from './webhooks/merchant-endpoint.ts';

export type StackOptions = {
  readonly ports: RequestedPorts;
  readonly data: DataFolder;
  readonly logs: FunctionLogs;
  /** Whether the bundles have crash points, and table and secrets have proxies in front of them: for fault tests. */
  readonly faultPoints: boolean;
  /** Whether each function with routes serves all its requests at once, in one process: for tests. */
  readonly concurrent?: boolean;
  /** Whether the gateway emulates the edge before the API. */
  readonly edge?: boolean;
  /** Whether the platform sends webhooks, and the functions of webhooks are on the timetable. */
  readonly webhooks: boolean;
  /** The number of contracts of the first store's customer who has the most, for tests; 250 by default. */
  readonly contracts?: number | undefined;
  /** The lifetime of the platform's access tokens; an hour by default. */
  readonly platformTokenSeconds?: number | undefined;
  readonly appForm?: AppForm | undefined;
  readonly allowOrigins?: readonly string[];
  /** Web pages of a developer that sign the first store's customers in. */
  readonly pages?: readonly string[];
  /** The bundles to run; by default they are built. */
  readonly build?: FunctionsBuild;
  /** Receives each step, to show the progress of the start. */
  readonly progress: (step: string) => void;
  /** Receives the emulated platform's lines for people, including sign-in codes. */
  readonly announce: (line: string) => void;
};
export type Stack = { readonly state: RunningStackDescription; close(): Promise<void> };

/** These functions are never called without webhooks. */
const WEBHOOK_FUNCTIONS: ReadonlySet<FunctionName> = new Set([
  'platform-webhooks',
  'store-events',
  'webhook-deliveries',
  'billing',
]);
const tableName = 'subscriptions-local';
const secretsPrefix = 'subscriptions/local';

/**
 * Starts everything; resolves when all parts are ready.
 * @throws StartError with advice when a part cannot start
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  await using cleanup = new AsyncDisposableStack();
  options.progress('Building the functions');
  const functionsBuild = options.build ?? (await buildFunctions({ faultPoints: options.faultPoints }));
  cleanup.defer(markBuildInUse(functionsBuild.dir));
  const clock = createStoredClock(options.data);
  options.progress('Starting the stand-ins: DynamoDB, Secrets Manager, the platform');
  const edgeSecret = options.edge === true ? randomBytes(32).toString('hex') : undefined;
  const addresses = await startEmulators(cleanup, { ...options, clock, edgeSecret });
  options.progress('Installing the demo stores, starting the functions');
  const runningFaults = options.faultPoints ? await startFaults(addresses) : undefined;
  cleanup.defer(async () => runningFaults?.close());
  const functionsPromise = startFunctions({
    build: functionsBuild,
    endpoints: { ...addresses, ...runningFaults?.endpoints, allowOrigins: options.allowOrigins },
    environment: { ...runningFaults?.environment, ...(edgeSecret && buildEdgeEnvironment(edgeSecret)) },
    concurrent: options.concurrent,
    clockOffsetMs: clock.offsetMs,
    logs: options.logs,
    warm: FUNCTION_NAMES.filter((name) => options.webhooks || !WEBHOOK_FUNCTIONS.has(name)),
  });
  cleanup.defer(() => functionsPromise.then((started) => started.close()).catch(() => undefined));
  const [functions, stores] = await Promise.all([functionsPromise, installStores(addresses, options)]);
  addresses.connect(functions);
  for (const name of SCHEDULED_FUNCTION_NAMES.filter(
    (scheduledName) => options.webhooks || scheduledName === 'scheduled-work',
  )) {
    const invokeByName = (event: object) => functions.invoke(name, event);
    const scheduler = startScheduler({
      clock,
      name,
      everyMinutes: INTERVAL_MINUTES[name],
      invoke: invokeByName,
    });
    cleanup.defer(() => scheduler.close());
  }
  if (options.webhooks) {
    const trigger = createDeliveryTrigger((event) => functions.invoke('webhook-deliveries', event));
    cleanup.defer(() => trigger.close());
    addresses.onNewEntry(trigger.requestRun);
    // An earlier run may have left events.
    trigger.requestRun();
  }
  const merchantServerUrl = options.webhooks
    ? await startDemoEndpoint(cleanup, { addresses, stores, clock })
    : undefined;
  const stackState = {
    ...describeStack(addresses, stores),
    ...(merchantServerUrl !== undefined && { merchantServerUrl }),
    ...(runningFaults && { faultsUrl: runningFaults.url }),
  };
  const ownedCleanup = cleanup.move();
  return { state: stackState, close: () => ownedCleanup.disposeAsync() };
}

/** One clock offset for all parts. It is stored, because the stored data was written by that clock. */
function createStoredClock(data: DataFolder): MovableClock {
  const storedClock = data.read('clock.json') as { offsetMs?: number } | undefined;
  const clock = createMovableClock(storedClock?.offsetMs ?? 0);
  setClockOffset(clock.offsetMs());
  clock.onMove(({ offsetMs }) => {
    setClockOffset(offsetMs);
    data.write('clock.json', { offsetMs });
  });
  return clock;
}

type StackAddresses = StackUrls & {
  readonly phoneUrl: string;
  readonly logsUrl: string;
  readonly stsUrl: string;
  readonly platform: Platform;
  /** Calls the listener after each new timeline entry. */
  onNewEntry(listener: () => void): void;
  /** From this call, the gateway handles requests. */
  connect(functions: RunningFunctions): void;
};

type EmulatorOptions = StackOptions & {
  readonly clock: MovableClock;
  readonly edgeSecret: string | undefined;
};

/** Returns the variables by which the functions recognize the edge. */
function buildEdgeEnvironment(secret: string): Record<string, string> {
  return { EDGE_SECRET_HASHES: createHash('sha256').update(secret).digest('hex') };
}

async function startEmulators(
  cleanup: AsyncDisposableStack,
  options: EmulatorOptions,
): Promise<StackAddresses> {
  const { data, clock } = options;
  const dynamoDb = await startDynamoDbEmulator({ tableName, path: data.path('dynamodb') });
  cleanup.defer(() => dynamoDb.close());
  const secretsManager = await startSecretsManagerEmulator({
    path: data.path('secrets.json'),
    now: clock.now,
  });
  cleanup.defer(() => secretsManager.close());
  const client = new SecretsManagerClient(emulatorClientSettings(secretsManager.url));
  // Functions read the secrets while they start.
  await createStackSecrets(client, secretsPrefix);
  client.destroy();
  const retentionByLogGroup = { [formatOperatorsLogGroup('local')]: 400 };
  const logs = await startLogsEmulator({
    path: data.path('operators-trace.jsonl'),
    now: clock.now,
    groups: retentionByLogGroup,
  });
  cleanup.defer(() => logs.close());
  const stsEmulator = await startStsEmulator();
  cleanup.defer(() => stsEmulator.close());
  const publicServers = await startPublicServers(cleanup, options);
  const { platform, gateway, phone } = publicServers;
  return {
    baseUrl: gateway.url,
    platformUrl: platform.url,
    phoneUrl: phone.url,
    dynamoDbUrl: dynamoDb.url,
    onNewEntry: dynamoDb.onNewEntry,
    secretsManagerUrl: secretsManager.url,
    logsUrl: logs.url,
    stsUrl: stsEmulator.url,
    tableName,
    secretsPrefix,
    platform,
    connect: publicServers.connect,
  };
}

/**
 * Starts the parts with configurable ports. The gateway listens before the functions start, because they need its
 * address.
 */
async function startPublicServers(cleanup: AsyncDisposableStack, options: EmulatorOptions) {
  const { ports, data, clock, announce, appForm, contracts, edgeSecret } = options;
  const { platformTokenSeconds: accessTokenSeconds } = options;
  const edge = edgeSecret === undefined ? undefined : createEdge({ secret: edgeSecret, now: clock.now });
  const rememberedPorts = (data.read('ports.json') ?? {}) as Partial<RequestedPorts>;
  const dataDir = data.path('platform');
  const functionsReady = Promise.withResolvers<RunningFunctions>();
  const platform = await openOnPort(
    { variable: 'PLATFORM_PORT', port: ports.platform, remembered: rememberedPorts.platform },
    (port) =>
      startPlatform({
        ...{ port, clock, announce, appForm, contracts },
        ...(accessTokenSeconds !== undefined && { tokenLifetimes: { accessToken: accessTokenSeconds } }),
        ...(dataDir !== undefined && { dataDir }),
      }),
  );
  cleanup.defer(() => platform.close());
  const invokeFunction: InvokeFunction = async (...call) => (await functionsReady.promise).invoke(...call);
  const gateway = await openOnPort(
    { variable: 'PORT', port: ports.service, remembered: rememberedPorts.service },
    (port) => startGateway({ port, now: clock.now, invoke: invokeFunction, ...(edge && { edge }) }),
  );
  cleanup.defer(() => gateway.close());
  const [{ shop } = { shop: '' }] = platform.stores;
  const stackUrls = { serviceUrl: gateway.url, productImagesUrl: platform.url, shop };
  const phoneServer = await openOnPort(
    { variable: 'PHONE_PORT', port: ports.phone, remembered: rememberedPorts.phone },
    (port) => startPhone({ port, ...stackUrls }),
  );
  cleanup.defer(() => phoneServer.close());
  const [service, platformPort, phonePort] = [gateway, platform, phoneServer].map(({ url }) =>
    Number(new URL(url).port),
  );
  data.write('ports.json', { service, platform: platformPort, phone: phonePort });
  return { platform, gateway, phone: phoneServer, connect: functionsReady.resolve };
}

type DemoEndpointOptions = {
  readonly addresses: StackAddresses;
  readonly stores: readonly DemoStore[];
  readonly clock: MovableClock;
};

/** Starts the page of a merchant's server, which receives the first store's webhooks, and returns its address. */
async function startDemoEndpoint(
  cleanup: AsyncDisposableStack,
  { addresses, stores: [store], clock }: DemoEndpointOptions,
): Promise<string | undefined> {
  if (store === undefined) return undefined;
  const endpoint = await startMerchantEndpoint(clock.now);
  cleanup.defer(() => endpoint.close());
  endpoint.setSecret(
    await installDemoEndpoint({ ...addresses, shopId: store.shopId, url: endpoint.hooksUrl }),
  );
  return endpoint.url;
}

const ADMIN_KEYS_FILE = 'admin-keys.json';

async function installStores(
  addresses: StackAddresses,
  { data, webhooks, pages = [] }: Pick<StackOptions, 'data' | 'webhooks' | 'pages'>,
): Promise<DemoStore[]> {
  const stores = await installDemoStores({
    ...addresses,
    platformOrigin: `${addresses.platformUrl}/{shop}`,
    stores: addresses.platform.stores,
    webPages: [phonePageUrl(addresses.phoneUrl), ...pages],
    webhooksUri: webhooks ? `${addresses.baseUrl}${PLATFORM_WEBHOOKS_PATH}` : undefined,
    savedKeys: (data.read(ADMIN_KEYS_FILE) ?? {}) as StoredDemoKeys,
  });
  data.write(ADMIN_KEYS_FILE, Object.fromEntries(stores.map(({ shop, ...keys }) => [shop, keys])));
  return stores;
}

function describeStack(addresses: StackAddresses, stores: readonly DemoStore[]): RunningStackDescription {
  const [firstStore] = stores;
  if (firstStore === undefined) throw new Error('The platform has no store.');
  const { customers, contracts } = addresses.platform;
  return {
    baseUrl: addresses.baseUrl,
    platformUrl: addresses.platformUrl,
    phoneUrl: addresses.phoneUrl,
    shop: firstStore.shop,
    shopId: firstStore.shopId,
    adminKey: firstStore.adminKey,
    webhooksKey: firstStore.webhooksKey,
    customers,
    contracts,
    stores,
    dynamoDbUrl: addresses.dynamoDbUrl,
    secretsManagerUrl: addresses.secretsManagerUrl,
    logsUrl: addresses.logsUrl,
    stsUrl: addresses.stsUrl,
    tableName,
    secretsPrefix,
  };
}
