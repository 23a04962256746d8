/** Reads the lines of contracts and drafts, with the amounts of their discounts. */
import type { ContractContent, CycleDiscount, LineRecord } from '../../../state/contract-records.ts';
import { computeLineDiscountMinor, sumLineDiscounts } from '../../../state/discounts.ts';
import { type ResolverMap, typeResolvers } from '../../context.ts';
import { formatGid } from '../../gid.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { toMoneyV2 } from '../../money.ts';
import { toImageView } from '../catalogue/images.ts';
import { toAdjustmentValue } from '../catalogue/policies.ts';
import { toDiscountView } from './discount-view.ts';

type LineView = { line: LineRecord; content: ContractContent };

/** Returns a page of lines. */
export function createLinesPage(lines: LineRecord[], content: ContractContent, args: ConnectionArgs) {
  const views = lines.map((line) => ({ line, content }));
  return createConnection(views, args, (view) => view.line.id);
}

type CycleDiscountView = { step: CycleDiscount; content: ContractContent };
type PricingPolicyView = { pricing: NonNullable<LineRecord['pricingPolicy']>; content: ContractContent };

export const lineResolvers: ResolverMap = {
  SubscriptionLine: typeResolvers<LineView>({
    id: ({ line }) => formatGid('SubscriptionLine', line.id),
    concatenatedOriginContract: ({ line }, _args, { store }) =>
      line.originContractId === null ? null : store.contracts.get(line.originContractId),
    currentPrice: ({ line, content }) => toMoneyV2(line.currentPriceMinor, content.currencyCode),
    customAttributes: ({ line }) => line.customAttributes,
    discountAllocations: ({ line, content }) =>
      content.discounts
        .map((discount) => ({ discount, minor: computeLineDiscountMinor(content, discount, line) }))
        .filter(({ minor }) => minor > 0)
        .map(({ discount, minor }) => ({
          amount: toMoneyV2(minor, content.currencyCode),
          discount: toDiscountView(discount, content),
        })),
    lineDiscountedPrice: ({ line, content }) =>
      toMoneyV2(
        line.currentPriceMinor * line.quantity - sumLineDiscounts(content, line),
        content.currencyCode,
      ),
    pricingPolicy: ({ line, content }) =>
      line.pricingPolicy === null ? null : { pricing: line.pricingPolicy, content },
    productId: ({ line }) => (line.productId === null ? null : formatGid('Product', line.productId)),
    quantity: ({ line }) => line.quantity,
    requiresShipping: ({ line }) => line.requiresShipping,
    sellingPlanId: ({ line }) =>
      line.sellingPlanId === null ? null : formatGid('SellingPlan', line.sellingPlanId),
    sellingPlanName: ({ line }) => line.sellingPlanName,
    sku: ({ line }) => line.sku,
    taxable: ({ line }) => line.taxable,
    title: ({ line }) => line.title,
    variantId: ({ line }) => (line.variantId === null ? null : formatGid('ProductVariant', line.variantId)),
    variantImage: ({ line }) => toImageView(line.asset, line.title),
    variantTitle: ({ line }) => line.variantTitle,
  }),
  SubscriptionPricingPolicy: typeResolvers<PricingPolicyView>({
    basePrice: ({ pricing, content }) => toMoneyV2(pricing.basePriceMinor, content.currencyCode),
    cycleDiscounts: ({ pricing, content }) => pricing.cycleDiscounts.map((step) => ({ step, content })),
  }),
  SubscriptionCyclePriceAdjustment: typeResolvers<CycleDiscountView>({
    adjustmentType: ({ step }) => step.adjustmentType,
    adjustmentValue: ({ step, content }) => toAdjustmentValue(step, content.currencyCode),
    afterCycle: ({ step }) => step.afterCycle,
    computedPrice: ({ step, content }) => toMoneyV2(step.computedPriceMinor, content.currencyCode),
  }),
};
