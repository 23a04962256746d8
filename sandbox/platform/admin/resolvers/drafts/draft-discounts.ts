/** Discounts of a draft: by hand, free shipping, or by a code, which is taken even if it does not count. */
import type { ContractContent, DiscountRecord, DraftRecord } from '../../../state/contract-records.ts';
import { nextId, uuidOf } from '../../../state/opaque-id.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { parseGid, tailOf } from '../../gid.ts';
import { minorOf } from '../../money.ts';
import { isUserError, type UserError, userError } from '../../user-error.ts';
import { discountView, draftDiscountView } from '../contracts/discount-view.ts';
import { createAbsentError, onDraft } from './draft-lookup.ts';

export type DiscountInput = {
  title?: string | null;
  recurringCycleLimit?: number | null;
  value?: {
    percentage?: number | null;
    fixedAmount?: { amount?: number | null; appliesOnEachItem?: boolean | null } | null;
  } | null;
  entitledLines?: {
    all?: boolean | null;
    lines?: { add?: string[] | null; remove?: string[] | null } | null;
  } | null;
};

const discountLimit = 100;

/** Adds a discount made by hand, or says why not. */
export function addDiscount(
  content: ContractContent,
  input: DiscountInput,
  context: AdminContext,
): DiscountRecord | UserError {
  if (content.discounts.length >= discountLimit) {
    return userError(
      ['input'],
      `A subscription cannot have more than ${discountLimit} discounts`,
      'TOO_MANY_DISCOUNTS',
    );
  }
  const discount = blankDiscount(context);
  const problem = applyDiscountInput(discount, { input, content, isNew: true });
  if (problem !== null) return problem;
  content.discounts.push(discount);
  return discount;
}

/**
 * Adds a code. One that does not count is kept with the reason, and takes nothing off. The count of payments belongs to
 * the discount: a code that was removed and is applied again starts at zero.
 */
export function applyCode(
  content: ContractContent,
  redeemCode: string,
  context: AdminContext,
): DiscountRecord {
  const code = redeemCode.trim().toUpperCase();
  const present = content.discounts.find((discount) => discount.redeemCode === code);
  if (present !== undefined) return present;
  const known = context.store.discountCodes.get(code);
  const discount: DiscountRecord = {
    ...blankDiscount(context),
    title: code,
    type: 'CODE_DISCOUNT',
    value: { percentage: known?.percentage ?? 0 },
    recurringCycleLimit: known?.recurringCycleLimit ?? null,
    redeemCode: code,
    rejectionReason: known === undefined ? 'NOT_FOUND' : known.rejectionReason,
  };
  content.discounts.push(discount);
  return discount;
}

function blankDiscount({ store }: AdminContext): DiscountRecord {
  return {
    id: uuidOf(`${store.shop}/discount/${nextId(store)}`),
    title: null,
    type: 'MANUAL',
    targetType: 'LINE_ITEM',
    value: { percentage: 0 },
    lineIds: null,
    recurringCycleLimit: null,
    usageCount: 0,
    redeemCode: null,
    rejectionReason: null,
  };
}

type DiscountApplication = { input: DiscountInput; content: ContractContent; isNew: boolean };

function applyDiscountInput(
  discount: DiscountRecord,
  { input, content, isNew }: DiscountApplication,
): UserError | null {
  const value = discountValueOf(input, content.currencyCode);
  if (value === null && isNew) return userError(['input', 'value'], "Value can't be blank", 'PRESENCE');
  if (value !== null && 'percentage' in value && (value.percentage < 0 || value.percentage > 100)) {
    return userError(
      ['input', 'value', 'percentage'],
      'Percentage must be between 0 and 100',
      'NOT_IN_RANGE',
    );
  }
  if (value !== null && 'amountMinor' in value && value.amountMinor <= 0) {
    return userError(
      ['input', 'value', 'fixedAmount', 'amount'],
      'Amount must be greater than 0',
      'GREATER_THAN',
    );
  }
  const lineIds = entitledLineIds(discount, input);
  if (lineIds?.length === 0)
    return userError(['input', 'entitledLines'], 'Must have at least one entitled line', 'NO_ENTITLED_LINES');
  if (lineIds?.some((id) => !content.lines.some((line) => line.id === id))) {
    return userError(['input', 'entitledLines'], 'Line does not exist', 'INVALID');
  }
  if (value !== null) discount.value = value;
  discount.lineIds = lineIds;
  if (input.title !== undefined) discount.title = input.title;
  if (input.recurringCycleLimit !== undefined) discount.recurringCycleLimit = input.recurringCycleLimit;
  return null;
}

