/** The groups that options come from, each with the plan that an option would be delivered under. */
import type { AdminAnswer } from '../../lib/platform/admin-answer.ts';
import { choosePlan } from '../../lib/subscriptions/choose-plan.ts';
import { type OfferedPlan, PLANS } from '../../lib/subscriptions/lines-state.ts';
import type { FollowRequest } from '../plan/plan.ts';
import { sendUpstream } from '../plan/run-context.ts';
import { OURS } from '../plan/treat-field.ts';
import type { UpstreamDocument } from '../plan/upstream-writer.ts';

export type OptionsLine = {
  readonly id: string;
  readonly productId: string | null;
  readonly variantId: string | null;
  readonly sellingPlanId: string | null;
};

type Interval = { readonly interval: string; readonly intervalCount: number };

export type OptionsContract = {
  readonly currencyCode: string;
  readonly billingPolicy: Interval;
  readonly deliveryPolicy: Interval;
  readonly lines: { readonly nodes: readonly OptionsLine[] };
};

export type OfferedGroup = { readonly id: string; readonly plan: OfferedPlan };

const PRODUCTS = `${OURS}Products`;
const BODY = `... on Product { sellingPlanGroups(first: 10) { nodes { id sellingPlans(first: 31) { nodes { ${PLANS} } } } } }`;
const GROUPS: UpstreamDocument = {
  text: `query($${PRODUCTS}: [ID!]!) { ${PRODUCTS}: nodes(ids: $${PRODUCTS}) { ${BODY} } }`,
  declarations: [],
  fragments: '',
  clientVariables: [],
  ownVariables: [PRODUCTS],
  pageSizes: [],
};

/** The second request: the groups and plans of the line's product, or without a line of those of all lines. */
export async function readGroups(
  { context, planId, variables, ours }: FollowRequest,
  { lines }: OptionsContract,
  line: OptionsLine | undefined,
): Promise<AdminAnswer> {
  const products = (line === undefined ? lines.nodes : [line]).flatMap(({ productId }) => productId ?? []);
  const ids = [...new Set(products)];
  if (ids.length === 0) return { data: {}, errors: [], cost: undefined };
  return sendUpstream(context, {
    planId: `${planId} groups ${ids.length}`,
    upstream: GROUPS,
    variables,
    ours: { ...ours, [PRODUCTS]: ids },
    mutates: false,
  });
}

type Group = { readonly id: string; readonly sellingPlans: { readonly nodes: readonly OfferedPlan[] } };
type Product = { readonly sellingPlanGroups: { readonly nodes: readonly Group[] } };

/** Groups with a plan for this contract, those of its own plans first: as a change of lines would choose. */
export function offeredGroups(
  { data }: AdminAnswer,
  contract: OptionsContract,
  line: OptionsLine | undefined,
): readonly OfferedGroup[] {
  const products = (data?.[PRODUCTS] ?? []) as readonly (Product | null)[];
  const groups = products.flatMap((product) => product?.sellingPlanGroups.nodes ?? []);
  const byId = new Map(groups.map((group) => [group.id, group]));
  const offered = [...byId.values()].flatMap((group): OfferedGroup[] => {
    const choice = { contract, ...(line && { line }) };
    const plan = choosePlan({ sellingPlanGroups: { nodes: [group] } }, choice);
    return typeof plan === 'string' ? [] : [{ id: group.id, plan }];
  });
  const present = contract.lines.nodes.map(({ sellingPlanId }) => sellingPlanId);
  const rank = ({ plan }: OfferedGroup) => {
    const index = present.indexOf(plan.id);
    return index === -1 ? present.length : index;
  };
  return offered.sort((one, other) => rank(one) - rank(other));
}
