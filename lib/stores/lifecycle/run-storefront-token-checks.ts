/**
 * Checks the storefront tokens of stores: creates a token if there is none, or the platform has deleted it. The run can
 * stop at any point, because the next check is scheduled before the present scheduled task is removed.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { forEachStore } from '../../storage/for-each-store.ts';
import { readDueTasks, type ScheduledTask, type ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { ensureStorefrontToken, type StorefrontTokenDeps } from './ensure-storefront-token.ts';
import { scheduleStorefrontTokenRetry } from './schedule-storefront-token-check.ts';

type TokenChecksDeps = StorefrontTokenDeps & {
  readonly stores: Pick<Stores, 'find'>;
  readonly table: Table;
  readonly scheduledTasks: Pick<ScheduledTasks, 'listDue' | 'remove'>;
};

/** The maximum number of checks in a run. The next run does the others. */
const MAX_TOKEN_CHECKS_PER_RUN = 20_000;

/**
 * Runs due checks until `endAtMs` (epoch milliseconds). Returns how many tokens were created.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function runStorefrontTokenChecks(deps: TokenChecksDeps, endAtMs: number): Promise<number> {
  const taskSelection = {
    kind: 'storefront-token',
    nowMs: deps.now(),
    maxCount: MAX_TOKEN_CHECKS_PER_RUN,
  } as const;
  const dueTasks = await readDueTasks(deps.scheduledTasks, taskSelection);
  let createdCount = 0;
  await forEachStore(dueTasks, async (shopId, tasksOfStore) => {
    if (deps.now() >= endAtMs) return;
    const store = await deps.stores.find(shopId);
    // Do not schedule a check for a store that is not installed: its installation does that.
    const isInstalled = store?.status === 'installed';
    const tokenResult = isInstalled ? await ensureStorefrontToken(deps, store, endAtMs) : 'gone';
    if (tokenResult === 'made') createdCount++;
    // A new check follows only if this one got no result. A refusal needs a person, so the daily check is soon enough.
    if (tokenResult === 'not yet') await scheduleNextTokenCheck(deps, shopId, tasksOfStore);
    for (const item of tasksOfStore) await deps.scheduledTasks.remove(item);
  });
  return createdCount;
}

/** Schedules one further check, even if several were due at the same time. */
async function scheduleNextTokenCheck(
  deps: TokenChecksDeps,
  shopId: ShopId,
  tasks: readonly ScheduledTask[],
): Promise<void> {
  const failedCheckCounts = tasks.map(({ payload }) => Number(payload.tries ?? 0));
  await scheduleStorefrontTokenRetry(deps, shopId, Math.max(...failedCheckCounts));
}
