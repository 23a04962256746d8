/**
 * Moves the next order to the date that was set on the contract. This is the second step of a change that sets the
 * date, after the commit of the draft. If the process crashes between the two steps, the scheduled work runs this
 * one.
 */
import { type Instant, parseInstant } from '../../domain/instant.ts';
import { isOutcomeUnknown } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { contractGid } from '../../timeline/event-record.ts';
import { selectComparableChanges } from '../../timeline/facts.ts';
import type { OpenChange } from '../../timeline/run-change.ts';
import type { FinishChange } from '../../timeline/settle/finish-change.ts';
import type { OperationDeps } from '../operation.ts';
import { readContractState } from '../read-contract-state.ts';
import { type EditReason, isDateInCycle } from './billing-cycle.ts';
import {
  buildOrderDateReads,
  type CyclesForOrderDate,
  listCyclesUntilDate,
  listMoveFacts,
  listUnpaidOverdueOrders,
  type OrderMove,
  planOrderMove,
} from './plan-order-move.ts';
import { sendScheduleEdits } from './send-schedule-edits.ts';

type MoveOrderDeps = Pick<OperationDeps, 'sendToPlatform' | 'now'> & Pick<OpenChange, 'recordAlso'>;
type OrderMoveRequest = {
  readonly contractId: string;
  readonly dateMs: Instant;
  readonly reason: EditReason;
  /**
   * Whether nothing has to be moved if the cycle with the date is already paid: a later order is then the next one.
   * True when no client requested the date.
   */
  readonly isLaterOrderAllowed?: boolean;
};
type MoveOrderState = CyclesForOrderDate & {
  readonly contract: {
    readonly id: string;
    readonly status: string;
    readonly revisionId: string;
    readonly customer: { readonly id: string } | null;
    readonly nextBillingDate: string | null;
  };
};

/**
 * Moves the order and records the changed facts. Reads the cycles unless `plannedMove` is given, a move that was
 * planned from current cycles. Sends one or two platform requests, and two more after a lost response.
 * @throws OUTCOME_UNKNOWN when the order is not on the date afterwards. Part of the move may have been made; the call
 * can be repeated.
 */
export async function moveOrder(
  deps: MoveOrderDeps,
  moveRequest: OrderMoveRequest,
  plannedMove?: OrderMove,
): Promise<void> {
  const appliedMove =
    (await tryOrderMove(deps, moveRequest, plannedMove)) ?? (await readAndMoveOrder(deps, moveRequest));
  if (appliedMove === undefined)
    throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'the order is not on the date' });
}

/**
 * Makes the move once.
 * @returns undefined when the platform refused a part of it, or its outcome is unknown; the caller then reads the
 * cycles and moves again
 */
async function tryOrderMove(
  deps: MoveOrderDeps,
  moveRequest: OrderMoveRequest,
  plannedMove: OrderMove | undefined,
): Promise<OrderMove | undefined> {
  try {
    return await (plannedMove === undefined
      ? readAndMoveOrder(deps, moveRequest)
      : applyOrderMove(deps, moveRequest, plannedMove));
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    return undefined;
  }
}

/**
 * Reads the cycles, plans the move and makes it.
 * @returns undefined when the contract is not active or no longer has the date, when no order can be on that date, or
 * when the platform refused an edit
 */
async function readAndMoveOrder(
  deps: MoveOrderDeps,
  moveRequest: OrderMoveRequest,
): Promise<OrderMove | undefined> {
  const { contractId, dateMs } = moveRequest;
  const stateSelection = { contractSelection: 'nextBillingDate', ...buildOrderDateReads(dateMs, deps.now()) };
  const { state } = await readContractState<MoveOrderState>(deps, { contractId, reads: stateSelection });
  if (state === undefined || state.contract.status !== 'ACTIVE') return undefined;
  if (parseInstant(state.contract.nextBillingDate) !== dateMs) return undefined;
  const cycles = listCyclesUntilDate(state);
  const paidCycle = cycles.find((cycle) => cycle.status === 'BILLED' && isDateInCycle(cycle, dateMs));
  if (moveRequest.isLaterOrderAllowed && paidCycle !== undefined)
    return { cycleOfDate: paidCycle, edits: [] };
  const move = planOrderMove(dateMs, cycles, listUnpaidOverdueOrders(state));
  return move && applyOrderMove(deps, moveRequest, move);
}

/**
 * Sends the schedule edits of the move.
 * @returns undefined when the platform refused one of them
 */
async function applyOrderMove(
  deps: MoveOrderDeps,
  moveRequest: OrderMoveRequest,
  move: OrderMove,
): Promise<OrderMove | undefined> {
  if (move.edits.length > 0) await deps.recordAlso(listMoveFacts(move, moveRequest.dateMs));
  const refusedEdits = await sendScheduleEdits(deps, { ...moveRequest, edits: move.edits });
  return refusedEdits.length === 0 ? move : undefined;
}

/**
 * Moves the order for an intent whose process crashed. Does nothing when the date has passed or was replaced. Returns
 * `done` when the order is on the date and the intent has no other changes to check.
 * @throws ServiceError when the intent must be retried later
 */
export const finishOrderMove: FinishChange = async (deps, { intent }) => {
  const { contract, details, actor } = intent;
  const { movesOrder, nextBillingDate } = details;
  const dateMs = parseInstant(nextBillingDate);
  // A platform mutation that a client sent directly also records `nextBillingDate`, but without `movesOrder`: it moves
  // no order.
  if (contract === undefined || movesOrder !== true || dateMs === undefined) return undefined;
  if (dateMs <= deps.now()) return undefined;
  const move = await readAndMoveOrder(deps, {
    contractId: contractGid(contract, deps.platformGidNamespace),
    dateMs,
    reason: actor.kind === 'CUSTOMER' ? 'BUYER_INITIATED' : 'MERCHANT_INITIATED',
  });
  return move !== undefined && selectComparableChanges(intent).length === 0 ? 'done' : undefined;
};
