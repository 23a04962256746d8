/**
 * Resumes a contract. With a date, one draft sets the status and the date, and then the next order moves to the date
 * within the same intent. Orders before the date are skipped, including overdue unpaid orders. This also works for a
 * contract that is already active. The payload lists the skipped orders.
 */
import { formatInstant, type Instant, parseInstant } from '../../domain/instant.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { createFact } from '../../timeline/facts.ts';
import type { ContractFacts } from '../contract-facts.ts';
import { type ContractRef, parseContractRef } from '../contract-ref.ts';
import { scheduleEditReason } from '../cycles/billing-cycle.ts';
import { moveOrder } from '../cycles/move-order.ts';
import {
  buildOrderDateReads,
  type CyclesForOrderDate,
  findPaymentInProgressError,
  listCyclesUntilDate,
  listUnpaidOverdueOrders,
  noOrderOnDateError,
  planOrderMove,
} from '../cycles/plan-order-move.ts';
import {
  type BillingStartDeps,
  findBillingStartError,
  nextOrderDateBounds,
  resolveOrderInstant,
} from '../cycles/requested-order.ts';
import { findPostponedOrderError } from '../cycles/skip-billing-cycle.ts';
import {
  buildUpcomingOrderLists,
  buildUpcomingReads,
  readBeyondSkippedOrders,
  type UpcomingState,
} from '../cycles/upcoming-orders.ts';
import { decideDraft } from '../draft/decide-draft.ts';
import type { DraftDecision, DraftMutation, DraftOperation } from '../draft/draft-operation.ts';
import { findDateError } from '../find-date-error.ts';
import type {
  AppliedOutcome,
  Operation,
  OperationDecision,
  OperationDeps,
  OperationRequest,
} from '../operation.ts';
import { createUserError } from '../operation-error.ts';
import { type ClaimDeps, decideWithOrdersClaimed } from '../order-dates/claim-orders.ts';
import { listCyclesWithoutOrder } from '../order-dates/postponed-orders.ts';
import type { PostponementRecord } from '../order-dates/postponements.ts';
import { readRemovedPauseEndChanges } from '../pause/read-pause-end.ts';
import { removeTimedPause } from '../pause/remove-timed-pause.ts';
import type { PauseDeps } from '../pause/timed-pauses.ts';
import { readContract } from '../read-contract.ts';
import type { StateSelection } from '../read-contract-state.ts';
import {
  type DateBounds,
  parseRequestedDate,
  type RequestedDate,
  requestedTimeSpan,
} from '../requested-date.ts';
import { CONTRACT_ID_ARGUMENT, changeContractStatus } from './change-contract-status.ts';
import { readContractForStatusChange } from './read-status.ts';

/**
 * Returns the active contract, or userErrors: CONTRACT_TERMINATED and INVALID; with a date also DATE_IN_PAST,
 * DATE_TOO_FAR, INVALID_BILLING_DATE, ORDER_IS_POSTPONED, OUT_OF_BOUNDS, INCOMPLETE_BILLING_ATTEMPTS, HAS_FUTURE_EDITS and CONCURRENT_UPDATE. Sends two platform
 * requests. With a date it sends six, or four when the order is already on that date.
 */
export const activateContract: Operation<PauseDeps & ClaimDeps & BillingStartDeps> = (deps, request) => {
  const { args } = request;
  const requestedDate = parseRequestedDate(args.nextBillingDate);
  if (requestedDate === undefined) return resumeWithoutDate(deps, request);
  const claimRequest = { argument: CONTRACT_ID_ARGUMENT, args, kind: 'resumption' } as const;
  return decideWithOrdersClaimed(deps, claimRequest, (record) =>
    decideDraft(deps, request, buildDatedResumption(deps, request, { requestedDate, record })),
  );
};

