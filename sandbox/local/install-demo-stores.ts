/**
 * Installs the platform's stores as an operator does, and issues and claims an admin key for each, as a merchant does.
 * It uses only the service's use cases, and writes no item directly.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { composeAdminClient } from '../../functions/compose/compose-admin-client.ts';
import { composeStoreGrants } from '../../functions/compose/compose-store-grants.ts';
import type { KeyScope } from '../../lib/domain/key-scope.ts';
import { parseShopDomain, type ShopDomain } from '../../lib/domain/shop-domain.ts';
import { parseShopId, type ShopId } from '../../lib/domain/shop-id.ts';
import { parseWebRedirectUri } from '../../lib/domain/sign-in/web-redirect-uri.ts';
import { parseTimeZone } from '../../lib/domain/time-zone.ts';
import {
  type OneTimeLinkSecret,
  oneTimeLinkProofOf,
  openSealedAdminKey,
} from '../../lib/domain/tokens/one-time-link-secret.ts';
import { isScopeHandle, NEEDED_ACCESS } from '../../lib/platform/admin-api/needed-access.ts';
import { createSendWithinBudget } from '../../lib/platform/admin-api/send-within-budget.ts';
import type { PlatformGrant } from '../../lib/platform/grants/platform-grant.ts';
import { createPostForm } from '../../lib/platform/grants/post-form.ts';
import { discoverSignInAddresses } from '../../lib/platform/sign-in/discover-sign-in.ts';
import { createSendSignInRequest } from '../../lib/platform/sign-in/sign-in-request.ts';
import { createOneTimeLinkRepository } from '../../lib/storage/one-time-links.ts';
import { createSdkSecretsClient } from '../../lib/storage/sdk-client/sdk-secrets.ts';
import { createSdkTableClient } from '../../lib/storage/sdk-client/sdk-table.ts';
import { createStorefrontTokenRepository } from '../../lib/storage/storefront-tokens.ts';
import { createStoreRepository } from '../../lib/storage/stores.ts';
import { createVersionReader } from '../../lib/storage/versioned-secret.ts';
import { createWorkQueue } from '../../lib/storage/work-queue/work-queue.ts';
import { claimAdminKey } from '../../lib/stores/admin-keys/claim-admin-key.ts';
import { issueAdminKey } from '../../lib/stores/admin-keys/issue-admin-key.ts';
import {
  createConsentRequest,
  requestGrantByAuthorizationCode,
  requestGrantByClientCredentials,
} from '../../lib/stores/lifecycle/connect-store.ts';
import { ensureStorefrontToken } from '../../lib/stores/lifecycle/ensure-storefront-token.ts';
import { installStore } from '../../lib/stores/lifecycle/install-store.ts';
import { updateStore } from '../../lib/stores/lifecycle/update-store.ts';
import { migrateStoreItems } from '../../lib/stores/restore/migrate-store-items.ts';
import {
  recordWebhookRegistrationMethod,
  registerWebhooks,
} from '../../lib/stores/webhooks/register-webhooks.ts';
import { storeClientSecret } from '../../lib/stores/webhooks/store-client-secret.ts';
import { emulatorClientSettings } from '../aws/local-client-settings.ts';
import type { PlatformStore } from '../platform/describe-platform.ts';
import type { RunningStackDescription } from './start/stack-file.ts';

/** A store in the state file of the run. */
export type DemoStore = RunningStackDescription['stores'][number];
export type InstallOptions = {
  readonly dynamoDbUrl: string;
  readonly secretsManagerUrl: string;
  readonly tableName: string;
  readonly secretsPrefix: string;
  readonly platformOrigin: string;
  readonly stores: readonly PlatformStore[];
  /** The web pages that sign the first store's customers in. */
  readonly webPages?: readonly string[];
  /** The service's address for webhooks; undefined to register none. */
  readonly webhooksUri?: string | undefined;
  /** Keys of an earlier run on the same data, by shop, because the table has only their hashes. */
  readonly savedKeys: StoredDemoKeys;
};
/** The keys of the stores, by shop. Earlier versions stored the admin key alone, as a text. */
export type StoredDemoKeys = Readonly<Record<string, string | Pick<DemoStore, 'adminKey' | 'webhooksKey'>>>;

