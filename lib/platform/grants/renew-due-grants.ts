/**
 * Renews the grants of all stores before they end, and before anybody waits for one. Servers of many merchants begin at
 * the same minute, and Secrets Manager takes 50 writes a second: here they come at a rate, however many runs share the stores. It
 * also keeps a grant alive whose store nobody uses. May be killed at any point and run again.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { type DueItems, STORE_PARTS, takeDue } from '../../storage/due-items.ts';
import { eachStore } from '../../storage/each-store.ts';
import type { Stores } from '../../storage/stores.ts';
import { GrantRefused } from './grant-refused.ts';
import type { StoreGrants } from './store-grants.ts';

type RenewDeps = {
  readonly stores: Pick<Stores, 'find'>;
  readonly dueItems: Pick<DueItems, 'listDue' | 'remove'>;
  readonly grants: Pick<StoreGrants, 'renewAhead'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

/** Of all runs together. Each renewal writes twice, so 20 writes are left to requests that cannot wait. */
export const RENEWALS_A_SECOND = 15;
/** Each part of the stores has a run of its own at the same time. */
const RENEWAL_INTERVAL_MS = (1000 * STORE_PARTS.length) / RENEWALS_A_SECOND;

/** The most grants that a run takes on; more are left to the next. */
const MAX_RENEWALS = 20_000;

/** Renews what is due of a part of the stores, until `endAtMs`; returns how many. TEMPORARILY_UNAVAILABLE: the table. */
export async function renewDueGrants(deps: RenewDeps, endAtMs: number): Promise<number> {
  const due = await takeDue(deps.dueItems, { kind: 'grant-renewal', nowMs: deps.now(), most: MAX_RENEWALS });
  let count = 0;
  let nextAtMs = deps.now();
  await eachStore(due, async (shopId, items) => {
    const startAtMs = Math.max(nextAtMs, deps.now());
    if (startAtMs >= endAtMs) return;
    nextAtMs = startAtMs + RENEWAL_INTERVAL_MS;
    if (startAtMs > deps.now()) await deps.wait(startAtMs - deps.now());
    const outcome = await renewGrant(deps, shopId);
    if (outcome === 'renewed') count++;
    if (outcome !== 'not yet') for (const item of items) await deps.dueItems.remove(item);
  });
  return count;
}

/** `nothing to do`: the store is gone, its grant lasts, or only the merchant can help. */
async function renewGrant(deps: RenewDeps, shopId: ShopId): Promise<'renewed' | 'nothing to do' | 'not yet'> {
  const store = await deps.stores.find(shopId);
  if (store?.status !== 'installed') return 'nothing to do';
  try {
    return (await deps.grants.renewAhead(store)) ? 'renewed' : 'nothing to do';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isFinal = error instanceof GrantRefused ? error.isFinal : error.code === 'STORE_DISCONNECTED';
    if (isFinal) return 'nothing to do';
    deps.logger.warn('a grant cannot be renewed yet', { shopId, code: error.code });
    return 'not yet';
  }
}
