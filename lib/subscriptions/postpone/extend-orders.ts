/** Plans further dates of a postponed contract, when about half of the orders that have dates were placed. */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { orderDueAtMs } from '../cycles/billing-cycle.ts';
import { type LaidDates, orderDateMs, regularDateMs } from '../order-dates/order-dates.ts';
import type { OrderEdit } from '../order-dates/postponements.ts';
import { isBeyondOneYear } from '../refuse-date.ts';
import { fitsItsCycle, LAID_ORDERS, type LaidCycle, type LayRequest } from './lay-orders.ts';

type ExtendRequest = Pick<LayRequest, 'timeZone' | 'nowMs'> & {
  /** Consecutive cycles from the current one on. */
  readonly cycles: readonly LaidCycle[];
  readonly laid: LaidDates;
};

type Extension =
  /** `edits` is empty if all orders have their dates already, or the next dates are more than a year ahead. */
  | { readonly kind: 'laid'; readonly laid: LaidDates; readonly edits: readonly OrderEdit[] }
  /** Another app moved the orders, or the cycles do not follow the interval: the dates end. */
  | { readonly kind: 'ended' };

const DAY_MS = 86_400_000;

/**
 * Plans the dates of the cycles after those that have one, so that 12 orders have a date again. It moves no order that
 * has one, and no order that is skipped, was moved by itself, or has a content of its own.
 */
export function extendOrders({ cycles, laid, timeZone, nowMs }: ExtendRequest): Extension {
  const ahead = unbilled(cycles);
  if (isReplaced({ cycles: ahead, laid, timeZone })) return { kind: 'ended' };
  return layAfter({ cycles: ahead, laid, timeZone, nowMs });
}

/** Returns the cycles of the orders that can have dates at a time. */
function unbilled(cycles: readonly LaidCycle[]): readonly LaidCycle[] {
  const first = cycles.findIndex(({ status }) => status !== 'BILLED');
  return cycles.slice(Math.max(first, 0)).slice(0, LAID_ORDERS);
}

/** Plans the dates of the cycles after `laid.laidThrough`, wherever the orders before them are. */
export function layAfter({ cycles, laid, timeZone, nowMs }: ExtendRequest): Extension {
  const next = unbilled(cycles).filter(
    ({ cycleIndex }) =>
      cycleIndex > laid.laidThrough && !isBeyondOneYear(orderDateMs(laid, cycleIndex, timeZone), nowMs),
  );
  if (next.some((cycle) => !fitsItsCycle({ dates: laid, timeZone }, cycle))) return { kind: 'ended' };
  const extended = { ...laid, laidThrough: next.at(-1)?.cycleIndex ?? laid.laidThrough };
  const edits = next.filter(isUnedited).flatMap((cycle) => {
    const atMs = regularDateMs(cycle, extended, timeZone);
    if (atMs === orderDueAtMs(cycle)) return [];
    const { cycleIndex, billingAttemptExpectedDate, skipped } = cycle;
    const before = { date: billingAttemptExpectedDate, skipped };
    return [{ cycleIndex, before, after: { date: formatInstant(floorToSecond(atMs)), skipped } }];
  });
  return { kind: 'laid', laid: extended, edits };
}

/** Whether no order is where it was laid. Single orders may be skipped, or moved by themselves. */
function isReplaced({ cycles, laid, timeZone }: Omit<ExtendRequest, 'nowMs'>): boolean {
  const coming = cycles.filter(
    ({ cycleIndex, skipped, status }) =>
      cycleIndex >= laid.fromCycle && cycleIndex <= laid.laidThrough && !skipped && status !== 'BILLED',
  );
  return (
    coming.length > 0 && coming.every((cycle) => orderDueAtMs(cycle) !== regularDateMs(cycle, laid, timeZone))
  );
}

function isUnedited(cycle: LaidCycle): boolean {
  const isMoved = orderDueAtMs(cycle) !== Date.parse(cycle.cycleEndAt);
  return !cycle.skipped && !isMoved && cycle.editedContract === null && cycle.status !== 'BILLED';
}

/**
 * Returns the date of the last order that has one, ISO 8601.
 * @returns undefined when its cycle is not among these
 */
export function laidUntilOf(
  laid: LaidDates,
  cycles: readonly LaidCycle[],
  timeZone: LayRequest['timeZone'],
): string | undefined {
  const last = cycles.find(({ cycleIndex }) => cycleIndex === laid.laidThrough);
  return last && formatInstant(floorToSecond(regularDateMs(last, laid, timeZone)));
}

/**
 * Returns when the dates are extended, in epoch milliseconds: a day after the middle one of the orders that have a
 * date. `firstCycle`: the index of the first of them that is not placed.
 */
export function extensionDueMs(
  laid: LaidDates,
  firstCycle: number,
  timeZone: LayRequest['timeZone'],
): number {
  const middle = Math.floor((Math.max(firstCycle, laid.fromCycle) + laid.laidThrough) / 2);
  return orderDateMs(laid, middle, timeZone) + DAY_MS;
}
