/** Commits a draft to its contract, completely or not at all. */
import {
  createNextSegment,
  createScheduleSegment,
  findCycleAt,
  findCycleByIndex,
} from '../../../state/billing-cycles.ts';
import type { BillingPolicy } from '../../../state/catalogue-records.ts';
import type { ContractRecord, DraftRecord } from '../../../state/contract-records.ts';
import { countDeliveriesPerPayment } from '../../../state/deliveries.ts';
import { formatIsoInstant } from '../../../state/instant.ts';
import { takeNextId } from '../../../state/opaque-id.ts';
import { behaviourOfStore } from '../../../state/unpublished-behaviour.ts';
import type { AdminContext } from '../../context.ts';
import { createUserError, isUserError, type UserError } from '../../user-error.ts';
import { formatDay, retainEditsAfterNewPolicy } from '../billing/cycle-edits.ts';
import { incrementRevision, isTerminated } from '../contracts/contract-changes.ts';

/** Returns the committed contract, or the user error. */
export function commitDraft(draft: DraftRecord, context: AdminContext): ContractRecord | UserError {
  const fieldPath = ['draftId'];
  if (draft.cycleIndex !== null) {
    return createUserError(
      fieldPath,
      'Use subscriptionBillingCycleContractDraftCommit for this draft',
      'BILLING_CYCLE_PRESENT',
    );
  }
  if (draft.contractId === null) return findContentProblem(draft, context) ?? createContract(draft, context);
  const contract = requireFreshContract(draft, context);
  if (isUserError(contract)) return contract;
  const upcomingEdit = findUpcomingEdit(contract, context.nowMs);
  if (upcomingEdit !== null) {
    const message = `Cannot update a subscription contract with a current or upcoming billing cycle contract edit (${formatDay(upcomingEdit.expectedMs)})`;
    return createUserError(fieldPath, message, 'HAS_FUTURE_EDITS');
  }
  const problem = findContentProblem(draft, context);
  if (problem !== null) return problem;
  applyDraft(contract, draft, context);
  return contract;
}

/** Commits a draft to the edited contract of its cycle. Returns the contract record with the edit, or the user error. */
export function commitCycleDraft(draft: DraftRecord, context: AdminContext): ContractRecord | UserError {
  if (draft.cycleIndex === null) {
    return createUserError(['draftId'], 'Use subscriptionDraftCommit for this draft', 'BILLING_CYCLE_ABSENT');
  }
  const contract = requireFreshContract(draft, context);
  if (isUserError(contract)) return contract;
  const contentProblem = findContentProblem(draft, context);
  if (contentProblem !== null) return contentProblem;
  const committedAt = formatIsoInstant(context.nowMs);
  const editBefore = contract.cycleEdits[draft.cycleIndex] ?? {
    skipped: false,
    billingDate: null,
    contract: null,
  };
  const { content, concatenated } = draft;
  const createdAt = editBefore.contract?.createdAt ?? committedAt;
  contract.cycleEdits[draft.cycleIndex] = {
    ...editBefore,
    contract: { content, concatenated, createdAt, updatedAt: committedAt },
  };
  draft.committed = true;
  incrementRevision(contract, context.nowMs);
  return contract;
}

/** Returns the draft's contract, or the user error when it has changed since the draft was opened. */
function requireFreshContract(draft: DraftRecord, { store }: AdminContext): ContractRecord | UserError {
  const contract = store.contracts.get(draft.contractId ?? 0);
  if (contract === undefined)
    return createUserError(['draftId'], 'Subscription contract does not exist', 'INVALID');
  if (isTerminated(contract))
    return createUserError(['draftId'], 'Contract cannot be updated once terminated', 'INVALID');
  if (contract.revisionId !== draft.baseRevision) {
    const message = 'The contract was changed by another operation since this draft was opened';
    return createUserError(['draftId'], message, 'STALE_CONTRACT');
  }
  return contract;
}

function findUpcomingEdit(contract: ContractRecord, nowMs: number) {
  const currentIndex = findCycleAt(contract, nowMs)?.index ?? Number.POSITIVE_INFINITY;
  const editIndex = Object.keys(contract.cycleEdits)
    .map(Number)
    .find((index) => index >= currentIndex && contract.cycleEdits[index]?.contract !== null);
  const cycle = editIndex === undefined ? null : findCycleByIndex(contract, editIndex);
  return cycle?.billed ? null : cycle;
}

function findContentProblem({ content }: DraftRecord, { store }: AdminContext): UserError | null {
  if (content.lines.length === 0)
    return createUserError(['draftId'], 'Must have at least one line', 'INVALID_LINES');
  if (countDeliveriesPerPayment(content) === null) {
    const message = 'The billing interval must be a multiple of the delivery interval';
    return createUserError(['draftId'], message, 'DELIVERY_MUST_BE_MULTIPLE_OF_BILLING');
  }
  const hasEmptiedDiscount = content.discounts.some(
    ({ type, lineIds }) => type === 'MANUAL' && lineIds?.length === 0,
  );
  if (hasEmptiedDiscount && behaviourOfStore(store, 'emptyDiscounts') === 'refused') {
    return createUserError(
      ['draftId'],
      'A discount must have at least one entitled line',
      'NO_ENTITLED_LINES',
    );
  }
  if (content.deliveryMethod === null && content.lines.some(({ requiresShipping }) => requiresShipping)) {
    return createUserError(['draftId'], 'A delivery method is required', 'DELIVERY_METHOD_REQUIRED');
  }
  return null;
}

/** A new billing policy recounts the cycles. At some stores, setting the present policy recounts them, too. */
function applyDraft(contract: ContractRecord, draft: DraftRecord, { store, nowMs }: AdminContext): void {
  const policyBefore = contract.content.billingPolicy;
  const policyAfter = draft.content.billingPolicy;
  const recountsSamePolicy =
    draft.setsBillingPolicy === true && behaviourOfStore(store, 'samePolicyCommit') === 'recounts';
  if (recountsSamePolicy || formatFrequency(policyBefore) !== formatFrequency(policyAfter)) {
    const segment = createNextSegment(store, contract, { policy: policyAfter, nowMs });
    if (segment !== null) {
      const { fromIndex } = segment;
      contract.schedule = [...contract.schedule.filter((each) => each.fromIndex < fromIndex), segment];
      contract.cycleEdits = retainEditsAfterNewPolicy(contract, fromIndex);
    }
  }
  contract.content = draft.content;
  draft.committed = true;
  incrementRevision(contract, nowMs);
}

function formatFrequency({ interval, intervalCount, anchors }: BillingPolicy): string {
  return JSON.stringify([interval, intervalCount, anchors]);
}

function createContract(draft: DraftRecord, { store, nowMs }: AdminContext): ContractRecord {
  const committedAt = formatIsoInstant(nowMs);
  const id = takeNextId(store);
  const contract: ContractRecord = {
    __typename: 'SubscriptionContract',
    id,
    createdAt: committedAt,
    updatedAt: committedAt,
    revisionId: id * 100,
    originOrderId: null,
    lastPaymentStatus: null,
    lastBillingAttemptErrorType: null,
    content: draft.content,
    schedule: [
      createScheduleSegment(store, {
        fromIndex: 1,
        startAt: committedAt,
        policy: draft.content.billingPolicy,
      }),
    ],
    billedCycles: [],
    cycleEdits: {},
  };
  store.contracts.set(id, contract);
  draft.contractId = id;
  draft.committed = true;
  return contract;
}