/** Installs every store that is not installed yet, and returns the admin keys of each. */
export async function installDemoStores(options: InstallOptions): Promise<DemoStore[]> {
  const deps = createInstallationDeps(options);
  const demoStores: DemoStore[] = [];
  for (const [storeIndex, store] of options.stores.entries()) {
    const ids = {
      shopId: requireUsableStoreValue(parseShopId(store.shopId)),
      domain: parseDemoDomain(store),
    };
    await installDemoStore(deps, { store, ...ids });
    if (storeIndex === 0 && options.webPages !== undefined)
      await registerWebPages(deps, ids, options.webPages);
    await ensureStorefrontToken(
      deps,
      requireUsableStoreValue(await deps.stores.find(ids.shopId)),
      deps.now() + 20_000,
    );
    if (options.webhooksUri !== undefined) await registerDemoWebhooks(deps, store, options.webhooksUri);
    const savedKey = options.savedKeys[store.shop];
    const storedKeys =
      typeof savedKey === 'string' ? { adminKey: savedKey, webhooksKey: undefined } : savedKey;
    const adminKey = storedKeys?.adminKey ?? (await issueAndClaimKey(deps, ids, DEMO_KEY));
    const webhooksKey = storedKeys?.webhooksKey ?? (await issueAndClaimKey(deps, ids, WEBHOOKS_KEY));
    demoStores.push({ shop: store.shop, shopId: store.shopId, adminKey, webhooksKey });
  }
  deps.close();
  return demoStores;
}

function createInstallationDeps({
  dynamoDbUrl,
  secretsManagerUrl,
  tableName,
  secretsPrefix,
  platformOrigin,
}: InstallOptions) {
  const dynamoDb = new DynamoDBClient(emulatorClientSettings(dynamoDbUrl));
  const secretsManager = new SecretsManagerClient(emulatorClientSettings(secretsManagerUrl));
  const table = createSdkTableClient({ client: dynamoDb, tableName });
  const secretsClient = createSdkSecretsClient({ client: secretsManager });
  const sendSignInRequest = createSendSignInRequest({ platformOrigin });
  const stores = createStoreRepository({ table });
  const now = Date.now;
  const storeDeps = { table, secrets: secretsClient, stores, logger: silentLogger, now };
  const environment = { secretsPrefix, platformOrigin, platformApiVersion: '2026-07' };
  const storeGrants = composeStoreGrants({ ...storeDeps, environment });
  const sendAdmin = composeAdminClient({ ...storeDeps, environment, grants: storeGrants });
  return {
    table,
    secrets: secretsClient,
    secretsPrefix,
    platformOrigin,
    stores,
    links: createOneTimeLinkRepository({ table }),
    readVersion: createVersionReader({ secrets: secretsClient, secretsPrefix }),
    postForm: createPostForm({ send: sendSignInRequest }),
    discoverSignIn: (domain: ShopDomain) =>
      discoverSignInAddresses({ send: sendSignInRequest, platformOrigin }, domain),
    logger: silentLogger,
    now,
    storefrontTokens: createStorefrontTokenRepository({ table }),
    sendWithinBudget: createSendWithinBudget({ send: sendAdmin, now, wait }),
    random: (bytes: number) => randomBytes(bytes),
    close() {
      dynamoDb.destroy();
      secretsManager.destroy();
    },
  };
}

const doNothing = () => undefined;
const silentLogger = { debug: doNothing, info: doNothing, warn: doNothing, error: doNothing };
const wait = async (ms: number) => void (await sleep(ms));

type InstallationDeps = ReturnType<typeof createInstallationDeps>;
type StoreIds = { readonly shopId: ShopId; readonly domain: ShopDomain };

/** Installs a store. A store of an earlier run stays unchanged, unless the platform's port has changed. */
async function installDemoStore(
  deps: InstallationDeps,
  { store, shopId, domain }: StoreIds & { store: PlatformStore },
): Promise<void> {
  const platformOriginOfStore = new URL(deps.platformOrigin.replaceAll('{shop}', domain)).origin;
  const installedStore = await deps.stores.find(shopId);
  // Migrate data of an earlier version: current functions may not write such a store.
  if (installedStore?.unmigratedParts) await migrateStoreItems(deps, shopId);
  if (
    installedStore?.status === 'installed' &&
    installedStore.signIn.issuer.startsWith(platformOriginOfStore)
  )
    return;
  await installStore(deps, {
    shopId,
    domain,
    displayName: store.name,
    storefrontUrl: store.storefrontUrl,
    timeZone: requireUsableStoreValue(parseTimeZone(store.ianaTimezone)),
    portalPageId: store.portalPageId ?? undefined,
    clientId: store.clientId,
    grant: await obtainGrant(deps, { store, domain }),
  });
}

