/** The selling plans that a contract's lines are sold under, which bound what customers may choose. */
import { ServiceError } from '../errors/service-error.ts';
import type { PlanPolicies } from './interval-policies.ts';
import type { OperationDeps } from './operation.ts';
import { type PlanPricingPolicy, PRICING_POLICIES } from './plan-price.ts';

const RHYTHM = 'interval intervalCount anchors { type day month cutoffDay }';
const POLICIES = `id
  billingPolicy { ... on SellingPlanRecurringBillingPolicy { ${RHYTHM} } }
  deliveryPolicy { ... on SellingPlanRecurringDeliveryPolicy { ${RHYTHM} } }`;

/** The plan that a client names, with what a line takes from it. */
export type NamedPlan = PlanPolicies & {
  readonly name: string;
  readonly pricingPolicies: readonly PlanPricingPolicy[];
};

/** Root that brings the plan `$_svcPlanId` as `NamedPlan`; an empty object if the id is another thing's. */
export const NAMED_PLAN = `_svcPlan: node(id: $_svcPlanId) { ... on SellingPlan { ${POLICIES} name ${PRICING_POLICIES} } }`;

export type SoldVariant = {
  readonly id: string;
  /** In the shop's currency. */
  readonly price: string;
  /** Of its own groups and its product's. */
  readonly plans: readonly PlanPolicies[];
};

type Groups = {
  readonly nodes: readonly { readonly sellingPlans: { readonly nodes: readonly PlanPolicies[] } }[];
};
type Node = { readonly id?: string; readonly price: string; readonly sellingPlanGroups: Groups };

const VARIANTS = `query($_svcVariantIds: [ID!]!) {
  nodes(ids: $_svcVariantIds) { ... on ProductVariant {
    id price
    sellingPlanGroups(first: 10) { nodes { sellingPlans(first: 20) { nodes { ${POLICIES} } } } }
  } }
}`;

/** So many that a document stays far below the 1,000 points that the platform allows. */
const VARIANTS_A_REQUEST = 10;

/** By id, those that are there. One platform request for each ten. PLATFORM_UNAVAILABLE if it is not known. */
export async function readSoldVariants(
  { ask }: Pick<OperationDeps, 'ask'>,
  variantIds: readonly string[],
): Promise<ReadonlyMap<string, SoldVariant>> {
  const found = new Map<string, SoldVariant>();
  for (let from = 0; from < variantIds.length; from += VARIANTS_A_REQUEST) {
    const ids = variantIds.slice(from, from + VARIANTS_A_REQUEST);
    const { data, errors } = await ask({
      document: VARIANTS,
      variables: { _svcVariantIds: ids },
      mutates: false,
    });
    const nodes = data?.nodes as readonly (Node | null)[] | null | undefined;
    if (!nodes || errors.length > 0) {
      throw new ServiceError('PLATFORM_UNAVAILABLE', { internal: `variants: ${errors[0]?.message}` });
    }
    for (const node of nodes) {
      if (node?.id === undefined) continue;
      const { id, price, sellingPlanGroups } = node;
      found.set(id, {
        id,
        price,
        plans: sellingPlanGroups.nodes.flatMap(({ sellingPlans }) => sellingPlans.nodes),
      });
    }
  }
  return found;
}
