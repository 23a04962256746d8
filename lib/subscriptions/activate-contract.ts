/** Resumes a contract; with a date it is one draft, so that status and date change together or not at all. */
import { nextBillingDateFact, statusFact } from '../timeline/changed-facts.ts';
import { CONTRACT_ARGUMENT, changeStatus } from './change-status.ts';
import type { ContractFacts } from './contract-facts.ts';
import { dateText } from './date-text.ts';
import type { DraftChange, DraftDecision, DraftSpec } from './draft-spec.ts';
import { endPauseOf } from './end-pause-of.ts';
import type { Operation, OperationDeps, OperationRequest } from './operation.ts';
import type { OperationOutcome } from './operation-error.ts';
import { contractRef } from './pause-record.ts';
import { readContract } from './read-contract.ts';
import { readStatus } from './read-status.ts';
import { recordedChange } from './recorded-change.ts';
import { refuseDate } from './refuse-date.ts';
import { runDraft } from './run-draft.ts';

/**
 * The active contract, or userErrors: CONTRACT_TERMINATED, INVALID; with a date DATE_IN_PAST, DATE_TOO_FAR,
 * INVALID_BILLING_DATE, HAS_FUTURE_EDITS and CONCURRENT_UPDATE, too. Two platform requests, four with a date.
 */
export const activateContract: Operation = (deps, request) => {
  const { nextBillingDate } = request.args;
  return typeof nextBillingDate === 'string'
    ? runDraft(deps, request, withDate(deps, request, nextBillingDate))
    : resume(deps, request);
};

async function resume(deps: OperationDeps, request: OperationRequest): Promise<OperationOutcome> {
  const beganAtMs = deps.now();
  const state = await readStatus(deps, request, { fields: '' });
  if (state.kind === 'refused') return state.outcome;
  const { id: contractId, status } = state.contract;
  if (status === 'ACTIVE') return readContract(deps, { contractId, selection: request.selection });
  const changes = [statusFact({ before: status, after: 'ACTIVE' })];
  const intent = { action: 'subscription_resumed', contractId, details: {}, changes };
  return recordedChange(deps, intent, async () => {
    const outcome = await changeStatus(deps, request, { contractId, to: 'ACTIVE' });
    if (outcome.answered !== null) await endPauseOf(deps, { ...state.ref, beganAtMs });
    return outcome;
  });
}

type Contract = ContractFacts & { readonly nextBillingDate: string | null };
type State = { readonly contract: Contract };

function withDate(
  deps: OperationDeps,
  { args }: OperationRequest,
  nextBillingDate: string,
): DraftSpec<State> {
  const beganAtMs = deps.now();
  const ref = contractRef(deps.store.shopId, String(args[CONTRACT_ARGUMENT]));
  const dateMs = Date.parse(nextBillingDate);
  const isDone = ({ contract }: State) =>
    contract.status === 'ACTIVE' && Date.parse(contract.nextBillingDate ?? '') === dateMs;
  return {
    contractArgument: CONTRACT_ARGUMENT,
    reads: { contract: 'nextBillingDate' },
    decide(state): DraftDecision<State> {
      if (isDone(state)) return { kind: 'unchanged' };
      const refusal = refuseDate('nextBillingDate', dateMs, deps.now());
      if (refusal !== undefined) return { kind: 'refused', userErrors: [refusal] };
      return {
        kind: 'change',
        intent: intentOf(state.contract, dateMs),
        changes: [statusAndDate(nextBillingDate)],
        isDone,
        async afterCommit(committed) {
          if (ref !== undefined) await endPauseOf(deps, { ...ref, beganAtMs });
          return committed;
        },
      };
    },
  };
}

const FIELD = ['nextBillingDate'];

function statusAndDate(nextBillingDate: string): DraftChange {
  const input = { status: 'ACTIVE', nextBillingDate };
  return {
    mutation: 'subscriptionDraftUpdate',
    args: { input: ['SubscriptionDraftInput!', input] },
    blame: (path) => (path.includes('nextBillingDate') ? FIELD : [CONTRACT_ARGUMENT]),
    codes: { INVALID_BILLING_DATE: 'INVALID_BILLING_DATE' },
  };
}

function intentOf({ status, nextBillingDate }: Contract, dateMs: number) {
  const date = dateText(dateMs);
  const changes = [nextBillingDateFact({ before: nextBillingDate, after: date })];
  if (status === 'ACTIVE') {
    return { action: 'subscription_next_billing_date_updated', details: { nextBillingDate: date }, changes };
  }
  const resumed = statusFact({ before: status, after: 'ACTIVE' });
  return {
    action: 'subscription_resumed',
    details: { nextBillingDate: date },
    changes: [resumed, ...changes],
  };
}
