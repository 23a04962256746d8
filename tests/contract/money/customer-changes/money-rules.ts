/**
 * What a change that a customer causes may do to the money of a contract. Each rule compares the contract before and
 * after one commit, and describes each violation as a sentence.
 */
import type { ContractMoney, LineMoney, Payment } from './contract-money.ts';

export type MoneyRule = (before: ContractMoney, after: ContractMoney) => string[];

/** Months differ in length: a smaller difference is ignored. */
const CALENDAR_TOLERANCE = 1.02;

/** Without a manual discount, a code may reduce the price to zero: the store decided so. */
function isFreeByCode({ hasManualDiscount }: Payment, { price, fullPrice }: LineMoney): boolean {
  return price === 0 && fullPrice > 0 && !hasManualDiscount;
}

/** A line that costs nothing afterwards cost nothing before, with the same variant and no larger quantity. */
function freeLines(before: Payment, after: Payment): string[] {
  return after.lines
    .filter((line) => line.price === 0 && !isFreeByCode(after, line))
    .filter((line) => !before.lines.some((one) => one.price === 0 && isNoLess(one, line)))
    .map(({ id }) => `line ${id} costs nothing now`);
}

function isNoLess(before: LineMoney, after: LineMoney): boolean {
  return before.id === after.id && before.variantId === after.variantId && before.quantity >= after.quantity;
}

/** If a line cost something before, one costs something afterwards. */
function freeContract(before: Payment, after: Payment): string[] {
  const isPaid = before.lines.some(({ price }) => price > 0);
  const isFree = after.lines.every(({ price }) => price === 0);
  const isByCode = after.lines.some((line) => isFreeByCode(after, line));
  return isPaid && isFree && !isByCode ? ['the whole contract costs nothing now'] : [];
}

/** Checks that each next payment is equal, for each choice of codes that the customer may still have then. */
function freeLater(before: ContractMoney, after: ContractMoney): string[] {
  if (before.deliveriesPerPayment !== after.deliveriesPerPayment) return [];
  return after.laterPayments.flatMap((payment) => {
    const { paymentsBefore, codes } = payment;
    const samePayment = before.laterPayments.filter((one) => one.paymentsBefore === paymentsBefore);
    // A code that the change applies was in no choice before.
    const was = samePayment
      .filter((one) => one.codes.every((code) => codes.includes(code)))
      .reduce((longest, one) => (one.codes.length > longest.codes.length ? one : longest));
    return [...freeLines(was, payment), ...freeContract(was, payment)].map(
      (text) => `after ${paymentsBefore} payments with the codes [${codes}]: ${text}`,
    );
  });
}

/** The same in the end: what stays when codes and free payments end is no contract of gifts alone. */
function freeInTheEnd(before: ContractMoney, after: ContractMoney): string[] {
  const isPaid = before.lines.some(({ finalPrice }) => finalPrice > 0);
  const isFree = after.lines.every(({ finalPrice }) => finalPrice === 0);
  return isPaid && isFree ? ['the whole contract costs nothing once its discounts end'] : [];
}

function unlimitedAmounts(before: ContractMoney, after: ContractMoney): string[] {
  const [from, to] = [before.unlimitedAmounts, after.unlimitedAmounts];
  return to > from * CALENDAR_TOLERANCE + after.amountRounding
    ? [`amounts off by hand were ${from} for 30 days, now ${to}`]
    : [];
}

function unlimitedGifts(before: ContractMoney, after: ContractMoney): string[] {
  const [from, to] = [before.gifts, after.unlimitedGifts];
  return to > from * CALENDAR_TOLERANCE ? [`gifts were worth ${from} for 30 days, now ${to}`] : [];
}

/** A line with a manual discount gets neither a larger quantity nor another product. */
function ownDiscounts(before: ContractMoney, after: ContractMoney): string[] {
  const grown = after.lines.filter((line) =>
    before.lines.some((one) => one.id === line.id && one.hasOwnDiscount && !isNoLess(one, line)),
  );
  return grown.map(({ id }) => `line ${id} has a discount of its own, and became larger or another product`);
}

/** A delivery price that was the store's is still the store's: for these lines, this option and this address. */
function storesDelivery(before: ContractMoney, after: ContractMoney): string[] {
  if (before.deliveriesPerPayment > 1 || after.deliveriesPerPayment > 1) return [];
  const now = pricedBy(after);
  if (pricedBy(before) !== before.delivery.price || now === after.delivery.price) return [];
  return [`delivery by ${after.delivery.optionCode} costs ${after.delivery.price}, the store asks ${now}`];
}

function pricedBy({ delivery: { optionCode, optionPrices } }: ContractMoney): number | undefined {
  return optionPrices.get(optionCode ?? '');
}

