/** What a change of lines has to know: the contract's lines, and of each variant that is to come in what it costs where. */
import type { ContractFacts } from './contract-facts.ts';
import type { StateSelection } from './draft-spec.ts';
import type { PlanPricingPolicy } from './plan-price.ts';
import { PRICING_POLICIES } from './plan-price.ts';

type Money = { readonly amount: string; readonly currencyCode: string };
type Interval = { readonly interval: string; readonly intervalCount: number };

export type ContractLine = {
  readonly id: string;
  readonly quantity: number;
  readonly variantId: string | null;
  readonly sellingPlanId: string | null;
  readonly currentPrice: Money;
};

export type OfferedPlan = {
  readonly id: string;
  readonly name: string;
  readonly pricingPolicies: readonly PlanPricingPolicy[];
  readonly billingPolicy: Partial<Interval>;
  readonly deliveryPolicy: Partial<Interval>;
};

export type Variant = {
  readonly id: string;
  /** In the shop's currency. */
  readonly price: string;
  readonly product: { readonly status: string };
  readonly sellingPlanGroups: {
    readonly nodes: readonly { readonly sellingPlans: { readonly nodes: readonly OfferedPlan[] } }[];
  };
};

export type LinesState = {
  readonly contract: ContractFacts & {
    readonly currencyCode: string;
    readonly billingPolicy: Interval;
    readonly deliveryPolicy: Interval;
    readonly lines: { readonly nodes: readonly ContractLine[] };
  };
  /** These three are read only if a variant is to come in. */
  readonly _svcShop?: { readonly currencyCode: string };
  readonly _svcCycle?: { readonly cycleIndex: number; readonly status: string } | null;
  readonly _svcVariants?: readonly (Partial<Variant> | null)[];
};

const INTERVAL = 'interval intervalCount';
const CONTRACT = `currencyCode billingPolicy { ${INTERVAL} } deliveryPolicy { ${INTERVAL} }
  lines(first: 250) { nodes { id quantity variantId sellingPlanId currentPrice { amount currencyCode } } }`;
/** Of a variant in more groups, or a group of more plans, the first ones count. */
export const PLANS = `id name ${PRICING_POLICIES}
  billingPolicy { ... on SellingPlanRecurringBillingPolicy { ${INTERVAL} } }
  deliveryPolicy { ... on SellingPlanRecurringDeliveryPolicy { ${INTERVAL} } }`;
const GROUPS = `sellingPlanGroups(first: 10) { nodes { sellingPlans(first: 31) { nodes { ${PLANS} } } } }`;
const incoming = (ids: string) => `_svcShop: shop { currencyCode }
  _svcCycle: subscriptionBillingCycle(billingCycleInput: { contractId: $_svcContractId, selector: { date: $_svcNow } }) { cycleIndex status }
  _svcVariants: nodes(ids: $${ids}) { ... on ProductVariant { id price product { status } ${GROUPS} } }`;

/** The first request's selection; without variants it is the lines alone. */
export function readsOfLines(variantIds: readonly string[], nowMs: number): StateSelection {
  if (variantIds.length === 0) return { contract: CONTRACT };
  // The number is in the document, because the client remembers what a document costs.
  const ids = `_svc${variantIds.length}Variants`;
  return {
    contract: CONTRACT,
    roots: incoming(ids),
    declarations: ['$_svcNow: DateTime!', `$${ids}: [ID!]!`],
    variables: { _svcNow: new Date(nowMs).toISOString(), [ids]: variantIds },
  };
}
