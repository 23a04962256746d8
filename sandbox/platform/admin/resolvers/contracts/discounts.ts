/** Reads the discounts of contracts and drafts: manual ones, and those of codes. */
import type { ContractContent, DiscountRecord } from '../../../state/contract-records.ts';
import { type ResolverMap, typeResolvers } from '../../context.ts';
import { formatGid } from '../../gid.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { toMoneyV2 } from '../../money.ts';
import type { DiscountView } from './discount-view.ts';
import { createLinesPage } from './lines.ts';

/** Returns a page of discounts, each converted by `view`. */
export function createDiscountsPage(
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
  return createConnection(
    discounts.map((discount) => view(discount, content)),
    args,
    (each) => each.discount.id,
  );
}

export const discountResolvers: ResolverMap = {
  SubscriptionManualDiscount: typeResolvers<DiscountView>({
    id: ({ discount }) => formatGid('SubscriptionManualDiscount', discount.id),
    entitledLines: (view) => view,
    recurringCycleLimit: ({ discount }) => discount.recurringCycleLimit,
    rejectionReason: ({ discount }) => discount.rejectionReason,
    targetType: ({ discount }) => discount.targetType,
    title: ({ discount }) => discount.title,
    type: ({ discount }) => discount.type,
    usageCount: ({ discount }) => discount.usageCount,
    value: ({ discount, content }) => toDiscountValue(discount, content.currencyCode),
  }),
  SubscriptionAppliedCodeDiscount: typeResolvers<DiscountView>({
    id: ({ discount }) => formatGid('SubscriptionAppliedCodeDiscount', discount.id),
    redeemCode: ({ discount }) => discount.redeemCode,
    rejectionReason: ({ discount }) => discount.rejectionReason,
  }),
  SubscriptionDiscountEntitledLines: typeResolvers<DiscountView>({
    all: ({ discount }) => discount.lineIds === null,
    lines: ({ discount, content }, args: ConnectionArgs) => {
      const { lineIds } = discount;
      return createLinesPage(
        content.lines.filter((line) => lineIds?.includes(line.id)),
        content,
        args,
      );
    },
  }),
};

function toDiscountValue({ value }: DiscountRecord, currencyCode: string) {
  if ('percentage' in value)
    return { __typename: 'SubscriptionDiscountPercentageValue', percentage: value.percentage };
  return {
    __typename: 'SubscriptionDiscountFixedAmountValue',
    amount: toMoneyV2(value.amountMinor, currencyCode),
    appliesOnEachItem: value.appliesOnEachItem,
  };
}
