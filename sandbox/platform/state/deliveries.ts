/** The deliveries of one payment: their number and their due dates. */
import { computeNthAnchoredDay } from './anchors.ts';
import type { FrequencyPolicy, SellingPlanRecord } from './catalogue-records.ts';
import { addCalendarUnits, DAY_MS } from './instant.ts';

const UNIT_AND_LENGTH_BY_INTERVAL = {
  DAY: ['days', 1],
  WEEK: ['days', 7],
  MONTH: ['months', 1],
  YEAR: ['months', 12],
} as const;

/**
 * Returns the number of deliveries for one billing.
 * @returns null when it is not a whole number; days and months are not comparable
 */
export function countDeliveriesPerPayment(policies: {
  billingPolicy: FrequencyPolicy;
  deliveryPolicy: FrequencyPolicy;
}): number | null {
  const [billingUnit, billingLength] = computeIntervalLength(policies.billingPolicy);
  const [deliveryUnit, deliveryLength] = computeIntervalLength(policies.deliveryPolicy);
  const isMultiple = billingUnit === deliveryUnit && billingLength % deliveryLength === 0;
  return isMultiple && billingLength >= deliveryLength ? billingLength / deliveryLength : null;
}

function computeIntervalLength({
  interval,
  intervalCount,
}: FrequencyPolicy): [unit: 'days' | 'months', length: number] {
  const [unit, length] = UNIT_AND_LENGTH_BY_INTERVAL[interval];
  return [unit, length * intervalCount];
}

/**
 * Returns the due dates of a payment's deliveries in epoch milliseconds: from its origin time at the delivery interval,
 * or on the anchored days from that day.
 */
export function listDeliveryDates(
  deliveryPolicy: FrequencyPolicy,
  originMs: number,
  count: number,
): number[] {
  const { interval, intervalCount, anchors } = deliveryPolicy;
  return Array.from({ length: count }, (_, index) =>
    anchors.length === 0
      ? addCalendarUnits(originMs, interval, index * intervalCount)
      : computeNthAnchoredDay(deliveryPolicy, { afterMs: originMs - DAY_MS, n: index + 1, skipped: 0 }),
  );
}

type PlanDeliveryPolicy = SellingPlanRecord['deliveryPolicy'];

/**
 * Returns the due dates for a checkout's order. Without anchors the first delivery is due immediately. With anchors the
 * plan decides: ASAP sends it immediately and the others on the following anchored days; NEXT sends it on the first
 * such day, or on the second after the cutoff.
 */
export function listCheckoutDeliveryDates(policy: PlanDeliveryPolicy, atMs: number, count: number): number[] {
  if (policy.anchors.length === 0) return listDeliveryDates(policy, atMs, count);
  const anchoredDates = Array.from({ length: count + 1 }, (_, index) =>
    computeNthAnchoredDay(policy, { afterMs: atMs, n: index + 1, skipped: 0 }),
  );
  if (policy.preAnchorBehavior === 'ASAP') return [atMs, ...anchoredDates].slice(0, count);
  const isAfterCutoff = (anchoredDates[0] ?? atMs) - atMs < (policy.cutoff ?? 0) * DAY_MS;
  return isAfterCutoff ? anchoredDates.slice(1) : anchoredDates.slice(0, count);
}
