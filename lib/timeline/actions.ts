/**
 * The actions of the timeline, one row each: the message of an entry, the type of its event, and the facts by which a
 * change from outside the service is recognized as this action. docs/operations.md lists them.
 */
import { type Message, type MessageKey, message } from '../messages/message.ts';
import type { WebhookEventType } from './event-type.ts';
import type { FactChange } from './facts.ts';

type FieldChange = Pick<FactChange, 'field' | 'before' | 'after'>;

/**
 * The parts of an event's message that come from the entry's details and facts (present/event-message.ts). A part is
 * undefined when the entry has nothing for it.
 */
type EventMessageParts = {
  readonly actor: Message;
  readonly order: Message;
  /** How often orders are paid. */
  readonly billingFrequency: Message | undefined;
  /** How often orders are delivered; undefined when each payment is for one delivery. */
  readonly deliveryFrequency: Message | undefined;
  /** The discount code, escaped. */
  readonly discountCode: string | undefined;
  /** Why a payment was declined. */
  readonly declineReason: Message;
  /** Why an order ended unpaid. */
  readonly unpaidReason: Message | undefined;
  /** The changed lines. */
  readonly lineChanges: readonly Message[] | undefined;
  /** The day in the row's `dayDetail`, epoch milliseconds. */
  readonly day: number | undefined;
  /** Whether the order was moved to be sent now. */
  readonly isSentNow: boolean;
  /** Whether the service set the prices of a plan's step. */
  readonly isPriceStep: boolean;
  /** Whether only prices of lines have changed. */
  readonly arePricesChanged: boolean;
};

type ActionDefinition = {
  /**
   * The type of the event of an entry without facts (`webhookTypeOfFacts` selects the others), or undefined for no event.
   */
  readonly webhook?: WebhookEventType;
  /** No event reports the entry: it belongs to no contract, or other entries report its effects. */
  readonly isExcludedFromStream?: true;
  /**
   * Set when the action changes several orders, so that its event has `ordersChanged` and receivers query the orders again.
   * `changed`: events report single orders, too. `unreported`: no event reports a single order.
   */
  readonly orders?: 'changed' | 'unreported';
  /** The name under which the dashboard counts the action when a customer acts (infra/cdk/watch/dashboard.ts). */
  readonly counter?: string;
  /** Whether one fact that changed outside the service is this action. The first row that matches decides. */
  readonly matches?: (change: FieldChange) => boolean;
  /** The name of the detail with the day that the message states. */
  readonly dayDetail?: string;
  /**
   * Returns a message with more detail than the default message, which has the action's name and the parameters `actor` and
   * `order`. Returns undefined for the default.
   */
  readonly message?: (parts: EventMessageParts) => Message | undefined;
};

