/**
 * Resumes the contracts whose pause has ended, one store after another. The run can stop at any point: resumed
 * contracts are no longer due, and the next run finds the others.
 */

import type { ShopId } from '../../domain/shop-id.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { forEachStore } from '../../storage/for-each-store.ts';
import { readDueTasks, type ScheduledTask } from '../../storage/scheduled-tasks.ts';
import { type ResumeContractsDeps, resumePausedContracts } from './resume-paused-contracts.ts';

/**
 * The maximum number of due pauses that a run reads. The number is large because pauses of disconnected stores remain
 * at the front of the queue.
 */
const MAX_PAUSES_PER_RUN = 100_000;
/**
 * How many contracts one request resumes. 25 contracts cost 250 points, a quarter of the platform's smallest points
 * bucket.
 */
const CONTRACTS_PER_REQUEST = 25;

/**
 * Resumes due contracts until `runEndsAtMs` (epoch milliseconds). Returns the number of resumed contracts.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function resumeDueContracts(deps: ResumeContractsDeps, runEndsAtMs: number): Promise<number> {
  const dueTasks = await readDueTasks(deps.scheduledTasks, {
    kind: 'pause',
    nowMs: deps.now(),
    maxCount: MAX_PAUSES_PER_RUN,
  });
  const requestId = `scheduled-${deps.now()}`;
  let resumedTotal = 0;
  await forEachStore(dueTasks, async (shopId, pauseTasks) => {
    const resumedCount = await resumeContractsOfStore(deps, {
      shopId,
      dueTasks: pauseTasks,
      runEndsAtMs,
      requestId,
    });
    resumedTotal += resumedCount;
  });
  return resumedTotal;
}

type DuePausesOfStore = {
  readonly shopId: ShopId;
  readonly dueTasks: readonly ScheduledTask[];
  readonly runEndsAtMs: number;
  readonly requestId: string;
};

/** Resumes one store's contracts. Returns the number of resumed contracts. */
async function resumeContractsOfStore(
  deps: ResumeContractsDeps,
  { shopId, dueTasks, runEndsAtMs, requestId }: DuePausesOfStore,
): Promise<number> {
  const store = await deps.stores.find(shopId);
  // The pauses of a store that is not installed remain until it is connected again or its data is deleted.
  if (store?.status !== 'installed') return 0;
  let resumedTotal = 0;
  for (const taskBatch of splitIntoBatches(dueTasks, CONTRACTS_PER_REQUEST)) {
    if (deps.now() >= runEndsAtMs) break;
    try {
      resumedTotal += await resumePausedContracts(deps, {
        store,
        dueTasks: taskBatch,
        runEndsAtMs,
        requestId,
      });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
      deps.logger.warn('pause.end_postponed', { shopId, errorCode: error.code });
      // After OUTCOME_UNKNOWN, continue with the next contracts of the store: the next run finds out whether the
      // contracts of this batch were resumed.
      if (error.code !== 'OUTCOME_UNKNOWN') break;
    }
  }
  return resumedTotal;
}
