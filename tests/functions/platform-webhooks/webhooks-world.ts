/** The function as it is deployed, in process: every step, over a table under its rights, and what the platform would send. */
import { createHmac } from 'node:crypto';
import { composePlatformWebhooksWith } from '../../../functions/compose/webhooks/compose-platform-webhooks.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { HttpResult } from '../../../lib/http/exchange.ts';
import type { LogFields } from '../../../lib/observability/logger.ts';
import { storeClientSecret } from '../../../lib/stores/webhooks/store-client-secret.ts';
import { buildLambdaEnvironment } from '../../../sandbox/aws/build-lambda-environment.ts';
import { context, httpEvent } from '../../http-event.ts';
import { createWiredWorld, createWorld, PREFIX } from '../../lib/stores/world/world.ts';
import { tableOf } from '../../rights/guarded-table.ts';

// The module reads its environment when it is loaded; the handlers made here have parts of their own.
Object.assign(process.env, buildLambdaEnvironment({ name: 'runner', memoryMb: 512 }), {
  TABLE_NAME: 'none',
  SECRETS_PREFIX: 'none',
});
const { createWebhooksHandler } = await import('../../../functions/platform-webhooks/handler.ts');

const environment = {
  edgeSecretHashes: [],
  platformApiVersion: '2026-07',
  platformGidNamespace: 'shopify',
  shopDomainSuffixes: ['.myshopify.com'],
};
export const SECRET = 'shpss_0123456789abcdef0123456789abcdef';

export type Sent = {
  readonly domain: string;
  readonly topic: string;
  /** A text is sent as it is. */
  readonly body: unknown;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
};

/** `isWired`: over the protocols of DynamoDB and Secrets Manager. */
export async function createWebhooksWorld({ isWired = false } = {}) {
  const world = isWired ? await createWiredWorld() : await createWorld();
  const operator = world.container();

  /** A container of the function, with faults of its own. */
  function container() {
    const { faults, table, secrets } = world.container();
    const logged: { readonly message: string; readonly fields: LogFields }[] = [];
    const log = (message: string, fields: LogFields = {}) => void logged.push({ message, fields });
    const logger = { debug: log, info: log, warn: log, error: log };
    const parts = { table: tableOf('platform-webhooks', table), secrets, secretsPrefix: PREFIX };
    const deps = composePlatformWebhooksWith({ ...parts, now: world.now, logger });
    const handler = createWebhooksHandler(environment, deps);
    return { faults, logged, send: (sent: Sent) => answer(handler, sent) };
  }

  async function answer(handler: ReturnType<typeof createWebhooksHandler>, sent: Sent) {
    const { domain, topic, body, secret = SECRET, headers } = sent;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const event = httpEvent({
      method: 'POST',
      path: '/platform/webhooks',
      headers: {
        'content-type': 'application/json',
        'x-shopify-topic': topic,
        'x-shopify-shop-domain': domain,
        'x-shopify-api-version': '2026-07',
        'x-shopify-hmac-sha256': signatureOf(text, secret),
        ...headers,
      },
      body: Buffer.from(text).toString('base64'),
      isBase64Encoded: true,
    });
    const run = handler as unknown as (given: object, at: object) => Promise<HttpResult>;
    return run(event, context);
  }

  /** A store of its own, whose app has this secret. */
  async function installed(clientSecret: string | undefined = SECRET) {
    const store = await world.installed();
    if (clientSecret !== '') await storeClientSecret(operator, { shopId: store.shopId, clientSecret });
    return store;
  }

  /**
   * Returns the rest of a store's webhooks in the table: the inbox items as `family object`, and whether the store is
   * queued.
   */
  async function leftOf(shopId: ShopId) {
    const { items } = await world.scan({ filter: 'shopId = :shopId', values: { ':shopId': shopId } });
    const inboxItems = items.filter(({ family }) => family !== undefined);
    return {
      inbox: inboxItems.map(({ family, object }) => `${family} ${object}`).sort(),
      isEnqueued: items.some(({ pk }) => pk.startsWith('WAKE#store-events#')),
      items: inboxItems,
    };
  }

  return { ...world, operator, container, installed, leftOf };
}

/** Signs a body like the platform. */
export function signatureOf(text: string, secret = SECRET): string {
  return createHmac('sha256', secret).update(text).digest('base64');
}

/** A contract's webhook, as the platform documents it. */
export function contractBody(number: number): object {
  return {
    admin_graphql_api_id: `gid://shopify/SubscriptionContract/${number}`,
    id: number,
    billing_policy: { interval: 'month', interval_count: 1, min_cycles: null, max_cycles: null },
    currency_code: 'EUR',
    customer_id: 7000000001,
    admin_graphql_api_customer_id: 'gid://shopify/Customer/7000000001',
    status: 'paused',
    revision_id: '9000',
  };
}
