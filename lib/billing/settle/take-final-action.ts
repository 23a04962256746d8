/** Takes the final action for an unpaid order by the operations that pause or cancel the contract, or skip the order. */

import { orderErrorDetails } from '../../subscriptions/cycles/billing-cycle.ts';
import { decideCycleChange } from '../../subscriptions/cycles/change-cycle.ts';
import type { Operation } from '../../subscriptions/operation.ts';
import { fromPlatformUserError, type OperationOutcome } from '../../subscriptions/operation-error.ts';
import type { ClaimDeps } from '../../subscriptions/order-dates/claim-orders.ts';
import { cancelContract } from '../../subscriptions/status/cancel-contract.ts';
import { pauseContract } from '../../subscriptions/status/pause-contract.ts';
import { contractGid } from '../../timeline/event-record.ts';
import { createFact } from '../../timeline/facts.ts';
import type { BillingCharge } from '../records/charge-record.ts';
import type { BillingFinalAction } from '../records/settings-record.ts';
import { type BillingOperationDeps, type BillingTurn, runBillingOperation } from './billing-operation.ts';

/** A final action that changes the contract or the order. */
export type TakenAction = Exclude<BillingFinalAction, 'LEAVE'>;

/** The part of an order's and its contract's state at the platform that a final action changes. */
export type FinalActionState = { readonly contractStatus: string; readonly isSkipped: boolean };

/** Returns the request id of the entries and intents of a charge's final action, which was named at `namedAtMs`. */
export function finalActionRequestId(
  { contractNumber, cycleIndex }: BillingCharge,
  namedAtMs: number,
): string {
  return `billing-${contractNumber}-${cycleIndex}-${namedAtMs}`;
}

/**
 * Takes the final action. `selectedFields` in the outcome is null when the action was refused, so that it never takes effect.
 * @throws OUTCOME_UNKNOWN, and the errors of the platform's client, after which nothing was changed
 */
export function takeFinalAction(
  deps: BillingOperationDeps,
  {
    turn,
    charge,
    namedAtMs,
  }: { readonly turn: BillingTurn; readonly charge: BillingCharge; readonly namedAtMs: number },
  action: TakenAction,
): Promise<OperationOutcome> {
  const contractId = contractGid(charge.contractNumber, deps.platformGidNamespace);
  const day = new Date(charge.expectedAtMs).toISOString().slice(0, 10);
  return runBillingOperation(deps, OPERATION_BY_ACTION[action], {
    ...{ turn, requestId: finalActionRequestId(charge, namedAtMs) },
    reason: `The order of ${day} was not paid.`,
    args: { subscriptionContractId: contractId, contractId, billingCycleIndex: charge.cycleIndex },
  });
}

/** Skips the order, also after its date, when customers cannot skip it any more. */
const skipOrder: Operation<ClaimDeps> = (deps, request) =>
  decideCycleChange(deps, request, (cycle) => ({
    refusal: undefined,
    input: { skip: true },
    showsEdit: ({ skipped }) => skipped,
    intent: {
      action: 'billing_cycle_skipped',
      details: { billingCycleIndex: cycle.cycleIndex, expectedDate: cycle.billingAttemptExpectedDate },
      changes: [createFact(`billingCycles.${cycle.cycleIndex}.skipped`, { before: 'false', after: 'true' })],
    },
    toServiceError: (error) => fromPlatformUserError(error, orderErrorDetails(cycle)),
  }));

const OPERATION_BY_ACTION = { PAUSE: pauseContract, CANCEL: cancelContract, SKIP: skipOrder };

/** Whether the state is as the final action leaves it, whoever made the change. */
export function isFinalActionVisible(
  action: TakenAction,
  { contractStatus, isSkipped }: FinalActionState,
): boolean {
  if (action === 'SKIP') return isSkipped;
  return contractStatus === (action === 'PAUSE' ? 'PAUSED' : 'CANCELLED');
}
