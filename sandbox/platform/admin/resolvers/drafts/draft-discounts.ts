/**
 * Adds and changes the discounts of a draft: manual ones, free shipping, and codes. A code that the platform rejects is
 * added, too, with the reason.
 */
import type { ContractContent, DiscountRecord, DraftRecord } from '../../../state/contract-records.ts';
import { deriveUuid, takeNextId } from '../../../state/opaque-id.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { parseGid, requireGidTail } from '../../gid.ts';
import { toMinorUnits } from '../../money.ts';
import { createUserError, isUserError, type UserError } from '../../user-error.ts';
import { toDiscountView, toDraftDiscountView } from '../contracts/discount-view.ts';
import { changeDraft, createMissingFromDraftError } from './draft-lookup.ts';

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

const MAX_DISCOUNTS = 100;

/** Adds a manual discount, or returns the user error. */
export function addManualDiscount(
  content: ContractContent,
  input: DiscountInput,
  context: AdminContext,
): DiscountRecord | UserError {
  if (content.discounts.length >= MAX_DISCOUNTS) {
    return createUserError(
      ['input'],
      `A subscription cannot have more than ${MAX_DISCOUNTS} discounts`,
      'TOO_MANY_DISCOUNTS',
    );
  }
  const discount = createEmptyDiscount(context);
  const problem = applyDiscountInput(discount, { input, content, isNew: true });
  if (problem !== null) return problem;
  content.discounts.push(discount);
  return discount;
}

/**
 * Adds a discount code. A rejected code is stored with the reason and reduces no price. The usage count belongs to the
 * discount: a code that was removed and is applied again starts at zero.
 */
export function applyDiscountCode(
  content: ContractContent,
  redeemCode: string,
  context: AdminContext,
): DiscountRecord {
  const code = redeemCode.trim().toUpperCase();
  const existingDiscount = content.discounts.find((discount) => discount.redeemCode === code);
  if (existingDiscount !== undefined) return existingDiscount;
  const discountCode = context.store.discountCodes.get(code);
  const discount: DiscountRecord = {
    ...createEmptyDiscount(context),
    title: code,
    type: 'CODE_DISCOUNT',
    value: { percentage: discountCode?.percentage ?? 0 },
    recurringCycleLimit: discountCode?.recurringCycleLimit ?? null,
    redeemCode: code,
    rejectionReason: discountCode === undefined ? 'NOT_FOUND' : discountCode.rejectionReason,
  };
  content.discounts.push(discount);
  return discount;
}

