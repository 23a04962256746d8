/**
 * A draft that sets a date has a second step: the next order is moved to the date. After a crash the scheduled work
 * does this.
 */
import { type Instant, parseInstant } from '../../domain/instant.ts';
import { isOutcomeUnknown } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { OpenChange } from '../../timeline/begin-change.ts';
import { comparableFacts } from '../../timeline/changed-fact.ts';
import { contractGid } from '../../timeline/event-number.ts';
import type { FinishChange } from '../../timeline/settle/finish-change.ts';
import type { OperationDeps } from '../operation.ts';
import { readContractState } from '../read-contract-state.ts';
import { type EditReason, holdsDate } from './billing-cycle.ts';
import {
  moveFacts,
  moveOrderTo,
  type OrderDateState,
  type OrderMove,
  orderDateReads,
  overdueOrders,
  upToDate,
} from './order-move.ts';
import { sendEdits } from './send-edits.ts';

type MoveDeps = Pick<OperationDeps, 'ask' | 'now'> & Pick<OpenChange, 'recordAlso'>;
type DatedOrder = {
  readonly contractId: string;
  readonly dateMs: Instant;
  readonly reason: EditReason;
  /** Whether a later order is acceptable when the cycle of the date is paid, because no client requested the date. */
  readonly isLaterAllowed?: boolean;
};
type State = OrderDateState & {
  readonly contract: {
    readonly id: string;
    readonly status: string;
    readonly revisionId: string;
    readonly customer: { readonly id: string } | null;
    readonly nextBillingDate: string | null;
  };
};

/**
 * Moves the order and records the changes. `known`: the move derived from current cycles; without it the cycles are
 * read. Sends one or two platform requests, two more after a lost response.
 * @throws OUTCOME_UNKNOWN when the order is not seen on the date; the move may be partly done and can be repeated
 */
export async function moveOrder(deps: MoveDeps, order: DatedOrder, known?: OrderMove): Promise<void> {
  const made = (await tryMove(deps, order, known)) ?? (await restartOrderMove(deps, order));
  if (made === undefined)
    throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'the order is not on the date' });
}

async function tryMove(
  deps: MoveDeps,
  order: DatedOrder,
  known: OrderMove | undefined,
): Promise<OrderMove | undefined> {
  try {
    return await (known === undefined ? restartOrderMove(deps, order) : makeMove(deps, order, known));
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    return undefined;
  }
}

/**
 * Reads the cycles, then moves the order.
 * @returns undefined when the contract no longer has the date, or no order can be on it
 */
async function restartOrderMove(deps: MoveDeps, order: DatedOrder): Promise<OrderMove | undefined> {
  const { contractId, dateMs } = order;
  const reads = { contract: 'nextBillingDate', ...orderDateReads(dateMs, deps.now()) };
  const { state } = await readContractState<State>(deps, { contractId, reads });
  if (state === undefined || state.contract.status !== 'ACTIVE') return undefined;
  if (parseInstant(state.contract.nextBillingDate) !== dateMs) return undefined;
  const cycles = upToDate(state);
  const paid = cycles.find((cycle) => cycle.status === 'BILLED' && holdsDate(cycle, dateMs));
  if (order.isLaterAllowed && paid !== undefined) return { cycle: paid, edits: [] };
  const move = moveOrderTo(dateMs, cycles, overdueOrders(state));
  return move && makeMove(deps, order, move);
}

/** @returns undefined when the platform refused a part of the move */
async function makeMove(deps: MoveDeps, order: DatedOrder, move: OrderMove): Promise<OrderMove | undefined> {
  if (move.edits.length > 0) await deps.recordAlso(moveFacts(move, order.dateMs));
  const refused = await sendEdits(deps, { ...order, edits: move.edits });
  return refused.length === 0 ? move : undefined;
}

/**
 * Finishes the move of an intent. Does nothing when the date has passed or was replaced; `done` when the order is on
 * the date and the intent has no other changes.
 * @throws ServiceError when the intent has to wait
 */
export const finishOrderDate: FinishChange = async (deps, { intent }) => {
  const { contract, details, actor } = intent;
  const { movesOrder, nextBillingDate } = details;
  const dateMs = parseInstant(nextBillingDate);
  // A date in a platform mutation has the platform's meaning: it is only stored.
  if (contract === undefined || movesOrder !== true || dateMs === undefined) return undefined;
  if (dateMs <= deps.now()) return undefined;
  const move = await restartOrderMove(deps, {
    contractId: contractGid(contract, deps.platformGidNamespace),
    dateMs,
    reason: actor.kind === 'CUSTOMER' ? 'BUYER_INITIATED' : 'MERCHANT_INITIATED',
  });
  return move !== undefined && comparableFacts(intent).length === 0 ? 'done' : undefined;
};
