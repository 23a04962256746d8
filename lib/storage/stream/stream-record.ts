/**
 * A store's stream is the log of its events, in the order in which they are delivered to merchants' servers. Its
 * numbers are dense.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, QuerySelection } from '../table.ts';

/** An event that webhooks report although no timeline entry records it, for example an upcoming order. */
export type StoreEvent = {
  readonly type:
    | 'order.upcoming'
    | 'payment_method.expiring'
    | 'customer.erased'
    | 'store.uninstalled'
    | 'billing.run_held'
    | 'subscription.updated';
  readonly atMs: number;
  /** The number in the customer's global id. */
  readonly customerId?: number;
  readonly order?: { readonly cycleIndex: number; readonly date: string };
  /** The platform's global id. */
  readonly paymentMethodId?: string;
  /** A run of the service's billing. `date`: its day in the store's zone, which is also its id. */
  readonly run?: {
    readonly date: string;
    readonly holdReason: string;
    /** Absent when there was no preview. */
    readonly expectedCount?: number;
    readonly foundCount: number;
  };
  /** The orders of the contract have changed, so what earlier events reported about them is obsolete. */
  readonly ordersChanged?: true;
};

/** Returns the event without the data of an erased person: without the customer's number and payment method. */
export function withoutCustomerData({
  customerId: _person,
  paymentMethodId: _card,
  ...rest
}: StoreEvent): StoreEvent {
  return rest;
}

/**
 * A record before it has its number: an event that reports a timeline entry, or a part of one, and is built from the
 * entry when it is sent; or an event without an entry.
 */
export type NewStreamRecord = {
  readonly shopId: ShopId;
  /** The permanent id of the event, which receivers see. */
  readonly id: string;
  /**
   * Digits of the contract's id; undefined for a store event. Events of one contract are delivered in stream order.
   */
  readonly contract: string | undefined;
} & (
  | { readonly entry: ReportedEntry; readonly event?: undefined }
  | { readonly event: StoreEvent; readonly entry?: undefined }
);

export type ReportedEntry = {
  readonly number: string;
  readonly action: string;
  /** The event's type, by what it reports. */
  readonly type: string;
  /** The indexes of the entry's changes that the event reports; undefined for all. */
  readonly part?: readonly number[];
  /** The orders of the contract have changed, so what earlier events reported about them is obsolete. */
  readonly ordersChanged?: true;
};

/** `number`: one more than the previous record's. */
export type StreamRecord = NewStreamRecord & { readonly number: number; readonly placedAtMs: number };

/** How long records are stored. */
export const STREAM_LIFETIME_MS = 30 * 86_400_000;

const SORT_KEY_DIGITS = 16;
const HIGHEST_SORT_KEY = '9'.repeat(SORT_KEY_DIGITS);

/** Selects the records from `fromNumber` on, and below `belowNumber` if it is given, with a consistent read. */
export function selectStreamFrom(shopId: ShopId, fromNumber = 0, belowNumber?: number): QuerySelection {
  return {
    keyCondition: 'pk = :pk AND sk BETWEEN :from AND :to',
    values: {
      ':pk': streamPartition(shopId),
      ':from': formatStreamSortKey(fromNumber),
      ':to': belowNumber === undefined ? HIGHEST_SORT_KEY : formatStreamSortKey(Math.max(0, belowNumber - 1)),
    },
    consistent: true,
  };
}

/**
 * Returns the key of the item that stores the number with which an empty stream starts. It sorts after all records, so
 * queries for records do not return it.
 */
export function streamStartKey(shopId: ShopId): ItemKey {
  return { pk: streamPartition(shopId), sk: 'START' };
}

/** Converts a record to an item. */
export function toStreamItem(record: StreamRecord): Item {
  const { shopId, number, placedAtMs } = record;
  const expiresAt = Math.ceil((placedAtMs + STREAM_LIFETIME_MS) / 1000);
  return { pk: streamPartition(shopId), sk: formatStreamSortKey(number), ...record, expiresAt };
}

/** Converts an item to a record. */
export function toStreamRecord({ pk: _pk, sk: _sk, expiresAt: _expiresAt, ...record }: Item): StreamRecord {
  return { contract: undefined, ...record } as unknown as StreamRecord;
}

function streamPartition(shopId: ShopId): string {
  return `STREAM#${shopId}`;
}

function formatStreamSortKey(number: number): string {
  return String(number).padStart(SORT_KEY_DIGITS, '0');
}
