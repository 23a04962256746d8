/**
 * Renews the grants of all stores before they expire, so that no request has to wait. Many merchants' servers start at the
 * same minute, and Secrets Manager accepts 50 writes a second, so renewals are spread at a fixed rate over all
 * runs. It also renews the grants of unused stores. The run may be interrupted at any point and repeated.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { forEachStore } from '../../storage/for-each-store.ts';
import { readDueTasks, type ScheduledTasks, STORE_SHARDS } from '../../storage/scheduled-tasks.ts';
import type { Stores } from '../../storage/stores.ts';
import { GrantRefused } from './grant-refused.ts';
import type { StoreGrants } from './store-grants.ts';

type RenewDueGrantsDeps = {
  readonly stores: Pick<Stores, 'find'>;
  /** The scheduled tasks of the part of the stores for which this run is responsible. */
  readonly scheduledTasks: Pick<ScheduledTasks, 'listDue' | 'remove'>;
  readonly grants: Pick<StoreGrants, 'renewAhead'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

/**
 * The rate of all runs together. Each renewal writes twice, so 20 writes a second remain for requests that cannot
 * wait.
 */
export const MAX_RENEWALS_PER_SECOND = 15;
/** The time between two renewals of one run. Each part of the stores has its own run at the same time. */
const RENEWAL_INTERVAL_MS = (1000 * STORE_SHARDS.length) / MAX_RENEWALS_PER_SECOND;

/** The maximum number of grants in a run; the next run takes the rest. */
const MAX_RENEWALS_PER_RUN = 20_000;

/**
 * Renews the due grants of a part of the stores, until `endAtMs`; returns how many.
 * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
 */
export async function renewDueGrants(deps: RenewDueGrantsDeps, endAtMs: number): Promise<number> {
  const dueTasks = await readDueTasks(deps.scheduledTasks, {
    kind: 'grant-renewal',
    nowMs: deps.now(),
    maxCount: MAX_RENEWALS_PER_RUN,
  });
  let renewedCount = 0;
  let nextRenewalAtMs = deps.now();
  await forEachStore(dueTasks, async (shopId, tasksOfStore) => {
    const startAtMs = Math.max(nextRenewalAtMs, deps.now());
    if (startAtMs >= endAtMs) return;
    nextRenewalAtMs = startAtMs + RENEWAL_INTERVAL_MS;
    if (startAtMs > deps.now()) await deps.wait(startAtMs - deps.now());
    const renewalOutcome = await renewGrantOfStore(deps, shopId);
    if (renewalOutcome === 'renewed') renewedCount++;
    if (renewalOutcome !== 'not yet') for (const item of tasksOfStore) await deps.scheduledTasks.remove(item);
  });
  return renewedCount;
}

/** `nothing to do`: the store no longer exists, its grant is still valid, or only the merchant can help. */
async function renewGrantOfStore(
  deps: RenewDueGrantsDeps,
  shopId: ShopId,
): Promise<'renewed' | 'nothing to do' | 'not yet'> {
  const store = await deps.stores.find(shopId);
  if (store?.status !== 'installed') return 'nothing to do';
  try {
    return (await deps.grants.renewAhead(store)) ? 'renewed' : 'nothing to do';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isFinal = error instanceof GrantRefused ? error.isFinal : error.code === 'STORE_DISCONNECTED';
    if (isFinal) return 'nothing to do';
    deps.logger.warn('grant.renewal_failed', { shopId, errorCode: error.code });
    return 'not yet';
  }
}
