/**
 * The budget of background work: it leaves half of each store's bucket to the clients. Each request waits until the
 * bucket has more than that, according to the platform's last response.
 */

import { createLruCache } from '../../domain/lru-cache.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { type AdminOperation, requestDeadlineAtMs, type SendAdminOperation } from './admin-client.ts';
import type { AdminResponse, PlatformCost } from './admin-response.ts';

type StoreBudgetDeps = {
  readonly send: SendAdminOperation;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

export type BudgetedOperation = Omit<AdminOperation, 'deadlineAtMs' | 'customerId'> & {
  /** When the run has to end, epoch milliseconds. */
  readonly endAtMs: number;
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

type KnownBucket = { readonly status: PlatformCost['throttleStatus']; readonly atMs: number };

const BUCKET_RATIO_LEFT_TO_CLIENTS = 1 / 2;
/**
 * The assumed cost of a document that was never sent; most of the service's documents cost less. A request above it
 * is a large one.
 */
const UNKNOWN_DOCUMENT_COST_POINTS = 100;
/** How long the bucket's state in a response is valid for a large request. */
const BUCKET_STATE_VALID_MS = 1000;
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
export function createSendWithinBudget({ send, now, wait }: StoreBudgetDeps): SendWithinBudget {
  const bucketsByStore = createLruCache<ShopId, KnownBucket>(MAX_KNOWN_BUCKETS);
  const costsByDocument = createLruCache<string, number>(MAX_KNOWN_BUCKETS);
  /** The points of each store's requests that wait or are in progress. */
  const reserved = new Map<ShopId, number>();
  const reserve = (shopId: ShopId, cost: number) => {
    const points = (reserved.get(shopId) ?? 0) + cost;
    if (points > 0) reserved.set(shopId, points);
    else reserved.delete(shopId);
  };
  async function sendAndLearnCost(operation: Omit<AdminOperation, 'customerId'>): Promise<AdminResponse> {
    const answer = await send(operation);
    if (answer.cost !== undefined) {
      bucketsByStore.set(operation.store.shopId, { status: answer.cost.throttleStatus, atMs: now() });
      costsByDocument.set(operation.costKey, answer.cost.requestedQueryCost);
    }
    return answer;
  }
  return async (operation) => {
    const cost =
      costsByDocument.get(operation.costKey) ?? operation.expectedCost ?? UNKNOWN_DOCUMENT_COST_POINTS;
    const { shopId } = operation.store;
    const pendingPoints = reserved.get(shopId) ?? 0;
    reserve(shopId, cost);
    try {
      return await sendWhenAffordable(operation, { cost, pendingPoints });
    } finally {
      reserve(shopId, -cost);
    }
  };

  type NeededPoints = { readonly cost: number; readonly pendingPoints: number };

  /** `pendingPoints`: the points of earlier requests without a response. */
  async function sendWhenAffordable(
    { endAtMs, expectedCost: _expected, ...operation }: BudgetedOperation,
    { cost, pendingPoints }: NeededPoints,
  ): Promise<AdminResponse> {
    const { store } = operation;
    const deadline = () => Math.min(requestDeadlineAtMs(now()), endAtMs);
    const isStale = () =>
      now() - (bucketsByStore.get(store.shopId)?.atMs ?? -Infinity) > BUCKET_STATE_VALID_MS;
    for (let isReady = false; !isReady; ) {
      if (cost > UNKNOWN_DOCUMENT_COST_POINTS && isStale())
        await sendAndLearnCost({ ...BUCKET_PROBE_OPERATION, store, deadlineAtMs: deadline() });
      const waitMs = msUntilWithinBudget(bucketsByStore.get(store.shopId), {
        cost,
        pendingPoints,
        nowMs: now(),
      });
      if (now() + waitMs >= endAtMs) {
        const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
        throw new ServiceError('THROTTLED', { internal: "the store's budget is spent", retryAfterSeconds });
      }
      if (waitMs > 0) await wait(waitMs);
      // Clients may have spent the awaited points in the meantime: a large request checks again.
      isReady = waitMs === 0 || cost <= UNKNOWN_DOCUMENT_COST_POINTS;
    }
    return sendAndLearnCost({ ...operation, deadlineAtMs: deadline() });
  }
}

function msUntilWithinBudget(
  known: KnownBucket | undefined,
  { cost, pendingPoints, nowMs }: { cost: number; pendingPoints: number; nowMs: number },
): number {
  if (known === undefined) return 0;
  const { maximumAvailable, currentlyAvailable, restoreRate } = known.status;
  const restored = ((nowMs - known.atMs) / 1000) * restoreRate;
  const available = Math.min(maximumAvailable, currentlyAvailable + restored);
  // A request above the half is sent when the bucket is full.
  const needed =
    Math.min(maximumAvailable, maximumAvailable * BUCKET_RATIO_LEFT_TO_CLIENTS + cost) + pendingPoints;
  return Math.ceil((Math.max(0, needed - available) / Math.max(1, restoreRate)) * 1000);
}
