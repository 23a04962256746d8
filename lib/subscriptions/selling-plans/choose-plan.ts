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

/** What a contract's plans depend on: its frequencies and delivery days, and the plans of its lines. */
export type ContractWithPlans = {
  readonly billingPolicy: Frequency & CycleLimits;
  readonly deliveryPolicy: Frequency & { readonly anchors: readonly DeliveryAnchor[] };
  readonly lines: { readonly nodes: readonly { readonly sellingPlanId: string | null }[] };
};

export type PlanChoice = {
  readonly contract: ContractWithPlans;
  /** The plan that the client named. */
  readonly sellingPlanId?: string | null;
  /** The line whose variant is replaced. Undefined for a new line. */
  readonly replacedLine?: { readonly sellingPlanId: string | null } | undefined;
};

/**
 * Returns the plan for the variant. If the client named no plan, returns a plan that the contract already has; if the
 * contract has no plans, a plan with the contract's frequencies. Returns `unoffered` if the variant is not sold with
 * such a plan, and `unfit` if the named plan has other terms than the contract.
 */
export function choosePlanOfVariant(
  variant: { readonly sellingPlanGroups: { readonly nodes: readonly SellingPlanGroup[] } },
  choice: PlanChoice,
): SellingPlan | 'unoffered' | 'unfit' {
  const { contract, sellingPlanId } = choice;
  const plansByGroup = variant.sellingPlanGroups.nodes.map(({ sellingPlans }) => sellingPlans.nodes);
  const defaultPlan = chooseDefaultPlan(plansByGroup, choice);
  if (sellingPlanId == null) return defaultPlan ?? 'unoffered';
  const plan = plansByGroup.flat().find(({ id }) => id === sellingPlanId);
  if (plan === undefined) return 'unoffered';
  return plan === defaultPlan || hasContractTerms(plan, contract) || isPlanOfContract(plan, contract)
    ? plan
    : 'unfit';
}

/** Returns the plan that is used when the client names none. */
function chooseDefaultPlan(
  plansByGroup: readonly (readonly SellingPlan[])[],
  choice: PlanChoice,
): SellingPlan | undefined {
  const { contract } = choice;
  const currentPlanIds = preferredPlanIds(choice);
  if (currentPlanIds.length === 0) return findPreferredPlan(plansByGroup.flat(), contract);
  for (const currentPlanId of currentPlanIds) {
    const currentGroup = plansByGroup.find((plans) => plans.some(({ id }) => id === currentPlanId));
    const plan = currentGroup?.find(({ id }) => id === currentPlanId);
    if (currentGroup === undefined || plan === undefined) continue;
    // A plan's discount belongs to its own frequency. If the contract has another frequency, prefer a plan of the same
    // group with it.
    return hasSameFrequencies(plan, contract) ? plan : (findPreferredPlan(currentGroup, contract) ?? plan);
  }
  return undefined;
}

/**
 * Returns the ids of the plans that the variant should have if it is sold with them: the plan of the replaced line,
 * or else the plans of all lines of the contract.
 */
export function preferredPlanIds({
  contract,
  replacedLine,
}: Pick<PlanChoice, 'contract' | 'replacedLine'>): readonly string[] {
  return replacedLine?.sellingPlanId == null ? planIdsOfLines(contract) : [replacedLine.sellingPlanId];
}

/** Returns the best of the plans that have the contract's frequencies and no higher minimum of orders. */
function findPreferredPlan(
  plans: readonly SellingPlan[],
  contract: ContractWithPlans,
): SellingPlan | undefined {
  const plansLikeContract = plans.filter(
    (plan) => hasSameFrequencies(plan, contract) && hasNoHigherMinimum(plan, contract),
  );
  return plansLikeContract.sort(planPreferenceComparator(contract))[0];
}

/**
 * Returns a comparator for plans with the contract's frequencies: plans that have all terms of the contract come
 * first, then plans with lower positions.
 */
export function planPreferenceComparator(
  contract: ContractWithPlans,
): (one: SellingPlan, other: SellingPlan) => number {
  return (one, other) =>
    Number(hasContractTerms(other, contract)) - Number(hasContractTerms(one, contract)) ||
    comparePositions(one, other);
}

/**
 * Whether the plan has the terms of the contract: the same frequencies, days and end, and no higher minimum of orders.
 */
function hasContractTerms(plan: SellingPlan, contract: ContractWithPlans): boolean {
  return (
    hasSameFrequencies(plan, contract) &&
    hasSameOrderLimit(plan, contract.billingPolicy) &&
    toComparableAnchors(plan.deliveryPolicy.anchors) ===
      toComparableAnchors(contract.deliveryPolicy.anchors) &&
    hasNoHigherMinimum(plan, contract)
  );
}

/**
 * Whether the plan's minimum of orders is at most the contract's: otherwise a line would get the plan's price without
 * its minimum.
 */
function hasNoHigherMinimum(
  { billingPolicy: { minCycles } }: SellingPlan,
  { billingPolicy }: ContractWithPlans,
): boolean {
  return (minCycles ?? 0) <= (billingPolicy.minCycles ?? 0);
}

/** Whether a line of the contract has this plan, and the plan still has the contract's frequencies. */
function isPlanOfContract(plan: SellingPlan, contract: ContractWithPlans): boolean {
  return planIdsOfLines(contract).includes(plan.id) && hasSameFrequencies(plan, contract);
}

function planIdsOfLines({ lines }: Pick<ContractWithPlans, 'lines'>): string[] {
  return lines.nodes.flatMap(({ sellingPlanId }) => sellingPlanId ?? []);
}
