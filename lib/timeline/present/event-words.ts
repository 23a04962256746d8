/**
 * Each action of the timeline has words in the past tense here, which follow whoever acted ("You …", "The store …").
 */
import { longDayIn, type TimeZone } from '../../domain/time-zone.ts';
import type { ChangedFact } from '../changed-fact.ts';
import type { EventAction } from '../event-action.ts';
import type { EventFacts } from '../event-record.ts';
import { declineWords } from './decline-words.ts';
import { escapeText } from './escape-text.ts';
import { lineWords } from './line-words.ts';

type Details = Readonly<Record<string, string | number | boolean | null>>;
/** A FormattedString, with texts of clients escaped; undefined where the details do not say. */
type Words =
  | string
  | ((details: Details, timeZone: TimeZone, changes: readonly ChangedFact[]) => string | undefined);

/** @internal A test tries the words of every action. */
export const eventWords = {
  billing_cycle_skipped: order('skipped', ''),
  billing_cycle_unskipped: order('restored', ''),
  billing_cycle_rescheduled: (details: Details, zone: TimeZone) =>
    `moved ${orderOf(details, zone)}${day(' to', details.billingDate, zone)}`,
  billing_cycle_charged: order('charged', ''),
  billing_cycle_declined: (details: Details, zone: TimeZone) =>
    `tried to charge ${orderOf(details, zone)}, but ${declineWords(details.errorCode)}`,
  billing_cycle_action_required: order('tried to charge', ', and the payment needs to be confirmed'),
  billing_cycle_edited: order('changed', ' only'),
  billing_cycle_edits_deleted: 'undid the changes to single orders',
  billing_cycles_charged: 'started to charge the orders of many subscriptions',
  subscription_created: 'created the subscription',
  subscription_paused: (details: Details, zone: TimeZone) =>
    `paused the subscription${day(' until', details.until, zone)}`,
  subscription_resumed: (details: Details, zone: TimeZone) =>
    `resumed the subscription${day(', with the next order on', details.nextBillingDate, zone)}`,
  subscription_cancelled: 'cancelled the subscription',
  subscription_expired: 'ended the subscription',
  subscription_failed: 'marked the subscription as failed',
  subscription_updated: 'changed the subscription',
  subscription_lines_updated: (_details: Details, _zone: TimeZone, changes: readonly ChangedFact[]) =>
    lineWords(changes) ?? 'changed the products',
  subscription_interval_updated: (details: Details) => `changed how often orders come${every(details)}`,
  subscription_next_billing_date_updated: (details: Details, zone: TimeZone) =>
    `set the date of the next order${day(' to', details.nextBillingDate, zone)}`,
  subscription_delivery_updated: 'changed the delivery',
  subscription_payment_method_updated: 'changed the payment method',
  subscription_discount_applied: (details: Details) =>
    typeof details.redeemCode === 'string'
      ? `applied the discount code <b>${escapeText(details.redeemCode)}</b>`
      : 'applied a discount',
  subscription_discount_removed: 'removed a discount',
  subscription_note_updated: 'changed the note',
  customer_address_updated: 'changed an address in the address book; the subscription keeps its own',
  payment_method_update_email_sent: 'asked for an e-mail to update the payment method',
} as const satisfies Record<EventAction, Words>;

type Told = Pick<EventFacts, 'action' | 'details' | 'changes'>;

/**
 * The words for what was done, in the past tense, with days as the zone counts them. An action without words is told by
 * its name.
 */
export function eventText({ action, details, changes }: Told, timeZone: TimeZone): string {
  const words: Words | undefined = Object.hasOwn(eventWords, action)
    ? eventWords[action as EventAction]
    : undefined;
  const text = typeof words === 'function' ? words(details, timeZone, changes) : words;
  return text ?? `made a change (${escapeText(action)})`;
}

function order(verb: string, more: string): (details: Details, zone: TimeZone) => string {
  return (details, zone) => `${verb} ${orderOf(details, zone)}${more}`;
}

function orderOf({ billingCycleIndex, expectedDate }: Details, zone: TimeZone): string {
  const dated = day('of', expectedDate, zone);
  if (dated !== '') return `the order ${dated}`;
  return typeof billingCycleIndex === 'number' ? `order ${billingCycleIndex}` : 'an order';
}

function day(before: string, value: Details[string] | undefined, zone: TimeZone): string {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? '' : `${before} ${longDayIn(zone, ms)}`;
}

/** How often orders come; and where a payment is for several of them, how often that is made. */
function every(details: Details): string {
  const paid = rhythm(details.interval, details.intervalCount);
  const delivered = rhythm(details.deliveryInterval, details.deliveryIntervalCount);
  if (paid === undefined) return '';
  return delivered === undefined ? `: ${paid}` : `: ${delivered}, paid ${paid}`;
}

function rhythm(interval: unknown, count: unknown): string | undefined {
  if (typeof interval !== 'string' || typeof count !== 'number') return undefined;
  const unit = escapeText(interval.toLowerCase());
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}
