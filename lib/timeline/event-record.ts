/**
 * The table keeps an entry of the timeline by contract in time order, and by contract and action. An entry has no end: it
 * stays until the store is purged.
 */
import type { CustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
import type { Item, ItemKey } from '../storage/table.ts';
import type { ChangeIntent } from './begin-change.ts';
import type { ChangedFact } from './changed-fact.ts';
import type { ContractNumber, EventNumber } from './event-number.ts';

/**
 * Who made a change. `label` and `keyId`: of the admin key; under CUSTOMER, of the key that acted for the customer. Two
 * keys can have one label; the id is for operators alone, and older entries have none.
 */
export type EventActor =
  | {
      readonly kind: 'CUSTOMER';
      /** Absent after the customer's erasure. */
      readonly customerId?: CustomerId;
      readonly label?: string;
      readonly keyId?: AdminKeyId;
    }
  | { readonly kind: 'MERCHANT'; readonly label: string; readonly keyId?: AdminKeyId }
  | { readonly kind: 'SERVICE' }
  /** It was done outside this service, and the platform does not say by whom. */
  | { readonly kind: 'UNKNOWN' };

/** An admin key of those who act with one; nothing of the service, and of those nobody knows. */
export function keyOf(actor: EventActor): { readonly label?: string; readonly keyId?: AdminKeyId } {
  return actor.kind === 'CUSTOMER' || actor.kind === 'MERCHANT' ? actor : {};
}

/** The facts that an intent and an entry have in common. */
export type EventFacts = {
  readonly number: EventNumber;
  readonly shopId: ShopId;
  /** Undefined for an entry of the whole store. */
  readonly contract: ContractNumber | undefined;
  readonly action: string;
  readonly actor: EventActor;
  readonly requestId: string;
  readonly details: ChangeIntent['details'];
  readonly changes: readonly ChangedFact[];
  readonly createdAtMs: number;
  /** When the state was read that the change starts from, or before; older ones do not tell. */
  readonly readAtMs?: number;
  /** When the platform had answered, or the change was settled without its answer; older ones do not tell. */
  readonly endedAtMs?: number;
};

/** DONE: the change was made. UNKNOWN: it cannot be determined. */
type EventOutcome = 'DONE' | 'UNKNOWN';
export type EventRecord = EventFacts & { readonly outcome: EventOutcome };

export type TimelineRef = { readonly shopId: ShopId; readonly contract: ContractNumber | undefined };

/** Partition of a contract's entries; the sort key is the entry's number. */
export function timelinePartition({ shopId, contract }: TimelineRef): string {
  return `TIMELINE#${shopId}#${contract ?? 'STORE'}`;
}

/** Partition of a contract's entries of one action, in the index `actions`. */
export function actionPartition({ shopId, contract }: TimelineRef, action: string): string {
  return `ACTION#${shopId}#${contract ?? 'STORE'}#${action}`;
}

/** Key of an entry. */
export function eventKey({ shopId, contract, number }: TimelineRef & { number: EventNumber }): ItemKey {
  return { pk: timelinePartition({ shopId, contract }), sk: number };
}

/** The item of an entry. */
export function toEventItem(record: EventRecord): Item {
  return {
    ...eventKey(record),
    actionPk: actionPartition(record, record.action),
    actionSk: record.number,
    ...record,
  };
}

/** The entry of an item. */
export function toEventRecord(item: Item): EventRecord {
  const { pk: _pk, sk: _sk, actionPk: _actionPk, actionSk: _actionSk, ...record } = item;
  return { contract: undefined, ...record } as unknown as EventRecord;
}
