/**
 * The mutations that commit drafts, create a contract in one request, or change the product of one line in one request.
 */
import type { ContractRecord } from '../../../state/contract-records.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidNumber, requireGidTail } from '../../gid.ts';
import { createUserErrorPayload, isUserError, type UserError } from '../../user-error.ts';
import { isTerminated } from '../contracts/contract-changes.ts';
import { toEditedContractView } from '../contracts/edited-contracts.ts';
import { commitCycleDraft, commitDraft } from './draft-commit.ts';
import { addManualDiscount, applyDiscountCode, type DiscountInput } from './draft-discounts.ts';
import { changeDraft, createDraft } from './draft-lookup.ts';
import { type CreateContractInput, openDraftOfNewContract } from './drafts.ts';
import { addLine, type LineInput, updateLine } from './line-input.ts';

type DraftArg = { draftId: string };

function resolveDraftCommit(_parent: unknown, { draftId }: DraftArg, context: AdminContext) {
  return changeDraft(draftId, context, (draft) => toContractPayload(commitDraft(draft, context)));
}

function toContractPayload(outcome: ContractRecord | UserError): { contract: ContractRecord } | UserError {
  return isUserError(outcome) ? outcome : { contract: outcome };
}

function resolveCycleDraftCommit(_parent: unknown, { draftId }: DraftArg, context: AdminContext) {
  return changeDraft(draftId, context, (draft) => {
    const contract = commitCycleDraft(draft, context);
    if (isUserError(contract)) return contract;
    return { contract: toEditedContractView(contract, draft.cycleIndex ?? 0) };
  });
}

type AtomicCreateInput = CreateContractInput & {
  lines: { line: LineInput; discounts?: DiscountInput[] | null }[];
  discountCodes?: string[] | null;
};

function resolveAtomicCreate(
  _parent: unknown,
  { input }: { input: AtomicCreateInput },
  context: AdminContext,
) {
  const openedDraft = openDraftOfNewContract(input, context);
  if (!('draft' in openedDraft)) return openedDraft;
  const { draft } = openedDraft;
  for (const [lineIndex, { line: lineInput, discounts }] of input.lines.entries()) {
    const addedLine = addLine(draft.content, lineInput, context);
    if (isUserError(addedLine)) return withLineIndex(addedLine, lineIndex);
    for (const discountInput of discounts ?? []) {
      const discount = addManualDiscount(draft.content, discountInput, context);
      if (isUserError(discount)) return withLineIndex(discount, lineIndex);
      discount.lineIds = [addedLine.id];
    }
  }
  for (const code of input.discountCodes ?? []) applyDiscountCode(draft.content, code, context);
  const commitResult = commitDraft(draft, context);
  if (isUserError(commitResult)) return { userErrors: [{ ...commitResult, field: ['input'] }] };
  return { contract: commitResult };
}

function withLineIndex(error: UserError, index: number) {
  return {
    userErrors: [{ ...error, field: ['input', 'lines', String(index), ...(error.field ?? []).slice(1)] }],
  };
}

type ProductChangeArgs = {
  subscriptionContractId: string;
  lineId: string;
  input: { currentPrice?: string | null; productVariantId?: string | null };
};

function resolveProductChange(_parent: unknown, args: ProductChangeArgs, context: AdminContext) {
  const contract = context.store.contracts.get(
    requireGidNumber(args.subscriptionContractId, 'SubscriptionContract'),
  );
  const fieldPath = ['subscriptionContractId'];
  if (contract === undefined)
    return createUserErrorPayload(fieldPath, 'Subscription contract does not exist', 'INVALID');
  if (isTerminated(contract))
    return createUserErrorPayload(fieldPath, 'Contract cannot be updated once terminated', 'INVALID');
  const draft = createDraft(context, contract.content, { contract, cycleIndex: null });
  const changedLine = draft.content.lines.find(
    ({ id }) => id === requireGidTail(args.lineId, 'SubscriptionLine'),
  );
  if (changedLine === undefined) return createUserErrorPayload(['lineId'], 'Line does not exist', 'INVALID');
  const updateResult = updateLine(draft.content, changedLine, { input: args.input, context });
  if (isUserError(updateResult)) return { userErrors: [updateResult] };
  const commitResult = commitDraft(draft, context);
  if (isUserError(commitResult)) return { userErrors: [{ ...commitResult, field: fieldPath }] };
  return { contract: commitResult, lineUpdated: { line: changedLine, content: commitResult.content } };
}

export const commitResolvers: ResolverMap = {
  Mutation: {
    subscriptionBillingCycleContractDraftCommit: resolveCycleDraftCommit,
    subscriptionContractAtomicCreate: resolveAtomicCreate,
    subscriptionContractProductChange: resolveProductChange,
    subscriptionDraftCommit: resolveDraftCommit,
  },
};
