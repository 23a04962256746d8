/**
 * Which billing and delivery policy a contract gets with another interval. Pure: what a plan offers, how many
 * deliveries one payment is for, which anchors still fit.
 */
import type { OperationError } from './operation-error.ts';

/** As the platform's SellingPlanInterval. */
export type Rhythm = { readonly interval: string; readonly intervalCount: number };

export type Anchor = {
  /** WEEKDAY, MONTHDAY or YEARDAY. */
  readonly type: string;
  readonly day: number;
  readonly month: number | null;
  readonly cutoffDay: number | null;
};

export type DeliveryPolicy = Rhythm & { readonly anchors: readonly Anchor[] };
export type BillingPolicy = DeliveryPolicy & {
  readonly minCycles: number | null;
  readonly maxCycles: number | null;
};
export type Policies = { readonly billingPolicy: BillingPolicy; readonly deliveryPolicy: DeliveryPolicy };

/** A selling plan's policies; a fixed one, which does not repeat, has no fields here. */
export type PlanPolicies = {
  readonly id: string;
  readonly billingPolicy: Partial<DeliveryPolicy>;
  readonly deliveryPolicy: Partial<DeliveryPolicy>;
};

export type IntervalWish = {
  readonly now: Policies;
  /** At least one of `interval` and `plan`. */
  readonly interval: Rhythm | undefined;
  readonly plan: PlanPolicies | undefined;
  /** The plans that each line is sold under; undefined: whoever asks may choose any interval. */
  readonly offered: readonly (readonly PlanPolicies[])[] | undefined;
};

/** The policies, or INTERVAL_NOT_OFFERED, ANCHORS_DO_NOT_FIT, INVALID. Limits of cycles stay as they are. */
export function policiesFor(wish: IntervalWish): Policies | OperationError {
  const { now, plan, interval } = wish;
  const planned = plan === undefined ? undefined : rhythmOf(plan.billingPolicy);
  if (plan !== undefined && planned === undefined) {
    return error('sellingPlanId', 'The selling plan does not repeat.', 'INVALID');
  }
  const billing = interval ?? planned;
  if (billing === undefined) return error('interval', 'Give an interval or a selling plan.', 'INVALID');
  const delivery = deliveryFor(wish, billing);
  if ('message' in delivery) return delivery;
  const anchored = {
    billing: anchorsFor(wish, 'billingPolicy'),
    delivery: anchorsFor(wish, 'deliveryPolicy'),
  };
  const misfits = [
    ...misfitsOf('billing', anchored.billing, billing),
    ...misfitsOf('delivery', anchored.delivery, delivery),
  ];
  if (misfits.length > 0) {
    const message = `These anchors do not fit ${everyText(billing)}: ${misfits.join(', ')}.`;
    return error(fieldOf(wish), message, 'ANCHORS_DO_NOT_FIT');
  }
  const { minCycles, maxCycles } = now.billingPolicy;
  return {
    billingPolicy: { ...bare(billing), anchors: anchored.billing, minCycles, maxCycles },
    deliveryPolicy: { ...bare(delivery), anchors: anchored.delivery },
  };
}

/** Whether two policies are the same rhythm with the same anchors. */
export function isSamePolicy(one: DeliveryPolicy, other: DeliveryPolicy): boolean {
  const texts = [one, other].map(({ interval, intervalCount, anchors }) =>
    JSON.stringify([
      interval,
      intervalCount,
      anchors.map(({ type, day, month, cutoffDay }) => [type, day, month, cutoffDay]),
    ]),
  );
  return texts[0] === texts[1];
}

/** `2 weeks`, `every`-less; `1 month`. */
export function everyText({ interval, intervalCount }: Rhythm): string {
  const unit = interval.toLowerCase();
  return intervalCount === 1 ? `every ${unit}` : `every ${intervalCount} ${unit}s`;
}

