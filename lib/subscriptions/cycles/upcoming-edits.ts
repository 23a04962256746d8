/**
 * The skips and moves of upcoming orders before an interval change, in a form that an intent can store. If the
 * process crashes, the scheduled work restores the edits from the intent.
 */
import { formatPlatformDate } from '../../domain/instant.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import { type BillingCycle, isOrderMoved, isOrderUpcoming, orderDueAtMs } from './billing-cycle.ts';

export type UpcomingEdit = {
  readonly cycleIndex: number;
  /** ISO 8601. The due date of a skipped order, or the date that the order was moved to. */
  readonly date: string;
  readonly skipped: boolean;
  readonly moved: boolean;
  /**
   * ISO 8601. The order's date before the edit. Null when it is unknown, for example because another app moved the
   * order.
   */
  readonly originalDate: string | null;
  /** Set when a client chose this order as the next one, so that all earlier orders are skipped. */
  readonly isChosen?: true;
};

/**
 * Returns the skips and moves among a contract's cycles.
 * @param originalDates for each date to which an order was moved (epoch milliseconds) the date before the move (ISO
 * 8601), as far as the timeline has it
 */
export function listUpcomingEdits(
  cycles: readonly BillingCycle[],
  { nowMs, originalDates }: { readonly nowMs: number; readonly originalDates: ReadonlyMap<number, string> },
): UpcomingEdit[] {
  return cycles
    .filter((cycle) => isOrderUpcoming(cycle, nowMs) && isCycleEdited(cycle))
    .map((cycle) => {
      const { cycleIndex, billingAttemptExpectedDate: date, skipped } = cycle;
      const isOrderDateMoved = isOrderMoved(cycle);
      const originalDate = isOrderDateMoved ? (originalDates.get(orderDueAtMs(cycle)) ?? null) : date;
      return { cycleIndex, date, skipped, moved: isOrderDateMoved, originalDate };
    });
}

function isCycleEdited(cycle: BillingCycle): boolean {
  return cycle.skipped || isOrderMoved(cycle);
}

const HOUR_MS = 3_600_000;
/** An order that is due within this many hours prevents an interval change. */
export const ORDER_TOO_CLOSE_HOURS = 48;
const ORDER_TOO_CLOSE_MS = ORDER_TOO_CLOSE_HOURS * HOUR_MS;

/**
 * Returns the first order that prevents an interval change because it is due within 48 hours: it could be billed
 * before its edit is restored, and the platform accepts a charge 24 hours early. At an interval of one or two days an
 * order is always that close, so only an edited order prevents the change (docs/decisions/0075).
 * @returns undefined when no order prevents the change
 */
export function findOrderTooClose(
  cycles: readonly BillingCycle[],
  { nowMs, policy }: { readonly nowMs: number; readonly policy: Frequency },
): BillingCycle | undefined {
  const areOrdersAlwaysClose = policy.interval === 'DAY' && policy.intervalCount <= 2;
  return cycles.find(
    (cycle) =>
      isOrderUpcoming(cycle, nowMs) &&
      orderDueAtMs(cycle) - nowMs <= ORDER_TOO_CLOSE_MS &&
      (!areOrdersAlwaysClose || isCycleEdited(cycle)),
  );
}

/** One edit as a tuple. The bits of `editFlags`: 0 skipped, 1 moved, 2 chosen. */
type EncodedEdit = readonly [
  cycleIndex: number,
  dateSeconds: number,
  editFlags: number,
  originalDateSeconds: number | null,
];

/** Encodes the edits as short JSON. 500 edits need less than 20 KB. */
export function encodeUpcomingEdits(edits: readonly UpcomingEdit[]): string {
  const encodedEdits = edits.map(
    ({ cycleIndex, date, skipped, moved, originalDate, isChosen }): EncodedEdit => {
      const editFlags = (skipped ? 1 : 0) + (moved ? 2 : 0) + (isChosen ? 4 : 0);
      return [
        cycleIndex,
        toEpochSeconds(date),
        editFlags,
        originalDate === null ? null : toEpochSeconds(originalDate),
      ];
    },
  );
  return JSON.stringify(encodedEdits);
}

/** Decodes what `encodeUpcomingEdits` encoded. */
export function decodeUpcomingEdits(encodedEdits: string): UpcomingEdit[] {
  return (JSON.parse(encodedEdits) as EncodedEdit[]).map(
    ([cycleIndex, dateSeconds, editFlags, originalDate]) => ({
      cycleIndex,
      date: formatPlatformDate(dateSeconds * 1000),
      skipped: (editFlags & 1) !== 0,
      moved: (editFlags & 2) !== 0,
      originalDate: originalDate === null ? null : formatPlatformDate(originalDate * 1000),
      ...((editFlags & 4) !== 0 && { isChosen: true as const }),
    }),
  );
}

function toEpochSeconds(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}
