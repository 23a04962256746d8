/** The types of events, by what they report: used by endpoints, events and docs/webhooks.md. */
import type { NewStreamRecord } from '../storage/stream/stream-record.ts';
import type { FactChange } from './facts.ts';
import { type FactGroup, findFactKind } from './facts.ts';

/** All types of events, in the order in which clients get them. */
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
  'order.not_charged',
  'payment_method.expiring',
  'customer.erased',
  'billing.run_held',
  'store.uninstalled',
  'endpoint.test',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Returns the value of a type in the enum `WebhookEventType` of the schema. */
export function eventTypeEnumName(type: WebhookEventType): string {
  return type.replace('.', '_').toUpperCase();
}

const EVENT_TYPE_BY_STATUS: Readonly<Record<string, WebhookEventType>> = {
  CANCELLED: 'subscription.cancelled',
  EXPIRED: 'subscription.expired',
  FAILED: 'subscription.failed',
  PAUSED: 'subscription.paused',
};

const EVENT_TYPE_BY_FACT_GROUP: Readonly<Record<Exclude<FactGroup, 'status' | 'skip'>, WebhookEventType>> = {
  lines: 'subscription.lines_changed',
  policies: 'subscription.interval_changed',
  delivery: 'subscription.delivery_changed',
  'payment method': 'subscription.payment_method_changed',
  discounts: 'subscription.discount_changed',
  note: 'subscription.note_changed',
  'order date': 'order.rescheduled',
  other: 'subscription.updated',
};

/** Returns the event type of a stream record; undefined for a type that this version does not know, which is not sent. */
export function webhookTypeOfRecord({
  entry,
  event,
}: Pick<NewStreamRecord, 'entry' | 'event'>): WebhookEventType | undefined {
  const type = entry?.type ?? event?.type;
  return WEBHOOK_EVENT_TYPES.find((one) => one === type);
}

/** Returns the type of an event that reports these facts, all of one group. */
export function webhookTypeOfFacts(
  facts: readonly Pick<FactChange, 'field' | 'before' | 'after'>[],
): WebhookEventType {
  const [firstFact] = facts;
  const factGroup = findFactKind(firstFact?.field ?? '')?.group ?? 'other';
  if (factGroup === 'skip') return firstFact?.after === 'true' ? 'order.skipped' : 'order.unskipped';
  if (factGroup !== 'status') return EVENT_TYPE_BY_FACT_GROUP[factGroup];
  const statusFact = facts.find(({ field }) => field === 'status');
  // The facts of this group are the status and its pause: without the status, only the pause's end or reason has changed.
  if (statusFact === undefined) return 'subscription.paused';
  const type = EVENT_TYPE_BY_STATUS[statusFact.after ?? ''];
  if (type !== undefined) return type;
  // The contract was reported as created without facts, so this is its first known status: it was not activated.
  if (statusFact.before === null) return 'subscription.updated';
  return statusFact.before === 'PAUSED' ? 'subscription.resumed' : 'subscription.activated';
}
