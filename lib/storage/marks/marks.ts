/**
 * The inbox of platform webhooks: one item per changed object, without the webhook's content. Each webhook gives the
 * item a new id, so a processed item is removed only if no webhook has come since.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../table.ts';

export type MarkFamily =
  | 'app'
  | 'attempts'
  | 'contracts'
  | 'customer-redact'
  | 'data-request'
  | 'payment-methods'
  | 'scopes'
  | 'shop'
  | 'shop-redact';

/** The object that a webhook reported. */
export type MarkedObject = {
  readonly family: MarkFamily;
  /** Distinguishes the objects of a topic group: the last part of the platform's id. */
  readonly object: string;
  /** The customer of a compliance request: the platform's number. */
  readonly customerId?: string;
};
/** An inbox item: one for each object of a topic group. */
export type Mark = MarkedObject & {
  /** New for each webhook. */
  readonly id: string;
  /** The time of the first unprocessed webhook, epoch milliseconds. */
  readonly sinceMs: number;
};

export type Marks = {
  /** Adds or renews an object's item with one write. */
  put(shopId: ShopId, marked: MarkedObject): Promise<void>;
  /** Lists all items of a store, with consistent reads. */
  list(shopId: ShopId): AsyncGenerator<Mark>;
  /** Removes an item, unless a webhook has come since. Does nothing when there is none. */
  remove(shopId: ShopId, mark: Pick<Mark, 'family' | 'object' | 'id'>): Promise<void>;
};

type Deps = { readonly table: Table; readonly now: () => number; readonly newId: () => string };

/** Creates the inbox over the table. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createMarks({ table, now, newId }: Deps): Marks {
  return {
    async put(shopId, { family, object, customerId }) {
      const set = ['shopId = :shopId', '#family = :family', '#object = :object', 'id = :id'];
      if (customerId !== undefined) set.push('customerId = :customerId');
      await table.update({
        key: markKey(shopId, { family, object }),
        update: `SET ${set.join(', ')}, sinceMs = if_not_exists(sinceMs, :now)`,
        names: { '#family': 'family', '#object': 'object' },
        values: {
          ...{ ':shopId': shopId, ':family': family, ':object': object, ':id': newId(), ':now': now() },
          ...(customerId !== undefined && { ':customerId': customerId }),
        },
      });
    },
    async *list(shopId) {
      let startKey: Item | undefined;
      do {
        const selection = { keyCondition: 'pk = :pk', values: { ':pk': pkOf(shopId) }, consistent: true };
        const { items, nextKey } = await table.query({ ...selection, ...(startKey && { startKey }) });
        yield* items.map(toMark);
        startKey = nextKey;
      } while (startKey !== undefined);
    },
    async remove(shopId, mark) {
      await table.delete(markKey(shopId, mark), { condition: 'id = :id', values: { ':id': mark.id } });
    },
  };
}

function pkOf(shopId: ShopId): string {
  return `MARK#${shopId}`;
}

function markKey(shopId: ShopId, { family, object }: Pick<Mark, 'family' | 'object'>): ItemKey {
  return { pk: pkOf(shopId), sk: `${family}#${object}` };
}

function toMark({ family, object, customerId, id, sinceMs }: Item): Mark {
  return { family, object, ...(customerId !== undefined && { customerId }), id, sinceMs } as Mark;
}
