/**
 * Prevents a customer from making goods free. The check is on the contract that results from the change: each
 * discount, quantity and price may be allowed, and together they may still make an order free.
 */
import { minorUnits, parseDecimal } from '../../domain/money.ts';
import { message } from '../../messages/message.ts';
import { type DiscountFacts, isOfCode, isOnGoods } from '../discount-facts.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import { productName } from '../product-name.ts';
import { type DraftLine, type DraftLines, MAX_READABLE_LINES } from './draft-lines.ts';
import type { DraftMutation } from './draft-operation.ts';

export type PricedChange = {
  /** The lines as the draft was opened, and after its last mutation. */
  readonly before: DraftLines;
  readonly after: DraftLines;
  /** The draft's mutations, with the payload of each. */
  readonly mutations: readonly DraftMutation[];
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
  /** The discounts that the prices before the change include; undefined when the operation did not read them. */
  readonly discounts: readonly DiscountFacts[] | undefined;
  /** The client's argument that names the contract. */
  readonly contractArgument: string;
};

type Price = 'currentPrice' | 'lineDiscountedPrice';

/**
 * Compares the lines before and after a change. A line that costs nothing has to be one that cost nothing before, with
 * the same variant and no larger quantity; and if a line cost something before, one still does. Both hold for prices
 * before discounts, and for those after discounts unless codes are the only discounts: the store made the codes so.
 * @returns GOODS_WITHOUT_PRICE; INVALID when there are more lines than can be read; undefined when the change is allowed
 */
export function refuseFreeGoods(change: PricedChange): OperationError | undefined {
  const { before, after, discounts } = change;
  if (before.pageInfo.hasNextPage || after.pageInfo.hasNextPage) return tooManyLines(change);
  const isByHand = discounts?.some((one) => isOnGoods(one) && !isOfCode(one)) ?? true;
  const refusal = compare(change, 'currentPrice');
  return refusal ?? (isByHand ? compare(change, 'lineDiscountedPrice') : undefined);
}

/** Whether a line costs nothing in a payment, in the currency's smallest unit. */
export function isFree(line: DraftLine, price: Price): boolean {
  const { amount, currencyCode } = line[price];
  return minorUnits(parseDecimal(amount), currencyCode) <= 0n;
}

function compare(change: PricedChange, price: Price): OperationError | undefined {
  const { before, after } = change;
  const given = new Map(before.nodes.filter((line) => isFree(line, price)).map((line) => [line.id, line]));
  const free = after.nodes.filter((line) => isFree(line, price));
  const newlyFree = free.filter((line) => !covers(given.get(line.id), line, change));
  const [first] = newlyFree;
  if (first !== undefined) {
    const product = productName(first.title, first.variantTitle);
    const text = isByCode(change, price) ? 'goodsWithoutPriceByCode' : 'goodsWithoutPrice';
    const fault = { field: argumentOf(first, change), message: message(text, { product }) };
    return refuse('GOODS_WITHOUT_PRICE', fault, { lineIds: idsOf(newlyFree) });
  }
  const isPaidBefore = given.size < before.nodes.length;
  if (!isPaidBefore || free.length < after.nodes.length || free.length === 0) return undefined;
  const fault = { field: firstArgument(change), message: message('lineLastPaid') };
  return refuse('GOODS_WITHOUT_PRICE', fault, { lineIds: idsOf(free) });
}

/** Whether a code reduces the price: without the code, the other discounts may leave a price. */
function isByCode({ discounts = [] }: PricedChange, price: Price): boolean {
  return price === 'lineDiscountedPrice' && discounts.some((one) => isOnGoods(one) && isOfCode(one));
}

/** Whether a line that cost nothing before allows this one to cost nothing. */
function covers(given: DraftLine | undefined, line: DraftLine, change: PricedChange): boolean {
  if (given === undefined || given.variantId !== line.variantId) return false;
  const [from, to] = isCounted(line, change)
    ? [change.before.deliveriesPerPayment, change.after.deliveriesPerPayment]
    : [1, 1];
  return line.quantity * to <= given.quantity * from;
}

/** Whether the line is free for a limited number of payments, so that more deliveries per payment give more of it. */
function isCounted(line: DraftLine, { discounts = [] }: PricedChange): boolean {
  if (isFree(line, 'currentPrice')) return false;
  return discounts.some((one) => isOnGoods(one) && !isOfCode(one) && one.recurringCycleLimit !== null);
}

type Argument = OperationError['field'];

/** Returns the client's argument for the line, or the change's first when no mutation names the line. */
function argumentOf({ id }: DraftLine, change: PricedChange): Argument {
  const naming = change.mutations.find(
    ({ args }, index) => args.lineId?.[1] === id || addedIdOf(change.payloads[index]) === id,
  );
  return naming === undefined ? firstArgument(change) : naming.blame([]);
}

function firstArgument({ mutations: [first] }: PricedChange): Argument {
  return first === undefined ? null : first.blame([]);
}

function addedIdOf(payload: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { lineAdded } = (payload ?? {}) as { readonly lineAdded?: { readonly id: string } | null };
  return lineAdded?.id;
}

function tooManyLines({ contractArgument }: PricedChange): OperationError {
  const text = message('linesTooManyToRead', { limit: MAX_READABLE_LINES });
  return refuse('INVALID', { field: [contractArgument], message: text }, { limit: MAX_READABLE_LINES });
}

function idsOf(lines: readonly DraftLine[]): string[] {
  return lines.map(({ id }) => id);
}
