/** What one payment is for: how many deliveries, and when each of them is due. */
import { nthAnchoredDay } from './anchors.ts';
import type { Policy, SellingPlanRecord } from './catalogue-records.ts';
import { addInterval, dayMs } from './instant.ts';

const lengths = { DAY: ['days', 1], WEEK: ['days', 7], MONTH: ['months', 1], YEAR: ['months', 12] } as const;

/** Deliveries that one billing pays for, or null: not a whole number. Days and months do not compare. */
export function deliveriesPerPayment(policies: {
  billingPolicy: Policy;
  deliveryPolicy: Policy;
}): number | null {
  const [billingUnit, billingLength] = lengthOf(policies.billingPolicy);
  const [deliveryUnit, deliveryLength] = lengthOf(policies.deliveryPolicy);
  const fits = billingUnit === deliveryUnit && billingLength % deliveryLength === 0;
  return fits && billingLength >= deliveryLength ? billingLength / deliveryLength : null;
}

function lengthOf({ interval, intervalCount }: Policy): [unit: 'days' | 'months', length: number] {
  const [unit, length] = lengths[interval];
  return [unit, length * intervalCount];
}

/**
 * When a payment's deliveries are due, epoch milliseconds: from its origin time on at the delivery rhythm, or on the
 * anchored days from that day on.
 */
export function deliveryDates(deliveryPolicy: Policy, originMs: number, count: number): number[] {
  const { interval, intervalCount, anchors } = deliveryPolicy;
  return Array.from({ length: count }, (_, index) =>
    anchors.length === 0
      ? addInterval(originMs, interval, index * intervalCount)
      : nthAnchoredDay(deliveryPolicy, { afterMs: originMs - dayMs, n: index + 1, skipped: 0 }),
  );
}

type PlanDelivery = SellingPlanRecord['deliveryPolicy'];

/**
 * The same for a checkout's order. Without anchors the first goes out at once. With them the plan says: ASAP at once and
 * the others on the days that follow, NEXT on the first such day, or the one after it once its cutoff has begun.
 */
export function checkoutDeliveryDates(policy: PlanDelivery, atMs: number, count: number): number[] {
  if (policy.anchors.length === 0) return deliveryDates(policy, atMs, count);
  const anchored = Array.from({ length: count + 1 }, (_, index) =>
    nthAnchoredDay(policy, { afterMs: atMs, n: index + 1, skipped: 0 }),
  );
  if (policy.preAnchorBehavior === 'ASAP') return [atMs, ...anchored].slice(0, count);
  const isCutOff = (anchored[0] ?? atMs) - atMs < (policy.cutoff ?? 0) * dayMs;
  return isCutOff ? anchored.slice(1) : anchored.slice(0, count);
}