function discountValueOf({ value }: DiscountInput, currencyCode: string): DiscountRecord['value'] | null {
  if (value?.percentage != null) return { percentage: value.percentage };
  if (value?.fixedAmount == null) return null;
  const { amount, appliesOnEachItem } = value.fixedAmount;
  return { amountMinor: minorOf(amount ?? 0, currencyCode), appliesOnEachItem: appliesOnEachItem ?? false };
}

function entitledLineIds({ lineIds }: DiscountRecord, { entitledLines }: DiscountInput): string[] | null {
  if (entitledLines == null) return lineIds;
  if (entitledLines.all === true) return null;
  const tails = (ids?: string[] | null) => (ids ?? []).map((id) => tailOf(id, 'SubscriptionLine'));
  const removed = tails(entitledLines.lines?.remove);
  return [...new Set([...(lineIds ?? []), ...tails(entitledLines.lines?.add)])].filter(
    (id) => !removed.includes(id),
  );
}

type InputArgs = { draftId: string; input: DiscountInput };
type DiscountArgs = { draftId: string; discountId: string };

function discountAdd(_parent: unknown, { draftId, input }: InputArgs, context: AdminContext) {
  return onDraft(draftId, context, ({ content }) => {
    const discount = addDiscount(content, input, context);
    return isUserError(discount) ? discount : { discountAdded: discountView(discount, content) };
  });
}

function freeShippingAdd(_parent: unknown, { draftId, input }: InputArgs, context: AdminContext) {
  return onDraft(draftId, context, ({ content }) => {
    const discount: DiscountRecord = {
      ...blankDiscount(context),
      targetType: 'SHIPPING_LINE',
      value: { percentage: 100 },
      title: input.title ?? null,
      recurringCycleLimit: input.recurringCycleLimit ?? null,
    };
    content.discounts.push(discount);
    return { discountAdded: discountView(discount, content) };
  });
}

/** A free shipping discount has no value to change: it takes off 100 % of the delivery. */
function discountUpdate(
  _parent: unknown,
  { draftId, discountId, input }: InputArgs & DiscountArgs,
  context: AdminContext,
) {
  return onDraft(draftId, context, (draft) => {
    const discount = findDraftDiscount(draft, discountId);
    if (isUserError(discount)) return discount;
    if (discount.redeemCode !== null) {
      return userError(['discountId'], 'A discount made by a code cannot be changed', 'INVALID');
    }
    if (discount.targetType === 'SHIPPING_LINE' && input.value != null) {
      return userError(['input', 'value'], 'A free shipping discount has no value', 'INVALID');
    }
    const problem = applyDiscountInput(discount, { input, content: draft.content, isNew: false });
    return problem ?? { discountUpdated: discountView(discount, draft.content) };
  });
}

function discountRemove(_parent: unknown, { draftId, discountId }: DiscountArgs, context: AdminContext) {
  return onDraft(draftId, context, (draft) => {
    const discount = findDraftDiscount(draft, discountId);
    if (isUserError(discount)) return discount;
    draft.content.discounts = draft.content.discounts.filter((candidate) => candidate !== discount);
    draft.discountsRemoved.push(discount);
    return { discountRemoved: draftDiscountView(discount, draft.content) };
  });
}

function codeApply(
  _parent: unknown,
  { draftId, redeemCode }: { draftId: string; redeemCode: string },
  context: AdminContext,
) {
  return onDraft(draftId, context, ({ content }) => {
    if (redeemCode.trim() === '') return userError(['redeemCode'], "Redeem code can't be blank", 'BLANK');
    return { appliedDiscount: draftDiscountView(applyCode(content, redeemCode, context), content) };
  });
}

/** Contracts show a code's discount in the manual form, so its id may have either type. */
function findDraftDiscount(draft: DraftRecord, discountId: string): DiscountRecord | UserError {
  const tail = parseGid(discountId)?.tail;
  const discount = draft.content.discounts.find(({ id }) => id === tail);
  return (
    discount ??
    createAbsentError(
      'discountId',
      'Discount',
      draft.discountsRemoved.some(({ id }) => id === tail),
    )
  );
}

export const draftDiscountResolvers: ResolverMap = {
  Mutation: {
    subscriptionDraftDiscountAdd: discountAdd,
    subscriptionDraftDiscountCodeApply: codeApply,
    subscriptionDraftDiscountRemove: discountRemove,
    subscriptionDraftDiscountUpdate: discountUpdate,
    subscriptionDraftFreeShippingDiscountAdd: freeShippingAdd,
    subscriptionDraftFreeShippingDiscountUpdate: discountUpdate,
  },
};
