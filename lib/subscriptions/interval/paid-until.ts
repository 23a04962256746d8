/**
 * A payment for several deliveries pays for a stretch of time. Another interval brings no order into that time, unless the
 * client asks for one.
 */
import { type Instant, parseInstant } from '../../domain/instant.ts';
import { type BillingCycle, isAhead } from '../cycles/billing-cycle.ts';
import type { OperationDeps } from '../operation.ts';
import { deliveriesPerPayment } from '../selling-plans/frequency.ts';
import { eventsDuring } from './events-during.ts';
import type { IntervalState } from './interval-state.ts';
import { tiedToDelivery } from './refuse-more-gifts.ts';

/** A charge can come so much before its date. */
const EARLY_MS = 86_400_000;

/**
 * Returns the date of the next order as it is before the change. Where the store gives something with each delivery, an
 * order that was moved forward counts by its own date.
 * @returns undefined when each payment is for one delivery, or the last one was not made, or was before the present interval
 */
export async function paidUntil(
  deps: Pick<OperationDeps, 'now' | 'readEvents' | 'store'>,
  state: IntervalState,
): Promise<Instant | undefined> {
  const { contract, _svcNear: near } = state;
  if ((deliveriesPerPayment(contract) ?? 1) === 1) return undefined;
  const ahead = near?.nodes.filter((cycle) => isAhead(cycle, deps.now())) ?? [];
  // A skipped order ends what is paid for, too.
  const [end] = ahead;
  const next = ahead.find(({ skipped }) => !skipped);
  if (end === undefined || next === undefined || !isPaidBefore(end, state)) return undefined;
  const of = { shopId: deps.store.shopId, contractId: contract.id };
  const entries = await eventsDuring(deps, of, Date.parse(end.cycleStartAt) - EARLY_MS);
  const changedAt = entries.findLastIndex(({ changes }) => changes.some(({ field }) => POLICIES.has(field)));
  const paidAt = entries.findLastIndex(
    ({ action, details }) =>
      action === 'billing_cycle_charged' && details.billingCycleIndex === end.cycleIndex - 1,
  );
  if (changedAt > paidAt) return undefined;
  const { billingAttemptExpectedDate: dueAt, cycleEndAt: endAt } = next;
  const isMovedForward = dueAt < endAt && tiedToDelivery(contract) !== undefined;
  return parseInstant(isMovedForward ? endAt : dueAt);
}

const POLICIES: ReadonlySet<string> = new Set(['billingPolicy', 'deliveryPolicy']);

/** Whether the order before is paid. Cycles count from 1; a checkout paid for what comes before the first one. */
function isPaidBefore({ cycleIndex }: BillingCycle, { _svcNear: near, _svcCycles: until }: IntervalState) {
  const isBefore = (cycle: BillingCycle) => cycle.cycleIndex === cycleIndex - 1;
  const before = near?.nodes.find(isBefore) ?? until?.nodes[cycleIndex - 2];
  return cycleIndex === 1 || before?.status === 'BILLED';
}
