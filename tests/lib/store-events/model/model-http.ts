/** The function that takes the platform's webhooks, in process: every step of it, for signed requests as they come. */
import { createHmac } from 'node:crypto';
import type { HttpResult } from '../../../../lib/http/exchange.ts';
import { createInbox } from '../../../../lib/storage/inbox/inbox.ts';
import { createSecretUseRepository } from '../../../../lib/storage/inbox/secret-uses.ts';
import { createStoreRepository } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { createWorkQueue } from '../../../../lib/storage/work-queue/work-queue.ts';
import { createVerifySignature } from '../../../../lib/webhooks/in/verify-signature.ts';
import { buildLambdaEnvironment } from '../../../../sandbox/aws/build-lambda-environment.ts';
import { context, httpEvent } from '../../../http-event.ts';

// The module reads its environment when it is loaded; the handlers made here have parts of their own.
Object.assign(process.env, buildLambdaEnvironment({ name: 'runner', memoryMb: 512 }), {
  TABLE_NAME: 'none',
  SECRETS_PREFIX: 'none',
});
const { createWebhooksHandler } = await import('../../../../functions/platform-webhooks/handler.ts');

const SECRET = 'shpss_0123456789abcdef0123456789abcdef';
const environment = {
  edgeSecretHashes: [],
  platformApiVersion: '2026-07',
  platformGidNamespace: 'shopify',
  shopDomainSuffixes: ['.myshopify.com'],
};
const logger = { debug() {}, info() {}, warn() {}, error() {} };

type Deps = { readonly table: Table; readonly now: () => number; readonly newId: () => string };
type Webhook = {
  readonly domain: string;
  readonly topic: string;
  readonly body: string;
  /** Whether the request comes from a sender without the secret. */
  readonly isForged: boolean;
};

/** Creates the function in one process. Returns the status of its response to a webhook. */
export function createWebhookReceiver({ table, now, newId }: Deps): (webhook: Webhook) => Promise<number> {
  const deps = {
    ...{ now, logger, stores: createStoreRepository({ table, parts: [] }) },
    inbox: createInbox({ table, now, newId }),
    workQueue: createWorkQueue({ table, now, newId }),
    verifySignature: createVerifySignature({
      readVersion: async () => ({ clientSecret: SECRET }),
      ...{ secretUses: createSecretUseRepository({ table }), now },
    }),
  };
  const handler = createWebhooksHandler(environment, deps) as unknown as (
    given: object,
    at: object,
  ) => Promise<HttpResult>;
  return async ({ domain, topic, body, isForged }) => {
    const hmac = createHmac('sha256', isForged ? `${SECRET}x` : SECRET);
    const event = httpEvent({
      ...{ method: 'POST', path: '/platform/webhooks', body: Buffer.from(body).toString('base64') },
      headers: {
        'content-type': 'application/json',
        'x-shopify-topic': topic,
        'x-shopify-shop-domain': domain,
        'x-shopify-api-version': '2026-07',
        'x-shopify-hmac-sha256': hmac.update(body).digest('base64'),
      },
      isBase64Encoded: true,
    });
    const { statusCode } = (await handler(event, context)) as { readonly statusCode?: number };
    return statusCode ?? 0;
  };
}
