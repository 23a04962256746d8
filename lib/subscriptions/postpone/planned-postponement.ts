/** Builds the change of a postponement: its intent, the edits to send, and the dates to store afterwards. */
import { runAfterChangeStarted } from '../../errors/is-outcome-unknown.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import type { ChangeIntent } from '../../timeline/run-change.ts';
import type { ContractRef } from '../contract-ref.ts';
import { orderDueAtMs, scheduleEditReason } from '../cycles/billing-cycle.ts';
import type { ScheduleEdit } from '../cycles/plan-restored-edits.ts';
import { toScheduleEditError } from '../cycles/send-schedule-edits.ts';
import { buildUpcomingOrderLists } from '../cycles/upcoming-orders.ts';
import type { AppliedOutcome, OperationRequest, PlannedChange } from '../operation.ts';
import { createRefusedOutcome, type OperationError } from '../operation-error.ts';
import { ordersBeingChangedError } from '../order-dates/claim-orders.ts';
import { isRevertable, listCyclesWithoutOrder } from '../order-dates/postponed-orders.ts';
import type {
  CycleWithoutOrder,
  LatestPostponement,
  OrderEdit,
  PostponedDates,
  PostponementRecord,
  PostponementState,
} from '../order-dates/postponements.ts';
import { readContract } from '../read-contract.ts';
import {
  AFTER_EDITS_SENT_TEXT,
  type AppliedEdits,
  applyOrderEdits,
  type PostponeDeps,
} from './apply-order-edits.ts';
import { extensionDueAtMs, lastAssignedDate } from './plan-date-extension.ts';
import type { CycleToDate } from './plan-order-dates.ts';
import { dateAfterPostponement, type Postponement } from './plan-postponement.ts';
import { dateRefusedError } from './postponement-errors.ts';
import type { ContractWithOrders, PostponableContract } from './read-contract-orders.ts';
import { listOrderEditFacts, type RefusedOrderEdit, sendOrderEdits } from './send-order-edits.ts';

/** A contract with its orders and its postponement record, as they were read. */
export type PostponedState = ContractWithOrders & {
  readonly contract: PostponableContract;
  readonly record: PostponementRecord | undefined;
  readonly ref: ContractRef;
};

type PlannedOrders = Extract<Postponement, { readonly kind: 'dates assigned' | 'moved' }>;
type AssignedDatesPlan = Extract<Postponement, { readonly kind: 'dates assigned' }>;

export type PlannedPostponement = PostponedState & {
  /** The cycle of the order that is postponed. */
  readonly postponedCycle: CycleToDate;
  /** The index of the current cycle. */
  readonly currentCycleIndex: number;
  /** The dates that the orders have before this postponement. */
  readonly previousDates: PostponedDates | undefined;
  readonly plan: PlannedOrders;
  readonly to: string;
};

/**
 * How long before the former date of the postponed order a revert is possible at the latest, so that an interrupted
 * revert can be finished in time.
 */
const REVERT_MARGIN_MS = 3_600_000;
/** How many postponements before the latest one can be reverted. All are stored in one item of the table. */
const MAX_EARLIER_POSTPONEMENTS = 3;
export const POSTPONED_ACTION = 'orders_postponed';

/** Returns all edits of the plan. */
function listEditsOfPlan(plan: PlannedOrders): readonly ScheduleEdit[] {
  if (plan.kind === 'moved') return [plan.edit];
  return plan.skipped === undefined ? plan.edits : [toSkipEdit(plan.skipped), ...plan.edits];
}

function toSkipEdit({ cycleIndex }: CycleToDate): ScheduleEdit {
  return { cycleIndex, skip: true };
}

/** Returns the payload's `upcomingOrders` after the change. */
export function upcomingOrdersAfter(deps: PostponeDeps, change: PlannedPostponement) {
  const { cycles, plan, record } = change;
  const dates = plan.kind === 'dates assigned' ? postponedDatesAfter(deps, { change, plan }) : record?.dates;
  const { upcomingOrders } = buildUpcomingOrderLists(
    { _svcUpcoming: { nodes: cycles } },
    {
      edits: listEditsOfPlan(plan),
      nowMs: deps.now(),
      postponedDates: { dates, timeZone: timeZoneOf(deps.store) },
    },
  );
  return { upcomingOrders };
}

