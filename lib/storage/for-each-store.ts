/** How many stores are processed at the same time, so that a slow store does not delay the others. */
import { awaitAll } from '../domain/await-all.ts';
import type { ShopId } from '../domain/shop-id.ts';

export const STORE_CONCURRENCY = 5;

/**
 * Calls `work` once for each store, with all of its elements in the order of `elements`. Throws the errors of `work`.
 */
export async function forEachStore<Element extends { readonly shopId: ShopId }>(
  elements: readonly Element[],
  work: (shopId: ShopId, elementsOfStore: readonly Element[]) => Promise<void>,
): Promise<void> {
  const elementsByStore = [...Map.groupBy(elements, ({ shopId }) => shopId)];
  const runWorker = async (): Promise<void> => {
    for (
      let nextStore = elementsByStore.shift();
      nextStore !== undefined;
      nextStore = elementsByStore.shift()
    )
      await work(...nextStore);
  };
  await awaitAll(Array.from({ length: STORE_CONCURRENCY }, runWorker));
}
