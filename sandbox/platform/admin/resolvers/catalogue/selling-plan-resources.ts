/** Adds and removes the products and variants of selling plan groups, by mutations of the group or of the product. */
import type { SellingPlanGroupRecord } from '../../../state/catalogue-records.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { createUserErrorPayload } from '../../user-error.ts';

const GROUP_RESOURCES = {
  product: {
    type: 'Product',
    groupField: 'productIds',
    storeField: 'products',
    argument: 'productIds',
    missingCode: 'PRODUCT_DOES_NOT_EXIST',
    removedField: 'removedProductIds',
  },
  variant: {
    type: 'ProductVariant',
    groupField: 'variantIds',
    storeField: 'variants',
    argument: 'productVariantIds',
    missingCode: 'PRODUCT_VARIANT_DOES_NOT_EXIST',
    removedField: 'removedProductVariantIds',
  },
} as const;

type GroupResourceKind = keyof typeof GROUP_RESOURCES;
type GroupResourcesArgs = { id: string; productIds?: string[]; productVariantIds?: string[] };

function createGroupResolver(kind: GroupResourceKind, change: 'add' | 'remove') {
  const { type, groupField, storeField, argument, missingCode, removedField } = GROUP_RESOURCES[kind];
  return (_parent: unknown, args: GroupResourcesArgs, { store }: AdminContext) => {
    const groupRecord = store.sellingPlanGroups.get(requireGidNumber(args.id, 'SellingPlanGroup'));
    if (groupRecord === undefined)
      return createUserErrorPayload(['id'], 'Selling plan group does not exist', 'GROUP_DOES_NOT_EXIST');
    const ids = args[argument] ?? [];
    const resourceNumbers = ids.map((id) => requireGidNumber(id, type));
    if (resourceNumbers.some((number) => !store[storeField].has(number)))
      return createUserErrorPayload([argument], `${type} does not exist`, missingCode);
    if (change === 'add') {
      addResourcesToGroup(groupRecord, groupField, resourceNumbers);
      return { sellingPlanGroup: groupRecord };
    }
    groupRecord[groupField] = groupRecord[groupField].filter((number) => !resourceNumbers.includes(number));
    return { [removedField]: ids };
  };
}

type MembershipArgs = { id: string; sellingPlanGroupIds: string[] };

function createMembershipResolver(kind: GroupResourceKind, change: 'join' | 'leave') {
  const { type, groupField, storeField, missingCode } = GROUP_RESOURCES[kind];
  return (_parent: unknown, { id, sellingPlanGroupIds }: MembershipArgs, { store }: AdminContext) => {
    const resourceNumber = requireGidNumber(id, type);
    const resourceRecord = store[storeField].get(resourceNumber);
    if (resourceRecord === undefined)
      return createUserErrorPayload(['id'], `${type} does not exist`, missingCode);
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
      if (change === 'join') addResourcesToGroup(group, groupField, [resourceNumber]);
      else group[groupField] = group[groupField].filter((each) => each !== resourceNumber);
    }
    return kind === 'product' ? { product: resourceRecord } : { productVariant: resourceRecord };
  };
}

function addResourcesToGroup(
  group: SellingPlanGroupRecord,
  groupField: 'productIds' | 'variantIds',
  numbers: number[],
): void {
  group[groupField] = [...new Set([...group[groupField], ...numbers])];
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
