/** The value of the schema's type SubscriptionChangePreview, from the content of a draft or of the contract. */
import { gidTail } from '../../domain/gid.ts';
import { formatMinorUnits, parseDecimal, toMinorUnits } from '../../domain/money.ts';
import type { OrderCounts } from '../count-paid-orders.ts';
import type { OperationDeps } from '../operation.ts';
import {
  MAX_SUMMED_DISCOUNTS,
  MAX_SUMMED_LINES,
  type Money,
  type OrderContent,
  type Page,
  sumOrderTotal,
} from '../order-content.ts';
import { applyStepPrices, hasSteps, type PricedLine, STEPS_SELECTION } from '../selling-plans/step-prices.ts';
import { type DraftLine, type LinesPage, PRICED_LINES_KEY, selectPricedLines } from './draft-lines.ts';

type SummedDiscount = OrderContent['_svcNextDiscounts']['nodes'][number];
type ObjectWithId = { readonly id: string };

/**
 * A discount of a draft. The platform does not return for a code whether it applies to the goods or to the delivery.
 */
type PreviewedDiscount = ObjectWithId &
  (
    | ({ readonly __typename: 'SubscriptionManualDiscount' } & SummedDiscount)
    | { readonly __typename: 'SubscriptionAppliedCodeDiscount'; readonly rejectionReason: string | null }
  );
type PricedContent = { readonly _svcNextDelivery: Money; readonly [PRICED_LINES_KEY]: LinesPage };
type ContentWithSteps = PricedContent & {
  readonly _svcStepLines: { readonly nodes: readonly (PricedLine & ObjectWithId)[] };
};

/** The fields that `selectDraftToPreview` selects. */
export type PreviewedDraft = ContentWithSteps & { readonly _svcDraftDiscounts: Page<PreviewedDiscount> };
/** The fields that `EDITED_CYCLE_SELECTION` selects. */
export type EditedContent = PricedContent & Pick<OrderContent, '_svcNextDiscounts'>;
/** The fields that `CURRENT_CONTENT_SELECTION` selects. */
export type CurrentContent = EditedContent & ContentWithSteps;
/** The fields that `selectCurrentDiscounts` selects. */
export type CurrentDiscounts = {
  readonly _svcNextDiscounts: Page<SummedDiscount & ObjectWithId>;
  readonly [PRICED_LINES_KEY]?: LinesPage;
};

type OrderPreview = {
  /**
   * Null when the content has more lines or discounts than are read, a new code's effect on the delivery is unknown, or the
   * prices are not certain.
   */
  readonly total: Money | null;
  readonly lines: readonly {
    readonly id: string;
    readonly title: string;
    readonly quantity: number;
    readonly price: Money;
  }[];
  readonly deliveryPrice: Money;
  readonly discountsTotal: Money | null;
};

const DELIVERY_PRICE_SELECTION = '_svcNextDelivery: deliveryPrice { amount currencyCode }';
const DISCOUNT_FIELDS = 'id targetType rejectionReason recurringCycleLimit usageCount';
const DISCOUNTS_CONNECTION = `discounts(first: ${MAX_SUMMED_DISCOUNTS})`;
const DRAFT_DISCOUNTS_SELECTION = `_svcDraftDiscounts: ${DISCOUNTS_CONNECTION} { nodes { __typename
  ... on SubscriptionManualDiscount { ${DISCOUNT_FIELDS} } ... on SubscriptionAppliedCodeDiscount { id rejectionReason }
} pageInfo { hasNextPage } }`;

const STEP_LINES_SELECTION = `_svcStepLines: lines(first: ${MAX_SUMMED_LINES}) { nodes { id ${STEPS_SELECTION} } }`;
const CURRENT_DISCOUNTS_SELECTION = `_svcNextDiscounts: ${DISCOUNTS_CONNECTION} { nodes { ${DISCOUNT_FIELDS} } pageInfo { hasNextPage } }`;
/** What is selected of an edited cycle to compute its order without a draft. */
export const EDITED_CYCLE_SELECTION = `${DELIVERY_PRICE_SELECTION} ${CURRENT_DISCOUNTS_SELECTION} ${selectPricedLines(MAX_SUMMED_LINES)}`;

/** What is selected of a contract to compute its next order without a draft. */
export const CURRENT_CONTENT_SELECTION = `${EDITED_CYCLE_SELECTION} ${STEP_LINES_SELECTION}`;

/**
 * Returns what to select of a draft to compute its preview. A draft that is opened for a customer has the lines
 * already.
 */
export function selectDraftToPreview({ actingCustomerId }: Pick<OperationDeps, 'actingCustomerId'>): string {
  const linesSelection = actingCustomerId === undefined ? selectPricedLines(MAX_SUMMED_LINES) : '';
  return `${DELIVERY_PRICE_SELECTION} ${DRAFT_DISCOUNTS_SELECTION} ${STEP_LINES_SELECTION} ${linesSelection}`;
}

/** Whether the service may set other prices of the content's lines before it charges an order. */
export function hasPriceSteps({ _svcStepLines: lines }: ContentWithSteps): boolean {
  return lines.nodes.some(hasSteps);
}

/**
 * Computes the amounts of the next order from the present content of the contract, without a draft.
 * @param counts the orders before it, undefined when the service does not set its prices
 */
export function computeCurrentPreview(
  content: CurrentContent,
  counts: OrderCounts | undefined,
): OrderPreview {
  return buildSteppedPreview(content, counts, content._svcNextDiscounts);
}

/** Computes the amounts of an order from its own edited content, which keeps its prices. */
export function computeEditedPreview(content: EditedContent): OrderPreview {
  return buildOrderPreview(content, content._svcNextDiscounts);
}

