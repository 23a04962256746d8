/** Selling plan groups and their plans: reading and listing them. Changing them is selling-plan-changes.ts. */
import type {
  BillingPolicy,
  PricingPolicy,
  SellingPlanGroupRecord,
  SellingPlanRecord,
} from '../../../state/catalogue-records.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { countOf } from '../../cost/counts.ts';
import { gid, numberOf } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { type SearchFields, searchTest } from '../../lists/search.ts';
import { sortedBy } from '../../lists/sorting.ts';
import { adjustmentValue } from './policies.ts';

const searchFields: SearchFields<SellingPlanGroupRecord> = {
  id: { kind: 'number', of: (group) => group.id },
  name: { kind: 'text', of: (group) => group.name },
  created_at: { kind: 'instant', of: (group) => group.createdAt },
  app_id: { kind: 'text', of: (group) => group.appId },
};

/** A group's plans, by position. */
export function plansOf(group: SellingPlanGroupRecord, { store }: AdminContext): SellingPlanRecord[] {
  return sortedBy(store.sellingPlans.values(), ({ position }) => position).filter(
    ({ groupId }) => groupId === group.id,
  );
}

function productsOf({ productIds }: SellingPlanGroupRecord, { store }: AdminContext) {
  return productIds.flatMap((id) => store.products.get(id) ?? []);
}

/** Variants that joined on their own, of one product if asked. */
function variantsOf(
  group: SellingPlanGroupRecord,
  args: { productId?: string | null },
  { store }: AdminContext,
) {
  const productId = args.productId == null ? null : numberOf(args.productId, 'Product');
  const own = group.variantIds.flatMap((id) => store.variants.get(id) ?? []);
  return own.filter((variant) => productId === null || variant.productId === productId);
}

const FREQUENCY_TEXTS: Record<string, string> = { DAY: 'day', WEEK: 'week', MONTH: 'month', YEAR: 'year' };

function summaryOf(group: SellingPlanGroupRecord, context: AdminContext): string {
  const plans = plansOf(group, context);
  const units = [
    ...new Set(plans.map(({ deliveryPolicy }) => FREQUENCY_TEXTS[deliveryPolicy.interval])),
  ].join(', ');
  return `${plans.length} delivery frequencies, ${units}`;
}

type ListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null };

export const sellingPlanResolvers: ResolverMap = {
  QueryRoot: {
    sellingPlanGroup: (_parent: unknown, args: { id: string }, { store }) =>
      store.sellingPlanGroups.get(numberOf(args.id, 'SellingPlanGroup')) ?? null,
    sellingPlanGroups: (_parent: unknown, args: ListArgs, { store }) => {
      const test = searchTest(args.query, searchFields, ({ name }) => name);
      const key =
        args.sortKey === 'NAME' ? ({ name }: SellingPlanGroupRecord) => name : ({ id }: { id: number }) => id;
      return connectionOf(
        sortedBy(store.sellingPlanGroups.values(), key).filter(test),
        args,
        (group) => group.id,
      );
    },
  },
  SellingPlanGroup: fieldsOf<SellingPlanGroupRecord>({
    id: ({ id }) => gid('SellingPlanGroup', id),
    appliesToProduct: ({ productIds }, args: { productId: string }) =>
      productIds.includes(numberOf(args.productId, 'Product')),
    appliesToProductVariant: ({ variantIds }, args: { productVariantId: string }) =>
      variantIds.includes(numberOf(args.productVariantId, 'ProductVariant')),
    appliesToProductVariants: (group, args: { productId: string }, context) =>
      variantsOf(group, args, context).length > 0,
    productVariants: (group, args: ConnectionArgs & { productId?: string | null }, context) =>
      connectionOf(variantsOf(group, args, context), args, (variant) => variant.id),
    productVariantsCount: (group, args: { productId?: string | null }, context) =>
      countOf(variantsOf(group, args, context).length),
    products: (group, args: ConnectionArgs, context) =>
      connectionOf(productsOf(group, context), args, (product) => product.id),
    productsCount: (group, _args, context) => countOf(productsOf(group, context).length),
    sellingPlans: (group, args: ConnectionArgs, context) =>
      connectionOf(plansOf(group, context), args, (plan) => plan.id),
    summary: (group, _args, context) => summaryOf(group, context),
    translations: () => [],
  }),
  SellingPlan: fieldsOf<SellingPlanRecord>({
    id: ({ id }) => gid('SellingPlan', id),
    billingPolicy: ({ billingPolicy, createdAt }) => ({
      __typename: 'SellingPlanRecurringBillingPolicy',
      createdAt,
      ...(billingPolicy satisfies BillingPolicy),
    }),
    deliveryPolicy: ({ deliveryPolicy, createdAt }) => ({
      __typename: 'SellingPlanRecurringDeliveryPolicy',
      createdAt,
      intent: 'FULFILLMENT_BEGIN',
      ...deliveryPolicy,
    }),
    inventoryPolicy: ({ reserve }) => (reserve === null ? null : { reserve }),
    pricingPolicies: ({ pricingPolicies }, _args, { store }) =>
      pricingPolicies.map((policy) => pricingPolicyView(policy, store.currencyCode)),
    translations: () => [],
  }),
};

function pricingPolicyView(policy: PricingPolicy, currencyCode: string) {
  const { adjustmentType, afterCycle, createdAt } = policy;
  const value = { adjustmentType, adjustmentValue: adjustmentValue(policy, currencyCode), createdAt };
  if (afterCycle === null) return { __typename: 'SellingPlanFixedPricingPolicy', ...value };
  return { __typename: 'SellingPlanRecurringPricingPolicy', afterCycle, ...value };
}
