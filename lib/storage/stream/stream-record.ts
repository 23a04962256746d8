/**
 * A store's stream says in which order merchants' servers are told what happened: a dense log beside the timeline. A
 * record names its entry, and what is sent is made of the entry as it is then; or it holds what is no entry.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Selection } from '../table.ts';

/** Events that no entry of the timeline tells. */
export type StoreEvent = {
  readonly type: 'order.upcoming' | 'payment_method.expiring' | 'customer.erased' | 'store.uninstalled';
  readonly atMs: number;
  /** Digits of the customer's id. */
  readonly customerId?: number;
  readonly order?: { readonly cycleIndex: number; readonly date: string };
  /** The platform's global id. */
  readonly paymentMethodId?: string;
};

/** The event as it is told when the person is forgotten: without the number, and without what leads to it. */
export function withoutPerson({
  customerId: _person,
  paymentMethodId: _card,
  ...kept
}: StoreEvent): StoreEvent {
  return kept;
}

/** What is told: the entry of the timeline with this number, under the action that it had; or an event. */
type Told =
  | { readonly entry: { readonly number: string; readonly action: string }; readonly event?: undefined }
  | { readonly event: StoreEvent; readonly entry?: undefined };

/** One place is asked for. Twice under one id is told once more, under that id. */
export type Placing = Told & {
  readonly shopId: ShopId;
  /** The event's id for ever, as receivers know it. */
  readonly id: string;
  /** Digits of the contract's id; undefined: of the whole store. Its events leave in the order of the stream. */
  readonly contract: string | undefined;
};

/** `number`: one more than the record's before it. */
export type StreamRecord = Placing & { readonly number: number; readonly placedAtMs: number };

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
