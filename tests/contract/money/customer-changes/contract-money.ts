/**
 * The money of one contract at one moment, calculated from the emulated platform's records and not by the service: what
 * each line costs, what the merchant gives away, and how often. All amounts are minor units of the contract's currency.
 */
import type { FrequencyPolicy, IntervalUnit } from '../../../../sandbox/platform/state/catalogue-records.ts';
import type {
  ContractContent,
  DiscountRecord,
  LineRecord,
} from '../../../../sandbox/platform/state/contract-records.ts';
import type { StoreState } from '../../../../sandbox/platform/state/state.ts';
import { deliveryOptionPrices, placeOf } from '../delivery-table.ts';
import { deliveriesOf } from '../price-oracle.ts';

export type LineMoney = {
  readonly id: string;
  readonly variantId: number | null;
  readonly quantity: number;
  /** The price of the whole quantity in one payment, before and after discounts. */
  readonly fullPrice: number;
  readonly price: number;
  /** The same after the end of every code and of every limited discount. */
  readonly finalPrice: number;
  /** The price of one piece in one delivery, where its own policy computes another one; else null. */
  readonly priceByHand: number | null;
  /** Whether it has its own manual discount. */
  readonly hasOwnDiscount: boolean;
};

export type Payment = {
  readonly lines: readonly LineMoney[];
  /** Whether a manual discount reduces the price of goods. */
  readonly hasManualDiscount: boolean;
};

export type LaterPayment = Payment & {
  /** The number of payments before it. */
  readonly paymentsBefore: number;
  readonly codes: readonly string[];
};

export type ContractMoney = Payment & {
  /** Returns the next payments, for each choice of the codes that the customer may still have then. */
  readonly laterPayments: readonly LaterPayment[];
  readonly hasFreeShipping: boolean;
  /** The next deliveries with manual free delivery. */
  readonly freeDeliveries: number;
  /** The face value of unlimited manual amounts off, for 30 days. */
  readonly unlimitedAmounts: number;
  /** One minor unit for each of them and each delivery of 30 days: prepaid amounts are rounded. */
  readonly amountRounding: number;
  /** Catalogue price of the goods that are free not by codes alone, for 30 days: at present, and without an end. */
  readonly gifts: number;
  readonly unlimitedGifts: number;
  readonly deliveriesPerPayment: number;
  readonly delivery: DeliveryMoney;
};

type DeliveryMoney = {
  readonly price: number;
  readonly optionCode: string | null;
  /** Kind, address and option, as text to compare. */
  readonly method: string;
  readonly place: string;
  readonly frequency: string;
  /** The store's price of each option for these lines and this address, by code. */
  readonly optionPrices: ReadonlyMap<string, number>;
};

/** The next payments, and one after everything that ends has ended. */
const PAYMENTS_BEFORE = [0, 1, 2, 3, 4, Number.POSITIVE_INFINITY];

const DAYS: Readonly<Record<IntervalUnit, number>> = { DAY: 1, WEEK: 7, MONTH: 365.25 / 12, YEAR: 365.25 };

/** Reads the contract's content. */
export function contractMoney(store: StoreState, content: ContractContent): ContractMoney {
  const active = content.discounts.filter(isActive);
  const onGoods = active.filter(({ targetType }) => targetType === 'LINE_ITEM');
  const manual = onGoods.filter(isManual);
  const unlimited = manual.filter(({ recurringCycleLimit }) => recurringCycleLimit === null);
  // There is one order on each of several days of an interval.
  const perMonth = ({ interval, intervalCount, anchors }: FrequencyPolicy) =>
    (30 * Math.max(1, anchors.length)) / (DAYS[interval] * intervalCount);
  const catalogue = ({ variantId, quantity }: LineRecord) =>
    (store.variants.get(variantId ?? 0)?.priceMinor ?? 0) * quantity;
  const freeShipping = active.filter((one) => one.targetType === 'SHIPPING_LINE' && isManual(one));
  const deliveriesPerPayment = deliveriesOf(content.billingPolicy, content.deliveryPolicy) ?? 0;
  const endless = onGoods.filter(({ recurringCycleLimit }) => recurringCycleLimit === null);
  const giftsUnder = (discounts: readonly DiscountRecord[]) =>
    sum(content.lines.filter((line) => priceOf(content, line, discounts) === 0).map(catalogue));
  const lines = content.lines.map(
    (line): LineMoney => ({
      id: line.id,
      variantId: line.variantId,
      quantity: line.quantity,
      fullPrice: fullPriceOf(line),
      price: priceOf(content, line, onGoods),
      finalPrice: priceOf(content, line, unlimited),
      priceByHand: isComputed(line, deliveriesPerPayment)
        ? null
        : line.currentPriceMinor / deliveriesPerPayment,
      hasOwnDiscount: manual.some(({ lineIds }) => lineIds?.includes(line.id)),
    }),
  );
  return {
    lines,
    laterPayments: laterPayments(content, onGoods, lines),
    hasManualDiscount: manual.length > 0,
    hasFreeShipping: freeShipping.length > 0,
    freeDeliveries: deliveriesPerPayment * Math.max(0, ...freeShipping.map(paymentsLeft)),
    amountRounding: unlimited.filter((one) => amountOf(one) > 0).length * perMonth(content.deliveryPolicy),
    unlimitedAmounts: sum(unlimited.map(amountOf)) * perMonth(content.billingPolicy),
    gifts: giftsUnder(manual.length > 0 ? onGoods : []) * perMonth(content.deliveryPolicy),
    unlimitedGifts: giftsUnder(unlimited.length > 0 ? endless : []) * perMonth(content.deliveryPolicy),
    deliveriesPerPayment,
    delivery: deliveryMoney(store, content),
  };
}

