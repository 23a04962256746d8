/**
 * Skips and moves of orders to come are kept, as they stand before a new interval, in a form that an intent can hold:
 * after a crash the scheduled work puts them back from it.
 */
import { type BillingCycle, dueMs, isAhead, isMoved } from './billing-cycle.ts';

export type EditAhead = {
  readonly cycleIndex: number;
  /** The date of the order that is skipped, or that it was moved to; ISO 8601. */
  readonly date: string;
  readonly skipped: boolean;
  readonly moved: boolean;
  /** The order's date before the edit; null: it was moved, and not by this service. */
  readonly originalDate: string | null;
  /** A client chose this order to be the next one: none is to come before its date. */
  readonly isChosen?: true;
};

/** The edits among a contract's cycles. `originalDates`: by the date of a move, the one before, where it is known. */
export function editsAhead(
  cycles: readonly BillingCycle[],
  { nowMs, originalDates }: { readonly nowMs: number; readonly originalDates: ReadonlyMap<number, string> },
): EditAhead[] {
  return cycles
    .filter((cycle) => isAhead(cycle, nowMs) && isEdit(cycle))
    .map((cycle) => {
      const { cycleIndex, billingAttemptExpectedDate: date, skipped } = cycle;
      const moved = isMoved(cycle);
      const originalDate = moved ? (originalDates.get(dueMs(cycle)) ?? null) : date;
      return { cycleIndex, date, skipped, moved, originalDate };
    });
}

function isEdit(cycle: BillingCycle): boolean {
  return cycle.skipped || isMoved(cycle);
}

const HOUR_MS = 3_600_000;
/** An order that is due within so many hours forbids a new interval. */
export const TOO_CLOSE_HOURS = 48;
const TOO_CLOSE_MS = TOO_CLOSE_HOURS * HOUR_MS;

/**
 * The first order within 48 hours, if that forbids a new interval: until the edits are put back it could be billed,
 * and the platform takes a charge 24 hours early. Where an order is always that close, by an interval of one or two
 * days, only an edited one counts (docs/decisions/0075).
 */
export function orderTooClose(
  cycles: readonly BillingCycle[],
  { nowMs, policy }: { readonly nowMs: number; readonly policy: Rhythm },
): BillingCycle | undefined {
  const isAlwaysClose = policy.interval === 'DAY' && policy.intervalCount <= 2;
  return cycles.find(
    (cycle) =>
      isAhead(cycle, nowMs) && dueMs(cycle) - nowMs <= TOO_CLOSE_MS && (!isAlwaysClose || isEdit(cycle)),
  );
}

type Rhythm = { readonly interval: string; readonly intervalCount: number };

/** Index, date and original date in epoch seconds, and what it is: about 30 characters an edit. */
type Packed = readonly [cycleIndex: number, date: number, kind: number, originalDate: number | null];

/** The edits as one short text: 500 of them are below 20 KB. */
export function packEdits(edits: readonly EditAhead[]): string {
  const packed = edits.map(({ cycleIndex, date, skipped, moved, originalDate, isChosen }): Packed => {
    const kind = (skipped ? 1 : 0) + (moved ? 2 : 0) + (isChosen ? 4 : 0);
    return [cycleIndex, toSeconds(date), kind, originalDate === null ? null : toSeconds(originalDate)];
  });
  return JSON.stringify(packed);
}

/** The edits that `packEdits` packed. */
export function unpackEdits(text: string): EditAhead[] {
  return (JSON.parse(text) as Packed[]).map(([cycleIndex, date, kind, originalDate]) => ({
    cycleIndex,
    date: toIso(date),
    skipped: (kind & 1) !== 0,
    moved: (kind & 2) !== 0,
    originalDate: originalDate === null ? null : toIso(originalDate),
    ...((kind & 4) !== 0 && { isChosen: true as const }),
  }));
}

function toSeconds(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