function createEmptyDiscount({ store }: AdminContext): DiscountRecord {
  return {
    id: deriveUuid(`${store.shop}/discount/${takeNextId(store)}`),
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
  const parsedValue = parseDiscountValue(input, content.currencyCode);
  if (parsedValue === null && isNew)
    return createUserError(['input', 'value'], "Value can't be blank", 'PRESENCE');
  if (
    parsedValue !== null &&
    'percentage' in parsedValue &&
    (parsedValue.percentage < 0 || parsedValue.percentage > 100)
  ) {
    return createUserError(
      ['input', 'value', 'percentage'],
      'Percentage must be between 0 and 100',
      'NOT_IN_RANGE',
    );
  }
  if (parsedValue !== null && 'amountMinor' in parsedValue && parsedValue.amountMinor <= 0) {
    return createUserError(
      ['input', 'value', 'fixedAmount', 'amount'],
      'Amount must be greater than 0',
      'GREATER_THAN',
    );
  }
  const lineIds = parseEntitledLineIds(discount, input);
  if (lineIds?.length === 0)
    return createUserError(
      ['input', 'entitledLines'],
      'Must have at least one entitled line',
      'NO_ENTITLED_LINES',
    );
  if (lineIds?.some((id) => !content.lines.some((line) => line.id === id))) {
    return createUserError(['input', 'entitledLines'], 'Line does not exist', 'INVALID');
  }
  if (parsedValue !== null) discount.value = parsedValue;
  discount.lineIds = lineIds;
  if (input.title !== undefined) discount.title = input.title;
  if (input.recurringCycleLimit !== undefined) discount.recurringCycleLimit = input.recurringCycleLimit;
  return null;
}

function parseDiscountValue({ value }: DiscountInput, currencyCode: string): DiscountRecord['value'] | null {
  if (value?.percentage != null) return { percentage: value.percentage };
  if (value?.fixedAmount == null) return null;
  const { amount, appliesOnEachItem } = value.fixedAmount;
  return {
    amountMinor: toMinorUnits(amount ?? 0, currencyCode),
    appliesOnEachItem: appliesOnEachItem ?? false,
  };
}

function parseEntitledLineIds(
  { lineIds }: DiscountRecord,
  { entitledLines }: DiscountInput,
): string[] | null {
  if (entitledLines == null) return lineIds;
  if (entitledLines.all === true) return null;
  const parseLineTails = (ids?: string[] | null) =>
    (ids ?? []).map((id) => requireGidTail(id, 'SubscriptionLine'));
  const removedLines = parseLineTails(entitledLines.lines?.remove);
  return [...new Set([...(lineIds ?? []), ...parseLineTails(entitledLines.lines?.add)])].filter(
    (id) => !removedLines.includes(id),
  );
}

type DiscountInputArgs = { draftId: string; input: DiscountInput };
type DiscountArgs = { draftId: string; discountId: string };

function resolveDiscountAdd(_parent: unknown, { draftId, input }: DiscountInputArgs, context: AdminContext) {
  return changeDraft(draftId, context, ({ content }) => {
    const discount = addManualDiscount(content, input, context);
    return isUserError(discount) ? discount : { discountAdded: toDiscountView(discount, content) };
  });
}

function resolveFreeShippingAdd(
  _parent: unknown,
  { draftId, input }: DiscountInputArgs,
  context: AdminContext,
) {
  return changeDraft(draftId, context, ({ content }) => {
    const discount: DiscountRecord = {
      ...createEmptyDiscount(context),
      targetType: 'SHIPPING_LINE',
      value: { percentage: 100 },
      title: input.title ?? null,
      recurringCycleLimit: input.recurringCycleLimit ?? null,
    };
    content.discounts.push(discount);
    return { discountAdded: toDiscountView(discount, content) };
  });
}

/** A free shipping discount has no value to change: it takes off 100 % of the delivery. */
function resolveDiscountUpdate(
  _parent: unknown,
  { draftId, discountId, input }: DiscountInputArgs & DiscountArgs,
  context: AdminContext,
) {
  return changeDraft(draftId, context, (draft) => {
    const discount = findDraftDiscount(draft, discountId);
    if (isUserError(discount)) return discount;
    if (discount.redeemCode !== null) {
      return createUserError(['discountId'], 'A discount made by a code cannot be changed', 'INVALID');
    }
    if (discount.targetType === 'SHIPPING_LINE' && input.value != null) {
      return createUserError(['input', 'value'], 'A free shipping discount has no value', 'INVALID');
    }
    const problem = applyDiscountInput(discount, { input, content: draft.content, isNew: false });
    return problem ?? { discountUpdated: toDiscountView(discount, draft.content) };
  });
}

function resolveDiscountRemove(
  _parent: unknown,
  { draftId, discountId }: DiscountArgs,
  context: AdminContext,
) {
  return changeDraft(draftId, context, (draft) => {
    const discount = findDraftDiscount(draft, discountId);
    if (isUserError(discount)) return discount;
    draft.content.discounts = draft.content.discounts.filter((candidate) => candidate !== discount);
    draft.discountsRemoved.push(discount);
    return { discountRemoved: toDraftDiscountView(discount, draft.content) };
  });
}

function resolveCodeApply(
  _parent: unknown,
  { draftId, redeemCode }: { draftId: string; redeemCode: string },
  context: AdminContext,
) {
  return changeDraft(draftId, context, ({ content }) => {
    if (redeemCode.trim() === '')
      return createUserError(['redeemCode'], "Redeem code can't be blank", 'BLANK');
    return { appliedDiscount: toDraftDiscountView(applyDiscountCode(content, redeemCode, context), content) };
  });
}

/** Contracts show a code's discount in the manual form, so its id may have either type. */
function findDraftDiscount(draft: DraftRecord, discountId: string): DiscountRecord | UserError {
  const discountTail = parseGid(discountId)?.tail;
  const discount = draft.content.discounts.find(({ id }) => id === discountTail);
  return (
    discount ??
    createMissingFromDraftError(
      'discountId',
      'Discount',
      draft.discountsRemoved.some(({ id }) => id === discountTail),
    )
  );
}

export const draftDiscountResolvers: ResolverMap = {
  Mutation: {
    subscriptionDraftDiscountAdd: resolveDiscountAdd,
    subscriptionDraftDiscountCodeApply: resolveCodeApply,
    subscriptionDraftDiscountRemove: resolveDiscountRemove,
    subscriptionDraftDiscountUpdate: resolveDiscountUpdate,
    subscriptionDraftFreeShippingDiscountAdd: resolveFreeShippingAdd,
    subscriptionDraftFreeShippingDiscountUpdate: resolveDiscountUpdate,
  },
};
