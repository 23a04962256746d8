/** An operator's actions on a running template: `operator key issue` and `store update`, without the command line. */

import { randomBytes, randomUUID } from 'node:crypto';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { STSClient } from '@aws-sdk/client-sts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../../lib/billing/records/settings-record.ts';
import { createTokenKeyReader } from '../../../lib/credentials/token-keys.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import { parseShopId } from '../../../lib/domain/shop-id.ts';
import type { WebRedirectUri } from '../../../lib/domain/sign-in/web-redirect-uri.ts';
import type { PlatformGrant } from '../../../lib/platform/grants/platform-grant.ts';
import { eraseCustomer } from '../../../lib/privacy/erase-customer.ts';
import { scanAllPages } from '../../../lib/storage/scan.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import { createSdkSecretsClient } from '../../../lib/storage/sdk-client/sdk-secrets.ts';
import { createSdkTableClient } from '../../../lib/storage/sdk-client/sdk-table.ts';
import { createTableScan } from '../../../lib/storage/sdk-client/table-scan.ts';
import type { Item } from '../../../lib/storage/table.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { issueAdminKey } from '../../../lib/stores/admin-keys/issue-admin-key.ts';
import { updateStore } from '../../../lib/stores/lifecycle/update-store.ts';
import { storeClientSecret } from '../../../lib/stores/webhooks/store-client-secret.ts';
import { createTimeline } from '../../../lib/timeline/timeline.ts';
import { sealEndpointSecret, WEBHOOK_KEY_RING_NAME } from '../../../lib/webhooks/endpoint-secrets.ts';
import { createEndpointRepository, type EndpointId } from '../../../lib/webhooks/endpoints.ts';
import type { EndpointUrl } from '../../../lib/webhooks/guard-address.ts';
import { createWebhookSecret } from '../../../lib/webhooks/webhook-secret.ts';
import { composeOperator } from '../../../operator/operator.ts';
import { NO_TRACE } from '../../../operator/trace/trace.ts';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';
import type { DemoStore } from '../../../sandbox/local/install-demo-stores.ts';
import type { RunningTemplate } from './start-template.ts';

/** Issues an admin key and returns its one-time link. */
export function issueLink(running: RunningTemplate, shop: number) {
  const scopes = ['READ', 'WEBHOOKS'] as const;
  const facts = { label: 'Back office', intendedUse: 'nightly sync', createdBy: 'test', scopes };
  return withOperator(running, (operator) => issueAdminKey(operator, { shopId: shopIdOf(shop), ...facts }));
}

/** Stores the client secret of the store's app, so that its webhooks are accepted from then on. */
export async function giveClientSecret(running: RunningTemplate, shop: number, clientSecret: string) {
  const shopId = shopIdOf(shop);
  await withOperator(running, (operator) => storeClientSecret(operator, { shopId, clientSecret }));
}

/** Enters a web page that signs customers of the store in. */
export async function enterPage(running: RunningTemplate, shop: number, page: string): Promise<void> {
  const webSignIn = { clientId: 'web', redirectUris: [page as WebRedirectUri], revision: 1 };
  const request = { shopId: shopIdOf(shop), properties: {}, webSignIn };
  await withOperator(running, (operator) => updateStore(operator, request));
}

/** Erases a customer without data: the sweep searches the whole table. */
export async function eraseCustomerAsOperator(running: RunningTemplate, shop: number): Promise<void> {
  const person = { shopId: shopIdOf(shop), customerId: 7999999 as CustomerId };
  await withOperator(running, (operator) =>
    eraseCustomer({ ...operator, contractsOf: async () => [] }, person, 'operator'),
  );
}

