/** Adds and removes the products and variants of selling plan groups, by mutations of the group or of the product. */
import type { SellingPlanGroupRecord } from '../../../state/catalogue-records.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { createUserErrorPayload } from '../../user-error.ts';

const GROUP_RESOURCES = {
  product: {
    type: 'Product',
    listed: 'productIds',
    records: 'products',
    argument: 'productIds',
    missing: 'PRODUCT_DOES_NOT_EXIST',
    removed: 'removedProductIds',
  },
  variant: {
    type: 'ProductVariant',
    listed: 'variantIds',
    records: 'variants',
    argument: 'productVariantIds',
    missing: 'PRODUCT_VARIANT_DOES_NOT_EXIST',
    removed: 'removedProductVariantIds',
  },
} as const;

type GroupResourceKind = keyof typeof GROUP_RESOURCES;
type GroupResourcesArgs = { id: string; productIds?: string[]; productVariantIds?: string[] };

function createGroupResolver(kind: GroupResourceKind, change: 'add' | 'remove') {
  const { type, listed, records, argument, missing, removed } = GROUP_RESOURCES[kind];
  return (_parent: unknown, args: GroupResourcesArgs, { store }: AdminContext) => {
    const groupRecord = store.sellingPlanGroups.get(requireGidNumber(args.id, 'SellingPlanGroup'));
    if (groupRecord === undefined)
      return createUserErrorPayload(['id'], 'Selling plan group does not exist', 'GROUP_DOES_NOT_EXIST');
    const ids = args[argument] ?? [];
    const resourceNumbers = ids.map((id) => requireGidNumber(id, type));
    if (resourceNumbers.some((number) => !store[records].has(number)))
      return createUserErrorPayload([argument], `${type} does not exist`, missing);
    if (change === 'add') {
      addResourcesToGroup(groupRecord, listed, resourceNumbers);
      return { sellingPlanGroup: groupRecord };
    }
    groupRecord[listed] = groupRecord[listed].filter((number) => !resourceNumbers.includes(number));
    return { [removed]: ids };
  };
}

type MembershipArgs = { id: string; sellingPlanGroupIds: string[] };

function createMembershipResolver(kind: GroupResourceKind, change: 'join' | 'leave') {
  const { type, listed, records, missing } = GROUP_RESOURCES[kind];
  return (_parent: unknown, { id, sellingPlanGroupIds }: MembershipArgs, { store }: AdminContext) => {
    const resourceNumber = requireGidNumber(id, type);
    const resourceRecord = store[records].get(resourceNumber);
    if (resourceRecord === undefined)
      return createUserErrorPayload(['id'], `${type} does not exist`, missing);
    const groupRecords = sellingPlanGroupIds.map((each) =>
      store.sellingPlanGroups.get(requireGidNumber(each, 'SellingPlanGroup')),
    );
    if (groupRecords.some((group) => group === undefined)) {
      return createUserErrorPayload(
        ['sellingPlanGroupIds'],
        'Selling plan group does not exist',
        'GROUP_DOES_NOT_EXIST',
      );
    }
    for (const group of groupRecords) {
      if (group === undefined) continue;
      if (change === 'join') addResourcesToGroup(group, listed, [resourceNumber]);
      else group[listed] = group[listed].filter((each) => each !== resourceNumber);
    }
    return kind === 'product' ? { product: resourceRecord } : { productVariant: resourceRecord };
  };
}

function addResourcesToGroup(
  group: SellingPlanGroupRecord,
  listed: 'productIds' | 'variantIds',
  numbers: number[],
): void {
  group[listed] = [...new Set([...group[listed], ...numbers])];
}

export const sellingPlanResourceResolvers: ResolverMap = {
  Mutation: {
    productJoinSellingPlanGroups: createMembershipResolver('product', 'join'),
    productLeaveSellingPlanGroups: createMembershipResolver('product', 'leave'),
    productVariantJoinSellingPlanGroups: createMembershipResolver('variant', 'join'),
    productVariantLeaveSellingPlanGroups: createMembershipResolver('variant', 'leave'),
    sellingPlanGroupAddProductVariants: createGroupResolver('variant', 'add'),
    sellingPlanGroupAddProducts: createGroupResolver('product', 'add'),
    sellingPlanGroupRemoveProductVariants: createGroupResolver('variant', 'remove'),
    sellingPlanGroupRemoveProducts: createGroupResolver('product', 'remove'),
  },
};
