/**
 * Removes a discount from a contract. A repeated request returns a user error, because the contract no longer has the
 * discount. If a customer removes a used code with a limited number of payments, the code is recorded before the
 * commit (see used-codes.ts).
 */
import { gidTail } from '../../domain/gid.ts';
import { message } from '../../messages/message.ts';
import { createFact } from '../../timeline/facts.ts';
import { decideDraft } from '../draft/decide-draft.ts';
import type { DraftDecision, DraftMutation } from '../draft/draft-operation.ts';
import type { Operation } from '../operation.ts';
import { createUserError } from '../operation-error.ts';
import {
  type ContractDiscount,
  DISCOUNTS_SELECTION,
  type DiscountedState,
  findDiscountById,
} from './contract-discount.ts';
import type { UsedCodeDeps, UsedDiscountCode } from './used-codes.ts';

const DISCOUNT_ID_PATH = ['discountId'];
/** Selects the latest charges of the contract: one that is in progress may use the discount. */
const LATEST_CHARGES_SELECTION = 'billingAttempts(first: 5, reverse: true) { nodes { id completedAt } }';

type DiscountRemovalState = DiscountedState & {
  readonly contract: {
    readonly billingAttempts: {
      readonly nodes: readonly { readonly id: string; readonly completedAt: string | null }[];
    };
  };
};

/**
 * Returns the contract, or the user error INVALID for `discountId` when the contract does not have the discount. Sends
 * four platform requests.
 */
export const removeDiscount: Operation<UsedCodeDeps> = (deps, request) => {
  const discountId = String(request.args.discountId);
  return decideDraft<DiscountRemovalState>(deps, request, {
    contractArgument: 'contractId',
    reads: { contractSelection: `${DISCOUNTS_SELECTION} ${LATEST_CHARGES_SELECTION}` },
    decide: (state) => decideDiscountRemoval(deps, discountId, state),
  });
};

function decideDiscountRemoval(
  deps: UsedCodeDeps,
  discountId: string,
  state: DiscountRemovalState,
): DraftDecision<DiscountRemovalState> {
  const discount = findDiscountById(state, discountId);
  if (discount === undefined) {
    return {
      kind: 'refused',
      userErrors: [
        createUserError('INVALID', { field: DISCOUNT_ID_PATH, message: message('discountUnknown') }),
      ],
    };
  }
  const removalMutation: DraftMutation = {
    mutation: 'subscriptionDraftDiscountRemove',
    args: { discountId: ['ID!', discount.id] },
    toClientField: () => DISCOUNT_ID_PATH,
  };
  return {
    kind: 'change',
    intent: {
      action: 'subscription_discount_removed',
      details: {},
      changes: [
        createFact(`discounts.${gidTail(discount.id)}`, {
          before: discount.title ?? discount.type,
          after: null,
        }),
      ],
    },
    mutations: async () => {
      const usedCode = deps.actingCustomerId === undefined ? undefined : toUsedCode(discount, state);
      if (usedCode !== undefined) await deps.usedCodes.record(state.contract.id, usedCode);
      return { kind: 'prepared', mutations: [removalMutation] };
    },
    showsChange: (currentState) => findDiscountById(currentState, discountId) === undefined,
  };
}

/**
 * Returns the used code that must be recorded before its discount is removed.
 * @returns undefined when the discount is not a code, has no limit of payments, or was not used
 */
function toUsedCode(
  discount: ContractDiscount,
  { contract }: DiscountRemovalState,
): UsedDiscountCode | undefined {
  const { id, title, type, recurringCycleLimit, usageCount } = discount;
  if (type !== 'CODE_DISCOUNT' || title === null || recurringCycleLimit === null) return undefined;
  // Count charges in progress as uses: otherwise a customer who delays the confirmation of a payment could remove the
  // code before that payment counts, and apply it again.
  const chargesInProgress = contract.billingAttempts.nodes.filter(({ completedAt }) => completedAt === null);
  const uses = usageCount + chargesInProgress.length;
  const chargeIds = usageCount === 0 ? chargesInProgress.map((charge) => charge.id) : [];
  return uses === 0 ? undefined : { discountId: gidTail(id), code: title, useCount: uses, chargeIds };
}
