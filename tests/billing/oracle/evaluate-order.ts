/** Decides from the state of an order at the platform what is done with its charge: the first rule that applies wins. */
import { type Charge, hasUsedTries, isUntried, type Task } from './charge.ts';
import type { ChargeReason } from './expectation.ts';
import type { Attempt, Order, PlatformModel } from './platform-model.ts';
import { isFirstDay, type StoreCalendar } from './store-calendar.ts';
import { addDays, DAY_MS, dayAt, startOfDay } from './zone-time.ts';

const LATE_MS = 2 * DAY_MS;

export type Verdict =
  | { readonly kind: 'close'; readonly state: 'CHARGED'; readonly by: Attempt['by'] }
  | {
      readonly kind: 'close';
      readonly state: 'ENDED' | 'REPORTED' | 'SKIPPED';
      readonly reason: ChargeReason;
    }
  | { readonly kind: 'follow'; readonly attempt: Attempt }
  /** The order stays due: until the next day, or until an older order's attempt has ended. */
  | { readonly kind: 'leave' | 'wait' }
  | { readonly kind: 'expire' }
  | { readonly kind: 'end'; readonly finalReason: NonNullable<Task['finalReason']> }
  | { readonly kind: 'count'; readonly failures: readonly Attempt[] }
  | { readonly kind: 'endOlder'; readonly older: readonly Charge[] }
  | { readonly kind: 'send' };

/** `finalReason` is set when the time of the final action has come; `older` are the open charges of older orders. */
export type OrderView = {
  readonly charge: Charge;
  readonly order: Order;
  readonly platform: PlatformModel;
  readonly calendar: StoreCalendar;
  readonly maxCycles: number | null;
  readonly nowMs: number;
  readonly finalReason: Task['finalReason'];
  readonly older: readonly Charge[];
  /** Whether a later order was reported because it was found too late. */
  readonly isLaterOverdue: boolean;
};

type MovableOrderView = Pick<OrderView, 'calendar' | 'charge' | 'nowMs' | 'order'>;

type Rule = (view: OrderView) => Verdict | undefined;

const RULES: readonly Rule[] = [
  billed,
  attemptUnderWay,
  skipped,
  moved,
  contractEnded,
  contractNotActive,
  notActiveOnItsDate,
  overdue,
  emptyCycle,
  beyondLastOrder,
  timeIsOver,
  triesOfOthers,
  paidForLaterOrder,
  tooManyTries,
  olderUnderWay,
  olderInDunning,
];

export function evaluateOrder(view: OrderView): Verdict {
  for (const rule of RULES) {
    const verdict = rule(view);
    if (verdict !== undefined) return verdict;
  }
  return { kind: 'send' };
}

function close(state: 'ENDED' | 'REPORTED' | 'SKIPPED', reason: ChargeReason): Verdict {
  return { kind: 'close', state, reason };
}

function billed({ order }: OrderView): Verdict | undefined {
  return order.billed === null ? undefined : { kind: 'close', state: 'CHARGED', by: order.billed.by };
}

function attemptUnderWay({ charge, platform }: OrderView): Verdict | undefined {
  const attempt = platform.openAttempt(charge.index);
  return attempt === undefined ? undefined : { kind: 'follow', attempt };
}

function skipped({ order }: MovableOrderView): Verdict | undefined {
  return order.isSkipped ? close('SKIPPED', 'SKIPPED_ORDER') : undefined;
}

/** How an order closes that the customer has skipped or moved since its last try. */
export function skippedOrMoved(view: MovableOrderView): Verdict | undefined {
  return skipped(view) ?? moved(view);
}

/** An order that was moved within the day is still within reach. */
function moved({ charge, order, calendar, nowMs }: MovableOrderView): Verdict | undefined {
  if (order.expectedMs === charge.expectedMs) return undefined;
  const timeZone = calendar.zoneAt(nowMs);
  const endOfDayMs = startOfDay(addDays(dayAt(nowMs, timeZone), 1), timeZone) - 1;
  const isWithinReach = order.expectedMs <= Math.min(endOfDayMs, nowMs + DAY_MS);
  return isWithinReach ? undefined : close('SKIPPED', 'MOVED');
}