function laterPayments(
  content: ContractContent,
  onGoods: readonly DiscountRecord[],
  lines: readonly LineMoney[],
): LaterPayment[] {
  const choices = choicesOf(onGoods.flatMap(({ redeemCode }) => redeemCode ?? []));
  return choices.flatMap((codes) =>
    PAYMENTS_BEFORE.map((paymentsBefore) => {
      const discounts = onGoods.filter(
        (one) =>
          (one.recurringCycleLimit === null || paymentsLeft(one) > paymentsBefore) &&
          (one.redeemCode === null || codes.includes(one.redeemCode)),
      );
      const prices = content.lines.map((line) => priceOf(content, line, discounts));
      return {
        ...{ paymentsBefore, codes },
        lines: lines.map((line, index) => ({ ...line, price: prices[index] ?? 0 })),
        hasManualDiscount: discounts.some(isManual),
      };
    }),
  );
}

/** All choices of some of the codes, from none to all. */
function choicesOf(codes: readonly string[]): string[][] {
  return codes.reduce<string[][]>(
    (choices, code) => choices.flatMap((choice) => [choice, [...choice, code]]),
    [[]],
  );
}

/** Whether a line's price is its base price, or that of a step, for all deliveries of a payment. */
function isComputed({ pricingPolicy, currentPriceMinor }: LineRecord, deliveries: number): boolean {
  if (pricingPolicy === null) return false;
  const { basePriceMinor, cycleDiscounts } = pricingPolicy;
  const steps = cycleDiscounts.map(({ computedPriceMinor }) => computedPriceMinor);
  return [basePriceMinor * deliveries, ...steps].includes(currentPriceMinor);
}

function deliveryMoney(store: StoreState, content: ContractContent): DeliveryMoney {
  const { deliveryMethod, billingPolicy, deliveryPolicy } = content;
  return {
    price: content.deliveryPriceMinor,
    optionCode: deliveryMethod?.option.code ?? null,
    method: JSON.stringify(deliveryMethod),
    place: placeOf(store, content),
    frequency: JSON.stringify([billingPolicy, deliveryPolicy]),
    optionPrices: deliveryOptionPrices(store, content),
  };
}

/** Whether a discount takes something off the next payment. */
export function isActive({ rejectionReason, recurringCycleLimit, usageCount }: DiscountRecord): boolean {
  return rejectionReason === null && (recurringCycleLimit === null || usageCount < recurringCycleLimit);
}

function paymentsLeft({ recurringCycleLimit, usageCount }: DiscountRecord): number {
  return recurringCycleLimit === null ? Number.POSITIVE_INFINITY : recurringCycleLimit - usageCount;
}

function isManual({ redeemCode }: DiscountRecord): boolean {
  return redeemCode === null;
}

function amountOf({ value }: DiscountRecord): number {
  return 'amountMinor' in value ? value.amountMinor : 0;
}

function fullPriceOf({ currentPriceMinor, quantity }: LineRecord): number {
  return currentPriceMinor * quantity;
}

/** The price of a line's whole quantity in one payment under these discounts. Each is taken off the full price. */
function priceOf(content: ContractContent, line: LineRecord, discounts: readonly DiscountRecord[]): number {
  const taken = discounts.map((discount) => discountOn(content, line, discount));
  return Math.max(0, fullPriceOf(line) - sum(taken));
}

/** An amount for several lines is shared by their prices. */
function discountOn(content: ContractContent, line: LineRecord, { lineIds, value }: DiscountRecord): number {
  const isEntitled = ({ id }: LineRecord) => lineIds === null || lineIds.includes(id);
  if (!isEntitled(line)) return 0;
  const full = fullPriceOf(line);
  if ('percentage' in value) return Math.round((full * value.percentage) / 100);
  if (value.appliesOnEachItem) return Math.min(full, value.amountMinor * line.quantity);
  const whole = sum(content.lines.filter(isEntitled).map(fullPriceOf));
  return whole === 0 ? 0 : Math.min(full, Math.round((value.amountMinor * full) / whole));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
