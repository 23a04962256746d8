/**
 * A merchant's endpoints: they verify all requests, reject events for hours, are slow, are disabled and enabled, rotate
 * their secrets and request replays.
 */
import { createTokenKeyReader } from '../../../../lib/credentials/token-keys.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { createWorkQueue } from '../../../../lib/storage/work-queue/work-queue.ts';
import type { WebhookEventType } from '../../../../lib/timeline/event-type.ts';
import { sealEndpointSecret, WEBHOOK_KEY_RING_NAME } from '../../../../lib/webhooks/endpoint-secrets.ts';
import { createEndpointRepository, type EndpointId } from '../../../../lib/webhooks/endpoints.ts';
import type { EndpointUrl } from '../../../../lib/webhooks/guard-address.ts';
import {
  type ManageEndpointsDeps,
  requestReplay as requestEndpointReplay,
  rotateEndpointSecret,
  updateEndpoint,
} from '../../../../lib/webhooks/manage/change-endpoints.ts';
import type { WebhookRequest, WebhookResponse } from '../../../../lib/webhooks/send-webhook.ts';
import { createWebhookSecret } from '../../../../lib/webhooks/webhook-secret.ts';
import type { Replay } from './expected/expected-replays.ts';
import type { Receipt } from './expected/recorded-event.ts';
import type { ReplayRequest } from './model-script.ts';
import { createModelSecrets } from './model-secrets.ts';

/** All of them refuse now and then, and lose answers. */
const ENDPOINTS = ['refusing', 'slow', 'switched'] as const;
/** It wants these types alone: all that report the status, and all that report lines. */
const FILTERED = 'filtered';
const SUBSCRIBED_TYPES = [
  'activated',
  'paused',
  'resumed',
  'cancelled',
  'expired',
  'failed',
  'lines_changed',
].map((name) => `subscription.${name}` as WebhookEventType);
const REFUSES_MS = 2 * 3_600_000;
/** The timeout of an endpoint's response. */
const TIMEOUT_MS = 10_000;

type Deps = {
  readonly base: Table;
  readonly store: StoreRecord;
  readonly now: () => number;
  readonly newId: () => string;
  /** From 0 to 1: the worst answers first. */
  readonly mood: () => number;
  readonly later: (ms: number) => void;
  /** The orders of a contract, as the platform has them now. */
  readonly ordersOf: (contract: number) => Readonly<Record<string, string>>;
};