/** The row of each action. @internal A test tries the message of every action. */
export const TIMELINE_ACTIONS = {
  billing_cycle_skipped: {
    webhook: 'order.skipped',
    counter: 'skip',
    matches: ({ field, after }) => field.endsWith('.skipped') && after === 'true',
  },
  billing_cycle_unskipped: {
    webhook: 'order.unskipped',
    counter: 'unskip',
    matches: ({ field }) => field.endsWith('.skipped'),
  },
  billing_cycle_rescheduled: {
    webhook: 'order.rescheduled',
    matches: ({ field }) => /^billingCycles\.\d+\.billingAttemptExpectedDate$/.test(field),
    dayDetail: 'billingDate',
    message: ({ actor, order, day, isSentNow }) => {
      if (isSentNow) return message('billing_cycle_sent_now', { actor, order });
      return day === undefined ? undefined : message('billing_cycle_rescheduled_to', { actor, order, day });
    },
  },
  orders_postponed: {
    webhook: 'order.rescheduled',
    orders: 'changed',
    counter: 'postpone',
    dayDetail: 'billingDate',
    message: ({ actor, order, day }) =>
      day === undefined ? undefined : message('orders_postponed_to', { actor, order, day }),
  },
  orders_postponement_reverted: {
    webhook: 'order.rescheduled',
    orders: 'changed',
  },
  orders_postponement_extended: {
    webhook: 'subscription.updated',
    orders: 'unreported',
  },
  orders_postponement_ended: {
    webhook: 'subscription.updated',
    orders: 'unreported',
  },
  billing_cycle_charged: {
    webhook: 'order.charged',
  },
  billing_cycle_declined: {
    webhook: 'order.declined',
    message: ({ actor, order, declineReason }) =>
      message('billing_cycle_declined', { actor, order, why: declineReason }),
  },
  billing_cycle_action_required: {
    webhook: 'order.action_required',
  },
  billing_cycle_not_charged: {
    webhook: 'order.not_charged',
    message: ({ actor, order, unpaidReason }) =>
      unpaidReason === undefined
        ? undefined
        : message('billing_cycle_not_charged_why', { actor, order, why: unpaidReason }),
  },
  billing_cycle_edited: {
    webhook: 'subscription.updated',
    matches: ({ field }) => /^billingCycles\.\d+\.editedContract$/.test(field),
  },
  billing_cycle_edits_deleted: {
    webhook: 'subscription.updated',
  },
  billing_cycles_charged: {
    isExcludedFromStream: true,
  },
  subscription_created: {
    webhook: 'subscription.created',
  },
  subscription_paused: {
    webhook: 'subscription.paused',
    counter: 'pause',
    matches: createStatusMatcher('PAUSED'),
    dayDetail: 'until',
    message: ({ actor, day }) =>
      day === undefined ? undefined : message('subscription_paused_until', { actor, day }),
  },
  subscription_resumed: {
    webhook: 'subscription.resumed',
    counter: 'resume',
    matches: createStatusMatcher('ACTIVE'),
    dayDetail: 'nextBillingDate',
    message: ({ actor, day }) =>
      day === undefined ? undefined : message('subscription_resumed_on', { actor, day }),
  },
  subscription_cancelled: {
    webhook: 'subscription.cancelled',
    counter: 'cancel',
    matches: createStatusMatcher('CANCELLED'),
  },
  subscription_expired: {
    webhook: 'subscription.expired',
    matches: createStatusMatcher('EXPIRED'),
  },
  subscription_failed: {
    webhook: 'subscription.failed',
    matches: createStatusMatcher('FAILED'),
  },
  subscription_updated: {
    webhook: 'subscription.updated',
  },
  subscription_lines_updated: {
    webhook: 'subscription.lines_changed',
    matches: ({ field }) => field.startsWith('lines.'),
    message({ actor, lineChanges, isPriceStep, arePricesChanged }) {
      if (isPriceStep) return message('subscription_lines_updated_price_step', { actor });
      if (arePricesChanged) return message('subscription_lines_updated_prices', { actor });
      return lineChanges && message('subscription_lines_updated_to', { actor, changes: lineChanges });
    },
  },
  subscription_interval_updated: {
    webhook: 'subscription.interval_changed',
    matches: ({ field }) => field === 'billingPolicy' || field === 'deliveryPolicy',
    message({ actor, billingFrequency, deliveryFrequency }) {
      if (billingFrequency === undefined) return undefined;
      return deliveryFrequency === undefined
        ? message('subscription_interval_updated_to', { actor, rhythm: billingFrequency })
        : message('subscription_interval_updated_apart', {
            actor,
            delivered: deliveryFrequency,
            paid: billingFrequency,
          });
    },
  },
  subscription_next_billing_date_updated: {
    webhook: 'subscription.updated',
    matches: ({ field }) => field === 'nextBillingDate',
    dayDetail: 'nextBillingDate',
    message: ({ actor, day }) =>
      day === undefined ? undefined : message('subscription_next_billing_date_updated_to', { actor, day }),
  },
  subscription_delivery_updated: {
    webhook: 'subscription.delivery_changed',
    matches: ({ field }) => field === 'deliveryMethod' || field === 'deliveryPrice',
  },
  subscription_payment_method_updated: {
    webhook: 'subscription.payment_method_changed',
    matches: ({ field }) => field === 'customerPaymentMethod',
  },
  payment_method_replaced: {
    webhook: 'subscription.payment_method_changed',
  },
  payment_method_removed: {
    webhook: 'subscription.payment_method_changed',
  },
  // An entry of an external change. It has the message of the action that its facts match.
  changed_elsewhere: {
    webhook: 'subscription.updated',
  },
  subscription_discount_applied: {
    webhook: 'subscription.discount_changed',
    matches: ({ field, before }) => field.startsWith('discounts.') && before === null,
    message: ({ actor, discountCode }) =>
      discountCode === undefined
        ? undefined
        : message('subscription_discount_applied_code', { actor, code: discountCode }),
  },
  subscription_discount_removed: {
    webhook: 'subscription.discount_changed',
    matches: ({ field, after }) => field.startsWith('discounts.') && after === null,
  },
  subscription_note_updated: {
    webhook: 'subscription.note_changed',
    matches: ({ field }) => field === 'note',
  },
  customer_address_added: {
    isExcludedFromStream: true,
  },
  customer_address_updated: {
    isExcludedFromStream: true,
  },
  payment_method_update_email_sent: {
    isExcludedFromStream: true,
  },
  webhook_endpoint_disabled: {},
} as const satisfies Readonly<Partial<Record<MessageKey | 'changed_elsewhere', ActionDefinition>>>;

export type EventAction = keyof typeof TIMELINE_ACTIONS;

/** Returns the row of an action; undefined for an action that this version does not know. */
export function findActionDefinition(name: string): ActionDefinition | undefined {
  return Object.hasOwn(TIMELINE_ACTIONS, name) ? TIMELINE_ACTIONS[name as EventAction] : undefined;
}

/** Whether entries of this action are appended to the store's stream, from which events are sent to merchants' servers. */
export function isAppendedToStream({ action }: { readonly action: string }): boolean {
  return findActionDefinition(action)?.isExcludedFromStream !== true;
}

function createStatusMatcher(status: string): (change: FieldChange) => boolean {
  return ({ field, after }) => field === 'status' && after === status;
}

/** Returns the one action that all these facts match; `subscription_updated` when they match several actions, or none. */
export function classifyFactChanges(changes: readonly FieldChange[]): EventAction {
  const [action, ...otherActions] = new Set(changes.map(actionOfFactChange));
  return action !== undefined && otherActions.length === 0 ? action : 'subscription_updated';
}

function actionOfFactChange(change: FieldChange): EventAction {
  const rows = Object.entries(TIMELINE_ACTIONS) as [EventAction, ActionDefinition][];
  return rows.find(([, { matches }]) => matches?.(change))?.[0] ?? 'subscription_updated';
}
