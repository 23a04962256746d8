/** Discounts of contracts and drafts: made by hand, or by a code that a draft took. */
import type { ContractContent, DiscountRecord } from '../../../state/contract-records.ts';
import { fieldsOf, type ResolverMap } from '../../context.ts';
import { gid } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { moneyV2 } from '../../money.ts';
import type { DiscountView } from './discount-view.ts';
import { linesPage } from './lines.ts';

/** A page of discounts, in the form that `view` makes. */
export function discountsPage(
  {
    discounts,
    content,
    view,
  }: {
    discounts: DiscountRecord[];
    content: ContractContent;
    view: (discount: DiscountRecord, content: ContractContent) => DiscountView;
  },
  args: ConnectionArgs,
) {
  return connectionOf(
    discounts.map((discount) => view(discount, content)),
    args,
    (each) => each.discount.id,
  );
}

export const discountResolvers: ResolverMap = {
  SubscriptionManualDiscount: fieldsOf<DiscountView>({
    id: ({ discount }) => gid('SubscriptionManualDiscount', discount.id),
    entitledLines: (view) => view,
    recurringCycleLimit: ({ discount }) => discount.recurringCycleLimit,
    rejectionReason: ({ discount }) => discount.rejectionReason,
    targetType: ({ discount }) => discount.targetType,
    title: ({ discount }) => discount.title,
    type: ({ discount }) => discount.type,
    usageCount: ({ discount }) => discount.usageCount,
    value: ({ discount, content }) => discountValue(discount, content.currencyCode),
  }),
  SubscriptionAppliedCodeDiscount: fieldsOf<DiscountView>({
    id: ({ discount }) => gid('SubscriptionAppliedCodeDiscount', discount.id),
    redeemCode: ({ discount }) => discount.redeemCode,
    rejectionReason: ({ discount }) => discount.rejectionReason,
  }),
  SubscriptionDiscountEntitledLines: fieldsOf<DiscountView>({
    all: ({ discount }) => discount.lineIds === null,
    lines: ({ discount, content }, args: ConnectionArgs) => {
      const { lineIds } = discount;
      return linesPage(
        content.lines.filter((line) => lineIds?.includes(line.id)),
        content,
        args,
      );
    },
  }),
};

function discountValue({ value }: DiscountRecord, currencyCode: string) {
  if ('percentage' in value)
    return { __typename: 'SubscriptionDiscountPercentageValue', percentage: value.percentage };
  return {
    __typename: 'SubscriptionDiscountFixedAmountValue',
    amount: moneyV2(value.amountMinor, currencyCode),
    appliesOnEachItem: value.appliesOnEachItem,
  };
}
