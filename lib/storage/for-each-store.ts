/** How many stores are processed at the same time, so that a slow store does not delay the others. */
import { awaitAll } from '../domain/await-all.ts';
import type { ShopId } from '../domain/shop-id.ts';

export const STORE_CONCURRENCY = 5;

/** Calls `work` once for each store, with all of its elements in the order of `all`. Throws the errors of `work`. */
export async function forEachStore<Of extends { readonly shopId: ShopId }>(
  all: readonly Of[],
  work: (shopId: ShopId, storeItems: readonly Of[]) => Promise<void>,
): Promise<void> {
  const itemsOfStores = [...Map.groupBy(all, ({ shopId }) => shopId)];
  const runWorker = async (): Promise<void> => {
    for (let next = itemsOfStores.shift(); next !== undefined; next = itemsOfStores.shift())
      await work(...next);
  };
  await awaitAll(Array.from({ length: STORE_CONCURRENCY }, runWorker));
}
