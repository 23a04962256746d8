/**
 * Webhooks on their way: eight more tries within four hours, as the platform makes them, and the weather that a test asks
 * for: some are dropped, doubled, delayed, or go in another order. Nothing is kept across a restart.
 */
import { hashId } from '../state/opaque-id.ts';
import type { PlatformClock } from '../state/platform-clock.ts';
import { deliverWebhook, type Webhook } from './deliver-webhook.ts';

/** Growing gaps in minutes, four hours in all; the platform does not publish its own. */
const RETRY_MINUTES = [1, 3, 6, 12, 23, 40, 65, 90];

export type FaultProfile = {
  /** Shares of all webhooks, 0 to 1. */
  readonly drop: number;
  readonly double: number;
  /** Each is late by up to so many seconds. */
  readonly delaySeconds: number;
  readonly isReordered: boolean;
  /** Nothing leaves by itself: only when the control asks. */
  readonly isHeld: boolean;
  readonly seed: number;
};

export const noFaults: FaultProfile = {
  ...{ drop: 0, double: 0, delaySeconds: 0, isReordered: false, isHeld: false, seed: 1 },
};

export type Posted = Webhook & { readonly subscriptionId: number | null };
type Delivery = {
  readonly webhook: Posted;
  state: 'waiting' | 'sending' | 'delivered' | 'given up' | 'dropped';
  dueMs: number;
  attempts: number;
  lastStatus: number | null;
};

export type WebhookQueue = {
  post(webhook: Posted, delaySeconds?: number): void;
  /** Sends all that is due, and what becomes due meanwhile. Resolves with how many answers came or failed to. */
  sendDue(): Promise<number>;
  list(): readonly Delivery[];
  /** Takes back what is still waiting. */
  discard(predicate: (webhook: Posted) => boolean): void;
  setFaultProfile(faultProfile: FaultProfile): void;
  clear(): void;
};

type Options = {
  readonly clock: Pick<PlatformClock, 'now'>;
  readonly secretOf: (shop: string) => string;
  /** All tries of one webhook have failed. */
  readonly onGivenUp: (webhook: Posted) => void;
};

/** At most so many deliveries are remembered. */
const REMEMBERED = 20_000;

export function createWebhookQueue({ clock, secretOf, onGivenUp }: Options): WebhookQueue {
  let deliveries: Delivery[] = [];
  let faultProfile = noFaults;
  let random = chances(faultProfile.seed);
  let timer: NodeJS.Timeout | undefined;

  function post(webhook: Posted, delaySeconds = 0): void {
    const isDropped = random() < faultProfile.drop;
    const copies = random() < faultProfile.double ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const dueMs = clock.now() + 1000 * (delaySeconds + random() * faultProfile.delaySeconds);
      const state = isDropped ? 'dropped' : 'waiting';
      deliveries.push({ webhook, state, dueMs, attempts: 0, lastStatus: null });
    }
    if (deliveries.length > REMEMBERED) deliveries = deliveries.slice(-REMEMBERED);
    scheduleNext();
  }

  /** The next that is due, at its time; on a clock that a test moves, the control sends. */
  function scheduleNext(): void {
    if (faultProfile.isHeld || timer !== undefined) return;
    const next = Math.min(...waiting().map(({ dueMs }) => dueMs));
    if (next === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void sendDue().then(scheduleNext);
      },
      Math.min(60_000, Math.max(0, next - clock.now())),
    ).unref();
  }

  const waiting = () => deliveries.filter(({ state }) => state === 'waiting');

  async function sendDue(): Promise<number> {
    let sent = 0;
    for (let due = claimDeliveries(); due.length > 0; due = claimDeliveries()) {
      sent += due.length;
      await Promise.all(due.map(send));
    }
    return sent;
  }

  /** A reordered webhook goes in a round of its own, so that it also arrives later. */
  function claimDeliveries(): Delivery[] {
    const due = waiting().filter(({ dueMs }) => dueMs <= clock.now());
    const taken = faultProfile.isReordered ? [due[Math.floor(random() * due.length)] ?? []].flat() : due;
    for (const delivery of taken) delivery.state = 'sending';
    return taken;
  }

  async function send(delivery: Delivery): Promise<void> {
    const { webhook } = delivery;
    const status = await deliverWebhook(webhook, secretOf(webhook.shop));
    delivery.lastStatus = status ?? null;
    delivery.attempts++;
    if (status !== undefined && status >= 200 && status < 300) {
      delivery.state = 'delivered';
      return;
    }
    const gap = RETRY_MINUTES[delivery.attempts - 1];
    delivery.state = gap === undefined ? 'given up' : 'waiting';
    delivery.dueMs = clock.now() + (gap ?? 0) * 60_000;
    if (gap === undefined) onGivenUp(webhook);
  }

  return {
    post,
    sendDue,
    list: () => deliveries,
    discard(predicate) {
      deliveries = deliveries.filter(({ state, webhook }) => state !== 'waiting' || !predicate(webhook));
    },
    setFaultProfile(next) {
      faultProfile = next;
      random = chances(next.seed);
      scheduleNext();
    },
    clear() {
      clearTimeout(timer);
      timer = undefined;
      deliveries = [];
      faultProfile = noFaults;
    },
  };
}

/** Numbers in [0, 1), the same for the same seed. */
function chances(seed: number): () => number {
  let count = 0;
  return () => Number.parseInt(hashId(`weather/${seed}/${count++}`).slice(0, 8), 16) / 2 ** 32;
}
