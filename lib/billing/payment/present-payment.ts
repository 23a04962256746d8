/** Describes to a customer the state of a contract's last payment: what happened, and what the customer can do. */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { isoDayIn } from '../../domain/time-zone.ts';
import { type Message, message } from '../../messages/message.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import { classifyDecline } from '../../timeline/decline-class.ts';
import { eventMessage } from '../../timeline/present/event-message.ts';
import { type BillingCharge, isOpenCharge, isTryLeft, nextAllowedTryMs } from '../records/charge-record.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { addDays, runStartAtMs } from '../settings/run-times.ts';
import { chooseFinalAction } from '../settle/decide-after-decline.ts';
import type { OrderChange } from './read-order-change.ts';

type PaymentStatus = 'PAID' | 'PROCESSING' | 'CONFIRMATION_NEEDED' | 'RETRYING' | 'METHOD_NEEDED' | 'UNPAID';

export type PaymentView = {
  readonly status: PaymentStatus;
  /** The charge of the order whose payment is shown; undefined if nothing is open. */
  readonly charge: BillingCharge | undefined;
  /** When the service tries the payment again by itself, epoch milliseconds; undefined when no try is certain. */
  readonly nextTryMs: number | undefined;
  /** The sentences that say what happened, and what is to be done. */
  readonly messages: readonly Message[];
  readonly canUpdateMethod: boolean;
  readonly canRetry: boolean;
};

/** Declines because of the order's amount. No further try succeeds before the merchant has changed the order. */
const AMOUNT_DECLINE_CODES: ReadonlySet<unknown> = new Set([
  'AMOUNT_TOO_LARGE',
  'AMOUNT_TOO_SMALL',
  'INVALID_AMOUNT',
]);
/** A customer may request another try of an order once in this time. */
const RETRY_REQUEST_INTERVAL_MS = 3_600_000;

export type PaymentContext = {
  readonly nowMs: number;
  /** Whether the service tries payments of the contract now. */
  readonly mayTry: boolean;
  readonly settings: Pick<BillingSettings, 'declined' | 'hour' | 'outOfStock'>;
  readonly store: Pick<StoreRecord, 'shopId' | 'timeZone'>;
  /** What was changed since the service last read the order of a declined payment. */
  readonly orderChange?: OrderChange | undefined;
  /** When the order after the declined one is due, epoch milliseconds; undefined if none follows. */
  readonly nextOrderAtMs: number | undefined;
};

/** Returns the view of a contract's payment. `charges`: those of the contract, in the order of the cycles. */
export function presentPayment(charges: readonly BillingCharge[], context: PaymentContext): PaymentView {
  // A charge that is only DUE waits for its run: there is nothing to show about its payment yet.
  const charge = findOpenPayment(charges) ?? charges.findLast(isTriedOrEnded);
  const paymentStatus = charge === undefined ? 'PAID' : decideStatus(charge);
  if (charge === undefined || paymentStatus === 'PAID' || context.orderChange?.isSkipped)
    return {
      ...{ status: 'PAID', charge: undefined, nextTryMs: undefined, messages: [] },
      ...{ canUpdateMethod: false, canRetry: false },
    };
  const { nowMs } = context;
  const { state, lastErrorCode } = charge;
  const nextTryMs = findCertainTryMs(charge, context);
  const declineClass = classifyDecline(lastErrorCode);
  const canNewMethodHelp = declineClass !== 'STOCK' && declineClass !== 'MERCHANT' && declineClass !== 'PAID';
  return {
    ...{ status: paymentStatus, charge, nextTryMs },
    messages: [...listMessages(charge, nextTryMs), ...listFinalActionMessages(charge, context)],
    canUpdateMethod: state === 'RETRYING' && declineClass !== 'NEVER' && canNewMethodHelp,
    canRetry: canBeRetried(charge, nowMs) && nowMs >= retryRequestAllowedFromMs(charge),
  };
}

/**
 * Returns when the payment is certainly tried again; undefined while billing is stopped, and when the run of the
 * contract's next order begins before the next try, because that run ends the tries of the older order.
 */
function findCertainTryMs(charge: BillingCharge, context: PaymentContext): number | undefined {
  const { mayTry, settings, store, orderChange, nextOrderAtMs } = context;
  if (!mayTry) return undefined;
  const isMoved = orderChange?.movedToMs !== undefined && canBeRetried(charge, context.nowMs);
  const nextTryMs = isMoved
    ? findRunOfMovedOrderMs(orderChange.movedToMs, context)
    : nextAllowedTryMs(charge);
  if (nextTryMs === undefined || nextOrderAtMs === undefined) return nextTryMs;
  const nextRunMs = runStartAtMs(settings, store, isoDayIn(timeZoneOf(store), nextOrderAtMs));
  return nextTryMs < nextRunMs ? nextTryMs : undefined;
}

