/**
 * Each action of the timeline has a sentence, by who acted. It is told in the reader's language, for an entry keeps the
 * action and its details, never a text.
 */
import { type Message, message } from '../../messages/message.ts';
import type { ChangedFact } from '../changed-fact.ts';
import type { EventAction } from '../event-action.ts';
import type { EventFacts } from '../event-record.ts';
import { actionOfChanges } from './action-of-changes.ts';
import { declineMessage } from './decline-message.ts';
import { escapeText } from './escape-text.ts';
import { lineMessages } from './line-messages.ts';

type Details = Readonly<Record<string, string | number | boolean | null>>;
type Told = {
  readonly who: Message;
  readonly order: Message;
  readonly details: Details;
  readonly changes: readonly ChangedFact[];
};

/** @internal A test tries the words of every action. */
export const eventMessages = {
  billing_cycle_skipped: ({ who, order }: Told) => message('billing_cycle_skipped', { who, order }),
  billing_cycle_unskipped: ({ who, order }: Told) => message('billing_cycle_unskipped', { who, order }),
  billing_cycle_rescheduled: ({ who, order, details }: Told) =>
    dated(details.billingDate, (day) => message('billing_cycle_rescheduled_to', { who, order, day })) ??
    message('billing_cycle_rescheduled', { who, order }),
  billing_cycle_charged: ({ who, order }: Told) => message('billing_cycle_charged', { who, order }),
  billing_cycle_declined: ({ who, order, details }: Told) =>
    message('billing_cycle_declined', { who, order, why: declineMessage(details.errorCode) }),
  billing_cycle_action_required: ({ who, order }: Told) =>
    message('billing_cycle_action_required', { who, order }),
  billing_cycle_edited: ({ who, order }: Told) => message('billing_cycle_edited', { who, order }),
  billing_cycle_edits_deleted: ({ who }: Told) => message('billing_cycle_edits_deleted', { who }),
  billing_cycles_charged: ({ who }: Told) => message('billing_cycles_charged', { who }),
  subscription_created: ({ who }: Told) => message('subscription_created', { who }),
  subscription_paused: ({ who, details }: Told) =>
    dated(details.until, (day) => message('subscription_paused_until', { who, day })) ??
    message('subscription_paused', { who }),
  subscription_resumed: ({ who, details }: Told) =>
    dated(details.nextBillingDate, (day) => message('subscription_resumed_on', { who, day })) ??
    message('subscription_resumed', { who }),
  subscription_cancelled: ({ who }: Told) => message('subscription_cancelled', { who }),
  subscription_expired: ({ who }: Told) => message('subscription_expired', { who }),
  subscription_failed: ({ who }: Told) => message('subscription_failed', { who }),
  subscription_updated: ({ who }: Told) => message('subscription_updated', { who }),
  subscription_lines_updated({ who, changes: facts }: Told) {
    const changes = lineMessages(facts);
    return changes === undefined
      ? message('subscription_lines_updated', { who })
      : message('subscription_lines_updated_to', { who, changes });
  },
  subscription_interval_updated: intervalUpdated,
  subscription_next_billing_date_updated: ({ who, details }: Told) =>
    dated(details.nextBillingDate, (day) =>
      message('subscription_next_billing_date_updated_to', { who, day }),
    ) ?? message('subscription_next_billing_date_updated', { who }),
  subscription_delivery_updated: ({ who }: Told) => message('subscription_delivery_updated', { who }),
  subscription_payment_method_updated: ({ who }: Told) =>
    message('subscription_payment_method_updated', { who }),
  payment_method_replaced: ({ who }: Told) => message('payment_method_replaced', { who }),
  payment_method_removed: ({ who }: Told) => message('payment_method_removed', { who }),
  changed_elsewhere: changedElsewhere,
  subscription_discount_applied: ({ who, details: { redeemCode } }: Told) =>
    typeof redeemCode === 'string'
      ? message('subscription_discount_applied_code', { who, code: escapeText(redeemCode) })
      : message('subscription_discount_applied', { who }),
  subscription_discount_removed: ({ who }: Told) => message('subscription_discount_removed', { who }),
  subscription_note_updated: ({ who }: Told) => message('subscription_note_updated', { who }),
  customer_address_updated: ({ who }: Told) => message('customer_address_updated', { who }),
  payment_method_update_email_sent: ({ who }: Told) => message('payment_method_update_email_sent', { who }),
  webhook_endpoint_disabled: ({ who }: Told) => message('webhook_endpoint_disabled', { who }),
} as const satisfies Record<EventAction, (told: Told) => Message>;

/**
 * The sentence for what was done, with texts of clients escaped for a FormattedString. An action without words is told by
 * its name.
 */
export function eventMessage(
  { action, details, changes }: Pick<EventFacts, 'action' | 'details' | 'changes'>,
  who: Message,
): Message {
  return Object.hasOwn(eventMessages, action)
    ? eventMessages[action as EventAction]({ who, order: orderOf(details), details, changes })
    : message('somethingDone', { who, action: escapeText(action) });
}

function orderOf({ billingCycleIndex, expectedDate }: Details): Message {
  const ofDay = dated(expectedDate, (day) => message('orderOfDay', { day }));
  if (ofDay !== undefined) return ofDay;
  return typeof billingCycleIndex === 'number'
    ? message('orderOfNumber', { number: billingCycleIndex })
    : message('orderOfNobodyKnows');
}

/** The message with the day, if the details tell it. */
function dated(value: Details[string] | undefined, tell: (dayMs: number) => Message): Message | undefined {
  const dayMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dayMs) ? undefined : tell(dayMs);
}

/** In the words of what it comes to. */
function changedElsewhere(told: Told): Message {
  return eventMessages[actionOfChanges(told.changes)](told);
}

/** How often orders come; and where a payment is for several of them, how often that is made. */
function intervalUpdated({ who, details }: Told): Message {
  const paid = rhythm(details.interval, details.intervalCount);
  const delivered = rhythm(details.deliveryInterval, details.deliveryIntervalCount);
  if (paid === undefined) return message('subscription_interval_updated', { who });
  return delivered === undefined
    ? message('subscription_interval_updated_to', { who, rhythm: paid })
    : message('subscription_interval_updated_apart', { who, delivered, paid });
}

function rhythm(interval: unknown, count: unknown): Message | undefined {
  if (typeof interval !== 'string' || typeof count !== 'number') return undefined;
  return message('rhythm', { interval, count });
}
