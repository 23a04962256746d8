/**
 * Removes a manual discount together with its last line, because the platform refuses to commit a contract with a
 * discount for lines that are gone. Discounts by code, and discounts for all lines, remain.
 */
import { gidTail } from '../../domain/gid.ts';
import { createFact } from '../../timeline/facts.ts';
import { hasPaymentsLeft } from '../discount-facts.ts';
import type { LineEdit } from './line-edit.ts';
import type { EntitledDiscount, LinesState } from './lines-state.ts';

/**
 * Returns the edits that remove the manual discounts of which all lines are removed. The state includes the discounts
 * whenever a line is removed.
 */
export function planDiscountRemovals(
  { contract }: LinesState,
  removedLineIds: readonly string[],
): LineEdit[] {
  const removedIds = new Set(removedLineIds);
  const { nodes = [] } = contract.discounts ?? {};
  return nodes
    .filter(({ type, entitledLines: { all, lines } }) => {
      const losesAllLines = lines.nodes.length > 0 && lines.nodes.every(({ id }) => removedIds.has(id));
      return type === 'MANUAL' && !all && losesAllLines;
    })
    .map(planDiscountRemoval);
}

/**
 * Returns a manual discount that applies to this line by name and to later payments.
 * @returns undefined when the line has no such discount
 */
export function findActiveDiscountOfLine(
  { contract }: LinesState,
  lineId: string,
): EntitledDiscount | undefined {
  return contract.discounts?.nodes.find(
    (discount) =>
      discount.type === 'MANUAL' &&
      hasPaymentsLeft(discount) &&
      !discount.entitledLines.all &&
      discount.entitledLines.lines.nodes.some(({ id }) => id === lineId),
  );
}

function planDiscountRemoval({ id, title, type }: EntitledDiscount): LineEdit {
  const titleNames = title === null ? undefined : { before: title, after: null };
  return {
    mutation: {
      mutation: 'subscriptionDraftDiscountRemove',
      args: { discountId: ['ID!', id] },
      toClientField: () => ['remove'],
    },
    facts: [
      createFact(`discounts.${gidTail(id)}`, { before: title ?? type, after: null, names: titleNames }),
    ],
    showsEdit: ({ contract: { discounts } }) => discounts?.nodes.every((one) => one.id !== id) ?? true,
  };
}
