/**
 * Resumes the contracts whose pause has ended, store by store, within each store's budget. The run may be interrupted
 * at any point: finished contracts are no longer due, and the next run finds the others.
 */
import { batchesOf } from '../../domain/batches-of.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { claimDue, type DueItem } from '../../storage/due-items.ts';
import { eachStore } from '../../storage/each-store.ts';
import { type EndPausesDeps, endPauses } from './end-pauses.ts';

/**
 * The next run takes the rest. The number is large because the pauses of disconnected stores stay at the front of the
 * queue.
 */
const MAX_PAUSES = 100_000;
/** The number of contracts in a request: 250 points, a quarter of the smallest bucket. */
const CONTRACT_CONCURRENCY = 25;

/**
 * Resumes due contracts until `endAtMs`; returns how many.
 * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
 */
export async function endDuePauses(deps: EndPausesDeps, endAtMs: number): Promise<number> {
  const due = await claimDue(deps.dueItems, { kind: 'pause', nowMs: deps.now(), maximum: MAX_PAUSES });
  const run = { endAtMs, requestId: `scheduled-${deps.now()}` };
  let count = 0;
  await eachStore(due, async (shopId, pauses) => {
    for await (const resumed of endPausesOf(deps, run, { shopId, due: pauses })) count += resumed;
  });
  return count;
}

type Run = { readonly endAtMs: number; readonly requestId: string };
type StoreWork = { readonly shopId: ShopId; readonly due: readonly DueItem[] };

/** Yields how many contracts each request has resumed. */
async function* endPausesOf(
  deps: EndPausesDeps,
  run: Run,
  { shopId, due }: StoreWork,
): AsyncGenerator<number> {
  const store = await deps.stores.find(shopId);
  // Its pauses wait until the store is connected again, or are deleted with it.
  if (store?.status !== 'installed') return;
  for (const some of batchesOf(due, CONTRACT_CONCURRENCY)) {
    if (deps.now() >= run.endAtMs) return;
    try {
      yield await endPauses(deps, { ...run, store, due: some });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
      deps.logger.warn('pause.end_postponed', { shopId, code: error.code });
      // The next run finds out the outcome of these contracts; this run continues with the others.
      if (error.code !== 'OUTCOME_UNKNOWN') return;
    }
  }
}