export async function createModelEndpoints({ base, store, now, newId, mood, later, ordersOf }: Deps) {
  const tokenKeys = createTokenKeyReader({
    secrets: { read: async (name) => ({ versionId: '1', json: { seed: name.padEnd(64, '.') } }) },
    ...{ secretsPrefix: 'test', ringName: WEBHOOK_KEY_RING_NAME, now, logger: { error() {} } },
  });

  const secrets = createModelSecrets(now);
  const received = new Map<string, Receipt[]>();

  for (const name of [...ENDPOINTS, FILTERED]) {
    const secret = createWebhookSecret((bytes) => Buffer.alloc(bytes, name));
    const url = urlOf(name);
    secrets.add(url, secret);
    received.set(url, []);
    await createEndpointRepository({ table: base, now, newId }).create({
      ...{ id: idOf(name), shopId: store.shopId, url },
      ...{ description: null, types: name === FILTERED ? SUBSCRIBED_TYPES : null, startsAt: 0 },
      sealSecret: (place) =>
        sealEndpointSecret({ tokenKeys, random: (bytes) => Buffer.alloc(bytes, 5), now }, place, secret),
    });
  }

  let refusesUntilMs = 0;
  let isOn = true;
  const wrong: string[] = [];

  /** Returns the endpoint's response, and whether it accepted the event. */
  function take(url: string): { readonly isAccepted: boolean; readonly answer: WebhookResponse } {
    // Every response takes time, so that a rejection before a change of the endpoint can be distinguished from one
    // after it.
    later(1);
    const own = mood();
    if (own === 1) return { isAccepted: true, answer: { status: 200 } };
    if (url.includes('refusing') && own > 0.98) refusesUntilMs = now() + REFUSES_MS;
    const isDown = url.includes('refusing') && now() < refusesUntilMs;
    if (isDown || own < 0.1) return { isAccepted: false, answer: { status: 503 } };
    const tookMs = url.includes('slow') ? Math.round(own * 1.1 * TIMEOUT_MS) : 0;
    later(Math.min(tookMs, TIMEOUT_MS));
    // It has it, and the answer is lost.
    const isLost = own < 0.15 || tookMs > TIMEOUT_MS;
    return { isAccepted: true, answer: isLost ? { failed: 'TIMEOUT' } : { status: 200 } };
  }

  async function send({ url, headers, body }: WebhookRequest): Promise<WebhookResponse> {
    wrong.push(...secrets.wrongOf(url, { headers, body }));
    const { type, timestamp, data } = JSON.parse(body) as Body;
    const person = PEOPLE.exec(body)?.[0];
    if (person) wrong.push(`${url} was sent ${person}, in ${type}`);
    const atMs = now();
    if (url.includes('switched') && !isOn) wrong.push(`${url} was sent ${type} while it was switched off`);
    const { isAccepted, answer } = take(url);
    const { contractId: contract, customerId, onBehalfOf, changes, order, paymentMethodId } = data;
    const ahead = paymentMethodId?.split('/').at(-1) ?? String(order?.cycleIndex);
    const id = headers['webhook-id'] ?? '';
    const attempt = order?.billingAttemptId?.split('/').at(-1);
    const { actor, outcome, position, recordedAt, ordersChanged } = data;
    const of = {
      ...{ actor: actor?.kind, outcome, position, recordedMs: Date.parse(recordedAt) },
      orders: ordersChanged ? ordersOf(Number(contract?.split('/').at(-1))) : undefined,
    };
    if (isAccepted)
      received.get(url)?.push({
        ...{ id, atMs, type, contract, customerId, onBehalfOf, changes, ahead, attempt },
        happenedMs: Date.parse(timestamp),
        ...of,
        body: JSON.parse(body),
      });
    return answer;
  }

  const manage = {
    ...{ table: base, tokenKeys, now, newId, random: (bytes: number) => Buffer.alloc(bytes, newId()) },
    enqueue: (shopId: StoreRecord['shopId']) =>
      createWorkQueue({ table: base, now, newId }).enqueue('webhook-deliveries', shopId),
    countReplayRequest: async () => undefined,
  } as unknown as ManageEndpointsDeps;
  const replays: Replay[] = [];

  /** The store switches one of them off or on. */
  async function turn(isEnabled: boolean): Promise<void> {
    await updateEndpoint(manage, { shopId: store.shopId, id: idOf('switched') }, { isEnabled });
    isOn = isEnabled;
  }

  async function requestReplay({ name, hours }: ReplayRequest): Promise<void> {
    const [url, ref] = [urlOf(name), { shopId: store.shopId, id: idOf(name) }];
    if (hours === undefined) {
      const done = await rotateEndpointSecret(manage, ref);
      if (done.refused === undefined) secrets.add(url, done.secret);
      return;
    }
    const request = { url, sinceMs: now() - hours * 3_600_000, atMs: now() };
    const done = await requestEndpointReplay(manage, ref, request.sinceMs);
    if (done.refused === undefined) replays.push(request);
  }

  const all = () => [...received].map(([name, own]) => ({ name, receipts: own }));
  /** The events of the endpoints with all types. */
  const receipts = () => all().filter(({ name }) => name !== urlOf(FILTERED));
  const filtered = () => received.get(urlOf(FILTERED)) ?? [];
  return { tokenKeys, send, receipts, filtered, turn, requestReplay, replays, wrong };
}

const idOf = (name: string) => `endpoint${name}`.padEnd(12, '0') as EndpointId;

const urlOf = (name: string) => `https://${name}.example/` as EndpointUrl;

/** Texts, addresses and names of people. */
const PEOPLE = /back door|leave it|"ring"|gift|Main Street|Wharf|Brewer|@/;

type Body = {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Pick<Receipt, 'changes' | 'customerId' | 'onBehalfOf' | 'outcome' | 'position'> & {
    readonly actor: { readonly kind: string } | null;
    readonly recordedAt: string;
    readonly ordersChanged: boolean;
    readonly contractId: string | null;
    readonly order?: { readonly cycleIndex: number | null; readonly billingAttemptId: string | null };
    readonly paymentMethodId?: string;
  };
};
