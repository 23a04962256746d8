/** The products and variants of selling plan groups, which are added and removed from either side. */
import type { SellingPlanGroupRecord } from '../../../state/catalogue-records.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { numberOf } from '../../gid.ts';
import { userErrorPayload } from '../../user-error.ts';

const resourceKinds = {
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

type ResourceKind = keyof typeof resourceKinds;
type GroupArgs = { id: string; productIds?: string[]; productVariantIds?: string[] };

function changeGroup(kind: ResourceKind, change: 'add' | 'remove') {
  const { type, listed, records, argument, missing, removed } = resourceKinds[kind];
  return (_parent: unknown, args: GroupArgs, { store }: AdminContext) => {
    const group = store.sellingPlanGroups.get(numberOf(args.id, 'SellingPlanGroup'));
    if (group === undefined)
      return userErrorPayload(['id'], 'Selling plan group does not exist', 'GROUP_DOES_NOT_EXIST');
    const ids = args[argument] ?? [];
    const numbers = ids.map((id) => numberOf(id, type));
    if (numbers.some((number) => !store[records].has(number)))
      return userErrorPayload([argument], `${type} does not exist`, missing);
    if (change === 'add') {
      addToGroup(group, listed, numbers);
      return { sellingPlanGroup: group };
    }
    group[listed] = group[listed].filter((number) => !numbers.includes(number));
    return { [removed]: ids };
  };
}

type MemberArgs = { id: string; sellingPlanGroupIds: string[] };

function changeMember(kind: ResourceKind, change: 'join' | 'leave') {
  const { type, listed, records, missing } = resourceKinds[kind];
  return (_parent: unknown, { id, sellingPlanGroupIds }: MemberArgs, { store }: AdminContext) => {
    const number = numberOf(id, type);
    const member = store[records].get(number);
    if (member === undefined) return userErrorPayload(['id'], `${type} does not exist`, missing);
    const groups = sellingPlanGroupIds.map((each) =>
      store.sellingPlanGroups.get(numberOf(each, 'SellingPlanGroup')),
    );
    if (groups.some((group) => group === undefined)) {
      return userErrorPayload(
        ['sellingPlanGroupIds'],
        'Selling plan group does not exist',
        'GROUP_DOES_NOT_EXIST',
      );
    }
    for (const group of groups) {
      if (group === undefined) continue;
      if (change === 'join') addToGroup(group, listed, [number]);
      else group[listed] = group[listed].filter((each) => each !== number);
    }
    return kind === 'product' ? { product: member } : { productVariant: member };
  };
}

function addToGroup(
  group: SellingPlanGroupRecord,
  listed: 'productIds' | 'variantIds',
  numbers: number[],
): void {
  group[listed] = [...new Set([...group[listed], ...numbers])];
}

export const sellingPlanResourceResolvers: ResolverMap = {
  Mutation: {
    productJoinSellingPlanGroups: changeMember('product', 'join'),
    productLeaveSellingPlanGroups: changeMember('product', 'leave'),
    productVariantJoinSellingPlanGroups: changeMember('variant', 'join'),
    productVariantLeaveSellingPlanGroups: changeMember('variant', 'leave'),
    sellingPlanGroupAddProductVariants: changeGroup('variant', 'add'),
    sellingPlanGroupAddProducts: changeGroup('product', 'add'),
    sellingPlanGroupRemoveProductVariants: changeGroup('variant', 'remove'),
    sellingPlanGroupRemoveProducts: changeGroup('product', 'remove'),
  },
};
