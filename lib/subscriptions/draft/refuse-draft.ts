/**
 * The platform refuses a draft as a whole by a code alone. The client is told more: the date of the order that stands
 * in the way, or that the contract has ended in between.
 */
import { longDayIn } from '../../domain/time-zone.ts';
import { ifAnswered } from '../../errors/if-answered.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { refuseContract } from '../contract-facts.ts';
import type { OperationDeps } from '../operation.ts';
import type { OperationError, PlatformUserError } from '../operation-error.ts';
import { readContractState } from '../read-contract-state.ts';
import { toOwnCode } from './draft-refusal.ts';

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

/**
 * The refusals, each at the contract's argument. One more request, if it can tell more than the platform's code; the
 * refusals stand without its answer, too.
 */
export async function refuseDraft(
  deps: OperationDeps,
  { contractId, contractArgument, userErrors }: Refused,
): Promise<OperationError[]> {
  const field = [contractArgument];
  const refusals = userErrors.map(({ message, code }) => ({ field, message, code: toOwnCode(code) }));
  if (refusals.some(({ code }) => code === 'INVALID')) {
    const ended = await ifAnswered(async () => {
      const { state } = await readContractState(deps, { contractId, reads: { contract: '' } });
      return refuseContract(state?.contract, contractArgument);
    });
    return ended === undefined ? refusals : [ended];
  }
  if (!refusals.some(({ code }) => code === 'HAS_FUTURE_EDITS')) return refusals;
  const date = await ifAnswered(() => editedOrder(deps, contractId));
  const which =
    date === undefined ? '' : `: the one of ${longDayIn(timeZoneOf(deps.store), Date.parse(date))}`;
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
  const variables = { _svcContractId: contractId, _svcRange: range };
  const { data } = await ask({ document: EDITED, variables, mutates: false });
  const { nodes = [] } = (data?.cycles ?? {}) as { readonly nodes?: readonly Cycle[] };
  return nodes.find(({ editedContract }) => editedContract !== null)?.billingAttemptExpectedDate;
}