/** An unchanged delivery keeps its price, unless the store charges another price for the lines. */
function sameDelivery(before: ContractMoney, after: ContractMoney): string[] {
  const [from, to] = [before.delivery, after.delivery];
  const isSame = from.method === to.method && from.frequency === to.frequency;
  const isRepriced = after.deliveriesPerPayment === 1 && pricedBy(before) !== pricedBy(after);
  if (!isSame || isRepriced || from.price === to.price) return [];
  return [`the same delivery cost ${from.price} and costs ${to.price}`];
}

/** While a payment is for several deliveries, another address is the only change of a delivery. */
function prepaidDelivery(before: ContractMoney, after: ContractMoney): string[] {
  const [from, to] = [before.delivery, after.delivery];
  if (before.deliveriesPerPayment === 1 || from.frequency !== to.frequency) return [];
  if (from.optionCode === to.optionCode && from.price === to.price) return [];
  return [
    `prepaid delivery by ${from.optionCode} for ${from.price} is by ${to.optionCode} for ${to.price} now`,
  ];
}

/** The goods of a prepaid delivery are those that it was paid for. */
function prepaidGoods(before: ContractMoney, after: ContractMoney): string[] {
  const isAlike = before.deliveriesPerPayment === after.deliveriesPerPayment;
  const [from, to] = [pricedBy(before), pricedBy(after)];
  if (before.deliveriesPerPayment === 1 || !isAlike || from === undefined || from === to) return [];
  return before.delivery.method === after.delivery.method
    ? [`the store asked ${from} for the prepaid delivery, and asks ${to} for the new goods`]
    : [];
}

/** While the merchant pays for delivery, an option that others are cheaper than was such an option before, at the same place. */
function cheapestWhileFree(before: ContractMoney, after: ContractMoney): string[] {
  const isAlike = before.deliveriesPerPayment === after.deliveriesPerPayment;
  const isUnchanged = before.delivery.place === after.delivery.place && isCheapest(before) !== true;
  if (!before.hasFreeShipping || !isAlike || isUnchanged || isCheapest(after) !== false) return [];
  return [`free delivery is by ${after.delivery.optionCode} now, and others are cheaper`];
}

/** Whether no other delivery is cheaper; `undefined` if the store does not offer the option. */
function isCheapest(money: ContractMoney): boolean | undefined {
  const { optionCode, optionPrices } = money.delivery;
  const price = pricedBy(money);
  const others = [...optionPrices].filter(([code]) => optionCode === 'pickup' || code !== 'pickup');
  return price === undefined ? undefined : others.every(([, other]) => price <= other);
}

/** While the merchant pays for delivery, no option is chosen that is dearer than the present one, but the cheapest. */
function freeShipping(before: ContractMoney, after: ContractMoney): string[] {
  const [from, to] = [before.delivery, after.delivery];
  // At another address the present option may have another price.
  const present = Math.max(from.price, to.optionPrices.get(from.optionCode ?? '') ?? 0);
  if (!before.hasFreeShipping || from.method === to.method || to.price <= present) return [];
  const isPickup = (code: string | null) => code === 'pickup';
  const alike = [...to.optionPrices].filter(([code]) => isPickup(code) === isPickup(to.optionCode));
  const cheapest = Math.min(...alike.map(([, price]) => price));
  return to.price > cheapest ? [`free delivery is ${to.price} instead of ${present} now`] : [];
}

/** Manual free delivery covers no more deliveries than before, regardless of the deliveries per payment. */
function freeDeliveries(before: ContractMoney, after: ContractMoney): string[] {
  const [from, to] = [before.freeDeliveries, after.freeDeliveries];
  return to > from ? [`${from} deliveries to come were free, now ${to} are`] : [];
}

/** A price that the merchant set stays that of a delivery, but for rounding. A line without a policy is such a one. */
function pricesByHand(before: ContractMoney, after: ContractMoney): string[] {
  return after.lines.flatMap(({ id, variantId, fullPrice, quantity }) => {
    const was = before.lines.find((one) => one.id === id && one.variantId === variantId)?.priceByHand ?? null;
    const price = fullPrice / quantity / after.deliveriesPerPayment;
    return was === null || Math.abs(price - was) < 1
      ? []
      : [`line ${id} had the price ${was} by hand, now ${price}`];
  });
}

/** Every rule by its name. */
export const moneyRules: Readonly<Record<string, MoneyRule>> = {
  freeLines,
  freeContract,
  freeLater,
  freeInTheEnd,
  unlimitedAmounts,
  unlimitedGifts,
  ownDiscounts,
  storesDelivery,
  sameDelivery,
  prepaidDelivery,
  prepaidGoods,
  cheapestWhileFree,
  freeShipping,
  freeDeliveries,
  pricesByHand,
};
