/**
 * Reverts the latest postponement of a contract as a whole: first the orders get their former dates, then the skipped
 * order is restored.
 */
import { runAfterChangeStarted } from '../../errors/is-outcome-unknown.ts';
import { message } from '../../messages/message.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { findContractError, requireOwnership } from '../contract-facts.ts';
import { parseContractRef } from '../contract-ref.ts';
import { orderDueAtMs, orderErrorDetails } from '../cycles/billing-cycle.ts';
import { toScheduleEditError } from '../cycles/send-schedule-edits.ts';
import { buildUpcomingOrderLists } from '../cycles/upcoming-orders.ts';
import type { AppliedOutcome, Operation } from '../operation.ts';
import { createRefusedOutcome, createUserError, type OperationError } from '../operation-error.ts';
import { ordersBeingChangedError } from '../order-dates/claim-orders.ts';
import { isRevertable, withObservedOrders } from '../order-dates/postponed-orders.ts';
import type {
  LatestPostponement,
  PendingDateChange,
  PostponementRecord,
} from '../order-dates/postponements.ts';
import { isDateChangePending } from '../order-dates/postponements.ts';
import { readContract } from '../read-contract.ts';
import { AFTER_EDITS_SENT_TEXT, applyOrderEdits, type PostponeDeps } from './apply-order-edits.ts';
import type { CycleToDate } from './plan-order-dates.ts';
import { alreadyBilledError } from './postponement-errors.ts';
import {
  type ContractWithOrders,
  CYCLES_PER_READ,
  MAX_CYCLES_PER_READ,
  readContractOrders,
} from './read-contract-orders.ts';
import { listOrderEditFacts, reverseOrderEdit } from './send-order-edits.ts';

export const REVERTED_ACTION = 'orders_postponement_reverted';
const CONTRACT_ARGUMENT = ['contractId'];

/**
 * Returns the contract with its `upcomingOrders`, or userErrors: CONTRACT_TERMINATED, NOTHING_TO_REVERT, CHANGED_SINCE,
 * CYCLE_ALREADY_BILLED, CONCURRENT_UPDATE. Sends three platform requests, and one more if the client selects the
 * contract.
 */
export const revertPostponement: Operation<PostponeDeps> = async (deps, { args, selection }) => {
  const contractId = String(args.contractId);
  const ref = parseContractRef(deps.store.shopId, contractId);
  if (ref === undefined) throw new Error('the schema takes no such id');
  const record = await deps.postponements.read(ref);
  const latestPostponement = record?.latest;
  const { contract, cycles } = await readPostponedOrders(deps, contractId, latestPostponement);
  requireOwnership(deps, contract);
  const concurrentError = isDateChangePending(record, deps.now()) ? ordersBeingChangedError() : undefined;
  const refusal =
    findContractError(contract, 'contractId') ??
    concurrentError ??
    findRevertError(record, cycles, deps.now());
  if (refusal !== undefined || contract === undefined) return createRefusedOutcome(refusal ? [refusal] : []);
  if (record === undefined || latestPostponement === undefined) throw new Error('neither found nor refused');
  const pendingChange = toRevertingDateChange(record, latestPostponement, deps.now());
  const revertingEdits = pendingChange.documents.flat();
  const { upcomingOrders } = buildUpcomingOrderLists(
    { _svcUpcoming: { nodes: cycles } },
    {
      edits: revertingEdits.map(({ cycleIndex, after }) => ({
        cycleIndex,
        skip: after.skipped,
        billingDate: after.date,
      })),
      nowMs: deps.now(),
      postponedDates: { dates: latestPostponement.former, timeZone: timeZoneOf(deps.store) },
    },
  );
  const isCore = ({ cycleIndex }: { readonly cycleIndex: number }) =>
    cycleIndex === latestPostponement.skippedCycle ||
    cycleIndex ===
      latestPostponement.edits[latestPostponement.skippedCycle === undefined ? 0 : 1]?.cycleIndex;
  return {
    intent: {
      action: REVERTED_ACTION,
      contractId: contract.id,
      details: {
        expectedDate: postponedDateOf(latestPostponement),
        billingDate: latestPostponement.expectedDate,
        layingId: pendingChange.id,
      },
      changes: listOrderEditFacts(revertingEdits.filter(isCore)),
      further: listOrderEditFacts(revertingEdits.filter((edit) => !isCore(edit))),
    },
    apply: async (): Promise<AppliedOutcome> => {
      const appliedEdits = await applyOrderEdits(deps, {
        ...{ contractId: contract.id, ref, record, pendingChange },
        needsFirstOrder: false,
      });
      if (appliedEdits.kind === 'concurrent') return createRefusedOutcome([ordersBeingChangedError()]);
      if (appliedEdits.kind === 'refused') {
        const { edit, error } = appliedEdits.refused;
        const cycle = cycles.find(({ cycleIndex }) => cycleIndex === edit.cycleIndex);
        if (cycle === undefined) throw new Error('an edit of an unknown cycle');
        return createRefusedOutcome([toScheduleEditError(error, cycle)]);
      }
      const contractOutcome = await runAfterChangeStarted(AFTER_EDITS_SENT_TEXT, () =>
        readContract(deps, { contractId: contract.id, selection }),
      );
      return {
        ...contractOutcome,
        locals: { upcomingOrders },
        isUnfinished: appliedEdits.kind === 'unfinished',
      };
    },
  };
};

