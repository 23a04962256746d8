/**
 * The queue of outgoing webhooks. Retries a failed delivery eight times within four hours, as the platform does. A test can
 * set faults: dropped, duplicated, delayed or reordered webhooks. The queue is empty after a restart.
 */
import { hashId } from '../state/opaque-id.ts';
import type { PlatformClock } from '../state/platform-clock.ts';
import { deliverWebhook, type WebhookToDeliver } from './deliver-webhook.ts';

/** Minutes between attempts, four hours in total. The platform does not publish its own. */
const RETRY_MINUTES = [1, 3, 6, 12, 23, 40, 65, 90];

export type WebhookFaultProfile = {
  /** Shares of all webhooks, 0 to 1. */
  readonly drop: number;
  readonly double: number;
  /** The maximum delay of each webhook. */
  readonly delaySeconds: number;
  readonly isReordered: boolean;
  /** Whether webhooks are sent only when a test requests it. */
  readonly isHeld: boolean;
  readonly seed: number;
};

export const NO_WEBHOOK_FAULTS: WebhookFaultProfile = {
  ...{ drop: 0, double: 0, delaySeconds: 0, isReordered: false, isHeld: false, seed: 1 },
};

export type QueuedWebhook = WebhookToDeliver & { readonly subscriptionId: number | null };
type WebhookDelivery = {
  readonly webhook: QueuedWebhook;
  state: 'waiting' | 'sending' | 'delivered' | 'given up' | 'dropped';
  dueMs: number;
  attempts: number;
  lastStatus: number | null;
};

export type WebhookQueue = {
  enqueue(webhook: QueuedWebhook, delaySeconds?: number): void;
  /** Sends all due webhooks, and those that become due in the meantime. Resolves with the number of attempts. */
  sendDue(): Promise<number>;
  list(): readonly WebhookDelivery[];
  /** Deletes the waiting webhooks that match. */
  removeWaiting(predicate: (webhook: QueuedWebhook) => boolean): void;
  setRandomFaults(faultProfile: WebhookFaultProfile): void;
  clear(): void;
};

type WebhookQueueOptions = {
  readonly clock: Pick<PlatformClock, 'now'>;
  readonly secretOf: (shop: string) => string;
  /** Called when all attempts of a webhook have failed. */
  readonly onGivenUp: (webhook: QueuedWebhook) => void;
};

/** How many deliveries the list has at most, apart from those that are waiting. */
const MAX_LISTED_DELIVERIES = 20_000;

export function createWebhookQueue({ clock, secretOf, onGivenUp }: WebhookQueueOptions): WebhookQueue {
  let deliveries: WebhookDelivery[] = [];
  let shortenAtCount = 2 * MAX_LISTED_DELIVERIES;
  let faultProfile = NO_WEBHOOK_FAULTS;
  let random = createSeededRandom(faultProfile.seed);
  let timer: NodeJS.Timeout | undefined;

  function enqueueDelivery(webhook: QueuedWebhook, delaySeconds = 0): void {
    const isDeliveryDropped = random() < faultProfile.drop;
    const copyCount = random() < faultProfile.double ? 2 : 1;
    for (let copyIndex = 0; copyIndex < copyCount; copyIndex++) {
      const dueMs = clock.now() + 1000 * (delaySeconds + random() * faultProfile.delaySeconds);
      const deliveryState = isDeliveryDropped ? 'dropped' : 'waiting';
      deliveries.push({ webhook, state: deliveryState, dueMs, attempts: 0, lastStatus: null });
    }
    // Not at each webhook: the list, which keeps waiting ones, may double before it is shortened again.
    if (deliveries.length > shortenAtCount) {
      deliveries = dropOldDeliveries(deliveries);
      shortenAtCount = 2 * Math.max(MAX_LISTED_DELIVERIES, deliveries.length);
    }
    scheduleNext();
  }

  /** Sends the next webhook when it is due. When a test moves the clock, the test itself triggers the sending. */
  function scheduleNext(): void {
    if (faultProfile.isHeld || timer !== undefined) return;
    const nextDeliveryAtMs = listWaiting().reduce(
      (earliest, { dueMs }) => Math.min(earliest, dueMs),
      Number.POSITIVE_INFINITY,
    );
    if (nextDeliveryAtMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void sendDue().then(scheduleNext);
      },
      Math.min(60_000, Math.max(0, nextDeliveryAtMs - clock.now())),
    ).unref();
  }

  const listWaiting = () => deliveries.filter(({ state }) => state === 'waiting');

  async function sendDue(): Promise<number> {
    let sentCount = 0;
    for (
      let claimedDeliveries = claimDeliveries();
      claimedDeliveries.length > 0;
      claimedDeliveries = claimDeliveries()
    ) {
      sentCount += claimedDeliveries.length;
      await Promise.all(claimedDeliveries.map(sendDelivery));
    }
    return sentCount;
  }

  /** Takes the due deliveries; when they are reordered, only a random one, so that the others arrive later. */
  function claimDeliveries(): WebhookDelivery[] {
    const dueDeliveries = listWaiting().filter(({ dueMs }) => dueMs <= clock.now());
    const takenDeliveries = faultProfile.isReordered
      ? [dueDeliveries[Math.floor(random() * dueDeliveries.length)] ?? []].flat()
      : dueDeliveries;
    for (const delivery of takenDeliveries) delivery.state = 'sending';
    return takenDeliveries;
  }

  async function sendDelivery(delivery: WebhookDelivery): Promise<void> {
    const { webhook } = delivery;
    const responseStatus = await deliverWebhook(webhook, secretOf(webhook.shop));
    delivery.lastStatus = responseStatus ?? null;
    delivery.attempts++;
    if (responseStatus !== undefined && responseStatus >= 200 && responseStatus < 300) {
      delivery.state = 'delivered';
      return;
    }
    const retryMinutes = RETRY_MINUTES[delivery.attempts - 1];
    delivery.state = retryMinutes === undefined ? 'given up' : 'waiting';
    delivery.dueMs = clock.now() + (retryMinutes ?? 0) * 60_000;
    if (retryMinutes === undefined) onGivenUp(webhook);
  }

  return {
    enqueue: enqueueDelivery,
    sendDue,
    list: () => deliveries,
    removeWaiting(predicate) {
      deliveries = deliveries.filter(({ state, webhook }) => state !== 'waiting' || !predicate(webhook));
    },
    setRandomFaults(newFaultProfile) {
      faultProfile = newFaultProfile;
      random = createSeededRandom(newFaultProfile.seed);
      scheduleNext();
    },
    clear() {
      clearTimeout(timer);
      timer = undefined;
      deliveries = [];
      faultProfile = NO_WEBHOOK_FAULTS;
    },
  };
}

/** Returns the newest deliveries, and older ones only while they are under way. */
function dropOldDeliveries(deliveries: readonly WebhookDelivery[]): WebhookDelivery[] {
  const firstListedIndex = deliveries.length - MAX_LISTED_DELIVERIES;
  return deliveries.filter(
    ({ state }, index) => index >= firstListedIndex || state === 'waiting' || state === 'sending',
  );
}

/** Creates a generator of numbers in [0, 1). The same seed gives the same numbers. */
function createSeededRandom(seed: number): () => number {
  let drawnCount = 0;
  return () => Number.parseInt(hashId(`weather/${seed}/${drawnCount++}`).slice(0, 8), 16) / 2 ** 32;
}
