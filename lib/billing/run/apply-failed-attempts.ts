/** Applies to a charge the failed attempts of its order that it has not counted yet: those of other clients count, too. */
import { timeZoneOf } from '../../storage/stores.ts';
import { toAttemptOutcome } from '../../timeline/attempt-outcome.ts';
import { classifyDecline } from '../../timeline/decline-class.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { type BillingCharge, withChargeChange } from '../records/charge-record.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { decideAfterAttempt } from '../settle/decide-after-attempt.ts';
import { needsCustomer } from '../settle/decide-after-decline.ts';
import { withRetryNow } from '../settle/retry-charge.ts';
import { wasMethodChangedSince } from './read-order-context.ts';
import type { OrderState } from './read-orders.ts';

type FailedAttemptsDeps = { readonly now: () => number; readonly timeline: Pick<Timeline, 'readEvents'> };
type ChargeOfTurn = {
  readonly turn: Pick<BillingTurn, 'settings' | 'store'>;
  readonly charge: BillingCharge;
};

/**
 * Returns the charge after the order's failed attempts, which are applied oldest first. If the payment method was changed
 * after the last decline, the charge is planned to be tried now.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function applyFailedAttempts(
  deps: FailedAttemptsDeps,
  { turn, charge }: ChargeOfTurn,
  { billingAttempts, status }: OrderState,
): Promise<BillingCharge> {
  if (status === 'BILLED') return charge;
  const decisionContext = { settings: turn.settings, timeZone: timeZoneOf(turn.store), nowMs: deps.now() };
  let countedCharge = charge;
  let lastEndedAt: string | undefined;
  for (const attempt of billingAttempts.nodes.toReversed()) {
    const outcome = toAttemptOutcome(attempt);
    if (outcome.kind !== 'declined') continue;
    const change = decideAfterAttempt(countedCharge, { attempt, outcome }, decisionContext);
    if (typeof change === 'string') continue;
    countedCharge = withChargeChange(countedCharge, change);
    lastEndedAt = attempt.completedAt ?? attempt.createdAt;
  }
  if (lastEndedAt === undefined || !mayMethodHelp(countedCharge)) return countedCharge;
  const wasMethodChanged = await wasMethodChangedSince(deps, countedCharge, Date.parse(lastEndedAt));
  return wasMethodChanged ? withRetryNow(countedCharge, deps.now()) : countedCharge;
}

function mayMethodHelp({ state, lastErrorCode }: BillingCharge): boolean {
  const declineClass = classifyDecline(lastErrorCode);
  return state === 'RETRYING' && (needsCustomer(declineClass) || declineClass === 'RETRY_LATER');
}