/** Returns when the first run begins that finds a declined order on its new date. */
function findRunOfMovedOrderMs(
  movedToMs: number,
  { settings, store, nowMs }: PaymentContext,
): number | undefined {
  const [newDay, today] = [movedToMs, nowMs].map((ms) => isoDayIn(timeZoneOf(store), ms)) as [string, string];
  const runTimes = [newDay, today, addDays(today, 1)]
    .filter((day) => day >= newDay)
    .map((day) => runStartAtMs(settings, store, day));
  return Math.min(...runTimes.filter((ms) => ms > nowMs));
}

/** Returns the oldest charge with an attempt that is under way or was declined. */
export function findOpenPayment(charges: readonly BillingCharge[]): BillingCharge | undefined {
  return charges.find((charge) => isOpenCharge(charge) && charge.state !== 'DUE');
}

/** Whether another try of a declined payment may succeed, and card networks allow it. */
export function canBeRetried(charge: BillingCharge, nowMs: number): boolean {
  const { state, lastErrorCode } = charge;
  const declineClass = classifyDecline(lastErrorCode);
  if (state !== 'RETRYING' || declineClass === 'NEVER' || declineClass === 'PAID') return false;
  if (AMOUNT_DECLINE_CODES.has(lastErrorCode)) return false;
  return isTryLeft(charge, nowMs);
}

/** Returns when the customer may ask for the next try, epoch milliseconds. */
export function retryRequestAllowedFromMs({ retryRequestedAtMs }: BillingCharge): number {
  return retryRequestedAtMs === undefined ? 0 : retryRequestedAtMs + RETRY_REQUEST_INTERVAL_MS;
}

function isTriedOrEnded({ state, failedTryCount }: BillingCharge): boolean {
  return state === 'SKIPPED' ? failedTryCount > 0 : state !== 'DUE';
}

function decideStatus(charge: BillingCharge): PaymentStatus {
  const { state, nextTryAtMs, lastErrorCode } = charge;
  if (state === 'CHARGED' || state === 'SKIPPED') return 'PAID';
  if (state === 'WAITING') return 'PROCESSING';
  if (state === 'ACTION_REQUIRED') return 'CONFIRMATION_NEEDED';
  if (state !== 'RETRYING') return 'UNPAID';
  if (nextTryAtMs !== undefined) return nextAllowedTryMs(charge) === undefined ? 'UNPAID' : 'RETRYING';
  const declineClass = classifyDecline(lastErrorCode);
  if (declineClass === 'NEVER') return 'UNPAID';
  if (declineClass === 'NEW_METHOD') return 'METHOD_NEEDED';
  return declineClass === 'CONFIRM' ? 'CONFIRMATION_NEEDED' : 'RETRYING';
}

const ACTION_BY_STATE = {
  ACTION_REQUIRED: 'billing_cycle_action_required',
  RETRYING: 'billing_cycle_declined',
  ENDED: 'billing_cycle_not_charged',
  REPORTED: 'billing_cycle_not_charged',
} as const;

/** Returns the message of the charge's timeline entry, and the message that says when the payment is tried again. */
function listMessages(charge: BillingCharge, nextTryMs: number | undefined): readonly Message[] {
  const { state, cycleIndex, expectedAtMs, lastErrorCode = null, reason = null } = charge;
  if (!Object.hasOwn(ACTION_BY_STATE, state)) return [];
  const timelineAction = ACTION_BY_STATE[state as keyof typeof ACTION_BY_STATE];
  const expectedDate = formatInstant(floorToSecond(expectedAtMs));
  const orderDetails = { billingCycleIndex: cycleIndex, expectedDate };
  const messageDetails = { ...orderDetails, errorCode: lastErrorCode, notChargedReason: reason };
  const timelineMessage = eventMessage(
    { action: timelineAction, details: messageDetails, changes: [] },
    message('whoService'),
  );
  const nextTryMessages = nextTryMs === undefined ? [] : [message('paymentNextTry', { day: nextTryMs })];
  return [timelineMessage, ...nextTryMessages];
}

/** Returns the message that says what the service does if the order stays unpaid; none while billing is stopped. */
function listFinalActionMessages(
  charge: BillingCharge,
  { mayTry, settings }: PaymentContext,
): readonly Message[] {
  if (charge.state !== 'RETRYING' || !mayTry) return [];
  const declineClass = classifyDecline(charge.lastErrorCode);
  // Such an order is reported to the store.
  if (declineClass === 'MERCHANT' || declineClass === 'PAID') return [];
  const action = chooseFinalAction(charge, settings);
  return action === 'LEAVE' ? [] : [message('paymentIfUnpaid', { action })];
}
