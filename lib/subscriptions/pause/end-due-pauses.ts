/**
 * Resumes the contracts whose pause has ended, store by store within each store's budget. May be killed at any point
 * and run again: what is done is no longer due, and what is not is found by the next run.
 */
import { batchesOf } from '../../domain/batches-of.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { type DueItem, takeDue } from '../../storage/due-items.ts';
import { eachStore } from '../../storage/each-store.ts';
import { type EndPausesDeps, endPauses } from './end-pauses.ts';

/** The next run takes more. So many, because those of a store that is not connected stay at the front. */
const MAX_PAUSES = 100_000;
/** So many contracts share a request: 250 points, a quarter of the smallest bucket. */
const CONTRACTS_AT_ONCE = 25;

/** Resumes what is due, until `endAtMs`; returns how many contracts. TEMPORARILY_UNAVAILABLE: the table. */
export async function endDuePauses(deps: EndPausesDeps, endAtMs: number): Promise<number> {
  const due = await takeDue(deps.dueItems, { kind: 'pause', nowMs: deps.now(), most: MAX_PAUSES });
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
  // Its pauses wait until it is connected again, or go with it.
  if (store?.status !== 'installed') return;
  for (const some of batchesOf(due, CONTRACTS_AT_ONCE)) {
    if (deps.now() >= run.endAtMs) return;
    try {
      yield await endPauses(deps, { ...run, store, due: some });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
      deps.logger.warn('pauses cannot be ended yet', { shopId, code: error.code });
      // The next run finds out what the platform made of those; the others can go on.
      if (error.code !== 'OUTCOME_UNKNOWN') return;
    }
  }
}
