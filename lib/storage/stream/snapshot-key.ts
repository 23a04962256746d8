/** Where a contract's snapshot lies: the worker of store events writes it, and webhooks name its customer. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { ItemKey } from '../table.ts';

/** `contract`: the digits of its id. */
export function snapshotKey(shopId: ShopId, contract: string): ItemKey {
  return { pk: `SNAPSHOT#${shopId}`, sk: contract };
}