function deliveryFor(wish: IntervalWish, billing: Rhythm): Rhythm | OperationError {
  const { plan, interval, offered, now } = wish;
  const planned = plan === undefined ? undefined : rhythmOf(plan.deliveryPolicy);
  const isPlanned = plan !== undefined && isSameRhythm(rhythmOf(plan.billingPolicy), billing);
  if (offered === undefined) return isPlanned && planned ? planned : spread(now, billing);
  if (plan !== undefined) {
    const isEverywhere = offered.every((plans) => plans.some(({ id }) => id === plan.id));
    if (!isEverywhere) {
      const message = 'Not every product of the subscription is sold under this selling plan.';
      return error('sellingPlanId', message, 'INTERVAL_NOT_OFFERED');
    }
    if (isPlanned) return planned ?? billing;
    const message = 'The selling plan has another interval. Leave one of the two out.';
    return error('interval', message, 'INTERVAL_NOT_OFFERED');
  }
  const deliveries = commonDeliveries(offered, interval ?? billing);
  const wanted = spread(now, billing);
  const found =
    deliveries.find((one) => isSameRhythm(one, 'message' in wanted ? undefined : wanted)) ??
    deliveries.find((one) => isSameRhythm(one, billing)) ??
    deliveries[0];
  if (found !== undefined) return found;
  const message = `Not every product of the subscription is sold ${everyText(billing)}.`;
  return error('interval', message, 'INTERVAL_NOT_OFFERED');
}

/** How each line can be delivered under a plan that bills in this rhythm; what all of them share. */
function commonDeliveries(offered: NonNullable<IntervalWish['offered']>, billing: Rhythm): Rhythm[] {
  const [first = [], ...others] = offered.map((plans) =>
    plans
      .filter((plan) => isSameRhythm(rhythmOf(plan.billingPolicy), billing))
      .flatMap(({ deliveryPolicy }) => rhythmOf(deliveryPolicy) ?? []),
  );
  return first.filter((one) =>
    others.every((deliveries) => deliveries.some((other) => isSameRhythm(one, other))),
  );
}

const LENGTHS: Readonly<Record<string, readonly [base: string, length: number]>> = {
  DAY: ['DAY', 1],
  WEEK: ['DAY', 7],
  MONTH: ['MONTH', 1],
  YEAR: ['MONTH', 12],
};

/** As many deliveries for one payment as now: a prepaid subscription stays one. */
function spread({ billingPolicy, deliveryPolicy }: Policies, billing: Rhythm): Rhythm | OperationError {
  const perPayment = lengthOf(billingPolicy).length / lengthOf(deliveryPolicy).length;
  if (perPayment === 1) return billing;
  const { base, length } = lengthOf(billing);
  const each = length / perPayment;
  if (lengthOf(billingPolicy).base !== lengthOf(deliveryPolicy).base || !Number.isInteger(each)) {
    const message = `One payment is for ${perPayment} deliveries, which cannot be spread evenly over an order ${everyText(billing)}.`;
    return error('interval', message, 'INVALID');
  }
  const unitLength = LENGTHS[billing.interval]?.[1] ?? 1;
  return each % unitLength === 0
    ? { interval: billing.interval, intervalCount: each / unitLength }
    : { interval: base, intervalCount: each };
}

function lengthOf({ interval, intervalCount }: Rhythm) {
  const [base, length] = LENGTHS[interval] ?? [interval, 1];
  return { base, length: length * intervalCount };
}

/** The plan's own anchors, else the contract's. */
function anchorsFor(
  { now, plan }: IntervalWish,
  policy: 'billingPolicy' | 'deliveryPolicy',
): readonly Anchor[] {
  const planned = plan?.[policy].anchors ?? [];
  return planned.length > 0 ? planned : now[policy].anchors;
}

const FITTING: Readonly<Record<string, string>> = { WEEK: 'WEEKDAY', MONTH: 'MONTHDAY', YEAR: 'YEARDAY' };
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function misfitsOf(what: string, anchors: readonly Anchor[], { interval }: Rhythm): string[] {
  return anchors
    .filter(({ type }) => type !== FITTING[interval])
    .map((anchor) => `${what} on ${named(anchor)}`);
}

function named({ type, day, month }: Anchor): string {
  if (type === 'WEEKDAY') return WEEKDAYS[day - 1] ?? `weekday ${day}`;
  return type === 'YEARDAY' ? `day ${day} of month ${month}` : `day ${day} of the month`;
}

function rhythmOf({ interval, intervalCount }: Partial<DeliveryPolicy>): Rhythm | undefined {
  return interval === undefined || intervalCount === undefined ? undefined : { interval, intervalCount };
}

function bare({ interval, intervalCount }: Rhythm): Rhythm {
  return { interval, intervalCount };
}

/** Whether both are there, and the same. */
export function isSameRhythm(one: Rhythm | undefined, other: Rhythm | undefined): boolean {
  return one !== undefined && one.interval === other?.interval && one.intervalCount === other.intervalCount;
}

function fieldOf({ interval }: IntervalWish): string {
  return interval === undefined ? 'sellingPlanId' : 'interval';
}

function error(field: string, message: string, code: string): OperationError {
  return { field: [field], message, code };
}
