/** Under which selling plan a variant comes onto a contract: one that the contract has already, where it can be. */
import type { LinesState, OfferedPlan, Variant } from './lines-state.ts';

type Contract = Pick<LinesState['contract'], 'billingPolicy' | 'deliveryPolicy'> & {
  readonly lines: { readonly nodes: readonly { readonly sellingPlanId: string | null }[] };
};

export type PlanChoice = {
  readonly contract: Contract;
  /** Named by the client. */
  readonly sellingPlanId?: string | null;
  /** The line that is swapped. */
  readonly line?: { readonly sellingPlanId: string | null };
};

/**
 * The plan, or why there is none: `unoffered`, if the variant is not sold under it; `unfit`, if the contract has
 * another rhythm. Without a plan of its own to keep, a contract takes one of its rhythm.
 */
export function choosePlan(
  variant: Pick<Variant, 'sellingPlanGroups'>,
  choice: PlanChoice,
): OfferedPlan | 'unoffered' | 'unfit' {
  const { contract, sellingPlanId, line } = choice;
  const offered = variant.sellingPlanGroups.nodes.flatMap(({ sellingPlans }) => sellingPlans.nodes);
  const byId = (id: string) => offered.find((plan) => plan.id === id);
  const present = plansOf(contract);
  if (sellingPlanId != null) {
    const plan = byId(sellingPlanId);
    if (plan === undefined) return 'unoffered';
    return present.includes(plan.id) || hasRhythm(plan, contract) ? plan : 'unfit';
  }
  const kept = line?.sellingPlanId == null ? present : [line.sellingPlanId];
  const found =
    kept.length === 0 ? offered.find((plan) => hasRhythm(plan, contract)) : kept.map(byId).find(Boolean);
  return found ?? 'unoffered';
}

function plansOf({ lines }: Contract): string[] {
  return lines.nodes.flatMap(({ sellingPlanId }) => sellingPlanId ?? []);
}

function hasRhythm(
  { billingPolicy: billing, deliveryPolicy: delivery }: OfferedPlan,
  { billingPolicy, deliveryPolicy }: Contract,
): boolean {
  return isSame(billing, billingPolicy) && isSame(delivery, deliveryPolicy);
}

type Interval = LinesState['contract']['billingPolicy'];

function isSame(one: Partial<Interval>, other: Interval): boolean {
  return one.interval === other.interval && one.intervalCount === other.intervalCount;
}
