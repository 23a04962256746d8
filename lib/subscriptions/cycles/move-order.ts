/**
 * A date that was set with a draft has a second step: the next order is moved to it, after a crash by the scheduled
 * work.
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

type MoveDeps = Pick<OperationDeps, 'ask' | 'now'> & Pick<OpenChange, 'tellToo'>;
type DatedOrder = {
  readonly contractId: string;
  readonly dateMs: Instant;
  readonly reason: EditReason;
  /** Whether the order may come later where the cycle of the date is paid: nobody has asked for the date. */
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
 * Moves the order, and tells what that changes. `known`: from cycles as they are now, else they are read. One platform
 * request, or two; two more after a lost answer. OUTCOME_UNKNOWN: the order cannot be seen on the date; it may be done
 * in part, and can be done again.
 */
export async function moveOrder(deps: MoveDeps, order: DatedOrder, known?: OrderMove): Promise<void> {
  const made = (await tryMove(deps, order, known)) ?? (await moveOrderAnew(deps, order));
  if (made === undefined)
    throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'the order is not on the date' });
}

async function tryMove(
  deps: MoveDeps,
  order: DatedOrder,
  known: OrderMove | undefined,
): Promise<OrderMove | undefined> {
  try {
    return await (known === undefined ? moveOrderAnew(deps, order) : makeMove(deps, order, known));
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    return undefined;
  }
}

/**
 * Moves the order after a read. Undefined: the contract is not to have the date any more, or the order cannot be there.
 */
async function moveOrderAnew(deps: MoveDeps, order: DatedOrder): Promise<OrderMove | undefined> {
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

/** Undefined: the platform refused a part of it. */
async function makeMove(deps: MoveDeps, order: DatedOrder, move: OrderMove): Promise<OrderMove | undefined> {
  if (move.edits.length > 0) await deps.tellToo(moveFacts(move, order.dateMs));
  const refused = await sendEdits(deps, { ...order, edits: move.edits });
  return refused.length === 0 ? move : undefined;
}

/**
 * Does nothing if the date has passed, or is another by now; done if the order is there and no more was to be.
 * ServiceError: the intent has to wait.
 */
export const finishOrderDate: FinishChange = async (deps, { intent }) => {
  const { contract, details, actor } = intent;
  const { movesOrder, nextBillingDate } = details;
  const dateMs = parseInstant(nextBillingDate);
  // Platform mutations with a date are what they are at the platform: a note.
  if (contract === undefined || movesOrder !== true || dateMs === undefined) return undefined;
  if (dateMs <= deps.now()) return undefined;
  const move = await moveOrderAnew(deps, {
    contractId: contractGid(contract, deps.platformGidNamespace),
    dateMs,
    reason: actor.kind === 'CUSTOMER' ? 'BUYER_INITIATED' : 'MERCHANT_INITIATED',
  });
  return move !== undefined && comparableFacts(intent).length === 0 ? 'done' : undefined;
};
