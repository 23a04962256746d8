/** Lines of contracts and drafts, with what discounts take off them. */
import type { ContractContent, CycleDiscount, LineRecord } from '../../../state/contract-records.ts';
import { discountOnLine, lineDiscount } from '../../../state/discounts.ts';
import { fieldsOf, type ResolverMap } from '../../context.ts';
import { gid } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { moneyV2 } from '../../money.ts';
import { imageOf } from '../catalogue/images.ts';
import { adjustmentValue } from '../catalogue/policies.ts';
import { discountView } from './discount-view.ts';

type LineView = { line: LineRecord; content: ContractContent };

/** A page of lines. */
export function linesPage(lines: LineRecord[], content: ContractContent, args: ConnectionArgs) {
  const views = lines.map((line) => ({ line, content }));
  return connectionOf(views, args, (view) => view.line.id);
}

type PriceStep = { step: CycleDiscount; content: ContractContent };
type LinePricing = { pricing: NonNullable<LineRecord['pricingPolicy']>; content: ContractContent };

export const lineResolvers: ResolverMap = {
  SubscriptionLine: fieldsOf<LineView>({
    id: ({ line }) => gid('SubscriptionLine', line.id),
    concatenatedOriginContract: ({ line }, _args, { store }) =>
      line.originContractId === null ? null : store.contracts.get(line.originContractId),
    currentPrice: ({ line, content }) => moneyV2(line.currentPriceMinor, content.currencyCode),
    customAttributes: ({ line }) => line.customAttributes,
    discountAllocations: ({ line, content }) =>
      content.discounts
        .map((discount) => ({ discount, minor: discountOnLine(content, discount, line) }))
        .filter(({ minor }) => minor > 0)
        .map(({ discount, minor }) => ({
          amount: moneyV2(minor, content.currencyCode),
          discount: discountView(discount, content),
        })),
    lineDiscountedPrice: ({ line, content }) =>
      moneyV2(line.currentPriceMinor * line.quantity - lineDiscount(content, line), content.currencyCode),
    pricingPolicy: ({ line, content }) =>
      line.pricingPolicy === null ? null : { pricing: line.pricingPolicy, content },
    productId: ({ line }) => (line.productId === null ? null : gid('Product', line.productId)),
    quantity: ({ line }) => line.quantity,
    requiresShipping: ({ line }) => line.requiresShipping,
    sellingPlanId: ({ line }) =>
      line.sellingPlanId === null ? null : gid('SellingPlan', line.sellingPlanId),
    sellingPlanName: ({ line }) => line.sellingPlanName,
    sku: ({ line }) => line.sku,
    taxable: ({ line }) => line.taxable,
    title: ({ line }) => line.title,
    variantId: ({ line }) => (line.variantId === null ? null : gid('ProductVariant', line.variantId)),
    variantImage: ({ line }) => imageOf(line.asset, line.title),
    variantTitle: ({ line }) => line.variantTitle,
  }),
  SubscriptionPricingPolicy: fieldsOf<LinePricing>({
    basePrice: ({ pricing, content }) => moneyV2(pricing.basePriceMinor, content.currencyCode),
    cycleDiscounts: ({ pricing, content }) => pricing.cycleDiscounts.map((step) => ({ step, content })),
  }),
  SubscriptionCyclePriceAdjustment: fieldsOf<PriceStep>({
    adjustmentType: ({ step }) => step.adjustmentType,
    adjustmentValue: ({ step, content }) => adjustmentValue(step, content.currencyCode),
    afterCycle: ({ step }) => step.afterCycle,
    computedPrice: ({ step, content }) => moneyV2(step.computedPriceMinor, content.currencyCode),
  }),
};
