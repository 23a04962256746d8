/**
 * Applies a discount code to a contract. The platform adds any code to a draft and reports whether the code applies;
 * a draft with a code that does not apply is not committed. A request that acts for a customer cannot apply a code
 * with a limited number of payments again that was used and then removed on this contract (see used-codes.ts).
 */
import { gidTail } from '../../domain/gid.ts';
import { type Message, message } from '../../messages/message.ts';
import { createFact, type FactChange } from '../../timeline/facts.ts';
import { decideDraft } from '../draft/decide-draft.ts';
import type { DraftDecision, DraftOperation } from '../draft/draft-operation.ts';
import type { Operation } from '../operation.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import { runOperation } from '../run-operation.ts';
import { DISCOUNTS_SELECTION, type DiscountedState, findDiscountByCode } from './contract-discount.ts';
import { type CodeTryDeps, type CountCodeTry, countCodeTries } from './count-code-tries.ts';
import { findUsedCodes, normalizeDiscountCode, type UsedCodeDeps } from './used-codes.ts';

const REDEEM_CODE_ARGUMENT = ['redeemCode'];
const ALREADY_USED_REASON = 'ALREADY_USED';
/** The message for each reason why a code does not apply: the platform's reasons, and this service's ALREADY_USED_REASON. */
const MESSAGE_BY_REJECTION_REASON: Readonly<Record<string, Message>> = {
  [ALREADY_USED_REASON]: message('codeAlreadyUsed'),
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

/**
 * The fact that the intent records. It names no discount, because a discount gets its id only when the draft is
 * changed.
 */
const DISCOUNTS_CHANGED_FACT: FactChange = {
  coordinate: 'SubscriptionContract.discounts',
  field: 'discounts',
  before: null,
  after: null,
};

type AppliedCodePayload = {
  readonly appliedDiscount: {
    readonly id: string;
    readonly redeemCode: string;
    readonly rejectionReason: string | null;
  } | null;
};

/**
 * Returns the contract, or userErrors that name `redeemCode`: DISCOUNT_REJECTED, GOODS_WITHOUT_PRICE, and INVALID
 * when the code is empty or the customer has tried too many wrong codes. Sends four platform requests: two if the
 * code already applies, one if the customer has no try left, and one more if charges in progress may have used a code
 * that the customer removed.
 */
export const applyDiscountCode: Operation<CodeTryDeps & UsedCodeDeps> = (deps, request) => {
  const redeemCode = String(request.args.redeemCode).trim();
  const buildDraftOperation = (countCodeTry: CountCodeTry): DraftOperation<DiscountedState> => ({
    contractArgument: 'contractId',
    reads: { contractSelection: DISCOUNTS_SELECTION },
    async decide(state) {
      if (redeemCode === '') return createCodeRefusal(message('codeMissing'));
      if (findDiscountByCode(state, redeemCode) !== undefined) return { kind: 'unchanged' };
      const triesError = await countCodeTry();
      if (triesError !== undefined) return createCodeRefusal(triesError);
      // Read the removed codes after the contract, so that no concurrent removal is missed. Requests that act for no
      // customer may apply any code.
      const usedCodes =
        deps.actingCustomerId === undefined ? [] : await findUsedCodes(deps, state.contract.id);
      return planCodeApplication(redeemCode, state, new Set(usedCodes));
    },
  });
  return countCodeTries(deps, isWrongCode, (countCodeTry) =>
    runOperation(deps, () => decideDraft(deps, request, buildDraftOperation(countCodeTry))),
  );
};

/**
 * Whether the user error means that the customer guessed a wrong code. A valid code that this contract cannot have is
 * no guess, because the customer knew it.
 */
function isWrongCode({ field, code, details }: OperationError): boolean {
  const isCodeKnown = code === 'GOODS_WITHOUT_PRICE' || details?.rejectionReason === ALREADY_USED_REASON;
  return field?.[0] === REDEEM_CODE_ARGUMENT[0] && !isCodeKnown;
}

function createCodeRefusal(refusalMessage: Message): DraftDecision<DiscountedState> {
  return {
    kind: 'refused',
    userErrors: [createUserError('INVALID', { field: REDEEM_CODE_ARGUMENT, message: refusalMessage })],
  };
}

function planCodeApplication(
  redeemCode: string,
  { contract }: DiscountedState,
  usedCodes: ReadonlySet<string>,
): DraftDecision<DiscountedState> {
  return {
    kind: 'change',
    intent: {
      action: 'subscription_discount_applied',
      details: { redeemCode },
      changes: [DISCOUNTS_CHANGED_FACT],
    },
    mutations: [
      {
        mutation: 'subscriptionDraftDiscountCodeApply',
        args: { redeemCode: ['String!', redeemCode] },
        selection: 'appliedDiscount { id redeemCode rejectionReason }',
        toClientField: () => REDEEM_CODE_ARGUMENT,
        findPayloadError: (payload) => findCodeRejection(payload as AppliedCodePayload, usedCodes),
      },
    ],
    factsOfPayloads: ([payload]) => {
      const { appliedDiscount } = payload as AppliedCodePayload;
      return appliedDiscount === null
        ? [DISCOUNTS_CHANGED_FACT]
        : [createFact(`discounts.${gidTail(appliedDiscount.id)}`, { before: null, after: redeemCode })];
    },
    discounts: contract.discounts.nodes,
    showsChange: (currentState) => findDiscountByCode(currentState, redeemCode) !== undefined,
  };
}

/**
 * Returns the user error for a code that does not apply. Uses the platform's spelling of the code, because the customer
 * may have typed it differently.
 * @returns undefined when the code applies
 */
function findCodeRejection(
  { appliedDiscount }: AppliedCodePayload,
  usedCodes: ReadonlySet<string>,
): OperationError | undefined {
  if (appliedDiscount === null) return undefined;
  const { redeemCode, rejectionReason } = appliedDiscount;
  const codeRejection =
    rejectionReason ?? (usedCodes.has(normalizeDiscountCode(redeemCode)) ? ALREADY_USED_REASON : null);
  if (codeRejection === null) return undefined;
  const fieldAndMessage = {
    field: REDEEM_CODE_ARGUMENT,
    message: MESSAGE_BY_REJECTION_REASON[codeRejection] ?? message('codeDoesNotApply'),
  };
  return createUserError('DISCOUNT_REJECTED', fieldAndMessage, { rejectionReason: codeRejection });
}
