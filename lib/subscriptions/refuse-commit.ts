/** Why a commit was refused, in the client's words. An order that stands in the way is named by its date. */
import { ServiceError } from '../errors/service-error.ts';
import { type PlatformUserError, toOwnCode } from './draft-errors.ts';
import type { OperationDeps } from './operation.ts';
import type { OperationError } from './operation-error.ts';

const HORIZON_MS = 366 * 86_400_000;
const EDITED = `query($_svcContractId: ID!, $_svcRange: SubscriptionBillingCyclesDateRangeSelector!) {
  cycles: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcRange, first: 60) {
    nodes { billingAttemptExpectedDate editedContract { updatedAt } }
  }
}`;

type Refused = {
  readonly contractId: string;
  readonly contractArgument: string;
  readonly userErrors: readonly PlatformUserError[];
};

/** The refusals, each at the contract's argument. One more request if an edited order is to be named. */
export async function refuseCommit(
  deps: OperationDeps,
  { contractId, contractArgument, userErrors }: Refused,
): Promise<OperationError[]> {
  const field = [contractArgument];
  const refusals = userErrors.map(({ message, code }) => ({ field, message, code: toOwnCode(code) }));
  if (!refusals.some(({ code }) => code === 'HAS_FUTURE_EDITS')) return refusals;
  const date = await editedOrder(deps, contractId);
  const which = date === undefined ? '' : `: the one of ${date}`;
  const message = `A coming order was edited by itself${which}. Changes of the contract wait until its edit is gone.`;
  return refusals.map((one) => (one.code === 'HAS_FUTURE_EDITS' ? { ...one, message } : one));
}

type Cycle = {
  readonly billingAttemptExpectedDate: string;
  readonly editedContract: unknown;
};

/** The date of the next order with a contract of its own; undefined if it cannot be told. */
async function editedOrder({ ask, now }: OperationDeps, contractId: string): Promise<string | undefined> {
  const nowMs = now();
  const iso = (ms: number) => new Date(ms).toISOString();
  const range = { startDate: iso(nowMs), endDate: iso(nowMs + HORIZON_MS) };
  try {
    const variables = { _svcContractId: contractId, _svcRange: range };
    const { data } = await ask({ document: EDITED, variables, mutates: false });
    const { nodes = [] } = (data?.cycles ?? {}) as { readonly nodes?: readonly Cycle[] };
    return nodes.find(({ editedContract }) => editedContract !== null)?.billingAttemptExpectedDate;
  } catch (error) {
    // The refusal stands without it.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
