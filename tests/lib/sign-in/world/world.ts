/** Everything a sign-in needs, in this process: the real use cases, with the table in memory or over its protocol. */
import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTokenKeyReader } from '../../../../lib/credentials/token-keys.ts';
import type { ShopDomain } from '../../../../lib/domain/shop-domain.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { LogFields } from '../../../../lib/observability/logger.ts';
import { createCheckDiscovery } from '../../../../lib/platform/sign-in/check-discovery.ts';
import { discoverSignInAddresses } from '../../../../lib/platform/sign-in/discover-sign-in.ts';
import { createSignInClient } from '../../../../lib/platform/sign-in/sign-in-client.ts';
import { createSendSignInRequest } from '../../../../lib/platform/sign-in/sign-in-request.ts';
import { createSigningKeySet } from '../../../../lib/platform/sign-in/signing-key-set.ts';
import type { SignInDeps } from '../../../../lib/sign-in/sign-in-deps.ts';
import { createTombstoneRepository } from '../../../../lib/storage/privacy/tombstones.ts';
import { createSdkTableClient } from '../../../../lib/storage/sdk-client/sdk-table.ts';
import { createSessionLinkRepository } from '../../../../lib/storage/sessions/session-links.ts';
import { createSessionRepository } from '../../../../lib/storage/sessions/sessions.ts';
import { createSignInRepository } from '../../../../lib/storage/sessions/sign-ins.ts';
import { createStoreRepository, type StoreRecord, toStoreItems } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { emulatorClientSettings } from '../../../../sandbox/aws/local-client-settings.ts';
import { startDynamoDbEmulator } from '../../../../sandbox/aws/start-dynamodb.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { tableOf } from '../../../rights/guarded-table.ts';
import { createFaultyTable } from './faulty-table.ts';
import { startOpenIdPlatform } from './openid-platform.ts';

export const SHOP = 'harbor-coffee.myshopify.com' as ShopDomain;
export const SHOP_ID = 81234567001 as ShopId;
export const CLIENT_ID = 'client-1';
export const TOMBSTONE_KEY = 'the key of tombstones';
const TABLE_NAME = 'sign-in-tests';
const SECONDS = 1000;

export type World = Awaited<ReturnType<typeof createWorld>>;
export type WiredWorld = Awaited<ReturnType<typeof createWiredWorld>>;

type Random = (bytes: number) => Buffer;

/** With the table in memory. `random` returns the bytes of all tokens, codes and keys. */
export function createWorld(random: Random = randomBytes) {
  return createWorldOn({ table: createMemoryTable(), random, close: async () => undefined });
}

/** With the table over DynamoDB's protocol. */
export async function createWiredWorld() {
  const { url: dynamoDbUrl, table, close } = await startTable();
  let closed: Promise<void> | undefined;
  const closeTable = () => {
    closed ??= close();
    return closed;
  };
  const world = await createWorldOn({ table, random: randomBytes, close: closeTable });
  return { ...world, dynamoDbUrl, tableName: TABLE_NAME, closeTable };
}

type WorldParts = { readonly table: Table; readonly random: Random; readonly close: () => Promise<void> };

async function createWorldOn({ table: realTable, random, close }: WorldParts) {
  const clock = { offsetMs: 0 };
  const now = () => Date.now() + clock.offsetMs;
  const { table: faultyTable, faults } = createFaultyTable(realTable);
  const platform = await startOpenIdPlatform(now, random);
  const logs: { message: string; fields: LogFields }[] = [];
  const log = (message: string, fields: LogFields = {}) => void logs.push({ message, fields });
  const logger = { debug: log, info: log, warn: log, error: log };
  const ring = { json: { seed: 'a random string of the stack' } as unknown, isDown: false, reads: 0 };
  const secrets = {
    async read() {
      ring.reads++;
      if (ring.isDown) throw new ServiceError('TEMPORARILY_UNAVAILABLE');
      return { versionId: '1', json: ring.json };
    },
  };
  const platformOrigin = `${platform.origin}/{shop}`;
  const send = createSendSignInRequest({ platformOrigin });

  /** The parts of one container; they share table and platform alone. */
  function createContainer(): SignInDeps {
    const table = tableOf('headless-auth', faultyTable);
    return {
      now,
      random,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 20)),
      logger,
      stores: createStoreRepository({ table, parts: [] }),
      signIns: createSignInRepository({ table }),
      sessions: createSessionRepository({ table }),
      sessionLinks: createSessionLinkRepository({ table }),
      tombstones: createTombstoneRepository({ table, readKey: async () => TOMBSTONE_KEY, now }),
      tokenKeys: createTokenKeyReader({ secrets, secretsPrefix: 'test', now, logger }),
      platform: createSignInClient({ send }),
      keySet: createSigningKeySet({ send, now }),
      checkPinnedSignInAddresses: createCheckDiscovery({ send, platformOrigin, now, logger }),
      platformGidNamespace: 'shopify',
    };
  }

  const signIn = await discoverSignInAddresses({ send, platformOrigin }, SHOP);
  const store: StoreRecord = {
    shopId: SHOP_ID,
    domain: SHOP,
    storefrontUrl: 'https://harbor.example',
    displayName: 'Harbor Coffee',
    portalPageId: undefined,
    clientId: CLIENT_ID,
    signIn,
    status: 'installed',
    platformVersionId: undefined,
    adminKeysVersionId: undefined,
    keyClaims: {},
    storefrontAccessToken: undefined,
    storefrontLeaseUntilMs: undefined,
    installedAtMs: now() - 24 * 3600 * SECONDS,
    restoredAtMs: undefined,
  };
  const putStore = async (changes: Partial<StoreRecord> = {}) => {
    for (const item of toStoreItems({ ...store, ...changes })) await realTable.put(item);
  };
  await createStoreRepository({ table: realTable }).mapDomainToStore(SHOP, SHOP_ID);
  await putStore();
  platform.state.requests.length = 0;

  return {
    deps: createContainer(),
    createContainer,
    platform,
    logs,
    ring,
    faults,
    table: realTable,
    platformOrigin,
    putStore,
    now,
    advance(seconds: number) {
      clock.offsetMs += seconds * SECONDS;
    },
    close: async () => {
      await Promise.all([platform.close(), close()]);
    },
  };
}

async function startTable(): Promise<{ table: Table; url: string; close: () => Promise<void> }> {
  const server = await startDynamoDbEmulator({ tableName: TABLE_NAME, path: undefined });
  const client = new DynamoDBClient(emulatorClientSettings(server.url));
  return {
    table: createSdkTableClient({ client, tableName: TABLE_NAME }),
    url: server.url,
    close: async () => {
      client.destroy();
      await server.close();
    },
  };
}
