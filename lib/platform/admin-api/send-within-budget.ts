/**
 * The budget of background work: it leaves half of each store's bucket to the clients. Each request waits until the
 * bucket has more than that, according to the platform's last response.
 */

import { createLruCache } from '../../domain/lru-cache.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { type AdminOperation, requestDeadlineAtMs, type SendAdminOperation } from './admin-client.ts';
import type { AdminResponse, PlatformCost } from './admin-response.ts';
import { createPendingPoints, type PendingPoints } from './pending-points.ts';

type StoreBudgetDeps = {
  readonly send: SendAdminOperation;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

export type BudgetedOperation = Omit<AdminOperation, 'deadlineAtMs' | 'customerId'> & {
  /** When the run has to end, epoch milliseconds. */
  readonly endAtMs: number;
  /** Runs when the points are there. What it throws keeps the operation from being sent. */
  readonly beforeSend?: () => Promise<void>;
  /** The points of a document that may cost more than a hundred in its first request. */
  readonly expectedCost?: number;
};

/**
 * Sends one operation when half of the store's bucket would remain.
 * @throws the Admin API client's errors; THROTTLED, without a platform request, when that is not possible before
 * `endAtMs`
 */
export type SendWithinBudget = (operation: BudgetedOperation) => Promise<AdminResponse>;

type BudgetedQuery = Pick<BudgetedOperation, 'document' | 'variables' | 'expectedCost'> & {
  /** The key of the document's cost; the document if undefined. */
  readonly costKey?: string;
};

/** Sends a query within the store's budget. Throws the errors of `SendWithinBudget`. */
export function readWithinBudget(
  { sendWithinBudget }: { readonly sendWithinBudget: SendWithinBudget },
  { store, endAtMs }: Pick<BudgetedOperation, 'store' | 'endAtMs'>,
  read: BudgetedQuery,
): Promise<AdminResponse> {
  return sendWithinBudget({ costKey: read.document, ...read, store, endAtMs, mutates: false });
}

/** Points that requests of a caller need not wait for. */
type PointReservation = {
  /** Sends a request from the reserved points. One that costs more than is left of them waits like any other. */
  readonly sendWithinBudget: SendWithinBudget;
  /** Returns what is left to the store, and learns what such work costs. */
  readonly end: () => void;
};

type ReservationRequest = Pick<BudgetedOperation, 'endAtMs' | 'store'> & {
  /** How many pieces of work it is for, and the points of each, until the store's requests show that it costs more. */
  readonly count: number;
  readonly expectedCost: number;
};

/**
 * Reserves points as soon as half of the store's bucket would remain; reservations of a store wait in their order.
 * @returns undefined when that is not possible before `endAtMs`
 * @throws the Admin API client's errors
 */
export type ReservePoints = (request: ReservationRequest) => Promise<PointReservation | undefined>;

type KnownBucket = { readonly status: PlatformCost['throttleStatus']; readonly atMs: number };

const BUCKET_RATIO_LEFT_TO_CLIENTS = 1 / 2;
/**
 * The assumed cost of a document that was never sent; most of the service's documents cost less. A request above it
 * is a large one.
 */
const UNKNOWN_DOCUMENT_COST_POINTS = 100;
/** How long the bucket's state in a response is valid for a large request. */
const BUCKET_STATE_VALID_MS = 1000;
const RESERVATION_CHECK_INTERVAL_MS = 250;
/** A request of one point that reads the bucket's state. */
const BUCKET_PROBE_OPERATION = {
  document: '{ shop { id } }',
  variables: {},
  mutates: false,
  costKey: 'store budget',
};
const MAX_KNOWN_BUCKETS = 5_000;

/**
 * Creates the budget of a container, over its client of the Admin API. Several requests of a store may be in
 * progress.
 */
export function createStoreBudget({ send, now, wait }: StoreBudgetDeps): {
  readonly sendWithinBudget: SendWithinBudget;
  readonly reservePoints: ReservePoints;
} {
  const bucketsByStore = createLruCache<ShopId, KnownBucket>(MAX_KNOWN_BUCKETS);
  const costByKey = createLruCache<string, number>(MAX_KNOWN_BUCKETS);
  const reservedCostByStore = createLruCache<ShopId, number>(MAX_KNOWN_BUCKETS);
  /** The last reservation of each store that waits. */
  const waitingByStore = new Map<ShopId, Promise<unknown>>();
  const pendingPoints = createPendingPoints();
  const costOf = ({ costKey, expectedCost }: BudgetedOperation) =>
    costByKey.get(costKey) ?? expectedCost ?? UNKNOWN_DOCUMENT_COST_POINTS;
  const deadlineOf = ({ endAtMs }: Pick<BudgetedOperation, 'endAtMs'>) =>
    Math.min(requestDeadlineAtMs(now()), endAtMs);

  async function sendAndLearnCost(operation: Omit<AdminOperation, 'customerId'>): Promise<AdminResponse> {
    const adminResponse = await send(operation);
    if (adminResponse.cost !== undefined) {
      bucketsByStore.set(operation.store.shopId, { status: adminResponse.cost.throttleStatus, atMs: now() });
      costByKey.set(operation.costKey, adminResponse.cost.requestedQueryCost);
    }
    return adminResponse;
  }

  async function sendReserved({
    endAtMs,
    beforeSend,
    expectedCost: _expected,
    ...operation
  }: BudgetedOperation) {
    await beforeSend?.();
    return sendAndLearnCost({ ...operation, deadlineAtMs: deadlineOf({ endAtMs }) });
  }

  const sendWithinBudget: SendWithinBudget = (operation) =>
    sendPending(operation, (pending) => sendWhenAffordable(operation, pending));

  /** Counts the operation's points as pending until its response. */
  async function sendPending(
    operation: BudgetedOperation,
    run: (pending: PendingPoints) => Promise<AdminResponse>,
  ): Promise<AdminResponse> {
    const { shopId } = operation.store;
    const ownPoints = pendingPoints.add(shopId, costOf(operation));
    try {
      return await run(ownPoints);
    } finally {
      pendingPoints.remove(shopId, ownPoints);
    }
  }

  async function sendWhenAffordable(
    operation: BudgetedOperation,
    pending: PendingPoints,
  ): Promise<AdminResponse> {
    const { store, endAtMs } = operation;
    const { points: costPoints } = pending;
    for (let isAffordable = false; !isAffordable; ) {
      if (costPoints > UNKNOWN_DOCUMENT_COST_POINTS) await readStaleBucket(operation);
      const waitMs = msUntilWithinBudget(bucketsByStore.get(store.shopId), {
        cost: costPoints,
        pending: pendingPoints.count(store.shopId, pending),
        nowMs: now(),
      });
      if (now() + waitMs >= endAtMs) {
        const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
        throw new ServiceError('THROTTLED', { internal: "the store's budget is spent", retryAfterSeconds });
      }
      if (waitMs > 0) await wait(waitMs);
      // Clients may have spent the awaited points in the meantime: a large request checks again.
      isAffordable = waitMs === 0 || costPoints <= UNKNOWN_DOCUMENT_COST_POINTS;
    }
    return sendReserved(operation);
  }

  /** Reads the bucket's state if the last response of the store is too old. */
  async function readStaleBucket({ store, endAtMs }: Pick<BudgetedOperation, 'endAtMs' | 'store'>) {
    const readAtMs = bucketsByStore.get(store.shopId)?.atMs ?? -Infinity;
    if (now() - readAtMs > BUCKET_STATE_VALID_MS)
      await sendAndLearnCost({ ...BUCKET_PROBE_OPERATION, store, deadlineAtMs: deadlineOf({ endAtMs }) });
  }

  const reservePoints: ReservePoints = async (request) => {
    const { shopId } = request.store;
    const reservationInOrder = (waitingByStore.get(shopId) ?? Promise.resolve()).then(
      () => reserveWhenAffordable(request),
      () => reserveWhenAffordable(request),
    );
    waitingByStore.set(shopId, reservationInOrder);
    try {
      return await reservationInOrder;
    } finally {
      if (waitingByStore.get(shopId) === reservationInOrder) waitingByStore.delete(shopId);
    }
  };

  async function reserveWhenAffordable(request: ReservationRequest): Promise<PointReservation | undefined> {
    const { store, endAtMs, count, expectedCost } = request;
    const { shopId } = store;
    const totalCost = count * Math.max(expectedCost, reservedCostByStore.get(shopId) ?? 0);
    const computeWaitMs = () =>
      msUntilWithinBudget(bucketsByStore.get(shopId), {
        cost: totalCost,
        pending: pendingPoints.count(shopId),
        nowMs: now(),
      });
    for (;;) {
      if (computeWaitMs() === 0) await readStaleBucket(request);
      const waitMs = computeWaitMs();
      if (waitMs === 0) break;
      // Earlier reservations may end sooner than the points return.
      const nextMs = Math.min(waitMs, RESERVATION_CHECK_INTERVAL_MS);
      if (now() + nextMs >= endAtMs) return undefined;
      await wait(nextMs);
    }
    return createReservation(shopId, pendingPoints.add(shopId, totalCost), count);
  }

  function createReservation(shopId: ShopId, reserved: PendingPoints, count: number): PointReservation {
    let spentPoints = 0;
    const sendFromReserved: SendWithinBudget = async (operation) => {
      const costPoints = costOf(operation);
      if (costPoints > reserved.points) {
        reserved.points = 0;
        return sendWithinBudget(operation);
      }
      reserved.points -= costPoints;
      return sendPending(operation, () => sendReserved(operation));
    };
    return {
      async sendWithinBudget(operation) {
        const adminResponse = await sendFromReserved(operation);
        spentPoints += costOf(operation);
        return adminResponse;
      },
      end() {
        pendingPoints.remove(shopId, reserved);
        reservedCostByStore.set(shopId, spentPoints / count);
      },
    };
  }

  return { sendWithinBudget, reservePoints };
}

/** Creates the budget of a container whose requests are not reserved before. */
export function createSendWithinBudget(deps: StoreBudgetDeps): SendWithinBudget {
  return createStoreBudget(deps).sendWithinBudget;
}

function msUntilWithinBudget(
  known: KnownBucket | undefined,
  { cost, pending, nowMs }: { cost: number; pending: number; nowMs: number },
): number {
  if (known === undefined) return 0;
  const { maximumAvailable, currentlyAvailable, restoreRate } = known.status;
  const restoredPoints = ((nowMs - known.atMs) / 1000) * restoreRate;
  const availablePoints = Math.min(maximumAvailable, currentlyAvailable + restoredPoints);
  // A request above the half is sent when the bucket is full.
  const neededPoints =
    Math.min(maximumAvailable, maximumAvailable * BUCKET_RATIO_LEFT_TO_CLIENTS + cost) + pending;
  return Math.ceil((Math.max(0, neededPoints - availablePoints) / Math.max(1, restoreRate)) * 1000);
}
