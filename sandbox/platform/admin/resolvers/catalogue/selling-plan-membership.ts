/**
 * Finds the selling plan groups of a product or a variant. A variant belongs to a group by itself or with its product.
 */
import type {
  ProductRecord,
  SellingPlanGroupRecord,
  VariantRecord,
} from '../../../state/catalogue-records.ts';
import type { AdminContext } from '../../context.ts';

/** Returns the groups that the product itself joined. */
export function listGroupsOfProduct(
  { id }: ProductRecord,
  { store }: AdminContext,
): SellingPlanGroupRecord[] {
  return [...store.sellingPlanGroups.values()].filter(({ productIds }) => productIds.includes(id));
}

/** Returns the groups that the variant joined, itself or with its product. */
export function listGroupsOfVariant(
  { id, productId }: VariantRecord,
  { store }: AdminContext,
): SellingPlanGroupRecord[] {
  return [...store.sellingPlanGroups.values()].filter(
    ({ productIds, variantIds }) => variantIds.includes(id) || productIds.includes(productId),
  );
}
