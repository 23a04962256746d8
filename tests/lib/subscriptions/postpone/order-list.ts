/**
 * The oracle of postponed orders: a plain list of days, without cycles. Postponing replaces the list from the next order
 * on by the chosen day and its intervals. It shares no code with the service.
 */

export type Interval = {
  readonly interval: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
  readonly intervalCount: number;
};

type ListedOrder = {
  /** `2026-12-16`. */
  readonly day: string;
  /** How many days earlier the order comes, because it was moved by itself. */
  readonly daysEarlier: number;
  readonly isSkipped: boolean;
  /** Whether only a date that was chosen for the next order has skipped it. */
  readonly isPassedOver?: boolean;
};

export type OrderList = readonly ListedOrder[];

const LENGTH = 400;

/** Lists the orders that follow this day at an interval. */
export function listFrom(day: string, interval: Interval): OrderList {
  return Array.from({ length: LENGTH }, (_, order) => ({
    day: dayAfter(day, interval, order + 1),
    daysEarlier: 0,
    isSkipped: false,
  }));
}

/** Returns the position of an order that comes, counted from 0. */
export function positionOf(list: OrderList, comingOrder: number): number {
  return [...list.keys()].filter((position) => list[position]?.isSkipped === false)[comingOrder] ?? -1;
}

/** The day on which the order comes. */
export function comingDay({ day, daysEarlier }: ListedOrder): string {
  return dayAfter(day, { interval: 'DAY', intervalCount: 1 }, -daysEarlier);
}

/** Postpones the order at the position. An order that was moved earlier, and stays before its day, moves alone. */
export function postpone(list: OrderList, position: number, { to, ...interval }: Interval & { to: string }) {
  const order = list[position];
  if (order === undefined) throw new Error('no such order');
  if (to <= order.day) return change(list, position, { daysEarlier: daysBetween(to, order.day) });
  return list.map((one, at) => {
    if (at < position) return one;
    const day = dayAfter(to, interval, at - position);
    return at === position ? { ...one, day, daysEarlier: 0 } : { ...one, day };
  });
}

/** Changes one order by itself. */
export function change(list: OrderList, position: number, fields: Partial<ListedOrder>): OrderList {
  return list.map((order, at) => (at === position ? { ...order, ...fields } : order));
}

/** Returns by how many days the second day is after the first. */
export function daysBetween(first: string, second: string): number {
  return Math.round((Date.parse(second) - Date.parse(first)) / 86_400_000);
}

/** Adds intervals to a day. A month without the day has its last day in place of it. */
export function dayAfter(day: string, { interval, intervalCount }: Interval, count: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const steps = intervalCount * count;
  if (interval === 'DAY' || interval === 'WEEK') {
    return isoDay(new Date(Date.UTC(year, month - 1, date + steps * (interval === 'WEEK' ? 7 : 1))));
  }
  const target = new Date(Date.UTC(year, month - 1 + steps * (interval === 'YEAR' ? 12 : 1), 1));
  const lastOfMonth = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0));
  return isoDay(
    new Date(
      Date.UTC(target.getUTCFullYear(), target.getUTCMonth(), Math.min(date, lastOfMonth.getUTCDate())),
    ),
  );
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