async function resumeWithoutDate(
  deps: PauseDeps & ClaimDeps,
  request: OperationRequest,
): Promise<OperationDecision> {
  const beganAtMs = deps.now();
  const stateSelection = { contractSelection: '', ...buildUpcomingReads(beganAtMs, beganAtMs) };
  const contractRead = await readContractForStatusChange<ContractFacts, UpcomingState>(deps, request, {
    reads: stateSelection,
  });
  if (contractRead.kind === 'refused') return contractRead.outcome;
  const { id: contractId, status } = contractRead.contract;
  const orderReadRequest = { contractId, fromMs: beganAtMs };
  const orderLists = buildUpcomingOrderLists(
    await readBeyondSkippedOrders(deps, orderReadRequest, contractRead.rootFieldData),
    {
      nowMs: beganAtMs,
      postponedDates: await readPostponedDates(deps, contractRead.ref),
    },
  );
  if (status === 'ACTIVE') {
    return {
      ...(await readContract(deps, { contractId, selection: request.selection })),
      locals: orderLists,
    };
  }
  const statusChanges = [createFact('status', { before: status, after: 'ACTIVE' })];
  const pauseEndChanges = await readRemovedPauseEndChanges(deps, { ref: contractRead.ref, status });
  const intent = {
    action: 'subscription_resumed',
    contractId,
    details: {},
    changes: statusChanges,
    further: pauseEndChanges,
  };
  return {
    intent,
    async apply() {
      const appliedOutcome = await changeContractStatus(deps, request, {
        contractId,
        targetStatus: 'ACTIVE',
      });
      if (appliedOutcome.selectedFields === null) return appliedOutcome;
      await removeTimedPause(deps, { ...contractRead.ref, beganAtMs });
      return { ...appliedOutcome, locals: orderLists };
    },
  };
}

async function readPostponedDates({ postponements, store }: ClaimDeps, ref: ContractRef) {
  return toPostponedDates(await postponements.read(ref), timeZoneOf(store));
}

function toPostponedDates(record: PostponementRecord | undefined, timeZone: TimeZone) {
  return { dates: record?.dates, timeZone, withoutOrder: listCyclesWithoutOrder(record ?? {}) };
}

type ContractToActivate = ContractFacts & { readonly nextBillingDate: string | null };
type ActivationState = CyclesForOrderDate & UpcomingState & { readonly contract: ContractToActivate };

type DatedResumption = {
  readonly requestedDate: RequestedDate;
  /** The contract's postponement record; undefined when it has none. */
  readonly record: PostponementRecord | undefined;
};

function buildDatedResumption(
  deps: PauseDeps & BillingStartDeps,
  request: OperationRequest,
  { requestedDate, record }: DatedResumption,
): DraftOperation<ActivationState> {
  const { args } = request;
  const beganAtMs = deps.now();
  const timeZone = timeZoneOf(deps.store);
  const ref = parseContractRef(deps.store.shopId, String(args[CONTRACT_ID_ARGUMENT]));
  return {
    contractArgument: CONTRACT_ID_ARGUMENT,
    reads: buildDatedReads(requestedTimeSpan(requestedDate, timeZone), beganAtMs),
    async decide(state): Promise<DraftDecision<ActivationState>> {
      const [overdueOrders, cyclesUntilDate] = [listUnpaidOverdueOrders(state), listCyclesUntilDate(state)];
      const nowMs = deps.now();
      const dateMs = resolveOrderInstant(requestedDate, { upcomingCycles: cyclesUntilDate, timeZone, nowMs });
      const showsChange = ({ contract }: ActivationState) =>
        contract.status === 'ACTIVE' && parseInstant(contract.nextBillingDate) === dateMs;
      const orderMove = planOrderMove(dateMs, cyclesUntilDate, overdueOrders);
      const orders = {
        contractId: state.contract.id,
        fromMs: requestedTimeSpan(requestedDate, timeZone).firstMs,
      };
      const orderLists = buildUpcomingOrderLists(await readBeyondSkippedOrders(deps, orders, state), {
        cyclesBefore: [...overdueOrders, ...cyclesUntilDate],
        edits: orderMove?.edits ?? [],
        nowMs,
        postponedDates: toPostponedDates(record, timeZone),
      });
      if (showsChange(state) && orderMove?.edits.length === 0)
        return { kind: 'unchanged', locals: orderLists };
      const dateError = findDateError('nextBillingDate', dateMs, {
        nowMs,
        bounds: nextOrderDateBounds(cyclesUntilDate, nowMs),
      });
      if (dateError !== undefined) return { kind: 'refused', userErrors: [dateError] };
      if (orderMove === undefined) return { kind: 'refused', userErrors: [noOrderOnDateError(dateMs)] };
      const { cycleOfDate } = orderMove;
      const dateArgument = { contractId: state.contract.id, argument: 'nextBillingDate' };
      const moveError =
        findPaymentInProgressError(state, orderMove) ??
        (cycleOfDate.skipped
          ? await findPostponedOrderError(deps, dateArgument, { cycle: cycleOfDate, record })
          : undefined) ??
        (await findBillingStartError(deps, cycleOfDate, { argument: 'nextBillingDate', dateMs }));
      if (moveError !== undefined) return { kind: 'refused', userErrors: [moveError] };
      const pauseEndFacts = await readRemovedPauseEndChanges(deps, { ref, status: state.contract.status });
      return {
        kind: 'change',
        intent: { ...toResumptionIntent(state.contract, dateMs), further: pauseEndFacts },
        mutations: [buildStatusAndDateUpdate(dateMs)],
        locals: orderLists,
        showsChange,
        async afterCommit(commitOutcome, recordAlso) {
          if (ref !== undefined) await removeTimedPause(deps, { ...ref, beganAtMs });
          if (orderMove.edits.length === 0) return commitOutcome;
          const contractId = state.contract.id;
          await moveOrder(
            { ...deps, recordAlso },
            { contractId, dateMs, reason: scheduleEditReason(deps) },
            orderMove,
          );
          return readContractAfterMove(deps, request, commitOutcome);
        },
      };
    },
  };
}

