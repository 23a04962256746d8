/** Finds changes after which a declined payment may succeed, among the events that are appended. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { NewStreamRecord } from '../../storage/stream/stream-record.ts';
import type { EventAction } from '../actions.ts';
import type { ContractNumber, EventRecord } from '../event-record.ts';
import type { WebhookEventType } from '../event-type.ts';

/** A change of a contract after which a declined payment may succeed. */
export type RetryTrigger = {
  readonly shopId: ShopId;
  readonly contract: ContractNumber;
  readonly kind: 'address' | 'payment method';
};

const METHOD_CHANGED_EVENT_TYPE: WebhookEventType = 'subscription.payment_method_changed';
const DELIVERY_CHANGED_EVENT_TYPE: WebhookEventType = 'subscription.delivery_changed';
const METHOD_REMOVED_ACTION: EventAction = 'payment_method_removed';
const DELIVERY_UPDATED_ACTION: EventAction = 'subscription_delivery_updated';

/** `entries`: the entries of external changes among the appended records; the other records are of the service's changes. */
type AppendedEvents = {
  readonly records: readonly NewStreamRecord[];
  readonly entries: readonly EventRecord[];
};

/** Returns the kinds of changes among the events that may let a declined payment succeed. */
export function findRetryTriggers({ records, entries }: AppendedEvents): readonly RetryTrigger['kind'][] {
  const helpfulChanges = records.flatMap(({ entry }): RetryTrigger['kind'][] => {
    if (entry?.type === METHOD_CHANGED_EVENT_TYPE)
      return entry.action === METHOD_REMOVED_ACTION ? [] : ['payment method'];
    if (entry?.type !== DELIVERY_CHANGED_EVENT_TYPE) return [];
    const externalEntry = entries.find(({ number }) => number === entry.number);
    const isAddressChanged =
      externalEntry === undefined
        ? entry.action === DELIVERY_UPDATED_ACTION
        : // An address is recorded without its values.
          externalEntry.changes.some(({ field }) => field === 'deliveryMethod');
    return isAddressChanged ? ['address'] : [];
  });
  return [...new Set(helpfulChanges)];
}
