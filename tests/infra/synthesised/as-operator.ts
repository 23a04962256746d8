/** What an operator does on a running template: `operator key issue` and `store update`, without the command line. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { localAwsClient } from '../../../infra/local/aws-client.ts';
import type { DemoStore } from '../../../infra/local/install-demo-stores.ts';
import { composeOperator } from '../../../infra/operator/operator.ts';
import { parseShopId } from '../../../lib/domain/shop-id.ts';
import type { PlatformGrant } from '../../../lib/stores/install-store.ts';
import { issueAdminKey } from '../../../lib/stores/issue-admin-key.ts';
import { updateStore } from '../../../lib/stores/update-store.ts';
import type { RunningTemplate } from './start-template.ts';

/** Issues an admin key; gives the one-time link to it. */
export function issueLink(running: RunningTemplate, shop: number) {
  const facts = { label: 'Back office', intendedUse: 'nightly sync', createdBy: 'test' };
  return withOperator(running, (operator) => issueAdminKey(operator, { shopId: shopIdOf(shop), ...facts }));
}

/** Gives the store a grant that the platform lets end, and that is about to: whoever needs it next renews it. */
export async function giveEndingGrant(running: RunningTemplate, shop: DemoStore): Promise<void> {
  const answer = await fetch(`${running.platform.url}/_control/grant`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ shop: shop.shop, expiring: true }),
  });
  const given = (await answer.json()) as Record<string, string>;
  const grant: PlatformGrant = {
    accessToken: `${given.access_token}`,
    refreshToken: `${given.refresh_token}`,
    clientId: `${given.client_id}`,
    clientSecret: `${given.client_secret}`,
    scopes: [],
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  };
  const shopId = shopIdOf(shop.shopId);
  await withOperator(running, (operator) => updateStore(operator, { shopId, facts: {}, grant }));
}

async function withOperator<T>(
  running: RunningTemplate,
  work: (operator: ReturnType<typeof composeOperator>) => Promise<T>,
): Promise<T> {
  const dynamoDb = new DynamoDBClient(localAwsClient(running.dynamoDbUrl));
  const secretsManager = new SecretsManagerClient(localAwsClient(running.secretsManagerUrl));
  const target = {
    ...running,
    name: 'prod',
    dynamoDb,
    secretsManager,
    platformOrigin: `${running.platform.url}/{shop}`,
    platformApiVersion: '2026-07',
    gidNamespace: 'platform',
    platformGidNamespace: 'shopify',
    shopDomainSuffixes: ['.myshopify.com'],
    clockOffsetMs: 0,
  };
  try {
    return await work(composeOperator(target, { progress: () => undefined, logFile: undefined }));
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
