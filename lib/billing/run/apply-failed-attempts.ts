/** Applies to a charge the failed attempts of its order that it does not have yet: attempts of others are tries, too. */
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
 * Returns the charge with the failed attempts, the oldest first. A payment method that came after the last decline has
 * helped: the order is tried now.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function applyFailedAttempts(
  deps: FailedAttemptsDeps,
  { turn, charge }: ChargeOfTurn,
  { billingAttempts, status }: OrderState,
): Promise<BillingCharge> {
  if (status === 'BILLED') return charge;
  const decisionContext = { settings: turn.settings, timeZone: timeZoneOf(turn.store), nowMs: deps.now() };
  let counted = charge;
  let lastEndedAt: string | undefined;
  for (const attempt of billingAttempts.nodes.toReversed()) {
    const outcome = toAttemptOutcome(attempt);
    if (outcome.kind !== 'declined') continue;
    const change = decideAfterAttempt(counted, { attempt, outcome }, decisionContext);
    if (typeof change === 'string') continue;
    counted = withChargeChange(counted, change);
    lastEndedAt = attempt.completedAt ?? attempt.createdAt;
  }
  if (lastEndedAt === undefined || !mayMethodHelp(counted)) return counted;
  const wasMethodChanged = await wasMethodChangedSince(deps, counted, Date.parse(lastEndedAt));
  return wasMethodChanged ? withRetryNow(counted, deps.now()) : counted;
}

function mayMethodHelp({ state, lastErrorCode }: BillingCharge): boolean {
  const declineClass = classifyDecline(lastErrorCode);
  return state === 'RETRYING' && (needsCustomer(declineClass) || declineClass === 'RETRY_LATER');
}
