/** Lines of a draft: added, changed, removed. */

import type { AdminContext, ResolverMap } from '../../context.ts';
import { tailOf } from '../../gid.ts';
import { isUserError } from '../../user-error.ts';
import { discountView } from '../contracts/discount-view.ts';
import { createAbsentError, onDraft } from './draft-lookup.ts';
import { addLine, type LineInput, updateLine } from './line-input.ts';

type AddArgs = { draftId: string; input: LineInput };
type LineArgs = { draftId: string; lineId: string };

function lineAdd(_parent: unknown, { draftId, input }: AddArgs, context: AdminContext) {
  return onDraft(draftId, context, ({ content }) => {
    const line = addLine(content, input, context);
    return isUserError(line) ? line : { lineAdded: { line, content } };
  });
}

function lineUpdate(_parent: unknown, { draftId, lineId, input }: LineArgs & AddArgs, context: AdminContext) {
  return onDraft(draftId, context, ({ content, linesRemoved }) => {
    const id = tailOf(lineId, 'SubscriptionLine');
    const line = content.lines.find((candidate) => candidate.id === id);
    if (line === undefined)
      return createAbsentError(
        'lineId',
        'Line',
        linesRemoved.some((removed) => removed.id === id),
      );
    const updated = updateLine(content, line, { input, context });
    return isUserError(updated) ? updated : { lineUpdated: { line, content } };
  });
}

function lineRemove(_parent: unknown, { draftId, lineId }: LineArgs, context: AdminContext) {
  return onDraft(draftId, context, ({ content, linesRemoved }) => {
    const id = tailOf(lineId, 'SubscriptionLine');
    const line = content.lines.find((candidate) => candidate.id === id);
    if (line === undefined)
      return createAbsentError(
        'lineId',
        'Line',
        linesRemoved.some((removed) => removed.id === id),
      );
    content.lines = content.lines.filter((candidate) => candidate !== line);
    linesRemoved.push(line);
    const affected = content.discounts.filter((discount) => discount.lineIds?.includes(id));
    for (const discount of affected)
      discount.lineIds = discount.lineIds?.filter((each) => each !== id) ?? null;
    const discountsUpdated = affected.map((discount) => discountView(discount, content));
    return { lineRemoved: { line, content }, discountsUpdated };
  });
}

export const draftLineResolvers: ResolverMap = {
  Mutation: {
    subscriptionDraftLineAdd: lineAdd,
    subscriptionDraftLineRemove: lineRemove,
    subscriptionDraftLineUpdate: lineUpdate,
  },
};
