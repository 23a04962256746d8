/** The selling plan groups whose products and variants are options for a line, each with the plan of these options. */
import type { AdminResponse } from '../../../lib/platform/admin-api/admin-response.ts';
import {
  buildCyclesRootField,
  CYCLES_UNTIL_VARIABLE_TYPE,
  cyclesUntilNowRange,
  type PaidOrdersState,
} from '../../../lib/subscriptions/count-paid-orders.ts';
import {
  type ContractWithPlans,
  choosePlanOfVariant,
  planPreferenceComparator,
  preferredPlanIds,
} from '../../../lib/subscriptions/selling-plans/choose-plan.ts';
import {
  SELLING_PLAN_GROUPS_SELECTION,
  type SellingPlan,
} from '../../../lib/subscriptions/selling-plans/selling-plan.ts';
import { SERVICE_ALIAS } from '../../compile/selection/service-alias.ts';
import type { UpstreamDocument } from '../../plan/upstream-document.ts';
import { sendInBatches } from '../../run/send-in-batches.ts';
import type { FollowUpRequest } from '../follow-sequentially.ts';

export type OptionsContractLine = {
  readonly id: string;
  readonly productId: string | null;
  readonly variantId: string | null;
  readonly sellingPlanId: string | null;
};

export type OptionsContract = Omit<ContractWithPlans, 'lines'> & {
  /** The contract's id in the platform's namespace. */
  readonly id: string;
  readonly currencyCode: string;
  readonly originOrder: PaidOrdersState['originOrder'];
  readonly lines: { readonly nodes: readonly OptionsContractLine[] };
};

export type OfferedGroup = { readonly id: string; readonly plan: SellingPlan };

const [PRODUCTS_ALIAS, CONTRACT_ALIAS, UNTIL_ALIAS, CYCLES_ALIAS] = [
  'Products',
  'Contract',
  'Until',
  'Cycles',
].map((name) => `${SERVICE_ALIAS}${name}`) as [string, string, string, string];
const PRODUCT_SELECTION = `... on Product { ${SELLING_PLAN_GROUPS_SELECTION} }`;
const GROUPS_DOCUMENT: UpstreamDocument = {
  text: `query($${PRODUCTS_ALIAS}: [ID!]!, $${CONTRACT_ALIAS}: ID!, $${UNTIL_ALIAS}: ${CYCLES_UNTIL_VARIABLE_TYPE}) {
    ${PRODUCTS_ALIAS}: nodes(ids: $${PRODUCTS_ALIAS}) { ${PRODUCT_SELECTION} } ${CYCLES_ALIAS}: ${buildCyclesRootField(`$${CONTRACT_ALIAS}`, `$${UNTIL_ALIAS}`)} }`,
  variableDeclarations: [],
  fragments: '',
  clientVariableNames: [],
  internalVariableNames: [PRODUCTS_ALIAS, CONTRACT_ALIAS, UNTIL_ALIAS],
  mayHaveClientValues: true,
  pageSizeVariableNames: [],
};

/**
 * Sends the second request: it reads the groups and plans of the line's product, or without a line those of all lines,
 * and the contract's cycles. The cycles' root is not nullable, so the contract must be known to exist.
 */
export async function readOfferedGroups(
  { context, planId, variables, internalVariables }: FollowUpRequest,
  { id, lines }: OptionsContract,
  line: OptionsContractLine | undefined,
): Promise<AdminResponse> {
  const products = (line === undefined ? lines.nodes : [line]).flatMap(({ productId }) => productId ?? []);
  const ids = [...new Set(products)];
  return await sendInBatches(context, {
    planId: `${planId} groups`,
    upstream: GROUPS_DOCUMENT,
    variables,
    internalVariables: {
      ...internalVariables,
      [CONTRACT_ALIAS]: id,
      [UNTIL_ALIAS]: cyclesUntilNowRange(context.now()),
    },
    mutates: false,
    name: PRODUCTS_ALIAS,
    ids,
  });
}

/** Returns the contract's cycles in the response to `readOfferedGroups`. */
export function paidCyclesOf({ data }: AdminResponse): PaidOrdersState['cycles'] {
  return (data?.[CYCLES_ALIAS] ?? null) as PaidOrdersState['cycles'];
}

type GroupNode = { readonly id: string; readonly sellingPlans: { readonly nodes: readonly SellingPlan[] } };
type ProductNode = { readonly sellingPlanGroups: { readonly nodes: readonly GroupNode[] } };

export type OfferedGroupsOfLine = {
  readonly groups: readonly OfferedGroup[];
  /**
   * The groups whose plans are known, if a change could choose a plan of another group: a variant in another group is
   * then no option. Undefined when only plans of known groups can be chosen.
   */
  readonly allowedGroupIds: ReadonlySet<string> | undefined;
};

/** Returns the groups with a plan for this contract, those of its own plans first: as a change of lines would choose. */
export function selectOfferedGroups(
  { data }: AdminResponse,
  contract: OptionsContract,
  replacedLine: OptionsContractLine | undefined,
): OfferedGroupsOfLine {
  const products = (data?.[PRODUCTS_ALIAS] ?? []) as readonly (ProductNode | null)[];
  const groupNodes = products.flatMap((product) => product?.sellingPlanGroups.nodes ?? []);
  const groupById = new Map(groupNodes.map((group) => [group.id, group]));
  const presentPlanIds = contract.lines.nodes.map(({ sellingPlanId }) => sellingPlanId);
  const offeredGroups = [...groupById.values()].flatMap((group) => {
    const variantPlans = { sellingPlanGroups: { nodes: [group] } };
    const plan = choosePlanOfVariant(variantPlans, { contract, replacedLine });
    if (typeof plan === 'string') return [];
    const ids = group.sellingPlans.nodes.map(({ id }) => id);
    return [{ id: group.id, plan, rank: presentPlanIds.findIndex((id) => id !== null && ids.includes(id)) }];
  });
  const comparePlans = planPreferenceComparator(contract);
  const planIds = new Set(groupNodes.flatMap(({ sellingPlans }) => sellingPlans.nodes.map(({ id }) => id)));
  const preferredIds = preferredPlanIds({ contract, replacedLine });
  const areAllPreferredOffered = preferredIds.length > 0 && preferredIds.every((id) => planIds.has(id));
  return {
    groups: offeredGroups.sort((one, other) => one.rank - other.rank || comparePlans(one.plan, other.plan)),
    allowedGroupIds: areAllPreferredOffered ? undefined : new Set(groupById.keys()),
  };
}
