/** Where a contract's snapshot lies: the worker of store events writes it, and webhooks name its customer. */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { ItemKey } from '../table.ts';

/** `contract`: the digits of its id. */
export function snapshotKey(shopId: ShopId, contract: string): ItemKey {
  return { pk: `SNAPSHOT#${shopId}`, sk: contract };
}

type Snapshot = { readonly shopId: ShopId; readonly contract: string; readonly customerId: CustomerId };

/** Where it is noted that the contract's snapshot names the customer, or did once: an erasure finds contracts by it. */
export function customersSnapshotKey({ shopId, contract, customerId }: Snapshot): ItemKey {
  return { pk: customersSnapshots({ shopId, customerId }), sk: contract };
}

/** The partition of a customer's notes. */
export function customersSnapshots({ shopId, customerId }: Omit<Snapshot, 'contract'>): string {
  return `SNAPSHOT#${shopId}#${customerId}`;
}

/** Whether the item is such a note, and no snapshot. */
export function isCustomersSnapshot({ pk }: ItemKey): boolean {
  return /^SNAPSHOT#\d+#/.test(pk);
}
