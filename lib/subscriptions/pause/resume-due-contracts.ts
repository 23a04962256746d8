/**
 * Resumes the contracts whose pause has ended, store by store. The run can stop at any point: resumed contracts are no
 * longer due, and the next run finds the others.
 */

import type { ShopId } from '../../domain/shop-id.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { type DueItem, readDueItems } from '../../storage/due-items.ts';
import { forEachStore } from '../../storage/for-each-store.ts';
import { type ResumeContractsDeps, resumePausedContracts } from './resume-paused-contracts.ts';

/**
 * The maximum number of due pauses that a run reads. The number is large because pauses of disconnected stores remain
 * at the front of the queue.
 */
const MAX_PAUSES = 100_000;
/** How many contracts one request resumes: 250 points, a quarter of the platform's smallest points bucket. */
const CONTRACT_CONCURRENCY = 25;

/**
 * Resumes due contracts until `endAtMs` (epoch milliseconds). Returns the number of resumed contracts.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function resumeDueContracts(deps: ResumeContractsDeps, endAtMs: number): Promise<number> {
  const due = await readDueItems(deps.dueItems, { kind: 'pause', nowMs: deps.now(), maximum: MAX_PAUSES });
  const run = { endAtMs, requestId: `scheduled-${deps.now()}` };
  let count = 0;
  await forEachStore(due, async (shopId, pauses) => {
    for await (const resumed of endPausesOf(deps, run, { shopId, due: pauses })) count += resumed;
  });
  return count;
}

type Run = { readonly endAtMs: number; readonly requestId: string };
type StoreWork = { readonly shopId: ShopId; readonly due: readonly DueItem[] };

/** Resumes one store's contracts. Yields the number of resumed contracts after each request. */
async function* endPausesOf(
  deps: ResumeContractsDeps,
  run: Run,
  { shopId, due }: StoreWork,
): AsyncGenerator<number> {
  const store = await deps.stores.find(shopId);
  // The pauses of a store that is not installed remain until it is connected again or its data is deleted.
  if (store?.status !== 'installed') return;
  for (const some of splitIntoBatches(due, CONTRACT_CONCURRENCY)) {
    if (deps.now() >= run.endAtMs) return;
    try {
      yield await resumePausedContracts(deps, { ...run, store, due: some });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
      deps.logger.warn('pause.end_postponed', { shopId, code: error.code });
      // Continue with the store's other contracts: the next run finds out whether these were resumed.
      if (error.code !== 'OUTCOME_UNKNOWN') return;
    }
  }
}
