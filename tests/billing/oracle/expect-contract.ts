/** The expected charges of one contract: all that happens to it, in the order of time. */
import { taskWindow } from './charge.ts';
import type { ContractDescription, Description, StoreChange } from './description.ts';
import type { AbsenceReason, ContractExpectation, OrderExpectation, TimeWindow } from './expectation.ts';
import { type Attempt, createPlatformModel, type Order } from './platform-model.ts';
import { createServiceModel } from './service-model.ts';
import { RUN_LENGTH_MS, RUN_WINDOW_MS, type Run, type StoreCalendar } from './store-calendar.ts';
import { DAY_MS } from './zone-time.ts';

const NO_OUTCOME_MS = 7 * DAY_MS;

/** A run, and when its charges begin at the earliest; infinite when it stays on hold. */
export type ScheduledRun = Run & { readonly chargeFromMs: number };

/** A time in which a run is on hold, and nothing is charged. */
export type Hold = { readonly fromMs: number; readonly untilMs: number };

export type StoreSchedule = {
  readonly calendar: StoreCalendar;
  readonly runs: readonly ScheduledRun[];
  readonly holds: readonly Hold[];
  /** How long after the earliest time the service acts. */
  readonly paceMs: number;
  /** How long after a week it gives up an attempt that has not ended, and after its last order a contract expires. */
  readonly followUpDelayMs: number;
};

export type ContractOutcome = {
  readonly expectation: ContractExpectation;
  /** The day of each charge that a run has found. */
  readonly foundDays: readonly string[];
  readonly attempts: readonly Attempt[];
};

/** An event. If two events have the same time, the one with the lower `priority` happens first. */
type Step = { readonly atMs: number; readonly priority: number; readonly act: () => void };

export function expectContract(
  contract: ContractDescription,
  { store, fromMs, untilMs }: Description,
  schedule: StoreSchedule,
): ContractOutcome {
  const { calendar, runs, paceMs, followUpDelayMs } = schedule;
  const platform = createPlatformModel(contract, {
    untilMs,
    earlyWithoutIndex: store.earlyWithoutIndex === 'charged',
  });
  const service = createServiceModel({ contract, platform, calendar });
  const givenUp = new Set<Attempt>();
  const foundDays: string[] = [];

  function find(run: Run): void {
    const before = new Map([...service.charges.values()].map((charge) => [charge, charge.foundMs]));
    service.find(run, run.atMs + paceMs);
    for (const charge of service.charges.values())
      if (before.get(charge) !== charge.foundMs && charge.state === 'DUE') foundDays.push(run.day);
  }

  /** Charges the orders of the run and those that earlier runs have left, the oldest first. */
  function chargeRun({ day, chargeFromMs, atMs }: ScheduledRun): void {
    const latestMs = chargeFromMs + (chargeFromMs > atMs ? RUN_LENGTH_MS : RUN_WINDOW_MS);
    const isReady = (found: string) =>
      runs.some((run) => run.day === found && run.chargeFromMs <= chargeFromMs);
    for (const charge of service.openCharges())
      if (charge.state === 'DUE' && charge.task === null && charge.day <= day && isReady(charge.day))
        service.evaluate(charge, chargeFromMs + paceMs, { earliestMs: chargeFromMs, latestMs });
  }

  const fixed: readonly Step[] = [
    ...runs.map((run) => ({ atMs: run.atMs + paceMs, priority: 2, act: () => find(run) })),
    ...runs.map((run) => ({ atMs: run.chargeFromMs + paceMs, priority: 3, act: () => chargeRun(run) })),
    ...contract.events.map((event) => ({
      ...{ atMs: event.atMs, priority: 1 },
      act: () => {
        platform.change(event);
        if (event.kind === 'charge') platform.attemptOfOthers(event.index, event.atMs);
        service.handleAct(event);
      },
    })),
    ...listSwitchesOff(store.changes).map((atMs) => ({ atMs, priority: 1, act: service.switchOff })),
  ].sort((one, other) => one.atMs - other.atMs || one.priority - other.priority);

  function* openSteps(): Generator<Step> {
    for (const attempt of platform.attempts) {
      if (!attempt.isOpen) continue;
      yield { atMs: attempt.endMs, priority: 0, act: () => service.endAttempt(attempt) };
      const giveUpMs = attempt.startMs + NO_OUTCOME_MS + followUpDelayMs;
      if (givenUp.has(attempt)) continue;
      yield {
        atMs: giveUpMs,
        priority: 0,
        act: () => service.giveUp(givenUp.add(attempt) && attempt, giveUpMs),
      };
    }
    const lastPaidMs = service.lastOrderPaidMs();
    if (lastPaidMs !== null) {
      const atMs = lastPaidMs + followUpDelayMs;
      yield { atMs, priority: 0, act: () => service.expire(atMs) };
    }
    for (const charge of service.openCharges()) {
      const { task } = charge;
      if (task === null) continue;
      const window = taskWindow(task, findFreeTime(schedule, task.dueMs));
      const atMs = window.earliestMs + paceMs;
      yield { atMs, priority: 4, act: () => service.evaluate(charge, atMs, window) };
    }
  }

  let at = 0;
  for (;;) {
    const next = [...openSteps(), ...fixed.slice(at, at + 1)].reduce<Step | undefined>(
      earlierStep,
      undefined,
    );
    if (next === undefined || next.atMs > untilMs) break;
    if (next === fixed[at]) at += 1;
    next.act();
  }
  const orders = listOrders();
  return {
    expectation: { id: contract.id, status: platform.status(), orders },
    foundDays,
    attempts: platform.attempts,
  };

  function listOrders(): OrderExpectation[] {
    const due = platform.ordersBetween(fromMs, untilMs).map(({ index }) => index);
    const indices = [...new Set([...due, ...service.charges.keys()])].sort((one, other) => one - other);
    return indices.flatMap((index) => {
      const order = platform.order(index);
      return order === undefined ? [] : [describeOrder(order)];
    });
  }

  function describeOrder(order: Order): OrderExpectation {
    const charge = service.charges.get(order.index);
    if (charge === undefined) return describeAbsence(order, runs);
    const { index, expectedMs, state, reason, chargedBy, tries, day, task } = charge;
    const isOwn = state === 'CHARGED' && chargedBy === 'SERVICE';
    const next = task === null ? null : taskWindow(task, findFreeTime(schedule, task.dueMs));
    return {
      ...{ index, expectedMs, state, reason, chargedBy, tries, day },
      ...{ priceMinor: isOwn ? charge.sentMinor : null, next },
    };
  }
}