/**
 * Returns what to select of the contract to find out whether a code of the draft applies to goods or to the delivery:
 * the contract's discounts, and its lines unless the draft's lines before the change were read.
 */
export function selectCurrentDiscounts(draft: PreviewedDraft, linesBefore: LinesPage | undefined): string {
  const hasCodeDiscount = draft._svcDraftDiscounts.nodes.some(
    ({ __typename }) => __typename === CODE_DISCOUNT_TYPE,
  );
  const linesSelection =
    hasCodeDiscount && linesBefore === undefined ? selectPricedLines(MAX_SUMMED_LINES) : '';
  return `${CURRENT_DISCOUNTS_SELECTION} ${linesSelection}`;
}

const CODE_DISCOUNT_TYPE = 'SubscriptionAppliedCodeDiscount';

/** The contract as `selectCurrentDiscounts` selects it, and the orders before the next one. */
type ContractOfDraft = { readonly contract: CurrentDiscounts; readonly counts: OrderCounts | undefined };

/**
 * Computes the amounts of the next order with a draft's content. `counts` are as for `computeCurrentPreview`.
 * @param linesBefore the draft's lines before the change, if they were read
 */
export function computeDraftPreview(
  draft: PreviewedDraft,
  { contract: current, counts }: ContractOfDraft,
  linesBefore: LinesPage | undefined = current[PRICED_LINES_KEY],
): OrderPreview {
  const discountById = new Map(current._svcNextDiscounts.nodes.map((one) => [gidTail(one.id), one]));
  const targetOfNewCode = findTargetOfNewCode(linesBefore?.nodes ?? [], draft[PRICED_LINES_KEY].nodes);
  const discountFacts = draft._svcDraftDiscounts.nodes.map((discount): SummedDiscount | undefined => {
    if (discount.__typename !== CODE_DISCOUNT_TYPE) return discount;
    const { id, rejectionReason } = discount;
    const currentDiscount = discountById.get(gidTail(id));
    if (currentDiscount !== undefined) return { ...currentDiscount, rejectionReason };
    if (targetOfNewCode === undefined) return undefined;
    return { targetType: targetOfNewCode, rejectionReason, recurringCycleLimit: null, usageCount: 0 };
  });
  const knownDiscounts = discountFacts.filter((one) => one !== undefined);
  const { hasNextPage } = draft._svcDraftDiscounts.pageInfo;
  return buildSteppedPreview(draft, counts, {
    nodes: knownDiscounts,
    pageInfo: { hasNextPage: hasNextPage || knownDiscounts.length < discountFacts.length },
  });
}

/**
 * Returns whether a new code applies to goods or to the delivery. A code that makes no line cheaper applies to the
 * delivery.
 * @returns undefined when a line that was free before could hide that the code applies to goods
 */
function findTargetOfNewCode(
  linesBefore: readonly DraftLine[],
  linesAfter: readonly DraftLine[],
): SummedDiscount['targetType'] | undefined {
  const priceOf = ({ lineDiscountedPrice }: DraftLine) => Number(lineDiscountedPrice.amount);
  const sumLinePrices = (lines: readonly DraftLine[]) =>
    lines.reduce((total, line) => total + priceOf(line), 0);
  if (sumLinePrices(linesAfter) < sumLinePrices(linesBefore)) return 'LINE_ITEM';
  return linesBefore.some((line) => priceOf(line) === 0) ? undefined : 'SHIPPING_LINE';
}

/** Builds the preview with the prices that the service sets before it charges. The total is null if they are not certain. */
function buildSteppedPreview(
  content: ContentWithSteps,
  counts: OrderCounts | undefined,
  discounts: Page<SummedDiscount>,
): OrderPreview {
  const { [PRICED_LINES_KEY]: page, _svcStepLines: stepLines } = content;
  const policyById = new Map(stepLines.nodes.map(({ id, pricingPolicy }) => [id, pricingPolicy]));
  const lines = page.nodes.map((line) => ({ ...line, pricingPolicy: policyById.get(line.id) ?? null }));
  const pricedLines = applyStepPrices(lines, counts, discounts);
  if (pricedLines === undefined)
    return { ...buildOrderPreview(content, discounts), total: null, discountsTotal: null };
  return buildOrderPreview({ ...content, [PRICED_LINES_KEY]: { ...page, nodes: pricedLines } }, discounts);
}

function buildOrderPreview(content: PricedContent, discounts: Page<SummedDiscount>): OrderPreview {
  const { [PRICED_LINES_KEY]: lines, _svcNextDelivery: deliveryPrice } = content;
  const orderTotal = sumOrderTotal({
    _svcNextDelivery: deliveryPrice,
    _svcNextLines: lines,
    _svcNextDiscounts: discounts,
  });
  return {
    total: orderTotal,
    lines: lines.nodes.map(({ id, title, quantity, lineDiscountedPrice: price }) => ({
      ...{ id, title, quantity, price },
    })),
    deliveryPrice,
    discountsTotal: orderTotal && computeDiscountsTotal(lines.nodes, deliveryPrice, orderTotal),
  };
}

/** Returns the sum of all discounts: the price of all lines and of the delivery before discounts, less the total. */
function computeDiscountsTotal(lines: readonly DraftLine[], deliveryPrice: Money, total: Money): Money {
  const { currencyCode } = total;
  const toMinorAmount = ({ amount }: Money) => toMinorUnits(parseDecimal(amount), currencyCode);
  const grossMinor = lines.reduce(
    (sum, { currentPrice, quantity }) => sum + toMinorAmount(currentPrice) * BigInt(quantity),
    toMinorAmount(deliveryPrice),
  );
  return { amount: formatMinorUnits(grossMinor - toMinorAmount(total), currencyCode), currencyCode };
}