/** Returns the change that sends the edits. */
export function createOrdersChange(
  deps: PostponeDeps,
  { selection }: OperationRequest,
  change: PlannedPostponement,
): PlannedChange {
  const { contract, cycles, plan } = change;
  const orderEdits = listEditsOfPlan(plan).map((edit) => toOrderEdit(edit, cycles));
  const pendingChange =
    plan.kind === 'dates assigned' ? toPendingDateChange(deps, { change, plan, orderEdits }) : undefined;
  const locals = upcomingOrdersAfter(deps, change);
  return {
    intent: toPostponementIntent(change, orderEdits, pendingChange?.id),
    apply: async (): Promise<AppliedOutcome> => {
      const appliedEdits =
        pendingChange === undefined
          ? await moveSingleOrder(deps, change, orderEdits)
          : await applyOrderEdits(deps, {
              ...{ contractId: contract.id, ref: change.ref, record: change.record, pendingChange },
              needsFirstOrder: true,
            });
      if (appliedEdits.kind === 'concurrent') return createRefusedOutcome([ordersBeingChangedError()]);
      if (appliedEdits.kind === 'refused')
        return createRefusedOutcome([postponementErrorOf(change, appliedEdits.refused)]);
      const contractOutcome = await runAfterChangeStarted(AFTER_EDITS_SENT_TEXT, () =>
        readContract(deps, { contractId: contract.id, selection }),
      );
      return { ...contractOutcome, locals, isUnfinished: appliedEdits.kind === 'unfinished' };
    },
  };
}

/** Moves one order without a record, because the orders after it do not change. */
async function moveSingleOrder(
  deps: PostponeDeps,
  { contract }: PlannedPostponement,
  edits: readonly OrderEdit[],
): Promise<AppliedEdits> {
  const editTarget = { contractId: contract.id, reason: scheduleEditReason(deps) };
  const [refused] = await sendOrderEdits(deps, editTarget, edits);
  return refused === undefined ? { kind: 'done' } : { kind: 'refused', refused };
}

/** Returns the user error for the platform's refusal to skip the order, or to set the date of the first order. */
function postponementErrorOf(
  { postponedCycle, plan }: PlannedPostponement,
  { edit, error }: RefusedOrderEdit,
): OperationError {
  const isDate = plan.kind === 'dates assigned' && edit.cycleIndex !== plan.skipped?.cycleIndex;
  const isBeingBilled = error.code === 'INCOMPLETE_BILLING_ATTEMPTS';
  return isDate && !isBeingBilled
    ? dateRefusedError(edit.after.date)
    : toScheduleEditError(error, postponedCycle);
}

function toOrderEdit(
  { cycleIndex, skip, billingDate }: ScheduleEdit,
  cycles: readonly CycleToDate[],
): OrderEdit {
  const cycle = cycles.find((one) => one.cycleIndex === cycleIndex);
  if (cycle === undefined) throw new Error('an edit of an unknown cycle');
  const { billingAttemptExpectedDate: date, skipped } = cycle;
  return {
    cycleIndex,
    before: { date, skipped },
    after: { date: billingDate ?? date, skipped: skip ?? skipped },
  };
}

/**
 * Returns the intent. Its `changes` are the facts by which an interrupted change is recognized: the skip, and the
 * date of the first order. All other facts are in `further`.
 */
function toPostponementIntent(
  { contract, cycles, postponedCycle, plan, to }: PlannedPostponement,
  edits: readonly OrderEdit[],
  pendingChangeId: string | undefined,
): ChangeIntent {
  const recognizedEditCount = plan.kind === 'dates assigned' && plan.skipped !== undefined ? 2 : 1;
  const intentFacts = {
    changes: listOrderEditFacts(edits.slice(0, recognizedEditCount)),
    further: listOrderEditFacts(edits.slice(recognizedEditCount)),
  };
  const { billingAttemptExpectedDate: expectedDate } = postponedCycle;
  const billingDate = dateAfterPostponement({ cycles, postponedCycle, plan }, edits);
  const postponementDetails = { billingCycleIndex: postponedCycle.cycleIndex, expectedDate, billingDate };
  if (pendingChangeId === undefined) {
    return {
      action: 'billing_cycle_rescheduled',
      contractId: contract.id,
      details: postponementDetails,
      ...intentFacts,
    };
  }
  return {
    ...{ action: POSTPONED_ACTION, contractId: contract.id, ...intentFacts },
    details: { ...postponementDetails, to, layingId: pendingChangeId },
  };
}

type AssignedDatesChange = {
  readonly change: PlannedPostponement;
  readonly plan: AssignedDatesPlan;
  readonly orderEdits: readonly OrderEdit[];
};

function toPendingDateChange(deps: PostponeDeps, { change, plan, orderEdits }: AssignedDatesChange) {
  const startedAtMs = deps.now();
  const firstDocumentSize = plan.skipped === undefined ? 0 : 1;
  return {
    id: `${startedAtMs}-${(change.record?.version ?? 0) + 1}`,
    startedAtMs,
    documents: [orderEdits.slice(0, firstDocumentSize), orderEdits.slice(firstDocumentSize)].filter(
      ({ length }) => length > 0,
    ),
    next: postponementStateAfter(deps, { change, plan, orderEdits }),
  };
}

