/**
 * Marks say that webhooks told of an object of a store: a hint to look there, never what they said. A mark has a new id by
 * each webhook, so one that was worked on goes only if no webhook has come since.
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

/** What a webhook told of. */
export type MarkedObject = {
  readonly family: MarkFamily;
  /** Tells apart the objects of a family: the end of the platform's id. */
  readonly object: string;
  /** The customer whose data a compliance request is about: the platform's number. */
  readonly customerId?: string;
};
/** One for each object of a family. */
export type Mark = MarkedObject & {
  /** Another one by each webhook. */
  readonly id: string;
  /** The time of the first webhook that nobody has acted on, epoch milliseconds. */
  readonly sinceMs: number;
};

export type Marks = {
  /** Marks an object: one write. */
  put(shopId: ShopId, marked: MarkedObject): Promise<void>;
  /** Lists all of a store, consistently read. */
  list(shopId: ShopId): AsyncGenerator<Mark>;
  /** Removes a mark, unless a webhook has come since. That none is there is no error. */
  remove(shopId: ShopId, mark: Pick<Mark, 'family' | 'object' | 'id'>): Promise<void>;
};

type Deps = { readonly table: Table; readonly now: () => number; readonly newId: () => string };

/** Marks over the table. TEMPORARILY_UNAVAILABLE. */
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
