/** What merchants' servers can be told, by type: the vocabulary of endpoints, of what is sent, and of docs/webhooks.md. */
import type { StreamRecord } from '../storage/stream/stream-record.ts';
import type { EventAction } from '../timeline/event-action.ts';
import type { EventRecord } from '../timeline/event-record.ts';
import { actionOfChanges } from '../timeline/present/action-of-changes.ts';

/** All types, in the order in which they are shown. */
export const WEBHOOK_EVENT_TYPES = [
  'subscription.created',
  'subscription.updated',
  'subscription.activated',
  'subscription.paused',
  'subscription.resumed',
  'subscription.cancelled',
  'subscription.expired',
  'subscription.failed',
  'subscription.lines_changed',
  'subscription.interval_changed',
  'subscription.delivery_changed',
  'subscription.payment_method_changed',
  'subscription.discount_changed',
  'subscription.note_changed',
  'order.upcoming',
  'order.skipped',
  'order.unskipped',
  'order.rescheduled',
  'order.charged',
  'order.declined',
  'order.action_required',
  'payment_method.expiring',
  'customer.erased',
  'store.uninstalled',
  'endpoint.test',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** By action; undefined: merchants' servers are not told. */
const BY_ACTION: Readonly<Record<Exclude<EventAction, 'changed_elsewhere'>, WebhookEventType | undefined>> = {
  billing_cycle_skipped: 'order.skipped',
  billing_cycle_unskipped: 'order.unskipped',
  billing_cycle_rescheduled: 'order.rescheduled',
  billing_cycle_charged: 'order.charged',
  billing_cycle_declined: 'order.declined',
  billing_cycle_action_required: 'order.action_required',
  billing_cycle_edited: 'subscription.updated',
  billing_cycle_edits_deleted: 'subscription.updated',
  billing_cycles_charged: undefined,
  subscription_created: 'subscription.created',
  subscription_paused: 'subscription.paused',
  subscription_resumed: 'subscription.resumed',
  subscription_cancelled: 'subscription.cancelled',
  subscription_expired: 'subscription.expired',
  subscription_failed: 'subscription.failed',
  subscription_updated: 'subscription.updated',
  subscription_lines_updated: 'subscription.lines_changed',
  subscription_interval_updated: 'subscription.interval_changed',
  subscription_next_billing_date_updated: 'order.rescheduled',
  subscription_delivery_updated: 'subscription.delivery_changed',
  subscription_payment_method_updated: 'subscription.payment_method_changed',
  subscription_discount_applied: 'subscription.discount_changed',
  subscription_discount_removed: 'subscription.discount_changed',
  subscription_note_updated: 'subscription.note_changed',
  payment_method_replaced: 'subscription.payment_method_changed',
  payment_method_removed: 'subscription.payment_method_changed',
  customer_address_updated: undefined,
  payment_method_update_email_sent: undefined,
  webhook_endpoint_disabled: undefined,
};

/**
 * The type of what a record of the stream tells; `changes`: its entry's. Undefined: nobody is told, as of an action that
 * this code does not know.
 */
export function typeOfRecord(
  { entry, event }: Pick<StreamRecord, 'entry' | 'event'>,
  changes: EventRecord['changes'],
): WebhookEventType | undefined {
  if (entry === undefined) return event?.type;
  const { action } = entry;
  if (action === 'changed_elsewhere') return typeOfChanges(changes);
  return Object.hasOwn(BY_ACTION, action) ? BY_ACTION[action as keyof typeof BY_ACTION] : undefined;
}

/** What was changed elsewhere goes by its facts; of several types: subscription.updated. */
function typeOfChanges(changes: EventRecord['changes']): WebhookEventType | undefined {
  const types = new Set(changes.map(typeOfChange));
  const [type] = types;
  return types.size === 1 ? type : 'subscription.updated';
}

function typeOfChange(change: EventRecord['changes'][number]): WebhookEventType | undefined {
  const { field, before, after } = change;
  if (field === 'status' && after === 'ACTIVE' && before !== 'PAUSED') return 'subscription.activated';
  // Both ways of a discount are of one type, as are its other changes.
  return field.startsWith('discounts.')
    ? 'subscription.discount_changed'
    : BY_ACTION[actionOfChanges([change])];
}
