/** Cancels a contract, which is permanent. The timeline stores the reason, because the platform does not. */
import { message } from '../../messages/message.ts';
import { createFact } from '../../timeline/facts.ts';
import type { ContractFacts } from '../contract-facts.ts';
import {
  buildPaidOrdersReads,
  countPaidOrders,
  ORIGIN_ORDER_SELECTION,
  type PaidOrdersState,
} from '../count-paid-orders.ts';
import type { Operation, OperationRequest } from '../operation.ts';
import { createRefusedOutcome, createUserError, type OperationError } from '../operation-error.ts';
import { type PostponementDeps, removePostponementRecord } from '../order-dates/postponements.ts';
import { readRemovedPauseEndChanges } from '../pause/read-pause-end.ts';
import { removeTimedPause } from '../pause/remove-timed-pause.ts';
import type { PauseDeps } from '../pause/timed-pauses.ts';
import { readContract } from '../read-contract.ts';
import type { StateSelection } from '../read-contract-state.ts';
import { CONTRACT_ID_ARGUMENT, changeContractStatus } from './change-contract-status.ts';
import { readContractForStatusChange } from './read-status.ts';

type ContractToCancel = ContractFacts & {
  readonly billingPolicy: { readonly minCycles: number | null };
  readonly originOrder: PaidOrdersState['originOrder'];
};
type CancellationState = { readonly _svcCycles: PaidOrdersState['cycles'] };

/**
 * Builds the selection of what `findMinimumError` needs. Only customers have to reach the minimum of orders, so it is
 * read only for them.
 */
function buildMinimumReads(nowMs: number): StateSelection {
  return {
    contractSelection: `billingPolicy { minCycles } ${ORIGIN_ORDER_SELECTION}`,
    ...buildPaidOrdersReads(nowMs),
  };
}

/**
 * Returns the cancelled contract, or userErrors: CONTRACT_TERMINATED, INVALID, and for customers MINIMUM_NOT_REACHED.
 * Sends two platform requests.
 */
export const cancelContract: Operation<PauseDeps & PostponementDeps> = async (deps, request) => {
  const beganAtMs = deps.now();
  const stateSelection =
    deps.actingCustomerId === undefined ? { contractSelection: '' } : buildMinimumReads(beganAtMs);
  const contractRead = await readContractForStatusChange<ContractToCancel, CancellationState>(deps, request, {
    reads: stateSelection,
    acceptedEndStatus: 'CANCELLED',
  });
  if (contractRead.kind === 'refused') return contractRead.outcome;
  const { contract, ref, rootFieldData } = contractRead;
  const { id: contractId, status } = contract;
  if (status === 'CANCELLED') return readContract(deps, { contractId, selection: request.selection });
  const minimumError =
    deps.actingCustomerId === undefined ? undefined : findMinimumError(contract, rootFieldData);
  if (minimumError !== undefined) return createRefusedOutcome([minimumError]);
  const statusChanges = [createFact('status', { before: status, after: 'CANCELLED' })];
  const pauseEndChanges = await readRemovedPauseEndChanges(deps, { ref, status });
  const eventDetails = cancellationReasonOf(request.args);
  const intent = {
    action: 'subscription_cancelled',
    contractId,
    details: eventDetails,
    changes: statusChanges,
    further: pauseEndChanges,
  };
  return {
    intent,
    async apply() {
      const appliedOutcome = await changeContractStatus(deps, request, {
        contractId,
        targetStatus: 'CANCELLED',
      });
      if (appliedOutcome.selectedFields !== null && status === 'PAUSED')
        await removeTimedPause(deps, { ...ref, beganAtMs });
      if (appliedOutcome.selectedFields !== null) await removePostponementRecord(deps, ref);
      return appliedOutcome;
    },
  };
};

/**
 * Returns MINIMUM_NOT_REACHED when the contract has had fewer orders than its minimum.
 * @returns undefined when the contract can be cancelled
 */
function findMinimumError(
  { billingPolicy, originOrder }: ContractToCancel,
  { _svcCycles: cycles }: CancellationState,
): OperationError | undefined {
  const minCycles = billingPolicy.minCycles;
  const paidOrderCount = countPaidOrders({ originOrder, cycles });
  if (minCycles === null || paidOrderCount >= minCycles) return undefined;
  const fieldAndMessage = {
    field: [CONTRACT_ID_ARGUMENT],
    message: message('minimumNotReached', { minimum: minCycles, made: paidOrderCount }),
  };
  const limitDetails = { limit: minCycles, actual: paidOrderCount };
  return createUserError('MINIMUM_NOT_REACHED', fieldAndMessage, limitDetails);
}

type CancellationReason = { readonly code: string; readonly comment?: string | null };

/**
 * The texts of the reason codes in English, for operators. The timeline shows a reason code and comment in the
 * language of its reader.
 */
const REASON_TEXTS: Readonly<Record<string, string>> = {
  TOO_EXPENSIVE: 'It costs too much.',
  TOO_MUCH_PRODUCT: 'There is too much of it.',
  NOT_NEEDED: 'It is not needed any more.',
  QUALITY: 'The product is not good enough.',
  DELIVERY: 'The delivery does not work.',
  MOVED: 'The customer has moved.',
  SWITCHED: 'The customer buys something else.',
  TEMPORARY: 'Only for a while.',
};

function cancellationReasonOf({ reason }: OperationRequest['args']): Record<string, string | null> {
  const cancellationReason = reason as CancellationReason | null | undefined;
  if (!cancellationReason) return {};
  const reasonTexts = [REASON_TEXTS[cancellationReason.code], cancellationReason.comment].filter(
    (one) => typeof one === 'string' && one !== '',
  );
  return {
    reasonCode: cancellationReason.code,
    reason: reasonTexts.join(' ') || null,
    comment: cancellationReason.comment ?? null,
  };
}
