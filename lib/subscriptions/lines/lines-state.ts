/** What a change of lines has to know: the contract's lines, and of each variant that is to come in what it costs where. */
import type { ContractFacts } from '../contract-facts.ts';
import {
  CYCLES_UNTIL_TYPE,
  cyclesRoot,
  cyclesUntil,
  ORIGIN_ORDER,
  type OrdersState,
} from '../orders-made.ts';
import type { StateSelection } from '../read-contract-state.ts';
import type { Rhythm } from '../selling-plans/rhythm.ts';
import {
  type Anchor,
  type CycleLimits,
  SELLING_PLAN_GROUPS,
  type SellingPlanGroup,
} from '../selling-plans/selling-plan.ts';
import { type LinesRequest, variantIdsOf } from './lines-request.ts';
import { DISCOUNTED_PRICE } from './refuse-gifts.ts';
import { ENTITLED_DISCOUNTS, type EntitledDiscount } from './remove-emptied.ts';

type Money = { readonly amount: string; readonly currencyCode: string };

export type ContractLine = {
  readonly id: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly quantity: number;
  readonly variantId: string | null;
  readonly sellingPlanId: string | null;
  readonly currentPrice: Money;
  /** Of all pieces, after discounts. */
  readonly lineDiscountedPrice: Pick<Money, 'amount'>;
};

export type Variant = {
  readonly id: string;
  readonly title: string;
  /** In the shop's currency. */
  readonly price: string;
  readonly product: { readonly title: string; readonly status: string };
  readonly sellingPlanGroups: { readonly nodes: readonly SellingPlanGroup[] };
};

export type LinesState = {
  readonly contract: ContractFacts & {
    readonly currencyCode: string;
    readonly billingPolicy: Rhythm & CycleLimits;
    readonly deliveryPolicy: Rhythm & { readonly anchors: readonly Anchor[] };
    readonly originOrder: OrdersState['originOrder'];
    readonly lines: { readonly nodes: readonly ContractLine[] };
    /** Read only if a line is to go, or a customer is acting. */
    readonly discounts?: { readonly nodes: readonly EntitledDiscount[] };
  };
  /** These are read only if a variant is to come in. */
  readonly _svcShop?: { readonly currencyCode: string };
  readonly _svcCycle?: { readonly cycleIndex: number } | null;
  readonly _svcCycles?: OrdersState['cycles'];
  readonly _svcVariants?: readonly (Partial<Variant> | null)[];
};

/** Of a contract, all that the choice of a plan and its price need but the lines. */
export const CONTRACT_TERMS = `currencyCode billingPolicy { interval intervalCount minCycles maxCycles }
  deliveryPolicy { interval intervalCount anchors { type day month cutoffDay } } ${ORIGIN_ORDER}`;
const CONTRACT = `${CONTRACT_TERMS}
  lines(first: 250) { nodes { id title variantTitle quantity variantId sellingPlanId currentPrice { amount currencyCode } ${DISCOUNTED_PRICE} } }`;
const incoming = (ids: string) => `_svcShop: shop { currencyCode }
  _svcCycle: subscriptionBillingCycle(billingCycleInput: { contractId: $_svcContractId, selector: { date: $_svcNow } }) { cycleIndex }
  _svcCycles: ${cyclesRoot('$_svcContractId', '$_svcUntil')}
  _svcVariants: nodes(ids: $${ids}) { ... on ProductVariant { id title price product { title status } ${SELLING_PLAN_GROUPS} } }`;

/** The first request's selection; without variants it is what the contract has alone. */
export function readsOfLines(
  asked: LinesRequest,
  { nowMs, isCustomer }: { readonly nowMs: number; readonly isCustomer: boolean },
): StateSelection {
  const variantIds = variantIdsOf(asked);
  const isPlain = asked.remove.length === 0 && !isCustomer;
  const contract = isPlain ? CONTRACT : `${CONTRACT} ${ENTITLED_DISCOUNTS}`;
  if (variantIds.length === 0) return { contract };
  // The number is in the document, because the client remembers what a document costs.
  const ids = `_svc${variantIds.length}Variants`;
  return {
    contract,
    roots: incoming(ids),
    declarations: ['$_svcNow: DateTime!', `$_svcUntil: ${CYCLES_UNTIL_TYPE}`, `$${ids}: [ID!]!`],
    variables: {
      _svcNow: new Date(nowMs).toISOString(),
      _svcUntil: cyclesUntil(nowMs),
      [ids]: variantIds,
    },
  };
}
