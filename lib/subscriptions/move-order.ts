/** The second step of a date that was set with a draft: the next order is moved to it; after a crash by the scheduled work. */
import { ServiceError } from '../errors/service-error.ts';
import { contractGid } from '../timeline/event-number.ts';
import type { FinishChange } from '../timeline/settle-open-intents.ts';
import type { OperationDeps } from './operation.ts';
import { moveOrderTo, type OrderDateState, type OrderMove, orderDateReads } from './order-date.ts';
import { readDraftState } from './read-draft-state.ts';
import { type EditReason, sendEdits } from './send-edits.ts';

type MoveDeps = Pick<OperationDeps, 'ask' | 'now'>;
type DatedOrder = { readonly contractId: string; readonly dateMs: number; readonly reason: EditReason };
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
 * One platform request; after a lost answer a read, and another. OUTCOME_UNKNOWN: it may be done in part, and can be done
 * again.
 */
export async function moveOrder(deps: MoveDeps, order: DatedOrder, { edits }: OrderMove): Promise<void> {
  try {
    const refused = await sendEdits(deps, { ...order, edits });
    if (refused.length === 0) return;
    throw new ServiceError('OUTCOME_UNKNOWN', { internal: `the order stays: ${refused[0]?.message}` });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'OUTCOME_UNKNOWN') throw error;
    if (!(await moveOrderAnew(deps, order))) throw error;
  }
}

/** Whether the order is on the date, if the contract is still to have it; nothing is done if it is not. Two requests. */
export async function moveOrderAnew(
  deps: MoveDeps,
  { contractId, dateMs, reason }: DatedOrder,
): Promise<boolean> {
  const reads = { contract: 'nextBillingDate', ...orderDateReads(dateMs, deps.now()) };
  const { state } = await readDraftState<State>(deps, { contractId, reads });
  if (state === undefined || state.contract.status !== 'ACTIVE') return false;
  if (Date.parse(state.contract.nextBillingDate ?? '') !== dateMs) return false;
  const { edits = [] } = moveOrderTo(dateMs, state) ?? {};
  return (await sendEdits(deps, { contractId, reason, edits })).length === 0;
}

/** Does nothing if the date has passed, or is another by now. ServiceError: the intent has to wait. */
export const finishOrderDate: FinishChange = async (deps, { intent: { contract, details, actor } }) => {
  const { movesOrder, nextBillingDate } = details;
  // Platform mutations with a date are what they are at the platform: a note.
  if (contract === undefined || movesOrder !== true || typeof nextBillingDate !== 'string') return;
  const dateMs = Date.parse(nextBillingDate);
  if (dateMs <= deps.now()) return;
  await moveOrderAnew(deps, {
    contractId: contractGid(contract, deps.platformGidNamespace),
    dateMs,
    reason: actor.kind === 'CUSTOMER' ? 'BUYER_INITIATED' : 'MERCHANT_INITIATED',
  });
};
