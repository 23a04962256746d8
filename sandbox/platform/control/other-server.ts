/**
 * Another server of the same app, such as a merchant's own billing job: at given times it sends documents to the Admin
 * API of a store. The service learns of them by webhooks alone, and they cost none of its points.
 */

import { createPointBuckets } from '../admin/cost/bucket.ts';
import { executeDocument, type GraphqlBody } from '../admin/endpoint/execute-document.ts';
import { settleDueAttempts } from '../admin/endpoint/settle-due-attempts.ts';
import type { PlatformState, StoreState } from '../state/state.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** A document that the other server sends at `atMs`, in epoch milliseconds. `response` is undefined until then. */
export type ServerRequest = GraphqlBody & {
  readonly shop: string;
  readonly atMs: number;
  response?: unknown;
};

export type OtherServer = {
  add(requests: readonly ServerRequest[]): void;
  /** Sends all requests whose time has come, in the order of their times. */
  sendDue(): Promise<void>;
  /**
   * Returns the instant until which charges may be settled, in epoch milliseconds. When the clock was moved past the
   * time of a request, that request must be sent first, so that it finds the charges that end after it still pending.
   */
  settleUntilMs(): number;
  list(): readonly ServerRequest[];
  clear(): void;
};

type OtherServerOptions = {
  readonly state: () => PlatformState;
  readonly clock: { now(): number };
  readonly origin: string;
  readonly webhooks: Pick<Webhooks, 'enqueueChanges'>;
  readonly onChange: () => void;
};

const MAX_TIMER_WAIT_MS = 60_000;

export function createOtherServer(options: OtherServerOptions): OtherServer {
  const { clock, webhooks } = options;
  let requests: ServerRequest[] = [];
  let waitingRequests: ServerRequest[] = [];
  let sendInProgress: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let requestInProgressAtMs = Number.POSITIVE_INFINITY;

  function sendDue(): Promise<void> {
    if ((waitingRequests[0]?.atMs ?? Number.POSITIVE_INFINITY) <= clock.now())
      sendInProgress = sendInProgress.then(sendEachDue);
    return sendInProgress;
  }

  async function sendEachDue(): Promise<void> {
    for (
      let nextRequest = waitingRequests[0];
      nextRequest !== undefined && nextRequest.atMs <= clock.now();
      nextRequest = waitingRequests[0]
    ) {
      const store = options.state().stores.get(nextRequest.shop);
      waitingRequests.shift();
      requestInProgressAtMs = nextRequest.atMs;
      if (store !== undefined) await sendRequest(nextRequest, store);
    }
    requestInProgressAtMs = Number.POSITIVE_INFINITY;
    options.onChange();
    scheduleNext();
  }

  async function sendRequest(request: ServerRequest, store: StoreState): Promise<void> {
    const nowMs = request.atMs;
    const { origin } = options;
    const platformState = options.state();
    // The attempts that ended before the request are settled, and their webhooks queued, before it is sent.
    settleDueAttempts(store, nowMs, { mails: platformState.mails, origin });
    webhooks.enqueueChanges(store.shop);
    request.response = await executeDocument(request, {
      ...{ state: platformState, store, nowMs, origin, version: '2026-07' },
      buckets: createPointBuckets(),
      onCost: () => undefined,
      shouldRefuseNextMutation: () => false,
    });
    webhooks.enqueueChanges(store.shop);
  }

  /** Starts a timer for the next request, which is thus sent in time even if the service sends none. */
  function scheduleNext(): void {
    clearTimeout(timer);
    const [nextRequest] = waitingRequests;
    if (nextRequest === undefined) return;
    const waitMs = Math.min(MAX_TIMER_WAIT_MS, Math.max(0, nextRequest.atMs - clock.now()));
    timer = setTimeout(() => void sendDue().then(scheduleNext), waitMs).unref();
  }

  return {
    add(newRequests) {
      requests = [...requests, ...newRequests];
      waitingRequests = [...waitingRequests, ...newRequests].sort((one, other) => one.atMs - other.atMs);
      scheduleNext();
    },
    sendDue,
    settleUntilMs: () =>
      Math.min(clock.now(), requestInProgressAtMs, waitingRequests[0]?.atMs ?? Number.POSITIVE_INFINITY),
    list: () => requests,
    clear() {
      clearTimeout(timer);
      requests = [];
      waitingRequests = [];
    },
  };
}
