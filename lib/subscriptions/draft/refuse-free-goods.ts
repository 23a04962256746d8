/**
 * Only the store gives goods away. A customer's change is judged by the contract that results from it: each discount,
 * quantity and price may be allowed, and together they may still make an order free.
 */
import { minorUnits, parseDecimal } from '../../domain/money.ts';
import { message } from '../../messages/message.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import { productName } from '../product-name.ts';
import { type DraftLine, type DraftLines, MAX_READABLE_LINES } from './draft-lines.ts';
import type { DraftMutation } from './draft-operation.ts';

type PricedChange = {
  /** The lines as the draft was opened, and after its last mutation; undefined unless a customer is acting. */
  readonly before: DraftLines | undefined;
  readonly after: DraftLines | undefined;
  /** The draft's mutations, with the payload of each. */
  readonly mutations: readonly DraftMutation[];
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
  /** Whether codes are the only discounts on goods: they may make goods free, because the store made the code so. */
  readonly hasOnlyCodes: boolean;
  /** The client's argument that names the contract. */
  readonly contractArgument: string;
};

/**
 * Judges the lines that a change leaves. A line that costs nothing has to be one that cost nothing before, with the same
 * variant and no larger quantity; and if a line cost something before, one still does. Prices are those of a whole
 * payment, in the currency's smallest unit.
 * @returns GOODS_WITHOUT_PRICE, or INVALID when there are more lines than can be read; undefined when the change is allowed
 */
export function refuseFreeGoods(change: PricedChange): OperationError | undefined {
  const { before, after, hasOnlyCodes } = change;
  if (before === undefined || after === undefined) return undefined;
  if (before.pageInfo.hasNextPage || after.pageInfo.hasNextPage) return tooManyLines(change);
  const isFree = ({ currentPrice, lineDiscountedPrice }: DraftLine) => {
    const { amount, currencyCode } = hasOnlyCodes ? currentPrice : lineDiscountedPrice;
    return minorUnits(parseDecimal(amount), currencyCode) <= 0n;
  };
  const given = new Map(before.nodes.filter(isFree).map((line) => [line.id, line]));
  const free = after.nodes.filter(isFree);
  const newlyFree = free.filter((line) => !covers(given.get(line.id), line));
  const [first] = newlyFree;
  if (first !== undefined) {
    const product = productName(first.title, first.variantTitle);
    const fault = { field: argumentOf(first, change), message: message('goodsWithoutPrice', { product }) };
    return refuse('GOODS_WITHOUT_PRICE', fault, { lineIds: idsOf(newlyFree) });
  }
  const isPaidBefore = given.size < before.nodes.length;
  if (!isPaidBefore || free.length < after.nodes.length || free.length === 0) return undefined;
  const fault = { field: firstArgument(change), message: message('lineLastPaid') };
  return refuse('GOODS_WITHOUT_PRICE', fault, { lineIds: idsOf(free) });
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
