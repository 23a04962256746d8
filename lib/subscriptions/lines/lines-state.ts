/**
 * The state that a change of lines reads: the contract's lines, and the plans and prices of the variants that are
 * added.
 */
import type { ContractFacts } from '../contract-facts.ts';
import {
  buildCyclesRootField,
  CYCLES_UNTIL_VARIABLE_TYPE,
  cyclesUntilNowRange,
  ORIGIN_ORDER_SELECTION,
  type PaidOrdersState,
} from '../count-paid-orders.ts';
import {
  DELIVERY_SELECTION,
  DENIABLE_DELIVERY_FIELDS,
  type DeliveredContract,
} from '../delivery/delivery-price-adjustment.ts';
import { DISCOUNT_FACTS_SELECTION, type DiscountFacts } from '../discount-facts.ts';
import type { Money } from '../order-content.ts';
import { formatProductName } from '../product-name.ts';
import type { StateSelection } from '../read-contract-state.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import {
  type CycleLimits,
  type DeliveryAnchor,
  SELLING_PLAN_GROUPS_SELECTION,
  type SellingPlanGroup,
} from '../selling-plans/selling-plan.ts';
import { type LinesRequest, MAX_LINES_PER_REQUEST, variantIdsOf } from './lines-request.ts';

export type ContractLine = {
  readonly id: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly quantity: number;
  readonly variantId: string | null;
  readonly sellingPlanId: string | null;
  readonly currentPrice: Money;
};

export type RequestedVariant = {
  readonly id: string;
  readonly title: string;
  /** A decimal amount in the shop's currency. */
  readonly price: string;
  readonly product: { readonly title: string; readonly status: string };
  readonly sellingPlanGroups: { readonly nodes: readonly SellingPlanGroup[] };
};

export type LinesState = {
  readonly contract: ContractFacts & {
    readonly currencyCode: string;
    readonly billingPolicy: Frequency & CycleLimits;
    readonly deliveryPolicy: Frequency & { readonly anchors: readonly DeliveryAnchor[] };
    readonly originOrder: PaidOrdersState['originOrder'];
    readonly lines: { readonly nodes: readonly ContractLine[] };
    /** Selected only when a line is removed or a customer is acting. */
    readonly discounts?: { readonly nodes: readonly EntitledDiscount[] };
  } & Pick<DeliveredContract, 'deliveryPrice' | 'deliveryMethod' | 'customer'>;
  /**
   * The store's currency. This field and the following ones are selected only when a variant is added, or replaces
   * another.
   */
  readonly _svcShop?: { readonly currencyCode: string };
  readonly _svcCycle?: { readonly cycleIndex: number } | null;
  readonly _svcCycles?: PaidOrdersState['cycles'];
  readonly _svcVariants?: readonly (Partial<RequestedVariant> | null)[];
};

/**
 * The selection of a contract's discounts with their lines. It reads one line more than a change may remove, so a
 * discount with more lines never looks as if a change removed all of them.
 */
const ENTITLED_DISCOUNTS_SELECTION = `discounts(first: 100) { nodes { id title ${DISCOUNT_FACTS_SELECTION}
  entitledLines { all lines(first: ${MAX_LINES_PER_REQUEST + 1}) { nodes { id } } } } }`;

export type EntitledDiscount = DiscountFacts & {
  readonly id: string;
  readonly title: string | null;
  readonly entitledLines: {
    readonly all: boolean;
    readonly lines: { readonly nodes: readonly { readonly id: string }[] };
  };
};

/** The fields of a contract that determine plans and prices, without its lines. */
export const CONTRACT_TERMS_SELECTION = `currencyCode billingPolicy { interval intervalCount minCycles maxCycles }
  deliveryPolicy { interval intervalCount anchors { type day month cutoffDay } } ${ORIGIN_ORDER_SELECTION}`;
const CONTRACT_SELECTION = `${CONTRACT_TERMS_SELECTION}
  lines(first: 250) { nodes { id title variantTitle quantity variantId sellingPlanId currentPrice { amount currencyCode } } }`;
const writeVariantsRootField = (idsVariable: string) => `_svcShop: shop { currencyCode }
  _svcCycle: subscriptionBillingCycle(billingCycleInput: { contractId: $_svcContractId, selector: { date: $_svcNow } }) { cycleIndex }
  _svcCycles: ${buildCyclesRootField('$_svcContractId', '$_svcUntil')}
  _svcVariants: nodes(ids: $${idsVariable}) { ... on ProductVariant { id title price product { title status } ${SELLING_PLAN_GROUPS_SELECTION} } }`;

/**
 * Builds the selection of the state. Root fields are selected only if the request adds variants, or replaces the
 * variant of a line.
 */
export function buildLinesReads(
  request: LinesRequest,
  { nowMs, isCustomer }: { readonly nowMs: number; readonly isCustomer: boolean },
): StateSelection {
  const variantIds = variantIdsOf(request);
  const readsOnlyLines = request.remove.length === 0 && !isCustomer;
  const contractSelection = [
    CONTRACT_SELECTION,
    readsOnlyLines ? '' : ENTITLED_DISCOUNTS_SELECTION,
    isCustomer ? `deliveryPrice { amount currencyCode } ${DELIVERY_SELECTION}` : '',
  ]
    .join(' ')
    .trim();
  const stateSelection = { contractSelection, deniableFields: DENIABLE_DELIVERY_FIELDS };
  if (variantIds.length === 0) return stateSelection;
  // The variable's name contains the number of variants, because the platform client caches the cost of a document by
  // its text.
  const idsVariable = `_svc${variantIds.length}Variants`;
  return {
    ...stateSelection,
    rootFields: writeVariantsRootField(idsVariable),
    declarations: [
      '$_svcNow: DateTime!',
      `$_svcUntil: ${CYCLES_UNTIL_VARIABLE_TYPE}`,
      `$${idsVariable}: [ID!]!`,
    ],
    variables: {
      _svcNow: new Date(nowMs).toISOString(),
      _svcUntil: cyclesUntilNowRange(nowMs),
      [idsVariable]: variantIds,
    },
  };
}

/**
 * Returns the contract's line with this id.
 * @returns undefined when the contract does not have it
 */
export function findContractLine({ contract }: LinesState, lineId: string): ContractLine | undefined {
  return contract.lines.nodes.find(({ id }) => id === lineId);
}

/** Returns the product name of the line as people read it. */
export function lineName({ title, variantTitle }: ContractLine): string {
  return formatProductName(title, variantTitle);
}
