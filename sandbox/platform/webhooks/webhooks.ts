/** The platform's webhooks to the app's server: finds the subscriptions for a store's events and delivers them. */
import { randomUUID } from 'node:crypto';
import { settleDueAttempts } from '../admin/endpoint/settle-due-attempts.ts';
import { type AppGrants, webhookSigningSecret } from '../grants/app-grants.ts';
import type { PlatformClock } from '../state/platform-clock.ts';
import type { PlatformState, StoreState } from '../state/state.ts';
import { hasScope } from '../state/store-access.ts';
import type { AppWebhooks } from '../state/webhook-records.ts';
import { type ComplianceTopic, findTopicScope, formatTopicEnum } from '../state/webhook-topics.ts';
import {
  diffStoreSnapshots,
  type StoreEvent,
  type StoreSnapshot,
  takeStoreSnapshot,
  takeTouchedRecords,
} from './diff-store-snapshots.ts';
import { createShopPayload } from './payloads.ts';
import { createWebhookQueue, type QueuedWebhook, type WebhookQueue } from './webhook-queue.ts';

export type Webhooks = {
  /** Checks one store, or all stores, and enqueues the webhooks for all changes since the last check. */
  enqueueChanges(shop?: string): void;
  /** Enqueues the store's webhooks after a query, which changes nothing itself but may have settled a charge. */
  enqueueChargeChanges(shop: string): void;
  /**
   * Removes the subscriptions of the app's API after the merchant has removed the app; `shop/redact` follows after 48
   * hours.
   */
  sendUninstalled(store: StoreState): void;
  sendScopes(store: StoreState, previous: readonly string[], current: readonly string[]): void;
  /** Sends the topic to the address in the app's TOML, if there is one. */
  sendCompliance(
    store: StoreState,
    topic: ComplianceTopic,
    payloadFields?: Readonly<Record<string, unknown>>,
  ): void;
  readonly webhookQueue: WebhookQueue;
  reset(): void;
};

type WebhooksOptions = {
  readonly state: () => PlatformState;
  readonly clock: Pick<PlatformClock, 'now'>;
  readonly grants: AppGrants;
  /** The platform's address. */
  readonly origin: string;
  /** The instant until which charges may be settled; the time of the clock by default. */
  readonly settleUntilMs?: () => number;
  readonly onChange: () => void;
};

const REDACT_SHOP_AFTER_SECONDS = 48 * 3600;
/**
 * The API version of subscriptions made by the API: it is that of the request's address, and apps here use this one.
 */
