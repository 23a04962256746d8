/**
 * Ends a charge whose tries are over. The charge names the final action before it is taken. After a crash or a lost response,
 * the order and the timeline show whether the action was taken. So a contract is not paused twice, and a contract that was
 * resumed since stays active.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { SETTLE_INTENT_AFTER_MS, toOpenIntent } from '../../timeline/intent.ts';
import { type BillingCharge, withChargeChange } from '../records/charge-record.ts';
import { coversOrder } from '../settings/covers-order.ts';
import type { BillingOperationDeps, BillingTurn } from './billing-operation.ts';
import { createClosingChange } from './decide-after-attempt.ts';
import { chooseFinalAction } from './decide-after-decline.ts';
import { decideEnd } from './decide-due-step.ts';
import { closeUnpaidCharge, type RecordUnpaidDeps } from './record-unpaid-order.ts';
import {
  type FinalActionState,
  finalActionRequestId,
  isFinalActionVisible,
  type TakenAction,
  takeFinalAction,
} from './take-final-action.ts';

export type EndChargeDeps = BillingOperationDeps &
  RecordUnpaidDeps & {
    readonly scheduledTasks: Pick<ScheduledTasks, 'listOfStore'>;
    readonly logger: Pick<Logger, 'warn'>;
  };

/** An action whose outcome is unknown is checked again after this time: its intent is settled by then. */
const FINAL_ACTION_REREAD_DELAY_MS = 3 * 60_000;
/** The intent of a final action is written within this time after the charge named the action. */
const MAX_INTENT_DELAY_MS = 10 * 60_000;
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

/**
 * Ends the charge. `order` is at most some seconds old, and shows no paid order and no open attempt.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function endCharge(
  deps: EndChargeDeps,
  { turn, charge }: { readonly turn: BillingTurn; readonly charge: BillingCharge },
  order: FinalActionState,
): Promise<void> {
  const chargeEnd = decideEnd(charge, coversOrder(turn.settings, charge, timeZoneOf(turn.store)));
  const action =
    chargeEnd.reason === 'TRIES_OVER' || chargeEnd.reason === 'NEVER_RETRIED'
      ? chooseFinalAction(charge, turn.settings)
      : 'LEAVE';
  if (action === 'LEAVE') return closeCharge(deps, charge, chargeEnd);
  const earlierAction = await findEarlierAction(deps, { charge, action }, order);
  if (earlierAction === 'done') return closeCharge(deps, charge, chargeEnd);
  const actionNamedAtMs = deps.now();
  const chargeWithAction = await deps.charges.replace(
    charge,
    withChargeChange(charge, {
      ...(earlierAction === 'none' && { finalAction: action, finalActionAtMs: actionNamedAtMs }),
      // The tries are over even if the next order is put off: a reminder leads to the end, not to another try.
      ...{ nextTryAtMs: undefined, endsAtMs: actionNamedAtMs },
      remindAtMs: actionNamedAtMs + FINAL_ACTION_REREAD_DELAY_MS,
    }),
  );
  if (chargeWithAction === 'refused' || earlierAction === 'open') return;
  try {
    const { userErrors } = await takeFinalAction(deps, { turn, charge, namedAtMs: actionNamedAtMs }, action);
    const [refusal] = userErrors;
    if (refusal !== undefined) {
      const { shopId, contractNumber: contract, cycleIndex } = charge;
      deps.logger.warn('order.final_action_refused', {
        shopId,
        contract,
        cycleIndex,
        errorCode: refusal.code,
      });
    }
  } catch (error) {
    // The charge's reminder stays: the next read of the order shows whether the action was taken.
    if (error instanceof ServiceError && error.code !== 'TEMPORARILY_UNAVAILABLE') return;
    throw error;
  }
  await closeCharge(deps, chargeWithAction, chargeEnd);
}

/** Closes the charge, unless a successful attempt or the customer has changed it since. */
async function closeCharge(
  deps: RecordUnpaidDeps,
  charge: BillingCharge,
  { state, reason }: ReturnType<typeof decideEnd>,
): Promise<void> {
  const closedCharge = withChargeChange(charge, createClosingChange(state, reason, deps.now()));
  await closeUnpaidCharge(deps, charge, closedCharge);
}

type NamedAction = { readonly charge: BillingCharge; readonly action: TakenAction };

/**
 * Returns whether the final action was taken after the charge named it: `open` when that is not known yet; `none` when it
 * was not taken, or the charge names none.
 */
async function findEarlierAction(
  deps: Pick<EndChargeDeps, 'scheduledTasks' | 'timeline'>,
  { charge, action }: NamedAction,
  order: FinalActionState,
): Promise<'done' | 'none' | 'open'> {
  const { finalActionAtMs, shopId, contractNumber } = charge;
  if (finalActionAtMs === undefined) return 'none';
  if (isFinalActionVisible(action, order)) return 'done';
  const requestId = finalActionRequestId(charge, finalActionAtMs);
  const dueAtMs = finalActionAtMs + SETTLE_INTENT_AFTER_MS;
  const intentDueSpan = { fromMs: dueAtMs - MAX_CLOCK_DIFFERENCE_MS, toMs: dueAtMs + MAX_INTENT_DELAY_MS };
  let isIntentOpen = false;
  for await (const item of deps.scheduledTasks.listOfStore('intent', shopId, intentDueSpan))
    isIntentOpen ||= toOpenIntent(item).requestId === requestId;
  const args = { first: 25, reverse: true };
  const [page] = await deps.timeline.readEvents({ shopId, contracts: [contractNumber], args });
  const isActionRecorded = page?.edges.some(({ record }) => record.requestId === requestId) === true;
  if (isActionRecorded) return 'done';
  return isIntentOpen ? 'open' : 'none';
}
