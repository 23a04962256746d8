/** The deliveries of one payment: their number and their due dates. */
import { nthAnchoredDay } from './anchors.ts';
import type { FrequencyPolicy, SellingPlanRecord } from './catalogue-records.ts';
import { addInterval, dayMs } from './instant.ts';

const lengthByInterval = {
  DAY: ['days', 1],
  WEEK: ['days', 7],
  MONTH: ['months', 1],
  YEAR: ['months', 12],
} as const;

/**
 * Returns the number of deliveries for one billing.
 * @returns null when it is not a whole number; days and months are not comparable
 */
export function deliveriesPerPayment(policies: {
  billingPolicy: FrequencyPolicy;
  deliveryPolicy: FrequencyPolicy;
}): number | null {
  const [billingUnit, billingLength] = intervalLengthOf(policies.billingPolicy);
  const [deliveryUnit, deliveryLength] = intervalLengthOf(policies.deliveryPolicy);
  const fits = billingUnit === deliveryUnit && billingLength % deliveryLength === 0;
  return fits && billingLength >= deliveryLength ? billingLength / deliveryLength : null;
}

function intervalLengthOf({
  interval,
  intervalCount,
}: FrequencyPolicy): [unit: 'days' | 'months', length: number] {
  const [unit, length] = lengthByInterval[interval];
  return [unit, length * intervalCount];
}

/**
 * Returns the due dates of a payment's deliveries in epoch milliseconds: from its origin time at the delivery interval,
 * or on the anchored days from that day.
 */
export function deliveryDates(deliveryPolicy: FrequencyPolicy, originMs: number, count: number): number[] {
  const { interval, intervalCount, anchors } = deliveryPolicy;
  return Array.from({ length: count }, (_, index) =>
    anchors.length === 0
      ? addInterval(originMs, interval, index * intervalCount)
      : nthAnchoredDay(deliveryPolicy, { afterMs: originMs - dayMs, n: index + 1, skipped: 0 }),
  );
}

type PlanDelivery = SellingPlanRecord['deliveryPolicy'];

/**
 * Returns the due dates for a checkout's order. Without anchors the first delivery is due immediately. With anchors the
 * plan decides: ASAP sends it immediately and the others on the following anchored days; NEXT sends it on the first
 * such day, or on the second after the cutoff.
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
