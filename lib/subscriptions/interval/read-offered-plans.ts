/** Reads the selling plans that the variants of a contract are offered with. Customers can choose only among these. */
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { maxPartsPerDocument } from '../../platform/admin-api/query-points.ts';
import type { OperationDeps } from '../operation.ts';
import { isForSale } from '../selling-plans/is-for-sale.ts';
import {
  SELLING_PLAN_GROUPS_POINTS,
  SELLING_PLAN_GROUPS_SELECTION,
  SELLING_PLAN_SELECTION,
  type SellingPlan,
  type SellingPlanGroup,
} from '../selling-plans/selling-plan.ts';

/** The root field that reads the plan `$_svcPlanId`. Returns an empty object when the id is of another type. */
export const NAMED_PLAN_ROOT_FIELD = `_svcPlan: node(id: $_svcPlanId) { ... on SellingPlan { ${SELLING_PLAN_SELECTION} } }`;

type VariantNode = {
  readonly id?: string;
  readonly product: { readonly status: string };
  readonly sellingPlanGroups: { readonly nodes: readonly SellingPlanGroup[] };
};

const VARIANT_PLANS_DOCUMENT = `query($_svcVariantIds: [ID!]!) {
  nodes(ids: $_svcVariantIds) { ... on ProductVariant {
    id product { status } ${SELLING_PLAN_GROUPS_SELECTION}
  } }
}`;

const VARIANTS_PER_REQUEST = maxPartsPerDocument(2 + SELLING_PLAN_GROUPS_POINTS);

export type VariantOffer = { readonly plans: readonly SellingPlan[]; readonly isForSale: boolean };

/**
 * Reads the plans with which each variant is sold: those of its own groups and of its product's groups. Also reads
 * whether the product is for sale. The map has no entry for variants that do not exist. Sends one platform request
 * per batch of variants.
 * @throws PLATFORM_UNAVAILABLE when the platform does not return the variants
 */
export async function readOfferedPlans(
  { sendToPlatform }: Pick<OperationDeps, 'sendToPlatform'>,
  variantIds: readonly string[],
): Promise<ReadonlyMap<string, VariantOffer>> {
  const offerByVariant = new Map<string, VariantOffer>();
  for (const ids of splitIntoBatches(variantIds, VARIANTS_PER_REQUEST)) {
    const { data, errors } = await sendToPlatform({
      document: VARIANT_PLANS_DOCUMENT,
      variables: { _svcVariantIds: ids },
      mutates: false,
    });
    const nodes = data?.nodes as readonly (VariantNode | null)[] | null | undefined;
    if (!nodes || errors.length > 0) throw failedReadError('variants', errors);
    for (const node of nodes) {
      if (node?.id === undefined) continue;
      const plans = node.sellingPlanGroups.nodes.flatMap(({ sellingPlans }) => sellingPlans.nodes);
      offerByVariant.set(node.id, { plans, isForSale: isForSale(node.product.status) });
    }
  }
  return offerByVariant;
}
