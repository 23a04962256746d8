/**
 * Only the store gives goods away. A customer's change is judged by the contract that results from it: each discount,
 * quantity and price may be allowed, and together they may still make an order free.
 */
import { minorUnits, parseDecimal } from '../../domain/money.ts';
import { message } from '../../messages/message.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import { productName } from '../product-name.ts';
import { type DraftLine, type DraftLines, MAX_READABLE_LINES } from './draft-lines.ts';
import type { DraftMutation, GoodsDiscounts } from './draft-operation.ts';

type PricedChange = {
  /** The lines as the draft was opened, and after its last mutation; undefined unless a customer is acting. */
  readonly before: DraftLines | undefined;
  readonly after: DraftLines | undefined;
  /** The draft's mutations, with the payload of each. */
  readonly mutations: readonly DraftMutation[];
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
  /** Codes alone may make goods free, because the store made the code so. */
  readonly goodsDiscounts: GoodsDiscounts;
  /** The client's argument that names the contract. */
  readonly contractArgument: string;
};

/**
 * Compares the lines before and after a change. A line that costs nothing has to be one that cost nothing before, with
 * the same variant and no larger quantity; and if a line cost something before, one still does. Prices are those of a
 * whole payment, in the currency's smallest unit: after discounts, and before them, because a code or a free trial ends.
 * @returns GOODS_WITHOUT_PRICE, or INVALID when there are more lines than can be read; undefined when the change is allowed
 */
export function refuseFreeGoods(change: PricedChange): OperationError | undefined {
  const { before, after, goodsDiscounts } = change;
  if (before === undefined || after === undefined) return undefined;
  if (before.pageInfo.hasNextPage || after.pageInfo.hasNextPage) return tooManyLines(change);
  const lines = { before: before.nodes, after: after.nodes };
  const discounted =
    goodsDiscounts === 'codes' ? undefined : refuseFree(change, lines, isFreeWith('lineDiscountedPrice'));
  return discounted ?? refuseFree(change, lines, isFreeWith('currentPrice')) ?? refuseHidden(change, lines);
}

type Lines = { readonly before: readonly DraftLine[]; readonly after: readonly DraftLine[] };
type IsFree = (line: DraftLine) => boolean;

function isFreeWith(price: 'currentPrice' | 'lineDiscountedPrice'): IsFree {
  return ({ [price]: { amount, currencyCode } }) => minorUnits(parseDecimal(amount), currencyCode) <= 0n;
}

function refuseFree(
  change: PricedChange,
  { before, after }: Lines,
  isFree: IsFree,
): OperationError | undefined {
  const given = new Map(before.filter(isFree).map((line) => [line.id, line]));
  const free = after.filter(isFree);
  const newlyFree = free.filter((line) => !covers(given.get(line.id), line));
  if (newlyFree.length > 0) return withoutPrice(newlyFree, change);
  const isPaidBefore = given.size < before.length;
  if (!isPaidBefore || free.length < after.length || free.length === 0) return undefined;
  const fault = { field: firstArgument(change), message: message('lineLastPaid') };
  return refuse('GOODS_WITHOUT_PRICE', fault, { lineIds: idsOf(free) });
}

/**
 * Refuses a change of lines that are all free by discounts of which some end. The platform does not say what is free by
 * the others alone: after the change it may be all that is left.
 */
function refuseHidden(change: PricedChange, { before, after }: Lines): OperationError | undefined {
  const isFree = isFreeWith('lineDiscountedPrice');
  const isAllFree = before.every(isFree) && after.every(isFree);
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return change.goodsDiscounts === 'combined' && isAllFree && !isSame
    ? withoutPrice(after, change)
    : undefined;
}

/** Refuses these free lines, at the first of them. */
function withoutPrice(lines: readonly DraftLine[], change: PricedChange): OperationError | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  const product = productName(first.title, first.variantTitle);
  const fault = { field: argumentOf(first, change), message: message('goodsWithoutPrice', { product }) };
  return refuse('GOODS_WITHOUT_PRICE', fault, { lineIds: idsOf(lines) });
}

/** Whether a line that cost nothing before allows this one to cost nothing. */
function covers(given: DraftLine | undefined, { variantId, quantity }: DraftLine): boolean {
  return given !== undefined && given.variantId === variantId && quantity <= given.quantity;
}

type Argument = OperationError['field'];

/** Returns the client's argument that names the line, or the change's first when the line follows from others. */
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