function buildDatedReads({ firstMs, lastMs }: DateBounds, nowMs: number): StateSelection {
  const [orderDateReads, upcomingReads] = [
    buildOrderDateReads(lastMs, nowMs),
    buildUpcomingReads(firstMs, nowMs),
  ];
  return {
    contractSelection: 'nextBillingDate',
    rootFields: `${orderDateReads.rootFields} ${upcomingReads.rootFields}`,
    declarations: [...orderDateReads.declarations, ...upcomingReads.declarations],
    variables: { ...orderDateReads.variables, ...upcomingReads.variables },
  };
}

/** Reads the contract again, because the response to the commit has the cycles from before the move of the order. */
async function readContractAfterMove(
  deps: OperationDeps,
  { args, selection }: OperationRequest,
  commitOutcome: AppliedOutcome,
): Promise<AppliedOutcome> {
  const contractId = String(args[CONTRACT_ID_ARGUMENT]);
  const contractAfterMove = await ignoreServiceError(() => readContract(deps, { contractId, selection }));
  return { ...commitOutcome, ...contractAfterMove };
}

const DATE_ARGUMENT = ['nextBillingDate'];

function buildStatusAndDateUpdate(dateMs: Instant): DraftMutation {
  const activationInput = { status: 'ACTIVE', nextBillingDate: formatInstant(dateMs) };
  return {
    mutation: 'subscriptionDraftUpdate',
    args: { input: ['SubscriptionDraftInput!', activationInput] },
    toClientField: (path) => (path.includes('nextBillingDate') ? DATE_ARGUMENT : [CONTRACT_ID_ARGUMENT]),
    errorConverters: {
      INVALID_BILLING_DATE: (fault) =>
        createUserError('INVALID_BILLING_DATE', fault, { date: formatInstant(dateMs) }),
    },
  };
}

function toResumptionIntent({ status, nextBillingDate }: ContractToActivate, dateMs: Instant) {
  const newBillingDate = formatInstant(dateMs);
  const isDateUnchanged = parseInstant(nextBillingDate) === dateMs;
  const dateChanges = isDateUnchanged
    ? []
    : [createFact('nextBillingDate', { before: nextBillingDate, after: newBillingDate })];
  const eventDetails = { nextBillingDate: newBillingDate, movesOrder: true };
  if (status === 'ACTIVE') {
    return { action: 'subscription_next_billing_date_updated', details: eventDetails, changes: dateChanges };
  }
  const statusFact = createFact('status', { before: status, after: 'ACTIVE' });
  return {
    action: 'subscription_resumed',
    details: eventDetails,
    changes: [statusFact, ...dateChanges],
  };
}
