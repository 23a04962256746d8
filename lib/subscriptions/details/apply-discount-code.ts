/**
 * Applies a customer's discount code to the contract. The platform accepts any code and flags those that do not
 * apply: these are not committed. Neither are codes that the customer has used and removed.
 */
import { type Message, message } from '../../messages/message.ts';
import { type ChangedFact, discountFact } from '../../timeline/changed-fact.ts';
import { decideDraft } from '../draft/decide-draft.ts';
import type { DraftDecision, DraftOperation } from '../draft/draft-operation.ts';
import type { Operation } from '../operation.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import { runOperation } from '../run-operation.ts';
import { type CodeTryDeps, type CountTry, countCodeTries } from './code-tries.ts';
import { DISCOUNTS, type DiscountedState, discountByCode } from './contract-discount.ts';
import { findUsedCodes, foldCode, type UsedCodeDeps } from './used-codes.ts';

const FIELD = ['redeemCode'];
const ALREADY_USED = 'ALREADY_USED';
/**
 * The message of each reason for which a code does not apply: the platform's reasons, and this service's
 * ALREADY_USED.
 */
const REASONS: Readonly<Record<string, Message>> = {
  [ALREADY_USED]: message('codeAlreadyUsed'),
  CURRENTLY_INACTIVE: message('codeNotActive'),
  CUSTOMER_NOT_ELIGIBLE: message('codeNotForCustomer'),
  CUSTOMER_USAGE_LIMIT_REACHED: message('codeUsedByCustomer'),
  INCOMPATIBLE_PURCHASE_TYPE: message('codeNotForSubscriptions'),
  NOT_FOUND: message('codeUnknown'),
  NO_ENTITLED_LINE_ITEMS: message('codeNotForProducts'),
  NO_ENTITLED_SHIPPING_LINES: message('codeNotForDelivery'),
  PURCHASE_NOT_IN_RANGE: message('codeNotForAmount'),
  QUANTITY_NOT_IN_RANGE: message('codeNotForCount'),
  USAGE_LIMIT_REACHED: message('codeUsedUp'),
};

/** The intent records only this much, because the discount has no id yet. */
const DISCOUNTS_CHANGED: ChangedFact = {
  coordinate: 'SubscriptionContract.discounts',
  field: 'discounts',
  before: null,
  after: null,
};

type Applied = {
  readonly appliedDiscount: {
    readonly id: string;
    readonly redeemCode: string;
    readonly rejectionReason: string | null;
  } | null;
};

/**
 * Sends four platform requests; two if the code already applies, one if the customer has no tries left; one more if a
 * charge in progress may use a code that the customer removed. userErrors: DISCOUNT_REJECTED, INVALID (no code, too
 * many wrong ones), GOODS_WITHOUT_PRICE, all at the code.
 */
export const applyDiscountCode: Operation<CodeTryDeps & UsedCodeDeps> = (deps, request) => {
  const redeemCode = String(request.args.redeemCode).trim();
  const draftOf = (countTry: CountTry): DraftOperation<DiscountedState> => ({
    contractArgument: 'contractId',
    reads: { contract: DISCOUNTS },
    async decide(state) {
      if (redeemCode === '') return refused(message('codeMissing'));
      if (discountByCode(state, redeemCode) !== undefined) return { kind: 'unchanged' };
      const exhausted = await countTry();
      if (exhausted !== undefined) return refused(exhausted);
      // Read after the contract, so that no removal is missed. A key that acts in its own name may apply any code.
      const used = deps.actingCustomerId === undefined ? [] : await findUsedCodes(deps, state.contract.id);
      return apply(redeemCode, state, new Set(used));
    },
  });
  return countCodeTries(deps, isWrongCode, (countTry) =>
    runOperation(deps, () => decideDraft(deps, request, draftOf(countTry))),
  );
};

/** A valid code that this subscription cannot have is not a guess: the customer knew it. */
function isWrongCode({ field, code, details }: OperationError): boolean {
  const isValid = code === 'GOODS_WITHOUT_PRICE' || details?.rejectionReason === ALREADY_USED;
  return field?.[0] === FIELD[0] && !isValid;
}

function refused(why: Message): DraftDecision<DiscountedState> {
  return { kind: 'refused', userErrors: [refuse('INVALID', { field: FIELD, message: why })] };
}

function apply(
  redeemCode: string,
  { contract }: DiscountedState,
  usedCodes: ReadonlySet<string>,
): DraftDecision<DiscountedState> {
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
        selection: 'appliedDiscount { id redeemCode rejectionReason }',
        blame: () => FIELD,
        refuse: (payload) => rejection(payload as Applied, usedCodes),
      },
    ],
    changedBy: ([payload]) => {
      const { appliedDiscount } = payload as Applied;
      return appliedDiscount === null
        ? [DISCOUNTS_CHANGED]
        : [discountFact(appliedDiscount.id, { before: null, after: redeemCode })];
    },
    discounts: contract.discounts.nodes,
    isDone: (now) => discountByCode(now, redeemCode) !== undefined,
  };
}

/** Compares the code as the platform writes it, because the customer may have typed it differently. */
function rejection({ appliedDiscount }: Applied, usedCodes: ReadonlySet<string>): OperationError | undefined {
  if (appliedDiscount === null) return undefined;
  const { redeemCode, rejectionReason } = appliedDiscount;
  const reason = rejectionReason ?? (usedCodes.has(foldCode(redeemCode)) ? ALREADY_USED : null);
  if (reason === null) return undefined;
  const fault = { field: FIELD, message: REASONS[reason] ?? message('codeDoesNotApply') };
  return refuse('DISCOUNT_REJECTED', fault, { rejectionReason: reason });
}
