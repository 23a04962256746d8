/** Reads and lists selling plan groups and their plans. selling-plan-changes.ts changes them. */
import type {
  BillingPolicy,
  PricingPolicy,
  SellingPlanGroupRecord,
  SellingPlanRecord,
} from '../../../state/catalogue-records.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { toCountView } from '../../cost/counts.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { createSearchTest, type SearchFields } from '../../lists/search.ts';
import { sortByKey } from '../../lists/sorting.ts';
import { toAdjustmentValue } from './policies.ts';

const GROUP_SEARCH_FIELDS: SearchFields<SellingPlanGroupRecord> = {
  id: { kind: 'number', of: (group) => group.id },
  name: { kind: 'text', of: (group) => group.name },
  created_at: { kind: 'instant', of: (group) => group.createdAt },
  app_id: { kind: 'text', of: (group) => group.appId },
};

/** Returns a group's plans, by position. */
export function listPlans(group: SellingPlanGroupRecord, { store }: AdminContext): SellingPlanRecord[] {
  return sortByKey(store.sellingPlans.values(), ({ position }) => position).filter(
    ({ groupId }) => groupId === group.id,
  );
}

function listGroupProducts({ productIds }: SellingPlanGroupRecord, { store }: AdminContext) {
  return productIds.flatMap((id) => store.products.get(id) ?? []);
}

/** Returns the variants that joined the group without their product; with `productId`, only those of this product. */
function listGroupVariants(
  group: SellingPlanGroupRecord,
  args: { productId?: string | null },
  { store }: AdminContext,
) {
  const productId = args.productId == null ? null : requireGidNumber(args.productId, 'Product');
  const variantsOfGroup = group.variantIds.flatMap((id) => store.variants.get(id) ?? []);
  return variantsOfGroup.filter((variant) => productId === null || variant.productId === productId);
}

const UNIT_BY_INTERVAL: Record<string, string> = { DAY: 'day', WEEK: 'week', MONTH: 'month', YEAR: 'year' };

function formatGroupSummary(group: SellingPlanGroupRecord, context: AdminContext): string {
  const plans = listPlans(group, context);
  const units = [
    ...new Set(plans.map(({ deliveryPolicy }) => UNIT_BY_INTERVAL[deliveryPolicy.interval])),
  ].join(', ');
  return `${plans.length} delivery frequencies, ${units}`;
}

type GroupListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null };

export const sellingPlanResolvers: ResolverMap = {
  QueryRoot: {
    sellingPlanGroup: (_parent: unknown, args: { id: string }, { store }) =>
      store.sellingPlanGroups.get(requireGidNumber(args.id, 'SellingPlanGroup')) ?? null,
    sellingPlanGroups: (_parent: unknown, args: GroupListArgs, { store }) => {
      const matchesQuery = createSearchTest(args.query, GROUP_SEARCH_FIELDS, ({ name }) => name);
      const keyOf =
        args.sortKey === 'NAME' ? ({ name }: SellingPlanGroupRecord) => name : ({ id }: { id: number }) => id;
      return createConnection(
        sortByKey(store.sellingPlanGroups.values(), keyOf).filter(matchesQuery),
        args,
        (group) => group.id,
      );
    },
  },
  SellingPlanGroup: typeResolvers<SellingPlanGroupRecord>({
    id: ({ id }) => formatGid('SellingPlanGroup', id),
    appliesToProduct: ({ productIds }, args: { productId: string }) =>
      productIds.includes(requireGidNumber(args.productId, 'Product')),
    appliesToProductVariant: ({ variantIds }, args: { productVariantId: string }) =>
      variantIds.includes(requireGidNumber(args.productVariantId, 'ProductVariant')),
    appliesToProductVariants: (group, args: { productId: string }, context) =>
      listGroupVariants(group, args, context).length > 0,
    productVariants: (group, args: ConnectionArgs & { productId?: string | null }, context) =>
      createConnection(listGroupVariants(group, args, context), args, (variant) => variant.id),
    productVariantsCount: (group, args: { productId?: string | null }, context) =>
      toCountView(listGroupVariants(group, args, context).length),
    products: (group, args: ConnectionArgs, context) =>
      createConnection(listGroupProducts(group, context), args, (product) => product.id),
    productsCount: (group, _args, context) => toCountView(listGroupProducts(group, context).length),
    sellingPlans: (group, args: ConnectionArgs, context) =>
      createConnection(listPlans(group, context), args, (plan) => plan.id),
    summary: (group, _args, context) => formatGroupSummary(group, context),
    translations: () => [],
  }),
  SellingPlan: typeResolvers<SellingPlanRecord>({
    id: ({ id }) => formatGid('SellingPlan', id),
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
      pricingPolicies.map((policy) => toPricingPolicyView(policy, store.currencyCode)),
    translations: () => [],
  }),
};

function toPricingPolicyView(policy: PricingPolicy, currencyCode: string) {
  const { adjustmentType, afterCycle, createdAt } = policy;
  const policyView = { adjustmentType, adjustmentValue: toAdjustmentValue(policy, currencyCode), createdAt };
  if (afterCycle === null) return { __typename: 'SellingPlanFixedPricingPolicy', ...policyView };
  return { __typename: 'SellingPlanRecurringPricingPolicy', afterCycle, ...policyView };
}
