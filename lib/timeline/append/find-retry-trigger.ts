/** Finds changes after which a declined payment may succeed, among the events that are appended. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { NewStreamRecord } from '../../storage/stream/stream-record.ts';
import type { EventAction } from '../actions.ts';
import type { ContractNumber, EventRecord } from '../event-record.ts';
import type { WebhookEventType } from '../event-type.ts';

export type RetryTrigger = {
  readonly shopId: ShopId;
  readonly contract: ContractNumber;
  readonly changed: 'address' | 'payment method';
};

const METHOD_CHANGED_EVENT_TYPE: WebhookEventType = 'subscription.payment_method_changed';
const DELIVERY_CHANGED_EVENT_TYPE: WebhookEventType = 'subscription.delivery_changed';
const METHOD_REMOVED_ACTION: EventAction = 'payment_method_removed';
const DELIVERY_UPDATED_ACTION: EventAction = 'subscription_delivery_updated';

/** `entries`: the external entries among the appended ones. Another entry is of the service's own change. */
type AppendedEvents = {
  readonly records: readonly NewStreamRecord[];
  readonly entries: readonly EventRecord[];
};

/** Returns which changes may let a declined payment succeed: of its method, or of the delivery address. */
export function findRetryTriggers({ records, entries }: AppendedEvents): readonly RetryTrigger['changed'][] {
  const helpfulChanges = records.flatMap(({ entry }): RetryTrigger['changed'][] => {
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
