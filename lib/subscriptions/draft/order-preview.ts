/** The value of the schema's type SubscriptionChangePreview, from the content of a draft or of the contract. */
import { gidTail } from '../../domain/gid.ts';
import { formatMinorUnits, parseDecimal, toMinorUnits } from '../../domain/money.ts';
import type { OperationDeps } from '../operation.ts';
import {
  MAX_SUMMED_DISCOUNTS,
  MAX_SUMMED_LINES,
  type Money,
  type OrderContent,
  sumOrderTotal,
} from '../order-content.ts';
import { type DraftLine, type LinesPage, PRICED_LINES_KEY, selectPricedLines } from './draft-lines.ts';

type DiscountFacts = OrderContent['_svcNextDiscounts']['nodes'][number];
type ObjectWithId = { readonly id: string };
type Page<Node> = { readonly nodes: readonly Node[]; readonly pageInfo: { readonly hasNextPage: boolean } };

/** A discount of a draft. For a code, the platform does not return whether it is on goods or on the delivery. */
type DraftDiscount = ObjectWithId &
  (
    | ({ readonly __typename: 'SubscriptionManualDiscount' } & DiscountFacts)
    | { readonly __typename: 'SubscriptionAppliedCodeDiscount'; readonly rejectionReason: string | null }
  );
type PricedContent = { readonly _svcNextDelivery: Money; readonly [PRICED_LINES_KEY]: LinesPage };

/** The fields that `selectDraftToPreview` selects. */
export type PreviewedDraft = PricedContent & { readonly _svcDraftDiscounts: Page<DraftDiscount> };
/** The fields that `CURRENT_CONTENT_SELECTION` selects. */
export type CurrentContent = PricedContent & Pick<OrderContent, '_svcNextDiscounts'>;
/** The fields that `selectCurrentDiscounts` selects. */
export type CurrentDiscounts = {
  readonly _svcNextDiscounts: Page<DiscountFacts & ObjectWithId>;
  readonly [PRICED_LINES_KEY]?: LinesPage;
};

type OrderPreview = {
  /** Null when the content has more lines or discounts than are read, or a new code's effect on the delivery is unknown. */
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

const CURRENT_DISCOUNTS_SELECTION = `_svcNextDiscounts: ${DISCOUNTS_CONNECTION} { nodes { ${DISCOUNT_FIELDS} } pageInfo { hasNextPage } }`;
/** The selection of the content of a contract, or of an edited cycle. */
export const CURRENT_CONTENT_SELECTION = `${DELIVERY_PRICE_SELECTION} ${CURRENT_DISCOUNTS_SELECTION} ${selectPricedLines(MAX_SUMMED_LINES)}`;

/** Returns the selection to read of a draft. A customer's draft has the lines already. */
export function selectDraftToPreview({ actingCustomerId }: Pick<OperationDeps, 'actingCustomerId'>): string {
  const linesSelection = actingCustomerId === undefined ? selectPricedLines(MAX_SUMMED_LINES) : '';
  return `${DELIVERY_PRICE_SELECTION} ${DRAFT_DISCOUNTS_SELECTION} ${linesSelection}`;
}

/** Computes the amounts of the next order as the contract, or an edited cycle, is now, without a draft. */
export function computeCurrentPreview(content: CurrentContent): OrderPreview {
  return buildOrderPreview(content, content._svcNextDiscounts);
}

/**
 * Returns the selection of the contract that shows what the codes of a draft are for: its discounts, and, if the draft's
 * lines before the change are not known, its lines.
 */
export function selectCurrentDiscounts(draft: PreviewedDraft, before: LinesPage | undefined): string {
  const isByCode = draft._svcDraftDiscounts.nodes.some(({ __typename }) => __typename === CODE_DISCOUNT_TYPE);
  const linesSelection = isByCode && before === undefined ? selectPricedLines(MAX_SUMMED_LINES) : '';
  return `${CURRENT_DISCOUNTS_SELECTION} ${linesSelection}`;
}

const CODE_DISCOUNT_TYPE = 'SubscriptionAppliedCodeDiscount';

/**
 * Computes the amounts of an order with a draft's content.
 * @param present the contract as `selectCurrentDiscounts` selects it
 * @param before the draft's lines before the change, if they were read
 */
export function computeDraftPreview(
  draft: PreviewedDraft,
  present: CurrentDiscounts,
  before: LinesPage | undefined = present[PRICED_LINES_KEY],
): OrderPreview {
  const discountById = new Map(present._svcNextDiscounts.nodes.map((one) => [gidTail(one.id), one]));
  const newTarget = findTargetOfNewCode(before?.nodes ?? [], draft[PRICED_LINES_KEY].nodes);
  const discountFacts = draft._svcDraftDiscounts.nodes.map((discount): DiscountFacts | undefined => {
    if (discount.__typename !== CODE_DISCOUNT_TYPE) return discount;
    const { id, rejectionReason } = discount;
    const presentDiscount = discountById.get(gidTail(id));
    if (presentDiscount !== undefined) return { ...presentDiscount, rejectionReason };
    if (newTarget === undefined) return undefined;
    return { targetType: newTarget, rejectionReason, recurringCycleLimit: null, usageCount: 0 };
  });
  const presentNodes = discountFacts.filter((one) => one !== undefined);
  const { hasNextPage } = draft._svcDraftDiscounts.pageInfo;
  return buildOrderPreview(draft, {
    nodes: presentNodes,
    pageInfo: { hasNextPage: hasNextPage || presentNodes.length < discountFacts.length },
  });
}

/**
 * Returns what a new code is for. A code that makes no line cheaper is on the delivery.
 * @returns undefined when a line that was free before could hide that the code is on goods
 */
function findTargetOfNewCode(
  before: readonly DraftLine[],
  after: readonly DraftLine[],
): DiscountFacts['targetType'] | undefined {
  const priceOf = ({ lineDiscountedPrice }: DraftLine) => Number(lineDiscountedPrice.amount);
  const sum = (lines: readonly DraftLine[]) => lines.reduce((total, line) => total + priceOf(line), 0);
  if (sum(after) < sum(before)) return 'LINE_ITEM';
  return before.some((line) => priceOf(line) === 0) ? undefined : 'SHIPPING_LINE';
}

function buildOrderPreview(content: PricedContent, discounts: Page<DiscountFacts>): OrderPreview {
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

/** The price of all lines and of the delivery before discounts, less the total. */
function computeDiscountsTotal(lines: readonly DraftLine[], deliveryPrice: Money, total: Money): Money {
  const { currencyCode } = total;
  const toMinor = ({ amount }: Money) => toMinorUnits(parseDecimal(amount), currencyCode);
  const grossMinor = lines.reduce(
    (sum, { currentPrice, quantity }) => sum + toMinor(currentPrice) * BigInt(quantity),
    toMinor(deliveryPrice),
  );
  return { amount: formatMinorUnits(grossMinor - toMinor(total), currencyCode), currencyCode };
}
