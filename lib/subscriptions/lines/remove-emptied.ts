/**
 * Discounts by hand that would be left without lines go with their last one: the platform refuses the commit of a
 * contract that has such a discount. Those of codes, and those for all lines, stay.
 */
import { discountFact } from '../../timeline/changed-fact.ts';
import { hasPaymentsLeft } from '../discount-facts.ts';
import type { LineEdit } from './line-edit.ts';
import type { EntitledDiscount, LinesState } from './lines-state.ts';

/** The removals of those whose every line is among `removedLineIds`; the discounts were read if any line goes. */
export function removeEmptied({ contract }: LinesState, removedLineIds: readonly string[]): LineEdit[] {
  const removed = new Set(removedLineIds);
  const { nodes = [] } = contract.discounts ?? {};
  return nodes
    .filter(({ type, entitledLines: { all, lines } }) => {
      const isEmptied = lines.nodes.length > 0 && lines.nodes.every(({ id }) => removed.has(id));
      return type === 'MANUAL' && !all && isEmptied;
    })
    .map(removal);
}

/** A discount by hand that is for this line in particular, and for payments to come. */
export function activeDiscountOf({ contract }: LinesState, lineId: string): EntitledDiscount | undefined {
  return contract.discounts?.nodes.find(
    (discount) =>
      discount.type === 'MANUAL' &&
      hasPaymentsLeft(discount) &&
      !discount.entitledLines.all &&
      discount.entitledLines.lines.nodes.some(({ id }) => id === lineId),
  );
}

function removal({ id, title, type }: EntitledDiscount): LineEdit {
  const names = title === null ? undefined : { before: title, after: null };
  return {
    mutation: {
      mutation: 'subscriptionDraftDiscountRemove',
      args: { discountId: ['ID!', id] },
      blame: () => ['remove'],
    },
    facts: [discountFact(id, { before: title ?? type, after: null }, names)],
    isDone: ({ contract: { discounts } }) => discounts?.nodes.every((one) => one.id !== id) ?? true,
  };
}
