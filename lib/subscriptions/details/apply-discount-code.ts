/**
 * A customer's discount code is applied to the contract. The platform takes any code and marks those that do not count:
 * these are not committed.
 */
import { type ChangedFact, discountFact } from '../../timeline/changed-fact.ts';
import type { DraftDecision } from '../draft/draft-operation.ts';
import { runDraft } from '../draft/run-draft.ts';
import type { Operation } from '../operation.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import { DISCOUNTS, type DiscountedState, discountByCode } from './contract-discount.ts';

const FIELD = ['redeemCode'];
/** Words for each of the platform's reasons for which a code does not count. */
const REASONS: Readonly<Record<string, string>> = {
  CURRENTLY_INACTIVE: 'The code is not active at present.',
  CUSTOMER_NOT_ELIGIBLE: 'The code is not for this customer.',
  CUSTOMER_USAGE_LIMIT_REACHED: 'The customer has used the code as often as it allows.',
  INCOMPATIBLE_PURCHASE_TYPE: 'The code is not for subscriptions.',
  NOT_FOUND: 'There is no such code.',
  NO_ENTITLED_LINE_ITEMS: 'The code is for none of the products of this subscription.',
  NO_ENTITLED_SHIPPING_LINES: 'The code is not for this way of delivery.',
  PURCHASE_NOT_IN_RANGE: 'The order costs too little or too much for the code.',
  QUANTITY_NOT_IN_RANGE: 'The order has too few or too many items for the code.',
  USAGE_LIMIT_REACHED: 'The code has been used as often as it allows.',
};

/** The intent tells only this much, because the discount has no id yet. */
const DISCOUNTS_CHANGED: ChangedFact = {
  coordinate: 'SubscriptionContract.discounts',
  field: 'discounts',
  before: null,
  after: null,
};

type Applied = {
  readonly appliedDiscount: { readonly id: string; readonly rejectionReason: string | null } | null;
};

/**
 * Four platform requests; two if the code counts already. userErrors: DISCOUNT_REJECTED, INVALID (no code), both on
 * the code.
 */
export const applyDiscountCode: Operation = (deps, request) => {
  const redeemCode = String(request.args.redeemCode).trim();
  return runDraft<DiscountedState>(deps, request, {
    contractArgument: 'contractId',
    reads: { contract: DISCOUNTS },
    decide: (state) => decide(redeemCode, state),
  });
};

function decide(redeemCode: string, state: DiscountedState): DraftDecision<DiscountedState> {
  if (redeemCode === '') {
    return {
      kind: 'refused',
      userErrors: [refuse('INVALID', { field: FIELD, message: 'There is no code.' })],
    };
  }
  if (discountByCode(state, redeemCode) !== undefined) return { kind: 'unchanged' };
  return {
    kind: 'change',
    intent: {
      action: 'subscription_discount_applied',
      details: { redeemCode },
      changes: [DISCOUNTS_CHANGED],
    },
    mutations: [
      {
        mutation: 'subscriptionDraftDiscountCodeApply',
        args: { redeemCode: ['String!', redeemCode] },
        selection: 'appliedDiscount { id rejectionReason }',
        blame: () => FIELD,
        refuse: rejection,
      },
    ],
    changedBy: ([payload]) => {
      const { appliedDiscount } = payload as Applied;
      return appliedDiscount === null
        ? [DISCOUNTS_CHANGED]
        : [discountFact(appliedDiscount.id, { before: null, after: redeemCode })];
    },
    isDone: (now) => discountByCode(now, redeemCode) !== undefined,
  };
}

function rejection(payload: Readonly<Record<string, unknown>>): OperationError | undefined {
  const reason = (payload as Applied).appliedDiscount?.rejectionReason ?? null;
  if (reason === null) return undefined;
  const message = REASONS[reason] ?? 'The code does not apply.';
  return refuse('DISCOUNT_REJECTED', { field: FIELD, message }, { rejectionReason: reason });
}
