/** What is done about a charge when its reminder is due. */
import { classifyDecline } from '../../timeline/decline-class.ts';
import { type BillingCharge, type BillingChargeReason, isOpenCharge } from '../records/charge-record.ts';

/**
 * - CHARGE: the order is read again and then charged, adopted or closed, as in a run.
 * - END: no try follows; after the same read the final action is taken (`endCharge`), if nothing else closes the charge.
 * - RECORD: the charge is closed, and its entry is still to be recorded (`recordUnpaidOrder`).
 * - NONE: the reminder is of another time, or nothing is to be done.
 */
export type DueStep = 'CHARGE' | 'END' | 'NONE' | 'RECORD';

/** Returns the step of a reminder for `reminder.atMs`. A reminder of another time than the charge's is void. */
export function decideDueStep(charge: BillingCharge, reminder: { readonly atMs: number }): DueStep {
  if (charge.remindAtMs !== reminder.atMs) return 'NONE';
  if (!isOpenCharge(charge)) return 'RECORD';
  return charge.state === 'RETRYING' && charge.nextTryAtMs === undefined ? 'END' : 'CHARGE';
}

/** Where a charge ends when no try follows, by the class of its last decline. REPORTED has no final action. */
export function decideEnd({ lastErrorCode }: Pick<BillingCharge, 'lastErrorCode'>): {
  readonly state: 'ENDED' | 'REPORTED';
  readonly reason: BillingChargeReason;
} {
  const declineClass = classifyDecline(lastErrorCode);
  if (declineClass === 'MERCHANT') return { state: 'REPORTED', reason: 'MERCHANT_ACCOUNT' };
  if (declineClass === 'PAID') return { state: 'REPORTED', reason: 'PAID_ELSEWHERE' };
  return { state: 'ENDED', reason: declineClass === 'NEVER' ? 'NEVER_RETRIED' : 'TRIES_OVER' };
}