/** Returns the state of the postponement record after the edits were made. */
function postponementStateAfter(
  deps: PostponeDeps,
  { change, plan, orderEdits }: AssignedDatesChange,
): PostponementState {
  const { postponedCycle, previousDates, to, record } = change;
  const dates = postponedDatesAfter(deps, { change, plan });
  return {
    dates,
    empty:
      dates === undefined
        ? cyclesWithoutOrderAfter(change, plan)
        : record?.empty && removeCyclesOfSentOrders(record.empty),
    latest: {
      edits: [...orderEdits, ...unchangedSkips({ change, plan, orderEdits })],
      ...{ former: previousDates, expectedDate: postponedCycle.billingAttemptExpectedDate, to },
      skippedCycle: plan.skipped?.cycleIndex,
      revertableUntilMs: orderDueAtMs(postponedCycle) - REVERT_MARGIN_MS,
      madeAtMs: deps.now(),
      date: dateAfterPostponement(change, orderEdits),
      earlier: takeRevertablePostponements(record?.latest, deps.now(), MAX_EARLIER_POSTPONEMENTS),
    },
  };
}

/**
 * Returns the skipped orders that stay as they are, as edits that change nothing. If one of them is restored later,
 * the postponement cannot be reverted: that order would stay on its new day.
 */
function unchangedSkips({ change, plan, orderEdits }: AssignedDatesChange): OrderEdit[] {
  const editedCycles = orderEdits.map(({ cycleIndex }) => cycleIndex);
  const lastDates = [plan.assignedDates, change.previousDates?.laid].map((dates) => dates?.laidThrough ?? 0);
  const lastCycle = Math.max(...editedCycles, ...lastDates);
  const isUnchanged = ({ cycleIndex, skipped }: CycleToDate) =>
    skipped && cycleIndex <= lastCycle && !editedCycles.includes(cycleIndex);
  return change.cycles
    .filter(isUnchanged)
    .map(({ cycleIndex }) => toOrderEdit({ cycleIndex }, change.cycles));
}

/** Returns the latest postponements that can still be reverted, at most `count`, each linked to the one before it. */
function takeRevertablePostponements(
  latest: LatestPostponement | undefined,
  nowMs: number,
  count: number,
): LatestPostponement | undefined {
  if (latest === undefined || !isRevertable(latest, nowMs) || count === 0) return undefined;
  return { ...latest, earlier: takeRevertablePostponements(latest.earlier, nowMs, count - 1) };
}

/** Returns the dates after the change. Undefined when all orders are due at the ends of their cycles. */
function postponedDatesAfter(
  deps: PostponeDeps,
  { change, plan }: Omit<AssignedDatesChange, 'orderEdits'>,
): PostponedDates | undefined {
  const { postponedCycle, previousDates, cycles } = change;
  const { assignedDates } = plan;
  if (assignedDates === undefined) return undefined;
  const timeZone = timeZoneOf(deps.store);
  const { billingAttemptExpectedDate: expectedDate } = postponedCycle;
  return {
    laid: assignedDates,
    laidUntil: lastAssignedDate(assignedDates, cycles, timeZone) ?? expectedDate,
    skipped: cyclesWithoutOrderAfter(change, plan),
    sinceMs: previousDates?.sinceMs ?? deps.now(),
    extendAtMs: extensionDueAtMs(assignedDates, assignedDates.fromCycle, timeZone),
  };
}

/**
 * Returns the cycles without an order after the change: the earlier ones that have not ended, and the one that is
 * skipped now.
 */
function cyclesWithoutOrderAfter(
  { previousDates, record, currentCycleIndex }: PlannedPostponement,
  { skipped }: AssignedDatesPlan,
): readonly CycleWithoutOrder[] {
  const emptyBefore = listCyclesWithoutOrder({ dates: previousDates, empty: record?.empty });
  const stillEmpty = removeCyclesOfSentOrders(emptyBefore).filter(
    ({ cycleIndex }) => cycleIndex >= currentCycleIndex && cycleIndex !== skipped?.cycleIndex,
  );
  if (skipped === undefined) return stillEmpty;
  return [...stillEmpty, { cycleIndex: skipped.cycleIndex, date: skipped.billingAttemptExpectedDate }];
}

/** Removes the cycles in which an order was sent now: they have an order again. */
function removeCyclesOfSentOrders(cycles: readonly CycleWithoutOrder[]): readonly CycleWithoutOrder[] {
  return cycles.filter(({ cycleIndex }) => cycles.every(({ sentIn }) => sentIn !== cycleIndex));
}
