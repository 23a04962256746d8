/**
 * Reads changes of single orders from timeline entries. Each change has the order's state before and after it, which
 * shows whether a state that was read is from before or after the change.
 */
import { parseInstant } from '../../domain/instant.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import { type OrderState, parseOrderFacts } from '../order-dates/order-facts.ts';
import { POSTPONED_ACTION } from '../postpone/planned-postponement.ts';
import { REVERTED_ACTION } from '../postpone/revert-postponement.ts';
import { INTERVAL_ACTION } from './create-interval-intent.ts';

export type OrderChange = {
  readonly cycleIndex: number;
  readonly stateBefore: OrderState;
  readonly stateAfter: OrderState;
  /**
   * Whether a client requested the change of this order. False when it follows from setting the date of the next
   * order.
   */
  readonly isOwn: boolean;
  readonly createdAtMs: number;
  /**
   * The timeline entry with the change. All changes of one entry were made on the same cycles, either the old or the
   * new ones.
   */
  readonly entry: EventRecord;
  /**
   * Whether a postponement made the change. On old cycles, the dates that are assigned after the interval change
   * replace it.
   */
  readonly isByPostponement?: boolean;
};

/** The tolerance for differences between the clocks of containers. Actual differences are smaller. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

/**
 * Returns the changes of orders since the last interval change, oldest first. Omits changes that ended before
 * `readAtMs`, because the state that was read then includes them.
 */
export function listOrderChanges(entries: readonly EventRecord[], readAtMs = 0): OrderChange[] {
  // Skip entries from before another interval change: they refer to cycles that no longer exist.
  const firstIndex = entries.findLastIndex(({ action }) => action === INTERVAL_ACTION) + 1;
  return entries
    .slice(firstIndex)
    .filter(({ endedAtMs = Infinity }) => endedAtMs + MAX_CLOCK_DIFFERENCE_MS >= readAtMs)
    .flatMap((entry) => {
      if (POSTPONEMENT_ACTIONS.has(entry.action)) {
        return toNextDateChanges(entry).map((change) => ({ ...change, isOwn: true, isByPostponement: true }));
      }
      return entry.details.movesOrder === true ? toNextDateChanges(entry) : toSingleOrderChange(entry);
    });
}

/** The actions that assign the dates of a postponement, or revert them. */
const POSTPONEMENT_ACTIONS: ReadonlySet<string> = new Set([
  POSTPONED_ACTION,
  REVERTED_ACTION,
  'orders_postponement_extended',
]);

/** Converts an entry of an operation that skipped, restored or moved one order. */
function toSingleOrderChange(entry: EventRecord): OrderChange[] {
  const { action, details, createdAtMs } = entry;
  const { billingCycleIndex: cycleIndex, expectedDate, billingDate } = details;
  const dateMs = parseInstant(expectedDate);
  if (typeof cycleIndex !== 'number' || dateMs === undefined) return [];
  const change = { cycleIndex, isOwn: true, createdAtMs, entry };
  switch (action) {
    case 'billing_cycle_skipped':
      return [{ ...change, stateBefore: { dateMs, skipped: false }, stateAfter: { dateMs, skipped: true } }];
    case 'billing_cycle_unskipped': {
      // The order of a postponed contract gets the date again that it had before it was skipped.
      const stateAfter = { dateMs: parseInstant(billingDate) ?? dateMs, skipped: false };
      return [{ ...change, stateBefore: { dateMs, skipped: true }, stateAfter }];
    }
    case 'billing_cycle_rescheduled': {
      const stateAfter = { dateMs: parseInstant(billingDate) ?? dateMs, skipped: false };
      return [{ ...change, stateBefore: { dateMs }, stateAfter }];
    }
    default:
      return [];
  }
}

/**
 * Converts an entry that set the date of the next order: that order was moved to the date, and the orders before it
 * were skipped.
 */
function toNextDateChanges(entry: EventRecord): OrderChange[] {
  const { changes, createdAtMs } = entry;
  return [...parseOrderFacts(changes)].map(([cycleIndex, states]) => ({
    ...{ cycleIndex, ...states, isOwn: false, createdAtMs, entry },
  }));
}

/**
 * Applies the changes of an order, oldest first, to the state that was read. `stateRead.dateMs` is undefined if the order
 * was on its original date.
 * @returns undefined when the state was read after all changes, or does not fit any of them because something else
 * changed it
 */
export function applyOrderChanges(
  stateRead: OrderState,
  changes: readonly OrderChange[],
): OrderState | undefined {
  const state: OrderState = { ...stateRead, dateMs: stateRead.dateMs ?? changes[0]?.stateBefore.dateMs };
  const lastChange = changes.at(-1);
  if (lastChange === undefined || isSameOrderState(state, lastChange.stateAfter)) return undefined;
  const lastMatchingIndex = changes.findLastIndex(({ stateBefore }) => isSameOrderState(state, stateBefore));
  if (lastMatchingIndex === -1) return undefined;
  return Object.assign({}, state, ...changes.slice(lastMatchingIndex).map(({ stateAfter }) => stateAfter));
}

function isSameOrderState(one: OrderState, other: OrderState): boolean {
  return isUnknownOrEqual(one.dateMs, other.dateMs) && isUnknownOrEqual(one.skipped, other.skipped);
}

function isUnknownOrEqual<Value>(one: Value | undefined, other: Value | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
