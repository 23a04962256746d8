/** A merchant's endpoints: they verify all that they are sent, are down at times, and lose answers. */
import { Webhook } from 'standardwebhooks';
import { createTokenKeys } from '../../../../lib/credentials/token-keys.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { sealSecret, WEBHOOK_KEYS } from '../../../../lib/webhooks/endpoint-secrets.ts';
import { createEndpoints, type EndpointId } from '../../../../lib/webhooks/endpoints.ts';
import type { EndpointUrl } from '../../../../lib/webhooks/guard-address.ts';
import type { WebhookAnswer, WebhookRequest } from '../../../../lib/webhooks/send-webhook.ts';
import { createWebhookSecret } from '../../../../lib/webhooks/webhook-secret.ts';
import type { Receipt } from './held-sent.ts';

const ENDPOINTS = ['one', 'two'] as const;

type Deps = {
  readonly base: Table;
  readonly store: StoreRecord;
  readonly now: () => number;
  readonly newId: () => string;
  /** From 0 to 1: the worst answers first. */
  readonly mood: () => number;
};

export async function createHeldEndpoints({ base, store, now, newId, mood }: Deps) {
  const tokenKeys = createTokenKeys({
    secrets: { read: async (name) => ({ versionId: '1', json: { seed: name.padEnd(64, '.') } }) },
    ...{ secretsPrefix: 'test', ring: WEBHOOK_KEYS, now, logger: { error() {} } },
  });

  const secrets = new Map<string, string>();
  const received = new Map<string, Receipt[]>();

  for (const name of ENDPOINTS) {
    const secret = createWebhookSecret((bytes) => Buffer.alloc(bytes, name));
    const url = `https://${name}.example/` as EndpointUrl;
    secrets.set(url, secret);
    received.set(url, []);
    await createEndpoints({ table: base, now, newId }).create({
      ...{ id: `endpoint${name}`.padEnd(12, '0') as EndpointId, shopId: store.shopId, url },
      ...{ description: null, types: null, startsAt: 0 },
      sealFor: (place) =>
        sealSecret({ tokenKeys, random: (bytes) => Buffer.alloc(bytes, 5), now }, place, secret),
    });
  }

  async function send({ url, headers, body }: WebhookRequest): Promise<WebhookAnswer> {
    const { data } = readVerified(secrets.get(url) ?? '', { headers, body }, now);
    const own = mood();
    if (own < 0.1) return { status: 503 };
    received.get(url)?.push({
      ...{ id: headers['webhook-id'] ?? '', changes: data.changes },
      contract: data.contractId,
    });
    // It has it, and the answer is lost.
    return own < 0.15 ? { failed: 'TIMEOUT' } : { status: 200 };
  }

  const receipts = () => [...received].map(([name, own]) => ({ name, receipts: own }));
  return { tokenKeys, send, receipts };
}

type Sent = { readonly headers: WebhookRequest['headers']; readonly body: string };

/** The package looks at the real clock. */
function readVerified(secret: string, { headers, body }: Sent, now: () => number) {
  const { now: realNow } = Date;
  Date.now = now;
  try {
    return new Webhook(secret).verify(body, { ...headers }) as {
      readonly data: Pick<Receipt, 'changes'> & { readonly contractId: string | null };
    };
  } finally {
    Date.now = realNow;
  }
}
