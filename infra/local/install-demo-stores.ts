/**
 * Installs the emulated platform's stores and hands out their admin keys, by the use cases that an operator's
 * command line calls. A restart over kept data finds both as they were.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type LinkSecret, openKey, proofOf } from '../../lib/domain/one-time-link-secret.ts';
import { parseShopDomain, type ShopDomain } from '../../lib/domain/shop-domain.ts';
import { parseShopId, type ShopId } from '../../lib/domain/shop-id.ts';
import { discoverSignIn } from '../../lib/platform/discover-sign-in.ts';
import { createSendSignInRequest } from '../../lib/platform/sign-in-request.ts';
import { createOneTimeLinks } from '../../lib/storage/one-time-links.ts';
import { createSecrets } from '../../lib/storage/secrets.ts';
import { createStores } from '../../lib/storage/stores.ts';
import { createTable } from '../../lib/storage/table.ts';
import { createVersionReader } from '../../lib/storage/versioned-secret.ts';
import { claimAdminKey } from '../../lib/stores/claim-admin-key.ts';
import { installStore } from '../../lib/stores/install-store.ts';
import { issueAdminKey } from '../../lib/stores/issue-admin-key.ts';

/** A store as the emulated platform describes it. */
export type DemoStore = {
  readonly shop: string;
  readonly shopId: number;
  readonly name: string;
  readonly clientId: string;
  /** Of the Admin API. */
  readonly accessToken: string;
  readonly storefrontUrl: string;
  readonly portalPageId: string;
};
export type InstalledDemoStore = {
  readonly shop: string;
  readonly shopId: number;
  readonly adminKey: string;
};

type Options = {
  readonly stores: readonly DemoStore[];
  readonly dynamoDb: DynamoDBClient;
  readonly secretsManager: SecretsManagerClient;
  readonly tableName: string;
  readonly secretsPrefix: string;
  /** `{shop}` stands for the store's domain. */
  readonly platformOrigin: string;
  /** Keeps the admin keys of the demo for the next start; the service itself could not tell them again. */
  readonly dataDir: string | undefined;
};

const SCOPES = [
  'read_customers',
  'read_customer_payment_methods',
  'write_customers',
  'read_own_subscription_contracts',
  'write_own_subscription_contracts',
  'read_products',
  'read_orders',
  'unauthenticated_read_product_listings',
];

/** Every store installed, each with a live admin key. */
export async function installDemoStores(options: Options): Promise<InstalledDemoStore[]> {
  const deps = compose(options);
  const kept = await readKeptKeys(options.dataDir);
  const installed: InstalledDemoStore[] = [];
  for (const store of options.stores) {
    const shopId = await install(deps, store);
    const adminKey = kept[store.shop] ?? (await handOutKey(deps, store, shopId));
    installed.push({ shop: store.shop, shopId, adminKey });
  }
  await keepKeys(options.dataDir, installed);
  return installed;
}

type Deps = ReturnType<typeof compose>;

function compose({ dynamoDb, secretsManager, tableName, secretsPrefix, platformOrigin }: Options) {
  const table = createTable({ client: dynamoDb, tableName });
  const send = createSendSignInRequest({ platformOrigin });
  const secrets = createSecrets({ client: secretsManager });
  return {
    table,
    secrets,
    secretsPrefix,
    readVersion: createVersionReader({ secrets, secretsPrefix }),
    logger: { info: () => undefined },
    stores: createStores({ table }),
    links: createOneTimeLinks({ table }),
    discoverSignIn: discoverSignIn.bind(undefined, { send, platformOrigin }),
    now: Date.now,
    random: randomBytes,
  };
}

async function install(deps: Deps, store: DemoStore): Promise<ShopId> {
  const shopId = parseShopId(store.shopId);
  if (shopId === undefined) throw new Error(`${store.shopId} is not a shop id.`);
  await installStore(deps, {
    shopId,
    domain: parseDomain(store),
    displayName: store.name,
    storefrontUrl: store.storefrontUrl,
    portalPageId: store.portalPageId,
    clientId: store.clientId,
    grant: { accessToken: store.accessToken, scopes: SCOPES },
  });
  return shopId;
}

function parseDomain({ shop }: DemoStore): ShopDomain {
  const domain = parseShopDomain(shop, ['.myshopify.com']);
  if (domain === undefined) throw new Error(`${shop} is not a store's domain.`);
  return domain;
}

/** Issues a key and opens its one-time link, as the merchant would. */
async function handOutKey(deps: Deps, store: DemoStore, shopId: ShopId): Promise<string> {
  const issued = await issueAdminKey(deps, {
    shopId,
    label: 'Demo server',
    intendedUse: 'Trying the service on this machine',
    createdBy: 'npm start',
  });
  const secret = issued.fragment as LinkSecret;
  const claimed = await claimAdminKey(deps, {
    linkId: issued.linkId,
    claimId: randomBytes(16).toString('base64url'),
    proof: proofOf(secret),
    domain: parseDomain(store),
  });
  const key = claimed.outcome === 'opened' ? openKey(claimed.sealedKey, secret) : undefined;
  if (key === undefined) throw new Error('The admin key of the demo could not be handed out.');
  return key;
}

const KEPT_FILE = 'demo-admin-keys.json';

async function readKeptKeys(dataDir: string | undefined): Promise<Record<string, string | undefined>> {
  if (dataDir === undefined) return {};
  const text = await readFile(join(dataDir, KEPT_FILE), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Record<string, string>;
}

async function keepKeys(dataDir: string | undefined, stores: readonly InstalledDemoStore[]): Promise<void> {
  if (dataDir === undefined) return;
  const text = JSON.stringify(Object.fromEntries(stores.map(({ shop, adminKey }) => [shop, adminKey])));
  const path = join(dataDir, KEPT_FILE);
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
