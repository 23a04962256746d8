/** The mutations that commit: drafts, a contract made in one go, one line's product changed in one go. */
import type { ContractRecord } from '../../../state/contract-records.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { numberOf, tailOf } from '../../gid.ts';
import { isUserError, type UserError, userErrorPayload } from '../../user-error.ts';
import { isTerminated } from '../contracts/contract-changes.ts';
import { editedContractView } from '../contracts/edited-contracts.ts';
import { commitCycleDraft, commitDraft } from './draft-commit.ts';
import { addDiscount, applyCode, type DiscountInput } from './draft-discounts.ts';
import { newDraft, onDraft } from './draft-lookup.ts';
import { type CreateInput, openNewContract } from './drafts.ts';
import { addLine, type LineInput, updateLine } from './line-input.ts';

type DraftArg = { draftId: string };

function draftCommit(_parent: unknown, { draftId }: DraftArg, context: AdminContext) {
  return onDraft(draftId, context, (draft) => contractPayload(commitDraft(draft, context)));
}

function contractPayload(outcome: ContractRecord | UserError): { contract: ContractRecord } | UserError {
  return isUserError(outcome) ? outcome : { contract: outcome };
}

function cycleDraftCommit(_parent: unknown, { draftId }: DraftArg, context: AdminContext) {
  return onDraft(draftId, context, (draft) => {
    const contract = commitCycleDraft(draft, context);
    if (isUserError(contract)) return contract;
    return { contract: editedContractView(contract, draft.cycleIndex ?? 0) };
  });
}

type AtomicInput = CreateInput & {
  lines: { line: LineInput; discounts?: DiscountInput[] | null }[];
  discountCodes?: string[] | null;
};

function atomicCreate(_parent: unknown, { input }: { input: AtomicInput }, context: AdminContext) {
  const opened = openNewContract(input, context);
  if (!('draft' in opened)) return opened;
  const { draft } = opened;
  for (const [index, { line: lineInput, discounts }] of input.lines.entries()) {
    const line = addLine(draft.content, lineInput, context);
    if (isUserError(line)) return atLine(line, index);
    for (const discountInput of discounts ?? []) {
      const discount = addDiscount(draft.content, discountInput, context);
      if (isUserError(discount)) return atLine(discount, index);
      discount.lineIds = [line.id];
    }
  }
  for (const code of input.discountCodes ?? []) applyCode(draft.content, code, context);
  const outcome = commitDraft(draft, context);
  if (isUserError(outcome)) return { userErrors: [{ ...outcome, field: ['input'] }] };
  return { contract: outcome };
}

function atLine(error: UserError, index: number) {
  return {
    userErrors: [{ ...error, field: ['input', 'lines', String(index), ...(error.field ?? []).slice(1)] }],
  };
}

type ChangeArgs = {
  subscriptionContractId: string;
  lineId: string;
  input: { currentPrice?: string | null; productVariantId?: string | null };
};

function productChange(_parent: unknown, args: ChangeArgs, context: AdminContext) {
  const contract = context.store.contracts.get(numberOf(args.subscriptionContractId, 'SubscriptionContract'));
  const field = ['subscriptionContractId'];
  if (contract === undefined)
    return userErrorPayload(field, 'Subscription contract does not exist', 'INVALID');
  if (isTerminated(contract))
    return userErrorPayload(field, 'Contract cannot be updated once terminated', 'INVALID');
  const draft = newDraft(context, contract.content, { contract, cycleIndex: null });
  const line = draft.content.lines.find(({ id }) => id === tailOf(args.lineId, 'SubscriptionLine'));
  if (line === undefined) return userErrorPayload(['lineId'], 'Line does not exist', 'INVALID');
  const updated = updateLine(draft.content, line, { input: args.input, context });
  if (isUserError(updated)) return { userErrors: [updated] };
  const outcome = commitDraft(draft, context);
  if (isUserError(outcome)) return { userErrors: [{ ...outcome, field }] };
  return { contract: outcome, lineUpdated: { line, content: outcome.content } };
}

export const commitResolvers: ResolverMap = {
  Mutation: {
    subscriptionBillingCycleContractDraftCommit: cycleDraftCommit,
    subscriptionContractAtomicCreate: atomicCreate,
    subscriptionContractProductChange: productChange,
    subscriptionDraftCommit: draftCommit,
  },
};
