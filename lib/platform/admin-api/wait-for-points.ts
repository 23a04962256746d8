/**
 * Where a request waits for the store's points. A customer's may do so for two seconds in all: whoever waits holds an
 * instance of the function, of which all stores share one number, and a few connections would hold them all.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { AdminClientDeps, AdminOperation } from './admin-client.ts';
import { type Throttled, throttled, throttledSeconds } from './admin-failure.ts';
import type { Spender, Ticket } from './throttle-bucket.ts';

/** How long one request of a customer may still wait for points, over all that it asks the platform. */
export type Patience = {
  leftMs: number;
  /** Something was changed already: it goes on as long as the deadline lets it, and is left half done for no points. */
  isChanging: boolean;
  /** A part of it was let in: the others do not queue behind those who were sent away. */
  isLetIn: boolean;
};

const PATIENCE_MS = 2_000;
/** Less than this is not worth a try. */
const SHORTEST_TRY_MS = 250;

/** Of a request that begins. */
export function createPatience(): Patience {
  return { leftMs: PATIENCE_MS, isChanging: false, isLetIn: false };
}

type Waits = Pick<AdminOperation, 'deadlineAtMs' | 'patience'>;

/** Waits for points, if there is time for it; false: there is not, and nothing was waited. */
export async function waitIfPatient(
  { now, wait }: Pick<AdminClientDeps, 'now' | 'wait'>,
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
 * Returns when the request fits into the store's bucket. Whoever has waited looks again: others may have spent what
 * was restored meanwhile. Errors: THROTTLED, QUERY_TOO_COMPLEX.
 */
export async function waitForPoints(
  deps: AdminClientDeps,
  operation: AdminOperation,
  cost: number,
): Promise<void> {
  const { buckets } = deps;
  const spender = spenderOf(operation);
  let ticket: Ticket | undefined;
  try {
    for (;;) {
      const admission = buckets.admit(spender, cost, ticket);
      if (admission === 'never') {
        throw new ServiceError('QUERY_TOO_COMPLEX', {
          message: `The query costs ${cost} points, more than the platform allows at all. Ask for fewer objects.`,
        });
      }
      if (admission.waitMs === 0) {
        if (operation.patience !== undefined) operation.patience.isLetIn = true;
        return;
      }
      ticket ??= buckets.queue(spender, cost);
      if (!(await waitIfPatient(deps, operation, admission.waitMs))) {
        throw throttled(buckets.promiseMs(spender, cost, admission) / 1000);
      }
    }
  } finally {
    ticket?.leave();
  }
}

/** What a request is told that the platform has throttled and that cannot wait. */
export function comeAgain(
  { buckets }: AdminClientDeps,
  operation: AdminOperation,
  told: Throttled,
): ServiceError {
  const cost = told.cost?.requestedQueryCost ?? 0;
  const spender = spenderOf(operation);
  const admission = told.cost === undefined ? 'never' : buckets.admit(spender, cost);
  if (admission === 'never') return throttled(throttledSeconds(told), told.cost);
  return throttled(buckets.promiseMs(spender, cost, admission) / 1000, told.cost);
}

/** A change that has begun queues behind nobody, and its customer's share does not hold it up. */
function spenderOf({ store, customerId, patience }: AdminOperation): Spender {
  return {
    shopId: store.shopId,
    customerId: patience?.isChanging ? undefined : customerId,
    isLetIn: patience?.isLetIn,
  };
}