/** Stores an expiring grant of an app of this form, so that the next request for a token renews it. */
export async function giveEndingGrant(
  running: RunningTemplate,
  shop: DemoStore,
  form: 'own-store' | 'public',
): Promise<void> {
  const isOwn = form === 'own-store';
  const change = isOwn ? { form } : { expiring: true };
  const answer = await fetch(`${running.platform.url}/_control/${isOwn ? 'app' : 'grant'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ shop: shop.shop, ...change }),
  });
  const given = (await answer.json()) as Record<string, string>;
  const grant: PlatformGrant = {
    // The first token of an own store is requested when it is needed.
    accessToken: given.access_token ?? 'shpat_none',
    ...(isOwn ? { renewedBy: 'client_credentials' } : { refreshToken: `${given.refresh_token}` }),
    clientId: `${given.client_id}`,
    clientSecret: `${given.client_secret}`,
    scopes: [],
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  };
  const shopId = shopIdOf(shop.shopId);
  await withOperator(running, (operator) => updateStore(operator, { shopId, properties: {}, grant }));
}

/**
 * Leaves the intent of a function that crashed between the platform's response and its entry: here, one that paused a
 * contract.
 */
export async function leaveOpenIntent(
  { tableName, dynamoDbUrl }: RunningTemplate,
  { shopId, contractId }: { shopId: number; contractId: string },
): Promise<void> {
  const client = new DynamoDBClient(emulatorClientSettings(dynamoDbUrl));
  const table = createSdkTableClient({ client, tableName });
  const scheduledTasks = createScheduledTaskRepository({ table, now: Date.now });
  const logger = { error: () => undefined };
  const timeline = createTimeline({
    ...{ table, scheduledTasks, logger, now: Date.now, newId: randomUUID },
  });
  const author = {
    shopId: shopIdOf(shopId),
    actor: { kind: 'MERCHANT', label: 'Sync' },
    requestId: 'r-1',
    readAtMs: Date.now(),
  } as const;
  const status = {
    coordinate: 'SubscriptionContract.status',
    field: 'status',
    before: 'ACTIVE',
    after: 'PAUSED',
  };
  const intent = { action: 'subscription_paused', contractId, details: {}, changes: [status] };
  await timeline.begin(author)(intent);
  client.destroy();
}

/**
 * Switches billing on, as if days ago, and enqueues the store for the worker: it begins the run of the day. `otherShop` is a
 * store that the service does not bill, and that is in the queue, too.
 */
export async function switchBillingOn(
  { tableName, dynamoDbUrl }: RunningTemplate,
  shop: number,
  otherShop: number,
): Promise<void> {
  const shopId = shopIdOf(shop);
  const client = new DynamoDBClient(emulatorClientSettings(dynamoDbUrl));
  const [table, now] = [createSdkTableClient({ client, tableName }), Date.now];
  const on = { ...DEFAULT_BILLING_SETTINGS, enabled: true, startsOn: '2026-01-01', hour: 0 };
  await createBillingSettings({ table, now }).write(shopId, DEFAULT_BILLING_SETTINGS, on);
  const { enqueue } = createWorkQueue({ table, now, newId: randomUUID });
  for (const queued of [shopId, shopIdOf(otherShop)]) await enqueue('billing', queued);
  client.destroy();
}

/** Creates an endpoint that receives all of the store's events, and enqueues the store for the worker. */
export async function giveEndpoint(
  { tableName, dynamoDbUrl, secretsManagerUrl, secretsPrefix }: RunningTemplate,
  shop: number,
  url: string,
): Promise<void> {
  const shopId = shopIdOf(shop);
  const dynamoDb = new DynamoDBClient(emulatorClientSettings(dynamoDbUrl));
  const secretsManager = new SecretsManagerClient(emulatorClientSettings(secretsManagerUrl));
  const [table, now] = [createSdkTableClient({ client: dynamoDb, tableName }), Date.now];
  const secrets = createSdkSecretsClient({ client: secretsManager });
  const logger = { error: () => undefined };
  const tokenKeys = createTokenKeyReader({
    secrets,
    secretsPrefix,
    ringName: WEBHOOK_KEY_RING_NAME,
    now,
    logger,
  });
  const random = (bytes: number) => randomBytes(bytes);
  const id = randomUUID().replaceAll('-', '') as EndpointId;
  await createEndpointRepository({ table, now, newId: randomUUID }).create({
    ...{ id, shopId, url: url as EndpointUrl, description: null, types: null, startsAt: 0 },
    sealSecret: (place) => sealEndpointSecret({ tokenKeys, random, now }, place, createWebhookSecret(random)),
  });
  await createWorkQueue({ table, now, newId: randomUUID }).enqueue('webhook-deliveries', shopId);
  dynamoDb.destroy();
  secretsManager.destroy();
}

async function withOperator<T>(
  running: RunningTemplate,
  work: (operator: ReturnType<typeof composeOperator>) => Promise<T>,
): Promise<T> {
  const dynamoDb = new DynamoDBClient(emulatorClientSettings(running.dynamoDbUrl));
  const secretsManager = new SecretsManagerClient(emulatorClientSettings(running.secretsManagerUrl));
  const target = {
    ...running,
    name: 'prod',
    isLocal: false,
    traceGroup: 'none',
    logs: new CloudWatchLogsClient({}),
    sts: new STSClient({}),
    dynamoDb,
    secretsManager,
    tableInUse: undefined,
    platformOrigin: `${running.platform.url}/{shop}`,
    platformApiVersion: '2026-07',
    gidNamespace: 'platform',
    platformGidNamespace: 'shopify',
    shopDomainSuffixes: ['.myshopify.com'],
    clockOffsetMs: 0,
  };
  try {
    return await work(
      composeOperator(target, { progress: () => undefined, trace: NO_TRACE, isDryRun: false }),
    );
  } finally {
    dynamoDb.destroy();
    secretsManager.destroy();
  }
}

function shopIdOf(shop: number) {
  const shopId = parseShopId(shop);
  if (shopId === undefined) throw new Error(`${shop} is no shop id.`);
  return shopId;
}

/** Stores the secret with the store and the key of the smoke test, as docs/deploying.md describes. */
export async function putSmokeStore(
  { secretsManagerUrl, secretsPrefix }: RunningTemplate,
  store: { readonly shop: string; readonly adminKey: string },
): Promise<void> {
  const client = new SecretsManagerClient(emulatorClientSettings(secretsManagerUrl));
  const secret = { SecretString: JSON.stringify(store), ClientRequestToken: randomUUID() };
  const id = `${secretsPrefix}/smoke`;
  await client
    .send(new CreateSecretCommand({ Name: id, ...secret }))
    .catch(() => client.send(new PutSecretValueCommand({ SecretId: id, ...secret })));
  client.destroy();
}

/** Returns all items of the table. */
export async function readTable({ dynamoDbUrl, tableName }: RunningTemplate): Promise<readonly Item[]> {
  const client = new DynamoDBClient(emulatorClientSettings(dynamoDbUrl));
  const scan = createTableScan({ client, tableName });
  const items: Item[] = [];
  for await (const item of scanAllPages(scan, { filter: 'sk <> :none', values: { ':none': 'NONE' } }))
    items.push(item);
  client.destroy();
  return items;
}
