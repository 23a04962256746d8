/** Chooses the selling plan of an added or replaced variant: if possible, one that the contract already has. */
import type { Frequency } from './frequency.ts';
import {
  type CycleLimits,
  comparePositions,
  type DeliveryAnchor,
  hasSameFrequencies,
  hasSameOrderLimit,
  type SellingPlan,
  type SellingPlanGroup,
  toComparableAnchors,
} from './selling-plan.ts';

export type PlannedContract = {
  readonly billingPolicy: Frequency & CycleLimits;
  readonly deliveryPolicy: Frequency & { readonly anchors: readonly DeliveryAnchor[] };
  readonly lines: { readonly nodes: readonly { readonly sellingPlanId: string | null }[] };
};

export type PlanChoice = {
  readonly contract: PlannedContract;
  /** The plan that the client named. */
  readonly sellingPlanId?: string | null;
  /** The line whose variant is replaced. Undefined for a new line. */
  readonly line?: { readonly sellingPlanId: string | null } | undefined;
};

/**
 * Returns the plan of the variant. Without a named plan, this is a plan that the contract has; if the contract has
 * none, a plan with its frequencies. Returns `unoffered` if the variant is not sold with such a plan, and `unfit` if
 * the named plan has other terms than the contract.
 */
export function choosePlanOfVariant(
  variant: { readonly sellingPlanGroups: { readonly nodes: readonly SellingPlanGroup[] } },
  choice: PlanChoice,
): SellingPlan | 'unoffered' | 'unfit' {
  const { contract, sellingPlanId } = choice;
  const plansByGroup = variant.sellingPlanGroups.nodes.map(({ sellingPlans }) => sellingPlans.nodes);
  const planWithoutName = choosePlanWithoutName(plansByGroup, choice);
  if (sellingPlanId == null) return planWithoutName ?? 'unoffered';
  const plan = plansByGroup.flat().find(({ id }) => id === sellingPlanId);
  if (plan === undefined) return 'unoffered';
  return plan === planWithoutName || hasContractTerms(plan, contract) || isPlanInForce(plan, contract)
    ? plan
    : 'unfit';
}

/** Returns the plan that applies when the client names none. */
function choosePlanWithoutName(
  groups: readonly (readonly SellingPlan[])[],
  choice: PlanChoice,
): SellingPlan | undefined {
  const { contract } = choice;
  const currentPlanIds = preferredPlanIds(choice);
  if (currentPlanIds.length === 0) return findPreferredPlan(groups.flat(), contract);
  for (const currentPlanId of currentPlanIds) {
    const currentGroup = groups.find((plans) => plans.some(({ id }) => id === currentPlanId));
    const plan = currentGroup?.find(({ id }) => id === currentPlanId);
    if (currentGroup === undefined || plan === undefined) continue;
    // A plan's discount belongs to its own frequency. If the contract has another frequency, prefer a plan of the same
    // group with it.
    return hasSameFrequencies(plan, contract) ? plan : (findPreferredPlan(currentGroup, contract) ?? plan);
  }
  return undefined;
}

/**
 * Returns the ids of plans to keep, in order of preference: the plan of the replaced line, else the plans of the
 * contract's lines.
 */
export function preferredPlanIds({
  contract,
  line,
}: Pick<PlanChoice, 'contract' | 'line'>): readonly string[] {
  return line?.sellingPlanId == null ? planIdsOfLines(contract) : [line.sellingPlanId];
}

/** Returns the preferred plan with the contract's frequencies. */
function findPreferredPlan(
  plans: readonly SellingPlan[],
  contract: PlannedContract,
): SellingPlan | undefined {
  const plansLikeContract = plans.filter(
    (plan) => hasSameFrequencies(plan, contract) && hasNoStricterTerms(plan, contract),
  );
  return plansLikeContract.sort(planPreferenceComparator(contract))[0];
}

/**
 * Compares two plans with the contract's frequencies: plans with the contract's terms come first, then lower positions.
 */
export function planPreferenceComparator(
  contract: PlannedContract,
): (one: SellingPlan, other: SellingPlan) => number {
  return (one, other) =>
    Number(hasContractTerms(other, contract)) - Number(hasContractTerms(one, contract)) ||
    comparePositions(one, other);
}

/**
 * Whether the plan has the terms of the contract: the same frequencies, days and end, and no higher minimum of orders.
 */
function hasContractTerms(plan: SellingPlan, contract: PlannedContract): boolean {
  return (
    hasSameFrequencies(plan, contract) &&
    hasSameOrderLimit(plan, contract.billingPolicy) &&
    toComparableAnchors(plan.deliveryPolicy.anchors) ===
      toComparableAnchors(contract.deliveryPolicy.anchors) &&
    hasNoStricterTerms(plan, contract)
  );
}

/**
 * Whether the plan's minimum of orders is at most the contract's: otherwise a line would get the plan's price without
 * its minimum.
 */
function hasNoStricterTerms(
  { billingPolicy: { minCycles } }: SellingPlan,
  { billingPolicy }: PlannedContract,
): boolean {
  return (minCycles ?? 0) <= (billingPolicy.minCycles ?? 0);
}

function isPlanInForce(plan: SellingPlan, contract: PlannedContract): boolean {
  return planIdsOfLines(contract).includes(plan.id) && hasSameFrequencies(plan, contract);
}

function planIdsOfLines({ lines }: Pick<PlannedContract, 'lines'>): string[] {
  return lines.nodes.flatMap(({ sellingPlanId }) => sellingPlanId ?? []);
}
