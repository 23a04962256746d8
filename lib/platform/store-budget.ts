/**
 * What work that nobody waits for may spend: it leaves half of each store's bucket to the clients. It waits before
 * a request until the bucket is fuller than that, by what the platform's last answer said.
 */
import { LRUCache } from 'lru-cache';
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AdminAnswer, PlatformCost } from './admin-answer.ts';
import { type AdminOperation, deadlineAfter, type SendAdminOperation } from './admin-client.ts';

export type StoreBudgetDeps = {
  readonly send: SendAdminOperation;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

export type BudgetedOperation = Omit<AdminOperation, 'deadlineAtMs' | 'customerId'> & {
  /** Epoch milliseconds: when the run has to end. */
  readonly endAtMs: number;
};

/**
 * Sends one operation when half of the store's bucket would be left after it. Errors: the Admin API client's, and
 * THROTTLED, without asking the platform, if that is not before `endAtMs`.
 */
export type SendWithinBudget = (operation: BudgetedOperation) => Promise<AdminAnswer>;

type Known = { readonly status: PlatformCost['throttleStatus']; readonly atMs: number };

const LEFT_TO_CLIENTS = 1 / 2;
/** Of a document that was never sent: more than any of ours costs. */
const FIRST_COST = 100;
const MAX_KNOWN = 5_000;

/** The budget of a container, over its client of the Admin API. Ask for one store's requests one after another. */
export function createStoreBudget({ send, now, wait }: StoreBudgetDeps): SendWithinBudget {
  const stores = new LRUCache<ShopId, Known>({ max: MAX_KNOWN });
  const costs = new LRUCache<string, number>({ max: MAX_KNOWN });
  return async ({ endAtMs, ...operation }) => {
    const { shopId } = operation.store;
    const cost = costs.get(operation.costKey) ?? FIRST_COST;
    const waitMs = waitFor(stores.get(shopId), { cost, nowMs: now() });
    if (now() + waitMs >= endAtMs) {
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
      throw new ServiceError('THROTTLED', { internal: "the store's budget is spent", retryAfterSeconds });
    }
    if (waitMs > 0) await wait(waitMs);
    const deadlineAtMs = Math.min(deadlineAfter(now()), endAtMs);
    const answer = await send({ ...operation, deadlineAtMs });
    if (answer.cost !== undefined) {
      stores.set(shopId, { status: answer.cost.throttleStatus, atMs: now() });
      costs.set(operation.costKey, answer.cost.requestedQueryCost);
    }
    return answer;
  };
}

function waitFor(known: Known | undefined, { cost, nowMs }: { cost: number; nowMs: number }): number {
  if (known === undefined) return 0;
  const { maximumAvailable, currentlyAvailable, restoreRate } = known.status;
  const restored = ((nowMs - known.atMs) / 1000) * restoreRate;
  const available = Math.min(maximumAvailable, currentlyAvailable + restored);
  // A request above the half goes when the bucket is full.
  const needed = Math.min(maximumAvailable, maximumAvailable * LEFT_TO_CLIENTS + cost);
  return Math.ceil((Math.max(0, needed - available) / Math.max(1, restoreRate)) * 1000);
}
