/** A merchant's endpoints: they verify all that they are sent, refuse for hours, are slow, are switched off and on. */
import { Webhook } from 'standardwebhooks';
import { createTokenKeys } from '../../../../lib/credentials/token-keys.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { createWakeMarks } from '../../../../lib/storage/wakes/wake-marks.ts';
import { sealSecret, WEBHOOK_KEYS } from '../../../../lib/webhooks/endpoint-secrets.ts';
import { createEndpoints, type EndpointId } from '../../../../lib/webhooks/endpoints.ts';
import type { EndpointUrl } from '../../../../lib/webhooks/guard-address.ts';
import type { WebhookAnswer, WebhookRequest } from '../../../../lib/webhooks/send-webhook.ts';
import { createWebhookSecret } from '../../../../lib/webhooks/webhook-secret.ts';
import type { Told } from './held-model.ts';

/** All of them refuse now and then, and lose answers. */
const ENDPOINTS = ['refusing', 'slow', 'switched'] as const;
const REFUSES_MS = 2 * 3_600_000;
/** What takes longer is not waited for. */
const TIMEOUT_MS = 10_000;

type Deps = {
  readonly base: Table;
  readonly store: StoreRecord;
  readonly now: () => number;
  readonly newId: () => string;
  /** From 0 to 1: the worst answers first. */
  readonly mood: () => number;
  readonly later: (ms: number) => void;
};

export type Receipt = {
  readonly id: string;
  readonly type: string;
  readonly contract: string | null;
  readonly changes: Told['changes'];
  /** Of what is told ahead: which order, or which payment method. */
  readonly ahead: string | undefined;
  readonly attempt: string | undefined;
};

export async function createHeldEndpoints({ base, store, now, newId, mood, later }: Deps) {
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
      ...{ id: idOf(name), shopId: store.shopId, url },
      ...{ description: null, types: null, startsAt: 0 },
      sealFor: (place) =>
        sealSecret({ tokenKeys, random: (bytes) => Buffer.alloc(bytes, 5), now }, place, secret),
    });
  }

  let refusesUntilMs = 0;
  let isOn = true;
  const wrong: string[] = [];

  /** How the endpoint takes it: the answer, and whether it keeps what it was sent. */
  function take(url: string): { readonly isKept: boolean; readonly answer: WebhookAnswer } {
    const own = mood();
    if (own === 1) return { isKept: true, answer: { status: 200 } };
    if (url.includes('refusing') && own > 0.98) refusesUntilMs = now() + REFUSES_MS;
    const isDown = url.includes('refusing') && now() < refusesUntilMs;
    if (isDown || own < 0.1) return { isKept: false, answer: { status: 503 } };
    const tookMs = url.includes('slow') ? Math.round(own * 1.1 * TIMEOUT_MS) : 0;
    later(Math.min(tookMs, TIMEOUT_MS));
    // It has it, and the answer is lost.
    const isLost = own < 0.15 || tookMs > TIMEOUT_MS;
    return { isKept: true, answer: isLost ? { failed: 'TIMEOUT' } : { status: 200 } };
  }

  async function send({ url, headers, body }: WebhookRequest): Promise<WebhookAnswer> {
    const { type, data } = readVerified(secrets.get(url) ?? '', { headers, body }, now);
    if (url.includes('switched') && !isOn) wrong.push(`${url} was sent ${type} while it was switched off`);
    const { isKept, answer } = take(url);
    const { contractId: contract, changes, order, paymentMethodId } = data;
    const ahead = paymentMethodId?.split('/').at(-1) ?? String(order?.cycleIndex);
    const id = headers['webhook-id'] ?? '';
    const attempt = order?.billingAttemptId?.split('/').at(-1);
    if (isKept) received.get(url)?.push({ id, type, contract, changes, ahead, attempt });
    return answer;
  }

  /** The store switches one of them off or on. */
  async function turn(isEnabled: boolean): Promise<void> {
    const endpoints = createEndpoints({ table: base, now, newId });
    const record = await endpoints.find(store.shopId, idOf('switched'));
    if (record === undefined) throw new Error('no endpoint');
    await endpoints.configure(record, { status: isEnabled ? 'ENABLED' : 'DISABLED_BY_STORE' });
    await createWakeMarks({ table: base, now, newId }).wake('webhook-deliveries', store.shopId);
    isOn = isEnabled;
  }

  const receipts = () => [...received].map(([name, own]) => ({ name, receipts: own }));
  return { tokenKeys, send, receipts, turn, wrong };
}

const idOf = (name: string) => `endpoint${name}`.padEnd(12, '0') as EndpointId;

type Sent = { readonly headers: WebhookRequest['headers']; readonly body: string };

/** The package looks at the real clock. */
function readVerified(secret: string, { headers, body }: Sent, now: () => number) {
  const { now: realNow } = Date;
  Date.now = now;
  try {
    return new Webhook(secret).verify(body, { ...headers }) as {
      readonly type: string;
      readonly data: Pick<Receipt, 'changes'> & {
        readonly contractId: string | null;
        readonly order?: { readonly cycleIndex: number | null; readonly billingAttemptId: string | null };
        readonly paymentMethodId?: string;
      };
    };
  } finally {
    Date.now = realNow;
  }
}
