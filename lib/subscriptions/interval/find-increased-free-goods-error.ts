/**
 * Limits interval changes by customers if the store gives a free line, or a fixed amount off, with each delivery
 * without an end. The store intends this for the present interval and days: with more frequent deliveries, or by
 * switching between days, a customer would get it more often. Percentages follow the price, and discounts with a
 * limit of payments end, so neither limits a change.
 */
import { parseDecimal, toMinorUnits } from '../../domain/money.ts';
import { message } from '../../messages/message.ts';
import { appliesToGoods, isCodeDiscount } from '../discount-facts.ts';
import { type ArgumentFault, createUserError, type OperationError } from '../operation-error.ts';
import { type DeliveryFrequency, deliveriesPerPayment, isMoreFrequent } from '../selling-plans/frequency.ts';
import type { PlannedLine } from './build-line-updates.ts';
import type { ContractPolicies } from './contract-policies.ts';
import type { IntervalContract, IntervalTarget } from './interval-state.ts';
import type { PaymentDiscount } from './scale-discounts.ts';

/**
 * Checks a customer's interval and date against lines that are free without an end, and manual discounts of a fixed
 * amount.
 * @param field the client's argument that sets the interval
 * @returns DISCOUNT_TIED_TO_INTERVAL, or undefined when deliveries become neither more frequent nor fall on other days,
 * or the store gives nothing with each delivery
 */
export function findIncreasedFreeGoodsError(
  contract: IntervalContract,
  target: IntervalTarget,
  field: string,
): OperationError | undefined {
  const fault = findGiftIncreaseFault(contract, target, field);
  const tiedGifts = fault && findGiftsPerDelivery(contract);
  return tiedGifts && createUserError('DISCOUNT_TIED_TO_INTERVAL', fault, tiedGifts);
}

/**
 * Returns the client's argument and the message for a change with which the customer would get free goods or
 * discounts more often or earlier.
 * @returns undefined when the change gives the customer no more
 */
function findGiftIncreaseFault(
  contract: IntervalContract,
  target: IntervalTarget,
  field: string,
): ArgumentFault | undefined {
  if (hasOtherAnchorDays(target, contract)) return { field: [field], message: message('discountTiedToDays') };
  if (isDeliveredMoreOften(target, contract))
    return { field: [field], message: message('discountTiedToInterval') };
  const { dateMs, paidUntilMs } = target;
  if (dateMs === undefined || paidUntilMs === undefined || dateMs >= paidUntilMs) return undefined;
  return { field: ['nextBillingDate'], message: message('discountTiedToDate', { day: paidUntilMs }) };
}

type GiftsPerDelivery = { readonly discountIds: readonly string[]; readonly lineIds: readonly string[] };

/**
 * Finds the free lines and fixed discounts that the store gives with each delivery without an end.
 * @returns undefined when there are none
 */
export function findGiftsPerDelivery({
  discounts,
  lines,
}: Pick<IntervalContract, 'discounts' | 'lines'>): GiftsPerDelivery | undefined {
  const goodsDiscounts = discounts.nodes.filter(appliesToGoods);
  const endlessDiscounts = goodsDiscounts.filter(({ recurringCycleLimit }) => recurringCycleLimit === null);
  const endlessManualDiscounts = endlessDiscounts.filter((discount) => !isCodeDiscount(discount));
  // Discount codes alone may make goods free, but not together with a manual discount. So percentages count only if the
  // contract has a manual discount.
  const totalPercentage = endlessManualDiscounts.length === 0 ? 0 : totalPercentageOf(endlessDiscounts);
  const isPermanent = endlessManualDiscounts.length > 0 && endlessDiscounts.length === goodsDiscounts.length;
  const discountedLines = lines.nodes.filter(
    (line) => isLineFree(line) && (isPermanent || isFreeAtPercentage(totalPercentage, line)),
  );
  const lineIds = discountedLines.map(({ id }) => id);
  const isAnyPriced = discountedLines.some(({ currentPrice }) => Number(currentPrice.amount) > 0);
  const tiedDiscounts = endlessManualDiscounts.filter(({ value }) => !('percentage' in value) || isAnyPriced);
  const tiedDiscountIds = tiedDiscounts.map(({ id }) => id);
  return lineIds.length + tiedDiscountIds.length === 0
    ? undefined
    : { discountIds: tiedDiscountIds, lineIds };
}

/**
 * Whether the policies after the change have days that the present ones lack. Each switch to another day could bring
 * the next order earlier.
 */
function hasOtherAnchorDays(after: ContractPolicies, before: ContractPolicies): boolean {
  const days = listAnchorDays(before);
  return listAnchorDays(after).some((day) => !days.includes(day));
}

function listAnchorDays({ billingPolicy, deliveryPolicy }: ContractPolicies): string[] {
  const policyAnchors = [...billingPolicy.anchors, ...deliveryPolicy.anchors];
  return policyAnchors.map(({ type, day, month }) => `${type} ${month} ${day}`);
}

/** Whether deliveries become more frequent, or payments do in proportion to the deliveries that they cover. */
function isDeliveredMoreOften(after: ContractPolicies, before: ContractPolicies): boolean {
  return (
    isMoreFrequent(deliveryFrequencyOf(after), deliveryFrequencyOf(before)) ||
    isMoreFrequent(paymentFrequencyOf(after), paymentFrequencyOf(before))
  );
}

/** Returns the frequency of deliveries: a policy with several days has one delivery on each of them per interval. */
function deliveryFrequencyOf({ deliveryPolicy }: ContractPolicies): DeliveryFrequency {
  return { ...deliveryPolicy, deliveriesPerInterval: Math.max(1, deliveryPolicy.anchors.length) };
}

function paymentFrequencyOf(policies: ContractPolicies): DeliveryFrequency {
  const { billingPolicy } = policies;
  const paymentsPerInterval = Math.max(1, billingPolicy.anchors.length);
  return {
    ...billingPolicy,
    deliveriesPerInterval: paymentsPerInterval * (deliveriesPerPayment(policies) ?? 1),
  };
}

function totalPercentageOf(discounts: readonly PaymentDiscount[]): number {
  return discounts.reduce((sum, { value }) => sum + ('percentage' in value ? value.percentage : 0), 0);
}

function isLineFree({
  lineDiscountedPrice: { amount },
  currentPrice: { currencyCode },
}: PlannedLine): boolean {
  return toMinorUnits(parseDecimal(amount), currencyCode) <= 0n;
}

/**
 * Whether a discount of this percentage makes the line free, rounded to the currency's smallest unit. Always true for a
 * line whose price is zero.
 */
function isFreeAtPercentage(percentage: number, { currentPrice, quantity }: PlannedLine): boolean {
  const price = Number(toMinorUnits(parseDecimal(currentPrice.amount), currentPrice.currencyCode));
  return Math.round((price * quantity * (100 - percentage)) / 100) <= 0;
}
