/**
 * Finds out how long the deliveries of the last payment last, if a payment covers several deliveries. An interval
 * change causes no order before then, unless the client requests a date.
 */
import { type Instant, parseInstant } from '../../domain/instant.ts';
import { type BillingCycle, isOrderUpcoming } from '../cycles/billing-cycle.ts';
import type { OperationDeps } from '../operation.ts';
import { deliveriesPerPayment } from '../selling-plans/frequency.ts';
import { findGiftsPerDelivery } from './find-increased-free-goods-error.ts';
import type { IntervalState } from './interval-state.ts';
import { readEventsSince } from './read-events-of-interval-change.ts';

/** The platform accepts a charge up to one day before its date. */
const MAX_CHARGE_EARLINESS_MS = 86_400_000;

/**
 * Returns the date until which deliveries are paid: the date of the next order before the change. If that order was
 * moved to an earlier date and a discount is tied to each delivery, returns the end of its cycle.
 * @returns undefined when each payment covers one delivery, the last order is not paid, or it was paid before the
 * present interval was set
 */
export async function findPaidUntilDate(
  deps: Pick<OperationDeps, 'now' | 'readEvents' | 'store'>,
  state: IntervalState,
): Promise<Instant | undefined> {
  const { contract, _svcNear: near } = state;
  if ((deliveriesPerPayment(contract) ?? 1) === 1) return undefined;
  const upcomingCycles = near?.nodes.filter((cycle) => isOrderUpcoming(cycle, deps.now())) ?? [];
  // The paid time ends with the next order even if that order is skipped.
  const [firstUpcomingCycle] = upcomingCycles;
  const nextOrderCycle = upcomingCycles.find(({ skipped }) => !skipped);
  if (
    firstUpcomingCycle === undefined ||
    nextOrderCycle === undefined ||
    !isPreviousOrderPaid(firstUpcomingCycle, state)
  )
    return undefined;
  const contractIdentity = { shopId: deps.store.shopId, contractId: contract.id };
  const recentEntries = await readEventsSince(
    deps,
    contractIdentity,
    Date.parse(firstUpcomingCycle.cycleStartAt) - MAX_CHARGE_EARLINESS_MS,
  );
  const changedAt = recentEntries.findLastIndex(({ changes }) =>
    changes.some(({ field }) => POLICY_FIELDS.has(field)),
  );
  const paidAt = recentEntries.findLastIndex(
    ({ action, details }) =>
      action === 'billing_cycle_charged' && details.billingCycleIndex === firstUpcomingCycle.cycleIndex - 1,
  );
  if (changedAt > paidAt) return undefined;
  const { billingAttemptExpectedDate: dueAt, cycleEndAt: endAt } = nextOrderCycle;
  const mustWaitForCycleEnd = dueAt < endAt && findGiftsPerDelivery(contract) !== undefined;
  return parseInstant(mustWaitForCycleEnd ? endAt : dueAt);
}

const POLICY_FIELDS: ReadonlySet<string> = new Set(['billingPolicy', 'deliveryPolicy']);

/**
 * Whether the order before this cycle is paid. Cycle indexes start at 1; the checkout paid for the time before the
 * first cycle.
 */
function isPreviousOrderPaid(
  { cycleIndex }: BillingCycle,
  { _svcNear: near, _svcCycles: until }: IntervalState,
) {
  const isBefore = (cycle: BillingCycle) => cycle.cycleIndex === cycleIndex - 1;
  const cycleBefore = near?.nodes.find(isBefore) ?? until?.nodes[cycleIndex - 2];
  return cycleIndex === 1 || cycleBefore?.status === 'BILLED';
}
