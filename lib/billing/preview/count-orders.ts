/** Lists and counts the orders of the next days for each page of a store's contracts that the reconciliation reads. */

import { formatMinorUnits, parseDecimal, toMinorUnits } from '../../domain/money.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import type { Money } from '../../subscriptions/order-content.ts';
import type { ContractReading, CycleFacts } from '../../timeline/append/observation.ts';
import { addDays } from '../settings/run-times.ts';
import type { BillingPreview, BillingPreviewEntry, BillingWarning } from './previews.ts';

/**
 * The counts of each day, by date, over the contracts that the reconciliation has read so far. They are stored with its
 * progress.
 */
export type PreviewCounts = Readonly<Record<string, Pick<BillingPreview, 'orderCount' | 'totals'>>>;

export type PreviewStore = {
  readonly shopId: ShopId;
  readonly timeZone: TimeZone;
  /** The day of the nightly reconciliation, 2026-11-30: the orders of the 14 days after it are counted. */
  readonly nightlyDate: string;
  /** The day after `nightlyDate`; or `nightlyDate` itself, if no earlier reconciliation has counted that day. */
  readonly firstCountedDate: string;
  /** The first day of billing: the service does not charge orders of earlier days. */
  readonly startsOn: string;
};

/** The amounts of a contract's next order, and of a later one; undefined when an amount is unknown. */
export type OrderAmounts = { readonly nextOrder?: Money; readonly laterOrder?: Money };
export type PricedReading = { readonly reading: ContractReading; readonly amounts: OrderAmounts };

const PREVIEW_DAYS = 14;

/** Returns the dates whose orders a nightly reconciliation counts, the earliest first. */
export function listPreviewDates({
  nightlyDate,
  firstCountedDate,
  startsOn,
}: Pick<PreviewStore, 'firstCountedDate' | 'nightlyDate' | 'startsOn'>): string[] {
  const days = Array.from({ length: PREVIEW_DAYS + 1 }, (_, index) => addDays(nightlyDate, index));
  return days.filter((date) => date >= firstCountedDate && date >= startsOn);
}

/** Returns the orders of a contract that the service would charge on these days, in the order of their dates. */
export function listPreviewOrders(
  store: Pick<PreviewStore, 'shopId' | 'timeZone'>,
  dates: ReadonlySet<string>,
  { reading, amounts }: PricedReading,
): BillingPreviewEntry[] {
  if (reading.facts.status !== 'ACTIVE') return [];
  const cycles = Object.entries(reading.cycles)
    .filter(([, { isSkipped }]) => !isSkipped)
    .sort(([, one], [, other]) => one.date - other.date);
  return cycles.flatMap(([index, cycle], position) => {
    const expectedAtMs = cycle.date * 1000;
    const date = isoDayIn(store.timeZone, expectedAtMs);
    if (!dates.has(date)) return [];
    const orderAmount = position === 0 ? amounts.nextOrder : amounts.laterOrder;
    return {
      ...{ shopId: store.shopId, contractNumber: reading.contract, cycleIndex: Number(index) },
      ...{ date, expectedAtMs, warnings: listWarnings(reading, cycle) },
      ...(orderAmount !== undefined && cycle.editedAt === undefined && { amount: orderAmount }),
    };
  });
}

/** Returns the counts with these orders added. */
export function countPreviewOrders(
  counts: PreviewCounts,
  orders: readonly BillingPreviewEntry[],
): PreviewCounts {
  const newCounts = { ...counts };
  for (const { date, amount } of orders) {
    const { orderCount, totals } = newCounts[date] ?? { orderCount: 0, totals: [] };
    newCounts[date] = { orderCount: orderCount + 1, totals: addToTotals(totals, amount) };
  }
  return newCounts;
}

/** Adds the amount to the total of its currency. Returns the totals, one for each currency. */
export function addToTotals(totals: readonly Money[], amount: Money | undefined): readonly Money[] {
  if (amount === undefined) return totals;
  const { currencyCode } = amount;
  const sum = [...totals, amount]
    .filter((one) => one.currencyCode === currencyCode)
    .reduce((minor, one) => minor + toMinorUnits(parseDecimal(one.amount), currencyCode), 0n);
  const otherTotals = totals.filter((one) => one.currencyCode !== currencyCode);
  return [...otherTotals, { amount: formatMinorUnits(sum, currencyCode), currencyCode }];
}

function listWarnings({ paymentMethod }: ContractReading, cycle: CycleFacts): BillingWarning[] {
  const isMethodMissing = paymentMethod === undefined || paymentMethod.isRevoked;
  const { goodUntil } = paymentMethod ?? {};
  const hasCardExpired = goodUntil !== undefined && endOfMonthMs(goodUntil) <= cycle.date * 1000;
  return [
    ...(isMethodMissing ? (['METHOD_MISSING'] as const) : []),
    ...(!isMethodMissing && hasCardExpired ? (['METHOD_EXPIRES'] as const) : []),
    ...(cycle.editedAt === undefined ? [] : (['ORDER_EDITED'] as const)),
  ];
}

/** Returns the end of a month such as `2027-04`, UTC: the first instant of the next month, epoch milliseconds. */
export function endOfMonthMs(month: string): number {
  const [year, monthNumber] = month.split('-').map(Number);
  return Date.UTC(year ?? 0, monthNumber ?? 0, 1);
}
