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
  /** Called when the points are available, before the operation is sent. If it throws, the operation is not sent. */
  readonly beforeSend?: () => Promise<void>;
  /** The points to expect of a document that may cost more than 100, until the platform has reported its cost. */
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
  query: BudgetedQuery,
): Promise<AdminResponse> {
  return sendWithinBudget({ costKey: query.document, ...query, store, endAtMs, mutates: false });
}

/** A handle on reserved points: the requests that are sent through it need not wait for points. */
type PointReservation = {
  /**
   * Sends a request from the reserved points. A request that costs more than the rest of them waits like one without a
   * reservation, and uses up the rest.
   */
  readonly sendWithinBudget: SendWithinBudget;
  /**
   * Returns the unspent points to the store, and records the average cost of a piece of work for the store's next
   * reservation.
   */
  readonly end: () => void;
};

type ReservationRequest = Pick<BudgetedOperation, 'endAtMs' | 'store'> & {
  /** How many pieces of work the points are reserved for. */
  readonly workItemCount: number;
  readonly expectedCostPerItem: number;
};

/**
 * Reserves points as soon as half of the store's bucket would remain; reservations of a store wait in their order.
 * @returns undefined when that is not possible before `endAtMs`
 * @throws the Admin API client's errors
 */
export type ReservePoints = (request: ReservationRequest) => Promise<PointReservation | undefined>;

type KnownBucket = { readonly status: PlatformCost['throttleStatus']; readonly receivedAtMs: number };

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
const MAX_CACHED_ENTRIES = 5_000;

/**
 * Creates the budget of a container, over its client of the Admin API. Several requests of a store may be in
 * progress.
 */
export function createStoreBudget({ send, now, wait }: StoreBudgetDeps): {
  readonly sendWithinBudget: SendWithinBudget;
  readonly reservePoints: ReservePoints;
} {
  const bucketsByStore = createLruCache<ShopId, KnownBucket>(MAX_CACHED_ENTRIES);
  const costByKey = createLruCache<string, number>(MAX_CACHED_ENTRIES);
  const costPerItemByStore = createLruCache<ShopId, number>(MAX_CACHED_ENTRIES);
  /** The reservation of each store that was requested last and has not ended its wait. The next one waits for it. */
  const lastReservationByStore = new Map<ShopId, Promise<unknown>>();
  const pendingPoints = createPendingPoints();
  const costOf = ({ costKey, expectedCost }: BudgetedOperation) =>
    costByKey.get(costKey) ?? expectedCost ?? UNKNOWN_DOCUMENT_COST_POINTS;
  const deadlineOf = ({ endAtMs }: Pick<BudgetedOperation, 'endAtMs'>) =>
    Math.min(requestDeadlineAtMs(now()), endAtMs);

  async function sendAndLearnCost(operation: Omit<AdminOperation, 'customerId'>): Promise<AdminResponse> {
    const adminResponse = await send(operation);
    if (adminResponse.cost !== undefined) {
      bucketsByStore.set(operation.store.shopId, {
        status: adminResponse.cost.throttleStatus,
        receivedAtMs: now(),
      });
      costByKey.set(operation.costKey, adminResponse.cost.requestedQueryCost);
    }
    return adminResponse;
  }

  async function sendWithoutWaiting({
    endAtMs,
    beforeSend,
    expectedCost: _expected,
    ...operation
  }: BudgetedOperation) {
    await beforeSend?.();
    return sendAndLearnCost({ ...operation, deadlineAtMs: deadlineOf({ endAtMs }) });
  }

  const sendWithinBudget: SendWithinBudget = (operation) =>
    runWithPendingPoints(operation, (pending) => sendWhenAffordable(operation, pending));

  /** Counts the operation's points as pending until its response. */
  async function runWithPendingPoints(
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
    return sendWithoutWaiting(operation);
  }

  /** Reads the bucket's state if the last response of the store is too old. */
  async function readStaleBucket({ store, endAtMs }: Pick<BudgetedOperation, 'endAtMs' | 'store'>) {
    const receivedAtMs = bucketsByStore.get(store.shopId)?.receivedAtMs ?? -Infinity;
    if (now() - receivedAtMs > BUCKET_STATE_VALID_MS)
      await sendAndLearnCost({ ...BUCKET_PROBE_OPERATION, store, deadlineAtMs: deadlineOf({ endAtMs }) });
  }

  const reservePoints: ReservePoints = async (request) => {
    const { shopId } = request.store;
    const reservationInOrder = (lastReservationByStore.get(shopId) ?? Promise.resolve()).then(
      () => reserveWhenAffordable(request),
      () => reserveWhenAffordable(request),
    );
    lastReservationByStore.set(shopId, reservationInOrder);
    try {
      return await reservationInOrder;
    } finally {
      if (lastReservationByStore.get(shopId) === reservationInOrder) lastReservationByStore.delete(shopId);
    }
  };

  async function reserveWhenAffordable(request: ReservationRequest): Promise<PointReservation | undefined> {
    const { store, endAtMs, workItemCount, expectedCostPerItem } = request;
    const { shopId } = store;
    const totalCost = workItemCount * Math.max(expectedCostPerItem, costPerItemByStore.get(shopId) ?? 0);
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
    return createReservation(shopId, pendingPoints.add(shopId, totalCost), workItemCount);
  }

  function createReservation(
    shopId: ShopId,
    reservedPoints: PendingPoints,
    workItemCount: number,
  ): PointReservation {
    let spentPoints = 0;
    const sendFromReserved: SendWithinBudget = async (operation) => {
      const costPoints = costOf(operation);
      if (costPoints > reservedPoints.points) {
        reservedPoints.points = 0;
        return sendWithinBudget(operation);
      }
      reservedPoints.points -= costPoints;
      return runWithPendingPoints(operation, () => sendWithoutWaiting(operation));
    };
    return {
      async sendWithinBudget(operation) {
        const adminResponse = await sendFromReserved(operation);
        spentPoints += costOf(operation);
        return adminResponse;
      },
      end() {
        pendingPoints.remove(shopId, reservedPoints);
        costPerItemByStore.set(shopId, spentPoints / workItemCount);
      },
    };
  }

  return { sendWithinBudget, reservePoints };
}

/** Creates the budget of a container that makes no reservations. */
export function createSendWithinBudget(deps: StoreBudgetDeps): SendWithinBudget {
  return createStoreBudget(deps).sendWithinBudget;
}

function msUntilWithinBudget(
  knownBucket: KnownBucket | undefined,
  { cost, pending, nowMs }: { cost: number; pending: number; nowMs: number },
): number {
  if (knownBucket === undefined) return 0;
  const { maximumAvailable, currentlyAvailable, restoreRate } = knownBucket.status;
  const restoredPoints = ((nowMs - knownBucket.receivedAtMs) / 1000) * restoreRate;
  const availablePoints = Math.min(maximumAvailable, currentlyAvailable + restoredPoints);
  // A request above the half is sent when the bucket is full.
  const neededPoints =
    Math.min(maximumAvailable, maximumAvailable * BUCKET_RATIO_LEFT_TO_CLIENTS + cost) + pending;
  return Math.ceil((Math.max(0, neededPoints - availablePoints) / Math.max(1, restoreRate)) * 1000);
}
