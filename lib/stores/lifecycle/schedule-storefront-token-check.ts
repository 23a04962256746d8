/**
 * Schedules the checks of a store's storefront token: 15 minutes after the installation, then daily with the time zone.
 * A check that could not get a token is repeated after 15 minutes, 30 minutes, an hour and so on, until the daily
 * check.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { createScheduledTaskRepository } from '../../storage/scheduled-tasks.ts';
import type { Table } from '../../storage/table.ts';

const FIRST_RETRY_WAIT_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * Schedules a check that is due now.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export async function scheduleStorefrontTokenCheck(deps: Deps, shopId: ShopId): Promise<void> {
  await putTokenCheck(deps, { shopId, dueAtMs: deps.now(), tries: 0 });
}

/**
 * Schedules the next check after `failedCheckCount` failed checks. Does nothing when it would be later than the daily
 * check.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export async function scheduleStorefrontTokenRetry(
  deps: Deps,
  shopId: ShopId,
  failedCheckCount: number,
): Promise<void> {
  const waitMs = FIRST_RETRY_WAIT_MS * 2 ** failedCheckCount;
  if (waitMs < DAY_MS)
    await putTokenCheck(deps, { shopId, dueAtMs: deps.now() + waitMs, tries: failedCheckCount + 1 });
}

type ScheduledTokenCheck = { readonly shopId: ShopId; readonly dueAtMs: number; readonly tries: number };

async function putTokenCheck(deps: Deps, { tries, ...check }: ScheduledTokenCheck): Promise<void> {
  await createScheduledTaskRepository(deps).put({
    kind: 'storefront-token',
    ...check,
    name: 'shop',
    payload: { tries },
  });
}