/** Enters the pages at the platform, as the merchant does, and for the store, as the operator does. */
async function registerWebPages(
  deps: InstallationDeps,
  { shopId, domain }: StoreIds,
  addresses: readonly string[],
): Promise<void> {
  const parsePage = (text: string) =>
    requireUsableStoreValue(parseWebRedirectUri(text, { allowsLoopback: true }));
  const pages = [...new Set(addresses.map(parsePage))];
  const store = requireUsableStoreValue(await deps.stores.find(shopId));
  if (store.webSignIn?.redirectUris.join() === pages.join()) return;
  const controlUrl = `${new URL(store.signIn.issuer).origin}/_control/client`;
  const body = JSON.stringify({ shop: domain, webRedirectUris: pages });
  const { webClientId } = (await (await fetch(controlUrl, { method: 'POST', body })).json()) as {
    readonly webClientId: string;
  };
  // Replaces the pages of an earlier run, which had another port.
  const revision = (store.webSignIn?.revision ?? 0) + 1;
  const webSignIn = { clientId: webClientId, redirectUris: pages, revision };
  await updateStore(deps, { shopId, properties: {}, webSignIn });
}

const REDIRECT_URI = 'http://127.0.0.1/store-connected';

/** Returns the seed's token, or a grant of the platform for the app's own client; the merchant consents. */
async function obtainGrant(
  deps: InstallationDeps,
  { store, domain }: { readonly store: PlatformStore; readonly domain: ShopDomain },
): Promise<PlatformGrant> {
  if (store.app === undefined) return { accessToken: store.accessToken, scopes: [] };
  const { form, ...app } = store.app;
  if (form === 'own-store') return requestGrantByClientCredentials(deps, { domain, app });
  const neededScopes = NEEDED_ACCESS.filter(isScopeHandle).map(({ handle }) => handle);
  const { consent, address } = createConsentRequest(deps, {
    domain,
    app,
    redirectUri: REDIRECT_URI,
    scopes: neededScopes,
  });
  const consentResponse = await fetch(address, { method: 'POST', redirect: 'manual' });
  return requestGrantByAuthorizationCode(deps, consent, {
    redirectedAddress: consentResponse.headers.get('location') ?? '',
    isExpiring: true,
  });
}

/** Stores the app's client secret, and registers every webhook. */
async function registerDemoWebhooks(
  deps: InstallationDeps,
  { shopId: shopNumber, appSecret }: PlatformStore,
  uri: string,
) {
  const shopId = requireUsableStoreValue(parseShopId(shopNumber));
  await storeClientSecret(deps, { shopId, clientSecret: appSecret });
  const store = requireUsableStoreValue(await deps.stores.find(shopId));
  await registerWebhooks(deps, { store, uri, endAtMs: deps.now() + 20_000 });
  await recordWebhookRegistrationMethod(deps.table, store, { by: 'api', uri });
  await createWorkQueue({ ...deps, newId: randomUUID }).enqueue('store-events', shopId);
}

const DEMO_KEY = {
  ...{ label: 'demo', intendedUse: 'The local stack', createdBy: 'npm start' },
  scopes: ['READ', 'WRITE', 'BILLING'] as readonly KeyScope[],
};
const WEBHOOKS_KEY: typeof DEMO_KEY = {
  ...{ ...DEMO_KEY, label: 'demo webhooks', scopes: ['READ', 'WEBHOOKS'] },
};

async function issueAndClaimKey(
  deps: InstallationDeps,
  { shopId, domain }: StoreIds,
  keyFields: typeof DEMO_KEY,
): Promise<string> {
  const issuedKey = await issueAdminKey(deps, { shopId, ...keyFields });
  const fragment = issuedKey.fragment as OneTimeLinkSecret;
  const claimResult = await claimAdminKey(deps, {
    linkId: issuedKey.linkId,
    proof: oneTimeLinkProofOf(fragment),
    claimId: randomUUID(),
    domain,
  });
  if (claimResult.outcome !== 'opened')
    throw new Error(`The demo key was not given out: ${claimResult.outcome}.`);
  return requireUsableStoreValue(openSealedAdminKey(claimResult.sealedKey, fragment));
}

function parseDemoDomain({ shop }: PlatformStore): ShopDomain {
  return requireUsableStoreValue(parseShopDomain(shop, ['.myshopify.com']));
}

/** Returns a value of a demo store, or throws when it is missing or was not valid. */
function requireUsableStoreValue<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The platform has a store that the service cannot take.');
  return value;
}
