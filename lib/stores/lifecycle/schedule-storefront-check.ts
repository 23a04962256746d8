/**
 * The scheduled work looks after the storefront token of a store: a quarter of an hour after its install, then once a
 * day, beside its time zone. A look that brought no token is repeated, ever later, until the next day's look.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { createDueItems } from '../../storage/due-items.ts';
import type { Table } from '../../storage/table.ts';

const FIRST_WAIT_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

type Deps = { readonly table: Table; readonly now: () => number };

/** Notes a look that is due now. TEMPORARILY_UNAVAILABLE. */
export async function scheduleStorefrontCheck(deps: Deps, shopId: ShopId): Promise<void> {
  await put(deps, { shopId, dueAtMs: deps.now(), tries: 0 });
}

/** Notes a look later, by how many have been in vain. TEMPORARILY_UNAVAILABLE. */
export async function scheduleStorefrontRetry(deps: Deps, shopId: ShopId, tries: number): Promise<void> {
  const waitMs = FIRST_WAIT_MS * 2 ** tries;
  if (waitMs < DAY_MS) await put(deps, { shopId, dueAtMs: deps.now() + waitMs, tries: tries + 1 });
}

type ScheduledCheck = { readonly shopId: ShopId; readonly dueAtMs: number; readonly tries: number };

async function put(deps: Deps, { tries, ...check }: ScheduledCheck): Promise<void> {
  await createDueItems(deps).put({ kind: 'storefront-token', ...check, name: 'shop', payload: { tries } });
}
