/**
 * Decides when an order is tried again, or ends, after a declined attempt: by the class of the decline's code and the
 * store's retry schedule. The billing function acts when the charge's reminder is due.
 */
import { classifyDecline, type DeclineClass } from '../../timeline/decline-class.ts';
import type { BillingCharge } from '../records/charge-record.ts';
import type { BillingFinalAction, BillingSettings, RetrySettings } from '../records/settings-record.ts';
import { runStartAfterDays, type StoreHour } from './run-start-after-days.ts';

/** A declined attempt of an order, of any client. */
export type DeclinedTry = {
  /** How many failed attempts of the order the schedule counts. */
  readonly scheduledTryCount: number;
  /** When the last attempt that the schedule counts ended: the retry days are counted from then. */
  readonly scheduledFromMs: number;
  /** The platform's code of the decline; null when it gave none. */
  readonly errorCode: string | null;
  readonly endedAtMs: number;
};

/** When the charge is tried again, or ends: see `decideDueStep`. */
type RetryPlan = {
  readonly state: 'RETRYING';
  readonly nextTryAtMs: number | undefined;
  /** When the order ends, if `nextTryAtMs` is undefined. */
  readonly endsAtMs: number | undefined;
  readonly remindAtMs: number;
};

/**
 * Returns what a decline changes in the charge (`withChargeChange`). After the n-th failed try that the schedule counts, the
 * n-th number of days passes until the next try. A try that the customer has caused does not change the times. Without a
 * next try the order ends: at once, or, if only the customer can help, after all remaining days of the schedule.
 */
export function decideAfterDecline(
  { scheduledTryCount, scheduledFromMs, errorCode, endedAtMs }: DeclinedTry,
  settings: Pick<BillingSettings, 'declined' | 'enabled' | 'hour' | 'outOfStock'>,
  { shopId, timeZone }: Omit<StoreHour, 'hour'>,
): RetryPlan {
  const declineClass = classifyDecline(errorCode);
  const hasNoRetries = declineClass === 'NEVER' || declineClass === 'PAID' || !settings.enabled;
  const remainingRetryDays = hasNoRetries
    ? []
    : retrySettingsOfClass(declineClass, settings).retryAfterDays.slice(scheduledTryCount - 1);
  const store = { shopId, timeZone, hour: settings.hour };
  const retryTimes = remainingRetryDays
    .map((_, index) => remainingRetryDays.slice(0, index + 1).reduce((sum, each) => sum + each, 0))
    .map((daysTogether) => runStartAfterDays(store, scheduledFromMs, daysTogether))
    .filter((atMs) => atMs > endedAtMs);
  if (needsCustomer(declineClass)) return planEnd(retryTimes.at(-1) ?? endedAtMs);
  const [nextTryAtMs] = retryTimes;
  if (nextTryAtMs === undefined) return planEnd(endedAtMs);
  return { state: 'RETRYING', nextTryAtMs, endsAtMs: undefined, remindAtMs: nextTryAtMs };
}

function planEnd(endsAtMs: number): RetryPlan {
  return { state: 'RETRYING', nextTryAtMs: undefined, endsAtMs, remindAtMs: endsAtMs };
}

/** Whether no attempt can succeed before the customer confirms the payment, or changes the payment method or the address. */
export function needsCustomer(declineClass: DeclineClass): boolean {
  return declineClass === 'CONFIRM' || declineClass === 'NEW_METHOD';
}

/** Returns the retry schedule and the final action that the settings have for a class of declines. */
function retrySettingsOfClass(
  declineClass: DeclineClass,
  { declined, outOfStock }: Pick<BillingSettings, 'declined' | 'outOfStock'>,
): RetrySettings {
  return declineClass === 'STOCK' || declineClass === 'MERCHANT' ? outOfStock : declined;
}

/** Returns what the service does when the tries of the order are over: what the charge names, or the setting for its last decline. */
export function chooseFinalAction(
  { finalAction, lastErrorCode }: Pick<BillingCharge, 'finalAction' | 'lastErrorCode'>,
  settings: Pick<BillingSettings, 'declined' | 'outOfStock'>,
): BillingFinalAction {
  return finalAction ?? retrySettingsOfClass(classifyDecline(lastErrorCode), settings).finalAction;
}
