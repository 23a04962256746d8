/**
 * Finds out whether a customer's change would make goods free. Checks the contract that results from the change,
 * because discounts, quantities and prices that are allowed separately can together make an order free.
 */
import { parseDecimal, toMinorUnits } from '../../domain/money.ts';
import { message } from '../../messages/message.ts';
import { appliesToGoods, type DiscountFacts, isCodeDiscount } from '../discount-facts.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import { formatProductName } from '../product-name.ts';
import { type DraftLine, MAX_READABLE_LINES, type PricedDraftLines } from './draft-lines.ts';
import type { DraftMutation } from './draft-operation.ts';

export type PricedDraftChange = {
  /** The lines when the draft was opened. */
  readonly linesBefore: PricedDraftLines;
  /** The lines after the last mutation of the draft. */
  readonly linesAfter: PricedDraftLines;
  /** The mutations of the draft, and the payload of each in the same order. */
  readonly mutations: readonly DraftMutation[];
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
  /** The contract's discounts before the change. Undefined when the operation did not read them. */
  readonly discounts: readonly DiscountFacts[] | undefined;
  /** The client's argument with the contract's id. */
  readonly contractArgument: string;
};

type LinePriceField = 'currentPrice' | 'lineDiscountedPrice';

/**
 * Compares the lines before and after the change. A line may be free only if it was free before, with the same variant
 * and no larger quantity. If any line cost something before, one must still cost something. Both rules apply to prices
 * before discounts. They also apply to prices after discounts, unless codes are the only discounts: the store allows
 * its codes to make goods free.
 * @returns GOODS_WITHOUT_PRICE when a rule is broken, INVALID when there are more lines than can be read, undefined
 * when the change is allowed
 */
export function findFreeGoodsError(change: PricedDraftChange): OperationError | undefined {
  const { linesBefore, linesAfter, discounts } = change;
  if (linesBefore.pageInfo.hasNextPage || linesAfter.pageInfo.hasNextPage) return tooManyLinesError(change);
  const hasMerchantDiscount = discounts?.some((one) => appliesToGoods(one) && !isCodeDiscount(one)) ?? true;
  const refusalError = findNewlyFreeLineError(change, 'currentPrice');
  return (
    refusalError ?? (hasMerchantDiscount ? findNewlyFreeLineError(change, 'lineDiscountedPrice') : undefined)
  );
}

/** Whether a line costs nothing in a payment, rounded to the currency's smallest unit. */
export function isLinePriceZero(line: DraftLine, priceField: LinePriceField): boolean {
  const { amount, currencyCode } = line[priceField];
  return toMinorUnits(parseDecimal(amount), currencyCode) <= 0n;
}

function findNewlyFreeLineError(
  change: PricedDraftChange,
  priceField: LinePriceField,
): OperationError | undefined {
  const { linesBefore, linesAfter } = change;
  const freeLineBeforeById = new Map(
    linesBefore.nodes.filter((line) => isLinePriceZero(line, priceField)).map((line) => [line.id, line]),
  );
  const freeLines = linesAfter.nodes.filter((line) => isLinePriceZero(line, priceField));
  const newlyFree = freeLines.filter(
    (line) => !wasLineFreeBefore(freeLineBeforeById.get(line.id), line, change),
  );
  const [firstFreeLine] = newlyFree;
  if (firstFreeLine !== undefined) {
    const product = formatProductName(firstFreeLine.title, firstFreeLine.variantTitle);
    const messageKey = isDiscountedByCode(change, priceField)
      ? 'goodsWithoutPriceByCode'
      : 'goodsWithoutPrice';
    const fault = {
      field: findArgumentOfLine(firstFreeLine, change),
      message: message(messageKey, { product }),
    };
    return createUserError('GOODS_WITHOUT_PRICE', fault, { lineIds: lineIdsOf(newlyFree) });
  }
  const hadPaidLine = freeLineBeforeById.size < linesBefore.nodes.length;
  if (!hadPaidLine || freeLines.length < linesAfter.nodes.length || freeLines.length === 0) return undefined;
  const fault = { field: firstMutationArgument(change), message: message('lineLastPaid') };
  return createUserError('GOODS_WITHOUT_PRICE', fault, { lineIds: lineIdsOf(freeLines) });
}

/**
 * Whether a code discounts the goods. The message then advises to remove the code, because without it the line may
 * not be free.
 */
function isDiscountedByCode({ discounts = [] }: PricedDraftChange, price: LinePriceField): boolean {
  return (
    price === 'lineDiscountedPrice' && discounts.some((one) => appliesToGoods(one) && isCodeDiscount(one))
  );
}

/**
 * Whether the line was already free before the change, with the same variant, and not with fewer pieces per payment.
 */
function wasLineFreeBefore(
  lineBefore: DraftLine | undefined,
  line: DraftLine,
  change: PricedDraftChange,
): boolean {
  if (lineBefore === undefined || lineBefore.variantId !== line.variantId) return false;
  const [deliveriesBefore, deliveriesAfter] = isFreeForLimitedPayments(line, change)
    ? [change.linesBefore.deliveriesPerPayment, change.linesAfter.deliveriesPerPayment]
    : [1, 1];
  return line.quantity * deliveriesAfter <= lineBefore.quantity * deliveriesBefore;
}

/**
 * Whether a discount makes the line free for a limited number of payments. More deliveries per payment then give more
 * free goods, so they count as a larger quantity.
 */
function isFreeForLimitedPayments(line: DraftLine, { discounts = [] }: PricedDraftChange): boolean {
  if (isLinePriceZero(line, 'currentPrice')) return false;
  return discounts.some(
    (one) => appliesToGoods(one) && !isCodeDiscount(one) && one.recurringCycleLimit !== null,
  );
}

type ErrorField = OperationError['field'];

/**
 * Returns the path of the client's argument for the line. When no mutation names the line, returns that of the first
 * mutation.
 */
function findArgumentOfLine({ id }: DraftLine, change: PricedDraftChange): ErrorField {
  const mutationOfLine = change.mutations.find(
    ({ args }, index) => args.lineId?.[1] === id || addedLineIdInPayload(change.payloads[index]) === id,
  );
  return mutationOfLine === undefined ? firstMutationArgument(change) : mutationOfLine.toClientField([]);
}

function firstMutationArgument({ mutations: [firstMutation] }: PricedDraftChange): ErrorField {
  return firstMutation === undefined ? null : firstMutation.toClientField([]);
}

function addedLineIdInPayload(payload: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { lineAdded } = (payload ?? {}) as { readonly lineAdded?: { readonly id: string } | null };
  return lineAdded?.id;
}

function tooManyLinesError({ contractArgument }: PricedDraftChange): OperationError {
  const errorMessage = message('linesTooManyToRead', { limit: MAX_READABLE_LINES });
  return createUserError(
    'INVALID',
    { field: [contractArgument], message: errorMessage },
    { limit: MAX_READABLE_LINES },
  );
}

function lineIdsOf(lines: readonly DraftLine[]): string[] {
  return lines.map(({ id }) => id);
}
