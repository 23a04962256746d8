/** Decides what is done about a charge when its reminder is due. */
import { classifyDecline } from '../../timeline/decline-class.ts';
import { type BillingCharge, type BillingChargeReason, isOpenCharge } from '../records/charge-record.ts';

/**
 * - CHARGE: the order is read again; then it is charged, an attempt of it is recorded, or its charge is closed, as in a run.
 * - ASK: the customer is asked for another payment method (`askForMethod`).
 * - END: no try follows; the order is read again, and if nothing else closes the charge, the final action is taken
 *   (`endCharge`).
 * - GIVE_UP: the customer has not confirmed the payment for a week: REPORTED, NO_OUTCOME.
 * - EXPIRE: the order is paid; if it was the contract's last one, the contract expires (`expireContract`).
 * - RECORD: the charge was closed unpaid; its entry is recorded (`recordUnpaidOrder`).
 * - NONE: the reminder is void, because the charge's `remindAtMs` is another time.
 */
export type DueStep = 'ASK' | 'CHARGE' | 'END' | 'EXPIRE' | 'GIVE_UP' | 'NONE' | 'RECORD';

/** Returns the step of a reminder for `reminder.atMs`. A reminder of another time than the charge's is void. */
export function decideDueStep(charge: BillingCharge, reminder: { readonly atMs: number }): DueStep {
  const { state, remindAtMs, nextTryAtMs, endsAtMs, finalAction } = charge;
  if (remindAtMs !== reminder.atMs) return 'NONE';
  if (!isOpenCharge(charge)) return state === 'CHARGED' ? 'EXPIRE' : 'RECORD';
  // An order with a final action is reminded of that action, not of the end of its week.
  if (state === 'ACTION_REQUIRED') return finalAction === undefined ? 'GIVE_UP' : 'END';
  if (state !== 'RETRYING' || nextTryAtMs !== undefined) return 'CHARGE';
  return endsAtMs !== undefined && endsAtMs > remindAtMs ? 'ASK' : 'END';
}

/**
 * Returns how a charge ends when no try follows. The final action is taken only after TRIES_OVER and NEVER_RETRIED.
 * `isCovered`: whether billing is on for the order.
 */
export function decideEnd(
  { lastErrorCode }: Pick<BillingCharge, 'lastErrorCode'>,
  isCovered: boolean,
): { readonly state: 'ENDED' | 'REPORTED'; readonly reason: BillingChargeReason } {
  const declineClass = classifyDecline(lastErrorCode);
  if (declineClass === 'PAID') return { state: 'REPORTED', reason: 'PAID_ELSEWHERE' };
  if (!isCovered) return { state: 'ENDED', reason: 'BILLING_OFF' };
  if (declineClass === 'MERCHANT') return { state: 'REPORTED', reason: 'MERCHANT_ACCOUNT' };
  return { state: 'ENDED', reason: declineClass === 'NEVER' ? 'NEVER_RETRIED' : 'TRIES_OVER' };
}
