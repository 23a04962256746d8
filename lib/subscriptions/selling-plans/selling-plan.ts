/** A selling plan gives a contract's lines their rhythms and days, and a discount. It has a place in its group. */
import { connectionPoints } from '../../platform/admin-api/query-points.ts';
import type { PlanPricingPolicy } from './plan-price.ts';
import { PRICING_POLICIES } from './plan-price.ts';
import { deliveriesPerPayment, isSameRhythm, type Rhythm, rhythmOf } from './rhythm.ts';

export type Anchor = {
  /** WEEKDAY, MONTHDAY or YEARDAY. */
  readonly type: string;
  readonly day: number;
  readonly month: number | null;
  readonly cutoffDay: number | null;
};

/** Fewest and most orders. */
export type CycleLimits = { readonly minCycles: number | null; readonly maxCycles: number | null };

export type SellingPlan = {
  readonly id: string;
  readonly name: string;
  /** The plan's place in its group, from 1. */
  readonly position: number | null;
  readonly pricingPolicies: readonly PlanPricingPolicy[];
  /** A plan that does not repeat has both policies empty. The days of a plan are the same for both. */
  readonly billingPolicy: Partial<Rhythm> & Partial<CycleLimits>;
  readonly deliveryPolicy: Partial<Rhythm> & { readonly anchors?: readonly Anchor[] };
};

export type SellingPlanGroup = { readonly sellingPlans: { readonly nodes: readonly SellingPlan[] } };

/** The selection that brings `SellingPlan`. Many are read at once, and each object in it costs points. */
export const SELLING_PLAN = `id name position ${PRICING_POLICIES}
  billingPolicy { ... on SellingPlanRecurringBillingPolicy { interval intervalCount minCycles maxCycles } }
  deliveryPolicy { ... on SellingPlanRecurringDeliveryPolicy { interval intervalCount anchors { type day month cutoffDay } } }`;

/** A plan with its pricing policies, their adjustments, its rhythms and days. */
const PLAN_POINTS = 6;
/** Each group costs points, so of more groups only the first ones count. */
const GROUPS = 7;
/** The platform lets a group have no more. */
const PLANS_OF_GROUP = 31;

/** The selection, below a product or a variant, that brings its groups. */
export const SELLING_PLAN_GROUPS = `sellingPlanGroups(first: ${GROUPS}) { nodes { id sellingPlans(first: ${PLANS_OF_GROUP}) { nodes { ${SELLING_PLAN} } } } }`;
/** The points that the selection costs. */
export const SELLING_PLAN_GROUPS_POINTS = connectionPoints(
  1 + connectionPoints(PLAN_POINTS, PLANS_OF_GROUP),
  GROUPS,
);

/** Undefined: a plan that does not repeat, or whose payments are for no whole number of deliveries. */
export function deliveriesPerPaymentOf({ billingPolicy, deliveryPolicy }: SellingPlan): number | undefined {
  const [billing, delivery] = [rhythmOf(billingPolicy), rhythmOf(deliveryPolicy)];
  if (billing === undefined || delivery === undefined) return undefined;
  return deliveriesPerPayment({ billingPolicy: billing, deliveryPolicy: delivery });
}

export function hasRhythms(
  { billingPolicy, deliveryPolicy }: SellingPlan,
  other: { readonly billingPolicy: Rhythm; readonly deliveryPolicy: Rhythm },
): boolean {
  return (
    isSameRhythm(rhythmOf(billingPolicy), other.billingPolicy) &&
    isSameRhythm(rhythmOf(deliveryPolicy), other.deliveryPolicy)
  );
}

/** Whether the plan ends as the contract does. What is sold for a few orders alone is no plan to change to. */
export function endsAlike(
  { billingPolicy }: SellingPlan,
  { maxCycles }: Pick<CycleLimits, 'maxCycles'>,
): boolean {
  return (billingPolicy.maxCycles ?? null) === null || billingPolicy.maxCycles === maxCycles;
}

/** Days, in a form to compare. */
export function anchorsText(anchors: readonly Anchor[] = []): string {
  return JSON.stringify(anchors.map(({ type, day, month, cutoffDay }) => [type, day, month, cutoffDay]));
}

/** Both rhythms and their days, in a form to compare: the lines of one contract have to share them. */
export function termsText({ billingPolicy: billing, deliveryPolicy: delivery }: SellingPlan): string {
  const rhythms = [billing, delivery].map(({ interval, intervalCount }) => [interval, intervalCount]);
  return JSON.stringify([rhythms, anchorsText(delivery.anchors)]);
}

/** The plan's discounts and when they apply, in a form to compare. */
export function pricingText({ pricingPolicies }: SellingPlan): string {
  const steps = pricingPolicies.map(({ adjustmentType, adjustmentValue, afterCycle }) => [
    afterCycle ?? 0,
    adjustmentType,
    adjustmentValue.percentage ?? null,
    adjustmentValue.amount === undefined ? null : Number(adjustmentValue.amount),
  ]);
  return JSON.stringify(steps.sort(([one], [other]) => Number(one) - Number(other)));
}

/** Lowest position first; the id decides between plans of several groups. */
export function byPosition(one: SellingPlan, other: SellingPlan): number {
  const [first, second] = [one.position ?? Infinity, other.position ?? Infinity];
  if (first !== second) return first - second;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}
