/**
 * The inbox of platform webhooks: one item per changed object, without the webhook's content. Each webhook gives the
 * item a new id, so a processed item is removed only if no webhook has come since.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { queryAllPages } from '../query-all.ts';
import type { Item, ItemKey, Table } from '../table.ts';

export type TopicGroup =
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
export type ChangedObject = {
  readonly topicGroup: TopicGroup;
  /** Distinguishes the objects of a topic group: the last part of the platform's id. */
  readonly object: string;
  /** The customer of a compliance request: the platform's number. */
  readonly customerId?: string;
};
/** An inbox item: one for each object of a topic group. */
export type InboxItem = ChangedObject & {
  /** An id that each webhook sets anew, so that an item is only removed if no webhook came since it was read. */
  readonly id: string;
  /** When the first unprocessed webhook about this object arrived, epoch milliseconds. */
  readonly firstWebhookAtMs: number;
};

export type Inbox = ReturnType<typeof createInbox>;
type Deps = { readonly table: Table; readonly now: () => number; readonly newId: () => string };

/** Creates the inbox over the table. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createInbox({ table, now, newId }: Deps) {
  return {
    /** Adds or renews an object's item with one write. */
    async put(shopId: ShopId, { topicGroup, object, customerId }: ChangedObject): Promise<void> {
      const assignments = ['shopId = :shopId', '#family = :family', '#object = :object', 'id = :id'];
      if (customerId !== undefined) assignments.push('customerId = :customerId');
      await table.update({
        key: inboxItemKey(shopId, { topicGroup, object }),
        update: `SET ${assignments.join(', ')}, sinceMs = if_not_exists(sinceMs, :now)`,
        names: { '#family': 'family', '#object': 'object' },
        values: {
          ...{ ':shopId': shopId, ':family': topicGroup, ':object': object, ':id': newId(), ':now': now() },
          ...(customerId !== undefined && { ':customerId': customerId }),
        },
      });
    },
    /** Lists all items of a store, with consistent reads. */
    async *list(shopId: ShopId): AsyncGenerator<InboxItem> {
      const inboxQuery = {
        keyCondition: 'pk = :pk',
        values: { ':pk': inboxPartition(shopId) },
        consistent: true,
      };
      for await (const item of queryAllPages(table, inboxQuery)) yield toInboxItem(item);
    },
    /** Removes an item, unless a webhook has come since. Does nothing when there is none. */
    async remove(shopId: ShopId, item: Pick<InboxItem, 'topicGroup' | 'object' | 'id'>): Promise<void> {
      await table.delete(inboxItemKey(shopId, item), { condition: 'id = :id', values: { ':id': item.id } });
    },
  };
}

function inboxPartition(shopId: ShopId): string {
  return `MARK#${shopId}`;
}

function inboxItemKey(
  shopId: ShopId,
  { topicGroup, object }: Pick<InboxItem, 'topicGroup' | 'object'>,
): ItemKey {
  return { pk: inboxPartition(shopId), sk: `${topicGroup}#${object}` };
}

function toInboxItem({ family, object, customerId, id, sinceMs }: Item): InboxItem {
  return {
    topicGroup: family,
    object,
    ...(customerId !== undefined && { customerId }),
    id,
    firstWebhookAtMs: sinceMs,
  } as InboxItem;
}
