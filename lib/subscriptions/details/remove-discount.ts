/** A discount is taken off a contract. A repeat finds no such discount and says so: nothing is removed twice. */
import { message } from '../../messages/message.ts';
import { discountFact } from '../../timeline/changed-fact.ts';
import type { DraftDecision } from '../draft/draft-operation.ts';
import { runDraft } from '../draft/run-draft.ts';
import type { Operation } from '../operation.ts';
import { refuse } from '../operation-error.ts';
import { DISCOUNTS, type DiscountedState, discountById } from './contract-discount.ts';

const FIELD = ['discountId'];

/** Four platform requests. userErrors: INVALID on the discount, if the contract does not have it. */
export const removeDiscount: Operation = (deps, request) => {
  const discountId = String(request.args.discountId);
  return runDraft<DiscountedState>(deps, request, {
    contractArgument: 'contractId',
    reads: { contract: DISCOUNTS },
    decide: (state) => decide(discountId, state),
  });
};

function decide(discountId: string, state: DiscountedState): DraftDecision<DiscountedState> {
  const discount = discountById(state, discountId);
  if (discount === undefined) {
    return {
      kind: 'refused',
      userErrors: [refuse('INVALID', { field: FIELD, message: message('discountUnknown') })],
    };
  }
  return {
    kind: 'change',
    intent: {
      action: 'subscription_discount_removed',
      details: {},
      changes: [discountFact(discount.id, { before: discount.title ?? discount.type, after: null })],
    },
    mutations: [
      {
        mutation: 'subscriptionDraftDiscountRemove',
        args: { discountId: ['ID!', discount.id] },
        blame: () => FIELD,
      },
    ],
    isDone: (now) => discountById(now, discountId) === undefined,
  };
}
