/**
 * Looks after the stores' storefront tokens: one that is missing, or that the platform has no more, is made anew. May be
 * killed at any point and run again: a later look is noted before this one goes.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { type DueItem, type DueItems, takeDue } from '../../storage/due-items.ts';
import { eachStore } from '../../storage/each-store.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { makeStorefrontToken, type StorefrontTokenDeps } from './make-storefront-token.ts';
import { noteLaterStorefrontLook } from './note-storefront-look.ts';

type KeepTokensDeps = StorefrontTokenDeps & {
  readonly stores: Pick<Stores, 'find'>;
  readonly table: Table;
  readonly dueItems: Pick<DueItems, 'listDue' | 'remove'>;
};

/** The most looks that a run takes on; more are left to the next. */
const MAX_LOOKS = 20_000;

/** Looks at what is due, until `endAtMs`; returns how many tokens were made. TEMPORARILY_UNAVAILABLE: the table. */
export async function keepStorefrontTokens(deps: KeepTokensDeps, endAtMs: number): Promise<number> {
  const which = { kind: 'storefront-token', nowMs: deps.now(), most: MAX_LOOKS } as const;
  const due = await takeDue(deps.dueItems, which);
  let count = 0;
  await eachStore(due, async (shopId, items) => {
    if (deps.now() >= endAtMs) return;
    const store = await deps.stores.find(shopId);
    // Installing the store notes its next look.
    const isInstalled = store?.status === 'installed';
    const look = isInstalled ? await makeStorefrontToken(deps, store, endAtMs) : 'gone';
    if (look === 'made') count++;
    // A refusal lasts until somebody acts: the next day's look is soon enough.
    if (look === 'not yet') await noteLater(deps, shopId, items);
    for (const item of items) await deps.dueItems.remove(item);
  });
  return count;
}

/** However many looks came due together, one follows. */
async function noteLater(deps: KeepTokensDeps, shopId: ShopId, items: readonly DueItem[]): Promise<void> {
  const tries = items.map(({ payload }) => Number(payload.tries ?? 0));
  await noteLaterStorefrontLook(deps, shopId, Math.max(...tries));
}