function earlierStep(best: Step | undefined, step: Step): Step | undefined {
  if (best === undefined) return step;
  return (step.atMs - best.atMs || step.priority - best.priority) < 0 ? step : best;
}

/** Returns the first instant from then on at which no stop and no hold keeps the service from charging. */
function findFreeTime({ calendar, holds }: StoreSchedule, ms: number): number {
  let freeMs = ms;
  for (;;) {
    const afterStop = calendar.freeFrom(freeMs);
    const hold = holds.find(({ fromMs, untilMs }) => fromMs <= afterStop && afterStop < untilMs);
    if (hold === undefined || afterStop === Number.POSITIVE_INFINITY) return afterStop;
    freeMs = hold.untilMs;
  }
}

function listSwitchesOff(changes: readonly StoreChange[]): readonly number[] {
  return changes.flatMap((change) =>
    change.kind === 'settings' && change.settings.enabled === false ? [change.atMs] : [],
  );
}

function describeAbsence(order: Order, runs: readonly Run[]): OrderExpectation {
  const run = runs.findLast(({ searchUntilMs }) => searchUntilMs >= order.expectedMs) ?? runs.at(-1);
  const reason: AbsenceReason = order.billed
    ? 'BILLED_BY_OTHERS'
    : order.isSkipped
      ? 'SKIPPED_ORDER'
      : run !== undefined && order.expectedMs < run.startsMs
        ? 'BEFORE_START'
        : 'NOT_FOUND';
  return {
    ...{ index: order.index, expectedMs: order.expectedMs, state: 'NONE', reason, chargedBy: null },
    ...{ priceMinor: null, tries: [], day: null, next: null },
  };
}

/** Returns the window of a run that is not on hold. */
export function runWindow({ atMs }: Run): TimeWindow {
  return { earliestMs: atMs, latestMs: atMs + RUN_WINDOW_MS };
}