/** Reads the cycles that the postponement has edited. Sends a second request if many skipped orders precede them. */
async function readPostponedOrders(
  deps: PostponeDeps,
  contractId: string,
  latest: LatestPostponement | undefined,
): Promise<ContractWithOrders> {
  const lastEditedIndex = Math.max(...(latest?.edits ?? []).map(({ cycleIndex }) => cycleIndex));
  const cycleCount = latest === undefined ? CYCLES_PER_READ : 2 * CYCLES_PER_READ;
  const orders = await readContractOrders(deps, { contractId, cycleCount });
  const areAllRead = orders.areAllCycles || (orders.cycles.at(-1)?.cycleIndex ?? 0) >= lastEditedIndex;
  return areAllRead ? orders : readContractOrders(deps, { contractId, cycleCount: MAX_CYCLES_PER_READ });
}

/**
 * Returns the change that undoes the postponement. It first moves the orders back and restores the skipped order
 * last, so that no order comes twice in between.
 */
function toRevertingDateChange(
  record: PostponementRecord,
  latest: LatestPostponement,
  nowMs: number,
): PendingDateChange {
  const reversedEdits = latest.edits.map(reverseOrderEdit).toReversed();
  const isSkip = ({ cycleIndex }: { readonly cycleIndex: number }) => cycleIndex === latest.skippedCycle;
  return {
    id: `${nowMs}-${record.version + 1}`,
    startedAtMs: nowMs,
    documents: [reversedEdits.filter((edit) => !isSkip(edit)), reversedEdits.filter(isSkip)].filter(
      ({ length }) => length > 0,
    ),
    next: {
      ...{ dates: latest.former, latest: latest.earlier },
      empty: record.empty?.filter((one) => !isSkip(one)),
    },
  };
}

/** Returns the date that the postponement gave the order. */
function postponedDateOf({ date, expectedDate }: LatestPostponement): string {
  return date ?? expectedDate;
}

/** @returns undefined when the postponement can be reverted */
function findRevertError(
  record: PostponementRecord | undefined,
  cycles: readonly CycleToDate[],
  nowMs: number,
): OperationError | undefined {
  const { latest } = record ?? {};
  if (latest === undefined || latest.revertableUntilMs <= nowMs) {
    return createUserError('NOTHING_TO_REVERT', {
      field: CONTRACT_ARGUMENT,
      message: message('nothingToRevert'),
    });
  }
  const observedState = withObservedOrders({ ...record, latest }, cycles.map(toObservedOrder));
  if (isRevertable(observedState, nowMs)) return undefined;
  const [cycleIndex = 0] = observedState.changedCycles ?? [];
  const changedCycle = cycles.find((one) => one.cycleIndex === cycleIndex);
  if (changedCycle?.status === 'BILLED') return alreadyBilledError(changedCycle);
  const fieldAndMessage = { field: CONTRACT_ARGUMENT, message: message('ordersChangedSince') };
  const order = changedCycle ? orderErrorDetails(changedCycle) : { cycleIndex, date: latest.expectedDate };
  return createUserError('CHANGED_SINCE', fieldAndMessage, order);
}

function toObservedOrder(cycle: CycleToDate) {
  const { cycleIndex, skipped, status, editedContract } = cycle;
  const content = { isBilled: status === 'BILLED', hasContent: editedContract !== null };
  return [cycleIndex, { skipped, dateMs: orderDueAtMs(cycle), ...content }] as const;
}
