/**
 * The snapshot of a contract is its recorded state. This file has the keys of its items, and the content of the snapshot
 * of a contract that was not observed yet, and of one whose customer was erased.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { ItemKey } from '../table.ts';

/** Returns the key of a contract's snapshot. `contract` is the number of the contract. */
export function snapshotKey(shopId: ShopId, contract: string): ItemKey {
  return { pk: `SNAPSHOT#${shopId}`, sk: contract };
}

type SnapshotOfCustomer = {
  readonly shopId: ShopId;
  readonly contract: string;
  readonly customerId: CustomerId;
};

/**
 * Returns the key of the customer's snapshot item: it records that the contract's snapshot names, or has named, the
 * customer. An erasure finds contracts by it.
 */
export function customerSnapshotKey({ shopId, contract, customerId }: SnapshotOfCustomer): ItemKey {
  return { pk: customerSnapshotPartition({ shopId, customerId }), sk: contract };
}

/** Returns the partition of a customer's snapshot items. */
export function customerSnapshotPartition({
  shopId,
  customerId,
}: Omit<SnapshotOfCustomer, 'contract'>): string {
  return `SNAPSHOT#${shopId}#${customerId}`;
}

/** Whether the item is a customer's snapshot item, not a snapshot. */
export function isCustomerSnapshotItem({ pk }: ItemKey): boolean {
  return /^SNAPSHOT#\d+#/.test(pk);
}

/** The recorded fields of a snapshot that has recorded none. */
export const EMPTY_SNAPSHOT_FACTS = { facts: {}, unknown: [], cycles: {}, areCyclesKnown: false } as const;

/** The recorded state of a contract before it is observed. */
export const UNOBSERVED_STATE = {
  ...{ ...EMPTY_SNAPSHOT_FACTS, isComplete: false, observedFromMs: 0, observedUntilMs: 0, ownEndedAtMs: 0 },
  ...{ updatedAtMs: 0, revisionId: '', uncertain: [] },
} as const;

/** Replaces the recorded state of an erased customer's contract: the contract was observed, and is not reported as created again. */
export const ERASED_CONTRACT_STATE = { ...UNOBSERVED_STATE, v: 2, isForgotten: true, isKnown: true } as const;

/** The attributes that are removed from the snapshot of an erased customer's contract. */
export const PERSONAL_SNAPSHOT_ATTRIBUTES = [
  'customerId',
  'namesSinceMs',
  'paymentMethod',
  'upcomingTold',
  'expiringTold',
  'batch',
  'telling',
] as const;
