/** Keys of a contract's snapshot: the worker of store events writes it, and webhooks read its customer. */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { ItemKey } from '../table.ts';

/** `contract`: the digits of its id. */
export function snapshotKey(shopId: ShopId, contract: string): ItemKey {
  return { pk: `SNAPSHOT#${shopId}`, sk: contract };
}

type Snapshot = { readonly shopId: ShopId; readonly contract: string; readonly customerId: CustomerId };

/**
 * Returns the key of the customer's snapshot item: it records that the contract's snapshot names, or has named, the
 * customer. An erasure finds contracts by it.
 */
export function customersSnapshotKey({ shopId, contract, customerId }: Snapshot): ItemKey {
  return { pk: customersSnapshots({ shopId, customerId }), sk: contract };
}

/** Returns the partition of a customer's snapshot items. */
export function customersSnapshots({ shopId, customerId }: Omit<Snapshot, 'contract'>): string {
  return `SNAPSHOT#${shopId}#${customerId}`;
}

/** Whether the item is a customer's snapshot item, not a snapshot. */
export function isCustomersSnapshot({ pk }: ItemKey): boolean {
  return /^SNAPSHOT#\d+#/.test(pk);
}
