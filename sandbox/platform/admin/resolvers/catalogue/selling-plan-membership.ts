/** The plan groups that sell a product or a variant: by the product as a whole, or by the variant alone. */
import type {
  ProductRecord,
  SellingPlanGroupRecord,
  VariantRecord,
} from '../../../state/catalogue-records.ts';
import type { AdminContext } from '../../context.ts';

/** Groups that the product itself joined. */
export function listGroupsOfProduct(
  { id }: ProductRecord,
  { store }: AdminContext,
): SellingPlanGroupRecord[] {
  return [...store.sellingPlanGroups.values()].filter(({ productIds }) => productIds.includes(id));
}

/** Groups that the variant joined, itself or with its product. */
export function listGroupsOfVariant(
  { id, productId }: VariantRecord,
  { store }: AdminContext,
): SellingPlanGroupRecord[] {
  return [...store.sellingPlanGroups.values()].filter(
    ({ productIds, variantIds }) => variantIds.includes(id) || productIds.includes(productId),
  );
}
