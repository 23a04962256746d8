/**
 * What the timeline tells of single orders, change by change: each found an order so, and left it so. By that it is known
 * whether a state that was read is from before a change or from after it.
 */
import { parseInstant } from '../../domain/instant.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import { INTERVAL_ACTION } from './interval-intent.ts';

/** What is absent is not told. `dateMs`: when the order is due. */
export type OrderState = { readonly dateMs?: number | undefined; readonly skipped?: boolean | undefined };

export type OrderChange = {
  readonly cycleIndex: number;
  readonly found: OrderState;
  readonly left: OrderState;
  /** Whether it is of this one order alone; else the order was changed because another date was set for the next one. */
  readonly isOwn: boolean;
  readonly createdAtMs: number;
};

/** Clocks of containers differ less. */
const CLOCKS_DIFFER_MS = 5_000;

/**
 * The changes of orders as they are since the last change of the interval, oldest first. `readAtMs`: those that had ended
 * when the state was read are left out, for it shows them.
 */
export function orderChanges(entries: readonly EventRecord[], readAtMs = 0): OrderChange[] {
  // Entries before another change of the interval name indices of cycles that are long gone.
  const first = entries.findLastIndex(({ action }) => action === INTERVAL_ACTION) + 1;
  return entries
    .slice(first)
    .filter(({ endedAtMs = Infinity }) => endedAtMs + CLOCKS_DIFFER_MS >= readAtMs)
    .flatMap((entry) => (entry.details.movesOrder === true ? changesByDate(entry) : ownChange(entry)));
}

/** Somebody skipped, restored or moved one order. */
function ownChange({ action, details, createdAtMs }: EventRecord): OrderChange[] {
  const { billingCycleIndex: cycleIndex, expectedDate, billingDate } = details;
  const dateMs = parseInstant(expectedDate);
  if (typeof cycleIndex !== 'number' || dateMs === undefined) return [];
  const change = { cycleIndex, isOwn: true, createdAtMs };
  switch (action) {
    case 'billing_cycle_skipped':
      return [{ ...change, found: { dateMs, skipped: false }, left: { dateMs, skipped: true } }];
    case 'billing_cycle_unskipped':
      return [{ ...change, found: { dateMs, skipped: true }, left: { dateMs, skipped: false } }];
    case 'billing_cycle_rescheduled': {
      const left = { dateMs: parseInstant(billingDate) ?? dateMs, skipped: false };
      return [{ ...change, found: { dateMs }, left }];
    }
    default:
      return [];
  }
}

const ORDER_FACT = /^billingCycles\.(\d+)\.(skipped|billingAttemptExpectedDate)$/;

/** A date was set for the next order: that one was moved, and those before it were skipped. */
function changesByDate({ changes, createdAtMs }: EventRecord): OrderChange[] {
  const byIndex = new Map<number, OrderChange>();
  for (const { field, before, after } of changes) {
    const [, index, name] = ORDER_FACT.exec(field) ?? [];
    if (index === undefined) continue;
    const state = (text: string | null): OrderState =>
      name === 'skipped' ? { skipped: text === 'true' } : { dateMs: parseInstant(text) };
    const cycleIndex = Number(index);
    const known = byIndex.get(cycleIndex);
    byIndex.set(cycleIndex, {
      ...{ cycleIndex, isOwn: false, createdAtMs },
      found: { ...known?.found, ...state(before) },
      left: { ...known?.left, ...state(after) },
    });
  }
  return [...byIndex.values()];
}

/**
 * What became of an order after it was read so, by the changes of it, oldest first: undefined if it was read after all of
 * them, or something else has changed it since. `read.dateMs` absent: it was on its own date.
 */
export function sinceRead(read: OrderState, changes: readonly OrderChange[]): OrderState | undefined {
  const state: OrderState = { ...read, dateMs: read.dateMs ?? changes[0]?.found.dateMs };
  const last = changes.at(-1);
  if (last === undefined || isSame(state, last.left)) return undefined;
  const from = changes.findLastIndex(({ found }) => isSame(state, found));
  if (from === -1) return undefined;
  return Object.assign({}, state, ...changes.slice(from).map(({ left }) => left));
}

function isSame(one: OrderState, other: OrderState): boolean {
  return isNotOther(one.dateMs, other.dateMs) && isNotOther(one.skipped, other.skipped);
}

function isNotOther<Value>(one: Value | undefined, other: Value | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
