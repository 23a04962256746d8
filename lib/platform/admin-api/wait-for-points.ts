/**
 * A request waits here for the store's points. A customer's request may do so for two seconds in all: it holds an
 * instance of the function, of which all stores share one number, and a few connections would hold them all.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { type Throttled, throttled, throttledSeconds } from './admin-failure.ts';
import type { Spender, ThrottleBuckets } from './throttle-buckets.ts';

/** How long one request of a customer may still wait for points, over all that it asks the platform. */
export type Patience = {
  leftMs: number;
  /** Something was changed already: the request waits until its deadline, and is not left half done for points. */
  isChanging: boolean;
  /** A part of the request was let in: the others do not wait for those who were sent away. */
  isLetIn: boolean;
};

type Waits = { readonly deadlineAtMs: number; readonly patience?: Patience | undefined };
type Spending = Waits & { readonly store: StoreRecord; readonly customerId?: Spender['customerId'] };

type Clock = { readonly now: () => number; readonly wait: (ms: number) => Promise<void> };
type Points = { readonly buckets: ThrottleBuckets };

const PATIENCE_MS = 2_000;
/** A try is not worth it with less time than this. */
const SHORTEST_TRY_MS = 250;

/** The patience of a request that begins. */
export function createPatience(): Patience {
  return { leftMs: PATIENCE_MS, isChanging: false, isLetIn: false };
}

/** Waits for points, if there is time for it; false: there is not, and nothing was waited. */
export async function waitIfPatient(
  { now, wait }: Clock,
  { deadlineAtMs, patience }: Waits,
  waitMs: number,
): Promise<boolean> {
  if (now() + waitMs + SHORTEST_TRY_MS > deadlineAtMs) return false;
  if (patience !== undefined && !patience.isChanging) {
    if (waitMs > patience.leftMs) return false;
    patience.leftMs -= waitMs;
  }
  await wait(waitMs);
  return true;
}

/**
 * Returns when the request fits into the store's bucket, which it looks at again after its wait. Errors: THROTTLED,
 * QUERY_TOO_COMPLEX.
 */
export async function waitForPoints(deps: Clock & Points, spending: Spending, cost: number): Promise<void> {
  const { buckets } = deps;
  const spender = spenderOf(spending);
  for (let hasWaited = false; ; hasWaited = true) {
    const isLetIn = hasWaited || spender.isLetIn;
    const admission = buckets.admit({ ...spender, isLetIn }, cost);
    if (admission === 'never') {
      throw new ServiceError('QUERY_TOO_COMPLEX', {
        message: `The query costs ${cost} points, more than the platform allows at all. Ask for fewer objects.`,
      });
    }
    if (admission.waitMs === 0) {
      if (spending.patience !== undefined) spending.patience.isLetIn = true;
      return;
    }
    if (!(await waitIfPatient(deps, spending, admission.waitMs)))
      throw throttled(buckets.promiseMs(spender, cost, admission) / 1000);
  }
}

/** The error for a request that the platform has throttled and that cannot wait. */
export function comeAgain({ buckets }: Points, spending: Spending, told: Throttled): ServiceError {
  const cost = told.cost?.requestedQueryCost ?? 0;
  const spender = spenderOf(spending);
  const admission = told.cost === undefined ? 'never' : buckets.admit(spender, cost);
  if (admission === 'never') return throttled(throttledSeconds(told), told.cost);
  return throttled(buckets.promiseMs(spender, cost, admission) / 1000, told.cost);
}

/** A change that has begun waits for nobody else, and its customer's share does not hold it up. */
function spenderOf({ store, customerId, patience }: Spending): Spender {
  return {
    shopId: store.shopId,
    customerId: patience?.isChanging ? undefined : customerId,
    isLetIn: patience?.isLetIn,
  };
}
