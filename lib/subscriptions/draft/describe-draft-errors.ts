/**
 * Adds details to the platform's refusal of a draft, which has only a code: the date of the edited order that
 * prevents the change, or the fact that the contract has ended in the meantime.
 */

import { formatInstant, parseInstant } from '../../domain/instant.ts';
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { message } from '../../messages/message.ts';
import { findContractError } from '../contract-facts.ts';
import type { OperationDeps, OperationRequest } from '../operation.ts';
import { createUserError, type OperationError, type PlatformUserError } from '../operation-error.ts';
import { readContractState } from '../read-contract-state.ts';
import { toServiceUserError } from './draft-refusal.ts';

const EDITED_CYCLES_HORIZON_MS = 366 * 86_400_000;
const EDITED_CYCLES_DOCUMENT = `query($_svcContractId: ID!, $_svcRange: SubscriptionBillingCyclesDateRangeSelector!) {
  cycles: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcRange, first: 60) {
    nodes { cycleIndex billingAttemptExpectedDate editedContract { updatedAt } }
  }
}`;

type RefusedDraft = {
  readonly contractId: string;
  readonly contractArgument: string;
  readonly userErrors: readonly PlatformUserError[];
  /** The client's arguments. */
  readonly args: OperationRequest['args'];
};

/**
 * Converts the platform's refusals to user errors for the client's argument of the contract. Sends one more platform
 * request if that can add details. If the platform does not respond to it, the user errors lack these details.
 */
export async function describeDraftErrors(
  deps: OperationDeps,
  { contractId, contractArgument, userErrors, args }: RefusedDraft,
): Promise<OperationError[]> {
  const draftErrors = userErrors.map(
    (error) => findNextDateError(error, args) ?? toServiceUserError({ ...error, field: [contractArgument] }),
  );
  if (draftErrors.some(({ code }) => code === 'INVALID')) {
    const endedContract = await ignoreServiceError(async () => {
      const { state } = await readContractState(deps, { contractId, reads: { contractSelection: '' } });
      return findContractError(state?.contract, contractArgument);
    });
    return endedContract === undefined ? draftErrors : [endedContract];
  }
  if (!draftErrors.some(({ code }) => code === 'HAS_FUTURE_EDITS')) return draftErrors;
  const editedOrder = await ignoreServiceError(() => findEditedOrder(deps, contractId));
  return draftErrors.map((one) =>
    one.code === 'HAS_FUTURE_EDITS' ? editedOrderError(one, editedOrder) : one,
  );
}

/** Returns DATE_IN_PAST if the platform refused the client's `nextBillingDate`. */
function findNextDateError(
  { code }: PlatformUserError,
  { nextBillingDate }: OperationRequest['args'],
): OperationError | undefined {
  const dateMs = parseInstant(nextBillingDate);
  if (code !== 'INVALID_BILLING_DATE' || dateMs === undefined) return undefined;
  const fieldAndMessage = { field: ['nextBillingDate'], message: message('datePassed') };
  return createUserError('DATE_IN_PAST', fieldAndMessage, { date: formatInstant(dateMs) });
}

type EditedCycle = {
  readonly cycleIndex: number;
  readonly billingAttemptExpectedDate: string;
  readonly editedContract: unknown;
};

function editedOrderError({ field }: OperationError, editedOrder?: EditedCycle): OperationError {
  const orderDate = editedOrder?.billingAttemptExpectedDate;
  const errorMessage =
    orderDate === undefined
      ? message('futureEdits')
      : message('futureEditsOn', { day: Date.parse(orderDate) });
  return createUserError(
    'HAS_FUTURE_EDITS',
    { field, message: errorMessage },
    { cycleIndex: editedOrder?.cycleIndex, date: orderDate },
  );
}

/**
 * Returns the next order that has its own edited contract.
 * @returns undefined when there is none within a year
 */
async function findEditedOrder(
  { sendToPlatform, now }: OperationDeps,
  contractId: string,
): Promise<EditedCycle | undefined> {
  const nowMs = now();
  const formatIso = (ms: number) => new Date(ms).toISOString();
  const dateRange = { startDate: formatIso(nowMs), endDate: formatIso(nowMs + EDITED_CYCLES_HORIZON_MS) };
  const variables = { _svcContractId: contractId, _svcRange: dateRange };
  const { data } = await sendToPlatform({ document: EDITED_CYCLES_DOCUMENT, variables, mutates: false });
  const { nodes = [] } = (data?.cycles ?? {}) as { readonly nodes?: readonly EditedCycle[] };
  return nodes.find(({ editedContract }) => editedContract !== null);
}