const API_VERSION = '2026-07';

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { state, clock, grants, origin, settleUntilMs = clock.now, onChange } = options;
  const snapshotsByShop = new Map<string, StoreSnapshot>();
  const timerByShop = new Map<string, NodeJS.Timeout>();
  const storeOf = (shop: string) => state().stores.get(shop);
  const webhookQueue = createWebhookQueue({ clock, secretOf, onGivenUp });

  function secretOf(shop: string): string {
    const store = storeOf(shop);
    return store === undefined ? '' : webhookSigningSecret(grants, store, clock.now());
  }

  /** The platform deletes a subscription made by the API, and sends the developer an e-mail. */
  function onGivenUp({ shop, topic, uri, subscriptionId }: QueuedWebhook): void {
    const store = storeOf(shop);
    if (subscriptionId === null || !store?.webhookSubscriptions?.delete(subscriptionId)) return;
    state().mails.push({
      at: new Date(clock.now()).toISOString(),
      to: 'developer@app.example',
      subject: `Webhook removed: ${topic}`,
      text: `All deliveries of ${topic} to ${uri} failed, so the subscription was removed from ${shop}.`,
    });
    onChange();
  }

  function enqueueChanges(shop?: string): void {
    const stores = shop === undefined ? [...state().stores.values()] : [storeOf(shop)];
    for (const store of stores) if (store !== undefined) enqueueStoreChanges(store);
  }

  function enqueueChargeChanges(shop: string): void {
    const store = storeOf(shop);
    if (store !== undefined && (!snapshotsByShop.has(shop) || store.attempts.hasTouched()))
      enqueueStoreChanges(store);
  }

  function enqueueStoreChanges(store: StoreState): void {
    if ((store.webhookSubscriptions?.size ?? 0) === 0 && store.appWebhooks == null) return;
    settleDueAttempts(store, settleUntilMs(), { mails: state().mails, origin });
    const snapshotBefore = snapshotsByShop.get(store.shop);
    const touchedRecords = takeTouchedRecords(store);
    scheduleNextChargeCheck(store);
    if (snapshotBefore === undefined) {
      snapshotsByShop.set(store.shop, takeStoreSnapshot(store));
      return;
    }
    const newSnapshot = takeStoreSnapshot(touchedRecords);
    enqueueEvents(store, diffStoreSnapshots({ before: snapshotBefore, now: newSnapshot }, touchedRecords));
    addEntries(snapshotBefore.contracts, newSnapshot.contracts);
    addEntries(snapshotBefore.attempts, newSnapshot.attempts);
    addEntries(snapshotBefore.paymentMethods, newSnapshot.paymentMethods);
    snapshotsByShop.set(store.shop, { ...snapshotBefore, shop: newSnapshot.shop });
  }

  /** Starts a timer for the next charge that ends without a request. A moved clock needs none: its control checks. */
  function scheduleNextChargeCheck({ shop, attempts }: StoreState): void {
    clearTimeout(timerByShop.get(shop));
    const nextMs = attempts.findNextChangeMs();
    if (nextMs === undefined) return;
    const waitMs = Math.min(60_000, Math.max(0, nextMs - clock.now()));
    timerByShop.set(shop, setTimeout(() => enqueueChanges(shop), waitMs).unref());
  }

  /** The webhooks of one action share an event id. */
  function enqueueEvents(store: StoreState, events: readonly StoreEvent[]): void {
    const eventId = randomUUID();
    for (const { topic, payload } of events) {
      const scope = findTopicScope(topic);
      if (scope !== undefined && !hasScope(store, scope)) continue;
      for (const webhookTarget of targetsOf(store, topic))
        enqueueWebhook(store, { ...webhookTarget, topic, payload, eventId });
    }
  }

  type WebhookTarget = Pick<QueuedWebhook, 'uri' | 'apiVersion' | 'subscriptionId' | 'name'>;
  type OutgoingWebhook = WebhookTarget &
    StoreEvent & { readonly eventId: string; readonly delaySeconds?: number };

  function targetsOf({ webhookSubscriptions, appWebhooks }: StoreState, topic: string): WebhookTarget[] {
    const matchingSubscriptions = [...(webhookSubscriptions?.values() ?? [])].filter(
      (each) => each.topic === formatTopicEnum(topic),
    );
    const apiTargets = matchingSubscriptions.map(({ id, uri, name }) => ({
      uri,
      name,
      apiVersion: API_VERSION,
      subscriptionId: id,
    }));
    const configuredTopics = [...(appWebhooks?.topics ?? []), ...(appWebhooks?.complianceTopics ?? [])];
    return configuredTopics.includes(topic)
      ? [...apiTargets, toTomlTarget(appWebhooks as AppWebhooks)]
      : apiTargets;
  }

  function enqueueWebhook(
    { shop }: StoreState,
    { payload, delaySeconds, ...webhookFields }: OutgoingWebhook,
  ): void {
    const triggeredAt = new Date(clock.now()).toISOString();
    const body = JSON.stringify(payload);
    webhookQueue.enqueue(
      { ...webhookFields, shop, body, triggeredAt, webhookId: randomUUID() },
      delaySeconds,
    );
  }

  function sendCompliance(
    store: StoreState,
    topic: ComplianceTopic,
    payloadFields: Readonly<Record<string, unknown>> = {},
    delaySeconds = 0,
  ): void {
    const payload = { shop_id: store.shopId, shop_domain: store.shop, ...payloadFields };
    const eventId = randomUUID();
    for (const webhookTarget of targetsOf(store, topic))
      enqueueWebhook(store, { ...webhookTarget, topic, payload, eventId, delaySeconds });
  }

  return {
    enqueueChanges,
    enqueueChargeChanges,
    webhookQueue,
    sendCompliance: (store, topic, more) => sendCompliance(store, topic, more),
    sendUninstalled(store) {
      enqueueEvents(store, [{ topic: 'app/uninstalled', payload: createShopPayload(store) }]);
      store.webhookSubscriptions?.clear();
      sendCompliance(store, 'shop/redact', {}, REDACT_SHOP_AFTER_SECONDS);
    },
    sendScopes(store, previous, current) {
      const updatedAt = new Date(clock.now()).toISOString();
      const payload = { id: store.shopId, shop_id: store.shopId, previous, current, updated_at: updatedAt };
      enqueueEvents(store, [{ topic: 'app/scopes_update', payload }]);
    },
    reset() {
      for (const timer of timerByShop.values()) clearTimeout(timer);
      snapshotsByShop.clear();
      webhookQueue.clear();
    },
  };
}

function addEntries<Key, Value>(target: Map<Key, Value>, entries: ReadonlyMap<Key, Value>): void {
  for (const [key, value] of entries) target.set(key, value);
}

function toTomlTarget({ uri, apiVersion }: AppWebhooks) {
  return { uri, apiVersion, subscriptionId: null };
}
