/**
 * Checks the stores' storefront tokens: a token that is missing, or that the platform has deleted, is created. The
 * run may be interrupted at any point: the next check is scheduled before this one's item is removed.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { claimDue, type DueItem, type DueItems } from '../../storage/due-items.ts';
import { eachStore } from '../../storage/each-store.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { makeStorefrontToken, type StorefrontTokenDeps } from './make-storefront-token.ts';
import { scheduleStorefrontRetry } from './schedule-storefront-check.ts';

type KeepTokensDeps = StorefrontTokenDeps & {
  readonly stores: Pick<Stores, 'find'>;
  readonly table: Table;
  readonly dueItems: Pick<DueItems, 'listDue' | 'remove'>;
};

/** The maximum number of checks in a run; the next run takes the rest. */
const MAX_CHECKS = 20_000;

/**
 * Runs due checks until `endAtMs`; returns how many tokens were created.
 * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
 */
export async function keepStorefrontTokens(deps: KeepTokensDeps, endAtMs: number): Promise<number> {
  const selector = { kind: 'storefront-token', nowMs: deps.now(), maximum: MAX_CHECKS } as const;
  const due = await claimDue(deps.dueItems, selector);
  let count = 0;
  await eachStore(due, async (shopId, items) => {
    if (deps.now() >= endAtMs) return;
    const store = await deps.stores.find(shopId);
    // Installing the store schedules its next check.
    const isInstalled = store?.status === 'installed';
    const result = isInstalled ? await makeStorefrontToken(deps, store, endAtMs) : 'gone';
    if (result === 'made') count++;
    // A refusal lasts until a person acts: the next day's check is early enough.
    if (result === 'not yet') await scheduleLater(deps, shopId, items);
    for (const item of items) await deps.dueItems.remove(item);
  });
  return count;
}

/** One check follows, even if several were due together. */
async function scheduleLater(deps: KeepTokensDeps, shopId: ShopId, items: readonly DueItem[]): Promise<void> {
  const tries = items.map(({ payload }) => Number(payload.tries ?? 0));
  await scheduleStorefrontRetry(deps, shopId, Math.max(...tries));
}
