/**
 * A store's stream is the log of its events, in the order in which they are delivered to merchants' servers. Its numbers are
 * dense.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Selection } from '../table.ts';

/** Events that no entry of the timeline tells. */
export type StoreEvent = {
  readonly type:
    | 'order.upcoming'
    | 'payment_method.expiring'
    | 'customer.erased'
    | 'store.uninstalled'
    | 'subscription.updated';
  readonly atMs: number;
  /** Digits of the customer's id. */
  readonly customerId?: number;
  readonly order?: { readonly cycleIndex: number; readonly date: string };
  /** The platform's global id. */
  readonly paymentMethodId?: string;
  /** The facts of orders begin anew. */
  readonly ordersChanged?: true;
};

/** The event as it is told when the person is forgotten: without the number, and without what leads to it. */
export function withoutPerson({
  customerId: _person,
  paymentMethodId: _card,
  ...kept
}: StoreEvent): StoreEvent {
  return kept;
}

/**
 * A record before it has its number: an event that reports an entry of the timeline, or a part of one, and is made of the entry as
 * it is when it is sent; or an event without an entry.
 */
export type NewStreamRecord = {
  readonly shopId: ShopId;
  /** The event's id for ever, as receivers know it. */
  readonly id: string;
  /** Digits of the contract's id; undefined: an event of the whole store. Events of one contract are delivered in stream order. */
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
  /** Which of the entry's changes it reports, by their indexes; undefined: all. */
  readonly part?: readonly number[];
  /** The facts of orders begin anew. */
  readonly ordersChanged?: true;
};

/** `number`: one more than that of the record before it. */
export type StreamRecord = NewStreamRecord & { readonly number: number; readonly placedAtMs: number };

/** Records are kept for so long. */
export const STREAM_LIFE_MS = 30 * 86_400_000;

const DIGITS = 16;
const AFTER_ALL = '9'.repeat(DIGITS);

/** The records from this number on, below the other, consistently read. */
export function streamFrom(shopId: ShopId, number = 0, below?: number): Selection {
  return {
    keyCondition: 'pk = :pk AND sk BETWEEN :from AND :to',
    values: {
      ':pk': partition(shopId),
      ':from': sortKey(number),
      ':to': below === undefined ? AFTER_ALL : sortKey(Math.max(0, below - 1)),
    },
    consistent: true,
  };
}

/** Where it is written which number a stream began with; behind the digits of every record. */
export function streamStartKey(shopId: ShopId): ItemKey {
  return { pk: partition(shopId), sk: 'START' };
}

/** The item of a record. */
export function toStreamItem(record: StreamRecord): Item {
  const { shopId, number, placedAtMs } = record;
  const expiresAt = Math.ceil((placedAtMs + STREAM_LIFE_MS) / 1000);
  return { pk: partition(shopId), sk: sortKey(number), ...record, expiresAt };
}

/** The record of an item. */
export function toStreamRecord({ pk: _pk, sk: _sk, expiresAt: _expiresAt, ...record }: Item): StreamRecord {
  return { contract: undefined, ...record } as unknown as StreamRecord;
}

function partition(shopId: ShopId): string {
  return `STREAM#${shopId}`;
}

function sortKey(number: number): string {
  return String(number).padStart(DIGITS, '0');
}
