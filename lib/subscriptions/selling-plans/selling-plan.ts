/** A selling plan. It determines the frequencies, the delivery days and the discount of a contract's lines. */
import { countConnectionPoints } from '../../platform/admin-api/query-points.ts';
import { deliveriesPerPayment, type Frequency, isSameFrequency, toFrequency } from './frequency.ts';
import type { PlanPricingPolicy } from './plan-price.ts';
import { PRICING_POLICIES_SELECTION } from './plan-price.ts';

export type DeliveryAnchor = {
  /** WEEKDAY, MONTHDAY or YEARDAY. */
  readonly type: string;
  readonly day: number;
  readonly month: number | null;
  readonly cutoffDay: number | null;
};

/** The minimum and the maximum number of orders. */
export type CycleLimits = { readonly minCycles: number | null; readonly maxCycles: number | null };

export type SellingPlan = {
  readonly id: string;
  readonly name: string;
  /** The plan's position in its selling plan group, starting at 1. */
  readonly position: number | null;
  readonly pricingPolicies: readonly PlanPricingPolicy[];
  /** Both policies are empty objects for a plan that does not repeat. The platform gives both the same days. */
  readonly billingPolicy: Partial<Frequency> & Partial<CycleLimits>;
  readonly deliveryPolicy: Partial<Frequency> & { readonly anchors?: readonly DeliveryAnchor[] };
};

export type SellingPlanGroup = { readonly sellingPlans: { readonly nodes: readonly SellingPlan[] } };

/**
 * The selection that `SellingPlan` describes. It is short, because many plans are read together and each object costs
 * points.
 */
export const SELLING_PLAN_SELECTION = `id name position ${PRICING_POLICIES_SELECTION}
  billingPolicy { ... on SellingPlanRecurringBillingPolicy { interval intervalCount minCycles maxCycles } }
  deliveryPolicy { ... on SellingPlanRecurringDeliveryPolicy { interval intervalCount anchors { type day month cutoffDay } } }`;

/**
 * The points that reading one plan costs: for the plan, its pricing policies and their adjustments, its two policies,
 * and its days.
 */
const PLAN_COST_POINTS = 6;
/** The maximum number of selling plan groups that are read of a variant, because each group costs points. */
const MAX_PLAN_GROUPS_READ = 7;
/** The platform's maximum number of plans in a group. */
const MAX_PLANS_PER_GROUP = 31;

/** The selection of the selling plan groups of a product or a variant. */
export const SELLING_PLAN_GROUPS_SELECTION = `sellingPlanGroups(first: ${MAX_PLAN_GROUPS_READ}) { nodes { id sellingPlans(first: ${MAX_PLANS_PER_GROUP}) { nodes { ${SELLING_PLAN_SELECTION} } } } }`;
/** The points to read `SELLING_PLAN_GROUPS_SELECTION`. */
export const SELLING_PLAN_GROUPS_POINTS = countConnectionPoints(
  1 + countConnectionPoints(PLAN_COST_POINTS, MAX_PLANS_PER_GROUP),
  MAX_PLAN_GROUPS_READ,
);

/**
 * Returns how many deliveries one payment of the plan covers.
 * @returns undefined when the plan does not repeat, or the number is not whole
 */
export function deliveriesPerPaymentOf({ billingPolicy, deliveryPolicy }: SellingPlan): number | undefined {
  const [billing, delivery] = [toFrequency(billingPolicy), toFrequency(deliveryPolicy)];
  if (billing === undefined || delivery === undefined) return undefined;
  return deliveriesPerPayment({ billingPolicy: billing, deliveryPolicy: delivery });
}

export function hasSameFrequencies(
  { billingPolicy, deliveryPolicy }: SellingPlan,
  other: { readonly billingPolicy: Frequency; readonly deliveryPolicy: Frequency },
): boolean {
  return (
    isSameFrequency(toFrequency(billingPolicy), other.billingPolicy) &&
    isSameFrequency(toFrequency(deliveryPolicy), other.deliveryPolicy)
  );
}

/**
 * Whether the plan has no limit of orders, or the same limit as the contract. A customer cannot change to a plan that
 * is sold for another number of orders.
 */
export function hasSameOrderLimit(
  { billingPolicy }: SellingPlan,
  { maxCycles }: Pick<CycleLimits, 'maxCycles'>,
): boolean {
  return (billingPolicy.maxCycles ?? null) === null || billingPolicy.maxCycles === maxCycles;
}

/** Returns the days as a text that can be compared. */
export function toComparableAnchors(anchors: readonly DeliveryAnchor[] = []): string {
  return JSON.stringify(anchors.map(({ type, day, month, cutoffDay }) => [type, day, month, cutoffDay]));
}

/** Returns frequencies and days as a text that can be compared. All lines of a contract must have the same. */
export function toComparableTerms({ billingPolicy: billing, deliveryPolicy: delivery }: SellingPlan): string {
  const frequencies = [billing, delivery].map(({ interval, intervalCount }) => [interval, intervalCount]);
  return JSON.stringify([frequencies, toComparableAnchors(delivery.anchors)]);
}

/** Returns the plan's price steps as a text that can be compared. */
export function toComparablePricing({ pricingPolicies }: SellingPlan): string {
  const priceSteps = pricingPolicies.map(({ adjustmentType, adjustmentValue, afterCycle }) => [
    afterCycle ?? 0,
    adjustmentType,
    adjustmentValue.percentage ?? null,
    adjustmentValue.amount === undefined ? null : Number(adjustmentValue.amount),
  ]);
  return JSON.stringify(priceSteps.sort(([one], [other]) => Number(one) - Number(other)));
}

/** Compares two plans by position, ascending. Plans of different groups with the same position are compared by id. */
export function comparePositions(one: SellingPlan, other: SellingPlan): number {
  const [first, second] = [one.position ?? Infinity, other.position ?? Infinity];
  if (first !== second) return first - second;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}
