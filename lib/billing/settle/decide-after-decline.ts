/**
 * What follows a declined attempt, by the class of its code and the store's retry schedule. The billing function does it
 * when the charge's reminder is due: this decision only names the time.
 */
import { classifyDecline, type DeclineClass } from '../../timeline/decline-class.ts';
import type { BillingSettings, RetrySettings } from '../records/settings-record.ts';
import { hourAfter, type StoreHour } from './hour-after.ts';

/** A failed attempt of an order, of any client. */
export type DeclinedTry = {
  /** How many failed attempts of the order the schedule counts. */
  readonly scheduledTryCount: number;
  /** When the last attempt that the schedule counts ended: the retry days are counted from then. */
  readonly scheduledFromMs: number;
  /** The platform's code; null when it gave none. */
  readonly errorCode: string | null;
  readonly endedAtMs: number;
};

/** When the charge is tried again, or ends: see `decideDueStep`. */
type RetryPlan = {
  readonly state: 'RETRYING';
  readonly nextTryAtMs: number | undefined;
  /** When the order ends, if no try follows by itself. */
  readonly endsAtMs: number | undefined;
  readonly remindAtMs: number;
};

/**
 * Returns what a decline changes in the charge (`withChargeChange`). The n-th number of the schedule follows the n-th failed
 * try that it counts. A try that the customer has caused changes none of the times. Where no try follows by
 * itself, the order ends: at once, or after all the days that are left if the customer can help.
 */
export function decideAfterDecline(
  { scheduledTryCount, scheduledFromMs, errorCode, endedAtMs }: DeclinedTry,
  settings: Pick<BillingSettings, 'declined' | 'enabled' | 'hour' | 'outOfStock'>,
  { shopId, timeZone }: Omit<StoreHour, 'hour'>,
): RetryPlan {
  const declineClass = classifyDecline(errorCode);
  const hasNoRetries = declineClass === 'NEVER' || declineClass === 'PAID' || !settings.enabled;
  const days = hasNoRetries
    ? []
    : retrySettingsOfClass(declineClass, settings).retryAfterDays.slice(scheduledTryCount - 1);
  const store = { shopId, timeZone, hour: settings.hour };
  const retryTimes = days
    .map((_, index) => days.slice(0, index + 1).reduce((sum, each) => sum + each, 0))
    .map((daysTogether) => hourAfter(store, scheduledFromMs, daysTogether))
    .filter((atMs) => atMs > endedAtMs);
  if (needsCustomer(declineClass)) return planEnd(retryTimes.at(-1) ?? endedAtMs);
  const [nextTryAtMs] = retryTimes;
  if (nextTryAtMs === undefined) return planEnd(endedAtMs);
  return { state: 'RETRYING', nextTryAtMs, endsAtMs: undefined, remindAtMs: nextTryAtMs };
}

function planEnd(endsAtMs: number): RetryPlan {
  return { state: 'RETRYING', nextTryAtMs: undefined, endsAtMs, remindAtMs: endsAtMs };
}

/** Whether no attempt succeeds before the customer has acted: a confirmation, another payment method, another address. */
export function needsCustomer(declineClass: DeclineClass): boolean {
  return declineClass === 'CONFIRM' || declineClass === 'NEW_METHOD';
}

/** Returns the retry schedule and the final action of a class. */
export function retrySettingsOfClass(
  declineClass: DeclineClass,
  { declined, outOfStock }: Pick<BillingSettings, 'declined' | 'outOfStock'>,
): RetrySettings {
  return declineClass === 'STOCK' || declineClass === 'MERCHANT' ? outOfStock : declined;
}
