/**
 * The loop of the workers over stores: it leases queued stores, processes several concurrently, and renews their
 * leases. A store that fails or hangs gives up its slot, and no other store waits for it.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { toFailureCause } from '../../errors/to-failure-cause.ts';
import type { Logger } from '../../observability/logger.ts';
import type { WorkKind, WorkLease, WorkQueue } from './work-queue.ts';

/** The time in which a worker may process one leased store. */
export type StoreTimeSlice = {
  readonly shopId: ShopId;
  /** When the work has to return; remaining work continues after other stores. Epoch milliseconds. */
  readonly endAtMs: number;
  /** Aborted when the lease is lost or the time slice is long over: no further work may start. */
  readonly signal: AbortSignal;
};

/**
 * Processes a store's work.
 * @returns when the store has to be polled again (epoch milliseconds); undefined when all work is done
 */
export type StoreWork = (timeSlice: StoreTimeSlice) => Promise<number | undefined>;

type Deps = {
  readonly workQueue: Pick<WorkQueue, 'leaseStores'>;
  readonly logger: Logger;
  readonly now: () => number;
  /** Resolves after `ms`, or as soon as the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type WorkQueueRun = {
  readonly kind: WorkKind;
  /** No store is leased after this; epoch milliseconds. */
  readonly endAtMs: number;
  readonly storeConcurrency: number;
  /** The length of a store's time slice. */
  readonly timeSliceMs: number;
};

const LEASE_RENEWAL_INTERVAL_MS = 20_000;
/** How long a time slice may overrun before its slot goes to the next store. */
const MAX_TIME_SLICE_OVERRUN_MS = 10_000;
const STORE_RETRY_AFTER_FAILURE_MS = 60_000;

/**
 * Processes due stores, including those that become due meanwhile, until there are none or the time is over. Returns
 * how many time slices succeeded. A store's failure is logged, and the store is not processed for a minute.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot list due stores
 */
export async function processWorkQueue(deps: Deps, run: WorkQueueRun, work: StoreWork): Promise<number> {
  let leases = leaseDueStores(deps, run);
  let doneSliceCount = 0;
  const runSlot = async (): Promise<void> => {
    for (;;) {
      const nextLease = await leases.next();
      if (nextLease.done) return;
      const sliceOutcome = await runTimeSlice(deps, { lease: nextLease.value, run, work });
      if (sliceOutcome !== 'failed') doneSliceCount++;
      // The list may have ended while this store was leased.
      if (sliceOutcome === 'woken') leases = leaseDueStores(deps, run);
    }
  };
  const slotResults = await Promise.allSettled(Array.from({ length: run.storeConcurrency }, runSlot));
  const failedSlot = slotResults.find(({ status }) => status === 'rejected');
  if (failedSlot?.status === 'rejected') throw failedSlot.reason;
  return doneSliceCount;
}

async function* leaseDueStores(
  { workQueue, now }: Deps,
  { kind, endAtMs }: WorkQueueRun,
): AsyncGenerator<WorkLease> {
  for (let isWorkFound = true; isWorkFound; ) {
    isWorkFound = false;
    for await (const lease of workQueue.leaseStores(kind)) {
      isWorkFound = true;
      if (now() < endAtMs) yield lease;
      else return void (await lease.release());
    }
  }
}

type LeasedStoreWork = { readonly lease: WorkLease; readonly run: WorkQueueRun; readonly work: StoreWork };

/**
 * Runs one time slice. Returns `failed` when it did not succeed, `done` when it succeeded, and otherwise that it
 * succeeded and the store has more work now.
 */
async function runTimeSlice(
  deps: Deps,
  { lease, run: { kind, endAtMs: runEndsAtMs, timeSliceMs }, work }: LeasedStoreWork,
): Promise<'done' | 'woken' | 'failed'> {
  const { shopId } = lease;
  const sliceStartedAtMs = deps.now();
  const sliceEndsAtMs = Math.min(runEndsAtMs, sliceStartedAtMs + timeSliceMs);
  const stopController = new AbortController();
  const timeSlice = { shopId, endAtMs: sliceEndsAtMs, signal: stopController.signal };
  const outcomePromise = Promise.resolve()
    .then(() => work(timeSlice))
    .then(async (nextAtMs) => {
      const leaseOutcome = await lease.complete(nextAtMs);
      const nowMs = deps.now();
      // Work that returns early may have made no progress. It waits for the next run, as does work near the run's end.
      const isSliceLong = Math.min(nowMs - sliceStartedAtMs, runEndsAtMs - nowMs) >= timeSliceMs / 2;
      return isSliceLong && nextAtMs !== undefined && nextAtMs <= nowMs ? 'woken' : leaseOutcome;
    })
    .catch(async (error: unknown) => {
      const cause = toFailureCause(error);
      deps.logger.error('store_work.failed', { kind, shopId, cause });
      await lease.release(deps.now() + STORE_RETRY_AFTER_FAILURE_MS).catch(() => undefined);
      return 'failed' as const;
    });
  const sliceOutcome = await Promise.race([outcomePromise, renewLeaseUntilStopped(deps, lease, timeSlice)]);
  stopController.abort();
  // The work may still be running, so the lease is not released: it expires.
  if (sliceOutcome === 'lost' || sliceOutcome === 'overdue')
    deps.logger.error('store_work.aborted', { kind, shopId, reason: sliceOutcome });
  return sliceOutcome === 'done' || sliceOutcome === 'woken' ? sliceOutcome : 'failed';
}

/** Renews the lease until the signal; resolves earlier if it was lost, or the time slice is long over. */
async function renewLeaseUntilStopped(
  { now, wait }: Deps,
  lease: WorkLease,
  { endAtMs, signal }: StoreTimeSlice,
) {
  const overdueAtMs = endAtMs + MAX_TIME_SLICE_OVERRUN_MS;
  for (;;) {
    await wait(Math.max(0, Math.min(LEASE_RENEWAL_INTERVAL_MS, overdueAtMs - now())), signal);
    if (signal.aborted) return 'ended';
    if (now() >= overdueAtMs) return 'overdue';
    // An outage does not lose the lease: another worker can take the store only after the lease has expired.
    if (!(await lease.renew().catch(() => true))) return 'lost';
  }
}