function contractEnded({ platform }: OrderView): Verdict | undefined {
  return platform.hasEnded() ? close('ENDED', 'CONTRACT_ENDED') : undefined;
}

function contractNotActive({ platform, order, nowMs }: OrderView): Verdict | undefined {
  if (platform.status() === 'ACTIVE') return undefined;
  return order.expectedMs <= nowMs ? close('SKIPPED', 'NOT_ACTIVE') : { kind: 'leave' };
}

function notActiveOnItsDate({ charge, order, platform, nowMs }: OrderView): Verdict | undefined {
  const isLate = isUntried(charge) && nowMs > order.expectedMs;
  const wasActive = platform.statusAt(order.expectedMs) === 'ACTIVE';
  return isLate && !wasActive ? close('SKIPPED', 'NOT_ACTIVE') : undefined;
}

function overdue(view: OrderView): Verdict | undefined {
  const isLate = view.nowMs - view.order.expectedMs > LATE_MS;
  const isNew = isUntried(view.charge) && listFailuresOfOthers(view).length === 0;
  return view.charge.isOld || (isLate && isNew) ? close('REPORTED', 'OVERDUE') : undefined;
}

function emptyCycle({ order }: OrderView): Verdict | undefined {
  return order.endMs <= order.startMs ? close('REPORTED', 'EMPTY_CYCLE') : undefined;
}

function beyondLastOrder({ platform, maxCycles }: OrderView): Verdict | undefined {
  return maxCycles !== null && platform.ordersMade() >= maxCycles ? { kind: 'expire' } : undefined;
}

function timeIsOver({ charge, finalReason, isLaterOverdue }: OrderView): Verdict | undefined {
  const isOver = charge.state === 'RETRYING' && isLaterOverdue;
  const reason = finalReason ?? (isOver ? 'TRIES_OVER' : undefined);
  return reason === undefined ? undefined : { kind: 'end', finalReason: reason };
}

function triesOfOthers(view: OrderView): Verdict | undefined {
  const failures = listFailuresOfOthers(view);
  return failures.length > 0 ? { kind: 'count', failures } : undefined;
}

function listFailuresOfOthers({ charge, platform }: OrderView): readonly Attempt[] {
  return platform.attempts.filter(
    (each) =>
      each.index === charge.index && each.by === 'OTHERS' && !each.isOpen && !charge.counted.has(each),
  );
}

/** Others were paid for a later order since this order's cycle began: an attempt without an index falls on the next one. */
function paidForLaterOrder({ order, platform, calendar, nowMs }: OrderView): Verdict | undefined {
  if (!isFirstDay(dayAt(nowMs, calendar.zoneAt(nowMs)), calendar.settingsAt(nowMs))) return undefined;
  const isPaid = platform.attempts.some(
    ({ by, isOpen, outcome, index, startMs }) =>
      by === 'OTHERS' && !isOpen && outcome === 'PAYS' && index > order.index && startMs >= order.startMs,
  );
  return isPaid ? close('REPORTED', 'PAID_ELSEWHERE') : undefined;
}

function tooManyTries({ charge, nowMs }: OrderView): Verdict | undefined {
  return hasUsedTries(charge, nowMs) ? { kind: 'end', finalReason: 'TRIES_OVER' } : undefined;
}

/** An older order that the platform has refused goes first when it is sent again at the same time. */
function olderUnderWay({ older, nowMs }: OrderView): Verdict | undefined {
  const isDue = ({ state, task }: Charge) => state === 'DUE' && task !== null && task.dueMs <= nowMs;
  const isUnderWay = older.some((each) => each.state === 'WAITING' || each.isWaitingForOlder || isDue(each));
  return isUnderWay ? { kind: 'wait' } : undefined;
}

/** Two orders of one contract are never in dunning: the older one's final action comes first. */
function olderInDunning({ older }: OrderView): Verdict | undefined {
  const inDunning = older.filter(({ state }) => state === 'ACTION_REQUIRED' || state === 'RETRYING');
  return inDunning.length > 0 ? { kind: 'endOlder', older: inDunning } : undefined;
}
