/** Table and secrets in this process, in memory or over the real protocols, and a store for each test. */
import { randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createRecordKeyUse } from '../../../../lib/credentials/record-key-use.ts';
import { createAdminKeyVerifier } from '../../../../lib/credentials/verify-admin-key.ts';
import type { ShopDomain } from '../../../../lib/domain/shop-domain.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import type { TimeZone } from '../../../../lib/domain/time-zone.ts';
import type { LogFields } from '../../../../lib/observability/logger.ts';
import { createOneTimeLinkRepository } from '../../../../lib/storage/one-time-links.ts';
import type { ScanTable } from '../../../../lib/storage/scan.ts';
import { createSdkSecretsClient } from '../../../../lib/storage/sdk-client/sdk-secrets.ts';
import { createSdkTableClient } from '../../../../lib/storage/sdk-client/sdk-table.ts';
import { createTableScan } from '../../../../lib/storage/sdk-client/table-scan.ts';
import { createStoreRepository } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { createVersionReader } from '../../../../lib/storage/versioned-secret.ts';
import { installStore } from '../../../../lib/stores/lifecycle/install-store.ts';
import { emulatorClientSettings } from '../../../../sandbox/aws/local-client-settings.ts';
import { startSecretsManagerEmulator } from '../../../../sandbox/aws/secrets-manager/secrets-manager.ts';
import { startDynamoDbEmulator } from '../../../../sandbox/aws/start-dynamodb.ts';
import { createMemorySecrets } from '../../../memory-secrets.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { createFaults, faulty } from './faults.ts';

export const PREFIX = 'subscriptions/test';
const TABLE_NAME = 'subscriptions-test';

export type World = Awaited<ReturnType<typeof createWorld>>;
export type Deps = ReturnType<World['container']>;
type Storage = {
  readonly table: Table;
  readonly scan: ScanTable;
  readonly secretsManager: SecretsManagerClient;
  close(): Promise<void>;
};

/** In memory, without a protocol. */
export function createWorld() {
  return createWorldOn(async (now) => {
    const { scan, ...table } = createMemoryTable();
    return { table, scan, secretsManager: createMemorySecrets({ now }), close: async () => undefined };
  });
}

/** Over the protocols of DynamoDB and Secrets Manager. */
export async function createWiredWorld() {
  const dynamoDbServer = await startDynamoDbEmulator({ tableName: TABLE_NAME, path: undefined });
  const dynamoDb = new DynamoDBClient(emulatorClientSettings(dynamoDbServer.url));
  return createWorldOn(async (now) => {
    const secretsServer = await startSecretsManagerEmulator({ path: undefined, now });
    const secretsManager = new SecretsManagerClient(emulatorClientSettings(secretsServer.url));
    return {
      table: createSdkTableClient({ client: dynamoDb, tableName: TABLE_NAME }),
      scan: createTableScan({ client: dynamoDb, tableName: TABLE_NAME }),
      secretsManager,
      async close() {
        dynamoDb.destroy();
        secretsManager.destroy();
        await Promise.all([dynamoDbServer.close(), secretsServer.close()]);
      },
    };
  });
}

async function createWorldOn(startStorage: (now: () => number) => Promise<Storage>) {
  const clock = { offsetMs: 0 };
  const now = () => Date.now() + clock.offsetMs;
  const { table: sharedTable, scan, secretsManager, close } = await startStorage(now);
  const logs: { message: string; fields: LogFields }[] = [];
  const info = (message: string, fields: LogFields = {}) => void logs.push({ message, fields });
  let shops = 0;

  /** The parts of one container or one operator, with faults of its own. */
  function container() {
    const faults = createFaults();
    const table = faulty({ ...sharedTable }, 'table', faults);
    const secrets = faulty(createSdkSecretsClient({ client: secretsManager }), 'secrets', faults);
    const stores = createStoreRepository({ table });
    const logger = { debug: info, info, warn: info, error: info };
    const readVersion = createVersionReader({ secrets, secretsPrefix: PREFIX });
    return {
      faults,
      table,
      secrets,
      secretsPrefix: PREFIX,
      stores,
      readVersion,
      links: createOneTimeLinkRepository({ table }),
      verify: createAdminKeyVerifier({
        stores,
        readVersion,
        now,
        logger,
        recordUse: createRecordKeyUse({ table, now }),
      }),
      logger,
      now,
      random: (bytes: number): Uint8Array => randomBytes(bytes),
      newId: randomUUID,
      discoverSignIn: async () => SIGN_IN,
      wait: async () => undefined,
    };
  }

  /** A store of its own, installed. */
  async function installed(changes: { displayName?: string } = {}) {
    shops++;
    const shopId = (81000000000 + shops) as ShopId;
    const domain = `shop-${shops}.myshopify.com` as ShopDomain;
    await installStore(container(), { ...storeFacts({ shopId, domain }), ...changes });
    return { shopId, domain };
  }

  return {
    clock,
    now,
    logs,
    scan,
    secretsManager,
    container,
    installed,
    advance(ms: number) {
      clock.offsetMs += ms;
    },
    close,
  };
}

/** Returns the data of a new store. */
export function storeFacts({ shopId, domain }: { shopId: ShopId; domain: ShopDomain }) {
  return {
    shopId,
    domain,
    displayName: 'Harbor Coffee',
    storefrontUrl: 'https://harbor.example',
    timeZone: 'America/New_York' as TimeZone,
    portalPageId: undefined,
    clientId: 'client-1',
    grant: { accessToken: 'shpat_1', scopes: ['read_customers'] },
    trustedIssuer: SIGN_IN.issuer,
  };
}

export const SIGN_IN = {
  issuer: 'https://accounts.example/authentication/1',
  authorizationEndpoint: 'https://accounts.example/authorize',
  tokenEndpoint: 'https://accounts.example/token',
  jwksUri: 'https://accounts.example/jwks',
  endSessionEndpoint: 'https://accounts.example/logout',
  customerApiUrl: 'https://accounts.example/graphql',
};
