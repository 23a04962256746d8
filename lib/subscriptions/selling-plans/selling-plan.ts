/**
 * A selling plan determines the frequencies, days and discount of a contract's lines. It has a position in its group.
 */
import { connectionPoints } from '../../platform/admin-api/query-points.ts';
import { deliveriesPerPayment, type Frequency, frequencyOf, isSameFrequency } from './frequency.ts';
import type { PlanPricingPolicy } from './plan-price.ts';
import { PRICING_POLICIES } from './plan-price.ts';

export type Anchor = {
  /** WEEKDAY, MONTHDAY or YEARDAY. */
  readonly type: string;
  readonly day: number;
  readonly month: number | null;
  readonly cutoffDay: number | null;
};

/** The minimum and maximum number of orders. */
export type CycleLimits = { readonly minCycles: number | null; readonly maxCycles: number | null };

export type SellingPlan = {
  readonly id: string;
  readonly name: string;
  /** The plan's position in its group, from 1. */
  readonly position: number | null;
  readonly pricingPolicies: readonly PlanPricingPolicy[];
  /** Both policies are empty for a plan that does not repeat. Both have the same days. */
  readonly billingPolicy: Partial<Frequency> & Partial<CycleLimits>;
  readonly deliveryPolicy: Partial<Frequency> & { readonly anchors?: readonly Anchor[] };
};

export type SellingPlanGroup = { readonly sellingPlans: { readonly nodes: readonly SellingPlan[] } };

/** The selection of `SellingPlan`. Many plans are read together, and each object in it costs points. */
export const SELLING_PLAN = `id name position ${PRICING_POLICIES}
  billingPolicy { ... on SellingPlanRecurringBillingPolicy { interval intervalCount minCycles maxCycles } }
  deliveryPolicy { ... on SellingPlanRecurringDeliveryPolicy { interval intervalCount anchors { type day month cutoffDay } } }`;

/** A plan with its pricing policies, their adjustments, its frequencies and days. */
const PLAN_POINTS = 6;
/** Each group costs points, so only the first groups are read. */
const GROUPS = 7;
/** The platform's limit of plans in a group. */
const PLANS_OF_GROUP = 31;

/** Selects the groups below a product or a variant. */
export const SELLING_PLAN_GROUPS = `sellingPlanGroups(first: ${GROUPS}) { nodes { id sellingPlans(first: ${PLANS_OF_GROUP}) { nodes { ${SELLING_PLAN} } } } }`;
/** The points of the selection. */
export const SELLING_PLAN_GROUPS_POINTS = connectionPoints(
  1 + connectionPoints(PLAN_POINTS, PLANS_OF_GROUP),
  GROUPS,
);

/** @returns undefined when the plan does not repeat, or its payments cover no whole number of deliveries */
export function deliveriesPerPaymentOf({ billingPolicy, deliveryPolicy }: SellingPlan): number | undefined {
  const [billing, delivery] = [frequencyOf(billingPolicy), frequencyOf(deliveryPolicy)];
  if (billing === undefined || delivery === undefined) return undefined;
  return deliveriesPerPayment({ billingPolicy: billing, deliveryPolicy: delivery });
}

export function hasFrequencies(
  { billingPolicy, deliveryPolicy }: SellingPlan,
  other: { readonly billingPolicy: Frequency; readonly deliveryPolicy: Frequency },
): boolean {
  return (
    isSameFrequency(frequencyOf(billingPolicy), other.billingPolicy) &&
    isSameFrequency(frequencyOf(deliveryPolicy), other.deliveryPolicy)
  );
}

/**
 * Whether the plan has the contract's end. A plan that is sold for a limited number of orders is no plan to change
 * to.
 */
export function endsAlike(
  { billingPolicy }: SellingPlan,
  { maxCycles }: Pick<CycleLimits, 'maxCycles'>,
): boolean {
  return (billingPolicy.maxCycles ?? null) === null || billingPolicy.maxCycles === maxCycles;
}

/** Returns the days in a comparable form. */
export function anchorsText(anchors: readonly Anchor[] = []): string {
  return JSON.stringify(anchors.map(({ type, day, month, cutoffDay }) => [type, day, month, cutoffDay]));
}

/** Returns frequencies and days in a comparable form: all lines of a contract must share them. */
export function termsText({ billingPolicy: billing, deliveryPolicy: delivery }: SellingPlan): string {
  const frequencies = [billing, delivery].map(({ interval, intervalCount }) => [interval, intervalCount]);
  return JSON.stringify([frequencies, anchorsText(delivery.anchors)]);
}

/** Returns the plan's discounts and when they apply, in a comparable form. */
export function pricingText({ pricingPolicies }: SellingPlan): string {
  const steps = pricingPolicies.map(({ adjustmentType, adjustmentValue, afterCycle }) => [
    afterCycle ?? 0,
    adjustmentType,
    adjustmentValue.percentage ?? null,
    adjustmentValue.amount === undefined ? null : Number(adjustmentValue.amount),
  ]);
  return JSON.stringify(steps.sort(([one], [other]) => Number(one) - Number(other)));
}

/** Compares by position, lowest first; the id decides between plans of several groups. */
export function byPosition(one: SellingPlan, other: SellingPlan): number {
  const [first, second] = [one.position ?? Infinity, other.position ?? Infinity];
  if (first !== second) return first - second;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}
