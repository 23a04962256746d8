/**
 * Moves the next order to a date that was set on the contract. This is the second step of such a change, after the
 * commit of the draft. If the process crashes between the two, the scheduled work runs this step.
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
type DatedOrder = {
  readonly contractId: string;
  readonly dateMs: Instant;
  readonly reason: EditReason;
  /**
   * Whether a later order may be used when the cycle with the date is already paid. True when no client requested the
   * date.
   */
  readonly isLaterAllowed?: boolean;
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
 * Moves the order and records the changed facts. Reads the cycles unless `known` is given, the move that was planned
 * from current cycles. Sends one or two platform requests, and two more after a lost response.
 * @throws OUTCOME_UNKNOWN when the order is not on the date afterwards; part of the move may be done, and it can be
 * repeated
 */
export async function moveOrder(deps: MoveOrderDeps, order: DatedOrder, known?: OrderMove): Promise<void> {
  const appliedMove = (await tryOrderMove(deps, order, known)) ?? (await restartOrderMove(deps, order));
  if (appliedMove === undefined)
    throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'the order is not on the date' });
}

/** Makes the move once. Returns undefined when it failed or its outcome is unknown: read again, and repeat. */
async function tryOrderMove(
  deps: MoveOrderDeps,
  order: DatedOrder,
  known: OrderMove | undefined,
): Promise<OrderMove | undefined> {
  try {
    return await (known === undefined ? restartOrderMove(deps, order) : applyOrderMove(deps, order, known));
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    return undefined;
  }
}

/**
 * Reads the cycles, plans the move and makes it.
 * @returns undefined when the contract no longer has the date, or no order can be on it
 */
async function restartOrderMove(deps: MoveOrderDeps, order: DatedOrder): Promise<OrderMove | undefined> {
  const { contractId, dateMs } = order;
  const stateSelection = { contract: 'nextBillingDate', ...buildOrderDateReads(dateMs, deps.now()) };
  const { state } = await readContractState<MoveOrderState>(deps, { contractId, reads: stateSelection });
  if (state === undefined || state.contract.status !== 'ACTIVE') return undefined;
  if (parseInstant(state.contract.nextBillingDate) !== dateMs) return undefined;
  const cycles = listCyclesUntilDate(state);
  const paid = cycles.find((cycle) => cycle.status === 'BILLED' && isDateInCycle(cycle, dateMs));
  if (order.isLaterAllowed && paid !== undefined) return { cycle: paid, edits: [] };
  const move = planOrderMove(dateMs, cycles, listUnpaidOverdueOrders(state));
  return move && applyOrderMove(deps, order, move);
}

/**
 * Sends the schedule edits of the move.
 * @returns undefined when the platform refused one of them
 */
async function applyOrderMove(
  deps: MoveOrderDeps,
  order: DatedOrder,
  move: OrderMove,
): Promise<OrderMove | undefined> {
  if (move.edits.length > 0) await deps.recordAlso(listMoveFacts(move, order.dateMs));
  const refusedEdits = await sendScheduleEdits(deps, { ...order, edits: move.edits });
  return refusedEdits.length === 0 ? move : undefined;
}

/**
 * Finishes the move of an intent whose process crashed. Does nothing when the date has passed or was replaced. Returns
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
  const move = await restartOrderMove(deps, {
    contractId: contractGid(contract, deps.platformGidNamespace),
    dateMs,
    reason: actor.kind === 'CUSTOMER' ? 'BUYER_INITIATED' : 'MERCHANT_INITIATED',
  });
  return move !== undefined && selectComparableChanges(intent).length === 0 ? 'done' : undefined;
};
