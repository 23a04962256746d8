/** Adds, updates and removes the lines of a draft. */

import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidTail } from '../../gid.ts';
import { isUserError } from '../../user-error.ts';
import { toDiscountView } from '../contracts/discount-view.ts';
import { changeDraft, createMissingFromDraftError } from './draft-lookup.ts';
import { addLine, type LineInput, updateLine } from './line-input.ts';

type AddLineArgs = { draftId: string; input: LineInput };
type LineArgs = { draftId: string; lineId: string };

function resolveLineAdd(_parent: unknown, { draftId, input }: AddLineArgs, context: AdminContext) {
  return changeDraft(draftId, context, ({ content }) => {
    const line = addLine(content, input, context);
    return isUserError(line) ? line : { lineAdded: { line, content } };
  });
}

function resolveLineUpdate(
  _parent: unknown,
  { draftId, lineId, input }: LineArgs & AddLineArgs,
  context: AdminContext,
) {
  return changeDraft(draftId, context, ({ content, linesRemoved }) => {
    const id = requireGidTail(lineId, 'SubscriptionLine');
    const foundLine = content.lines.find((candidate) => candidate.id === id);
    if (foundLine === undefined)
      return createMissingFromDraftError(
        'lineId',
        'Line',
        linesRemoved.some((removed) => removed.id === id),
      );
    const updateResult = updateLine(content, foundLine, { input, context });
    return isUserError(updateResult) ? updateResult : { lineUpdated: { line: foundLine, content } };
  });
}

function resolveLineRemove(_parent: unknown, { draftId, lineId }: LineArgs, context: AdminContext) {
  return changeDraft(draftId, context, ({ content, linesRemoved }) => {
    const id = requireGidTail(lineId, 'SubscriptionLine');
    const foundLine = content.lines.find((candidate) => candidate.id === id);
    if (foundLine === undefined)
      return createMissingFromDraftError(
        'lineId',
        'Line',
        linesRemoved.some((removed) => removed.id === id),
      );
    content.lines = content.lines.filter((candidate) => candidate !== foundLine);
    linesRemoved.push(foundLine);
    const affectedDiscounts = content.discounts.filter((discount) => discount.lineIds?.includes(id));
    for (const discount of affectedDiscounts)
      discount.lineIds = discount.lineIds?.filter((each) => each !== id) ?? null;
    const discountsUpdated = affectedDiscounts.map((discount) => toDiscountView(discount, content));
    return { lineRemoved: { line: foundLine, content }, discountsUpdated };
  });
}

export const draftLineResolvers: ResolverMap = {
  Mutation: {
    subscriptionDraftLineAdd: resolveLineAdd,
    subscriptionDraftLineRemove: resolveLineRemove,
    subscriptionDraftLineUpdate: resolveLineUpdate,
  },
};
