/** All areas' resolvers in one map: type name → field name → function. */
import type { ResolverMap } from '../context.ts';
import { billingAttemptResolvers } from '../resolvers/billing/billing-attempts.ts';
import { billingCycleResolvers } from '../resolvers/billing/billing-cycles.ts';
import { bulkChargeResolvers } from '../resolvers/billing/bulk-charges.ts';
import { chargeResolvers } from '../resolvers/billing/charges.ts';
import { cycleEditResolvers } from '../resolvers/billing/cycle-edits.ts';
import { orderResolvers } from '../resolvers/billing/orders.ts';
import { collectionResolvers } from '../resolvers/catalogue/collections.ts';
import { imageResolvers } from '../resolvers/catalogue/images.ts';
import { productResolvers } from '../resolvers/catalogue/products.ts';
import { sellingPlanChangeResolvers } from '../resolvers/catalogue/selling-plan-changes.ts';
import { sellingPlanResourceResolvers } from '../resolvers/catalogue/selling-plan-resources.ts';
import { sellingPlanResolvers } from '../resolvers/catalogue/selling-plans.ts';
import { variantResolvers } from '../resolvers/catalogue/variants.ts';
import { appResolvers } from '../resolvers/contracts/apps.ts';
import { contractStatusResolvers } from '../resolvers/contracts/contract-status.ts';
import { contractResolvers } from '../resolvers/contracts/contracts.ts';
import { discountResolvers } from '../resolvers/contracts/discounts.ts';
import { editedContractResolvers } from '../resolvers/contracts/edited-contracts.ts';
import { lineResolvers } from '../resolvers/contracts/lines.ts';
import { cardVaultResolvers } from '../resolvers/customers/card-vault.ts';
import { customerChangeResolvers } from '../resolvers/customers/customer-changes.ts';
import { customerResolvers } from '../resolvers/customers/customers.ts';
import { paymentMethodChangeResolvers } from '../resolvers/customers/payment-method-changes.ts';
import { paymentMethodResolvers } from '../resolvers/customers/payment-methods.ts';
import { addressResolvers } from '../resolvers/delivery/addresses.ts';
import { commitResolvers } from '../resolvers/drafts/commits.ts';
import { draftConcatenateResolvers } from '../resolvers/drafts/draft-concatenate.ts';
import { draftDiscountResolvers } from '../resolvers/drafts/draft-discounts.ts';
import { draftLineResolvers } from '../resolvers/drafts/draft-lines.ts';
import { draftUpdateResolvers } from '../resolvers/drafts/draft-update.ts';
import { draftResolvers } from '../resolvers/drafts/drafts.ts';
import { marketResolvers } from '../resolvers/markets.ts';
import { metafieldResolvers } from '../resolvers/metafields.ts';
import { nodeResolvers } from '../resolvers/nodes.ts';
import { shopResolvers } from '../resolvers/shop.ts';
import { storefrontTokenResolvers } from '../resolvers/storefront-tokens.ts';
import { webhookSubscriptionResolvers } from '../resolvers/webhook-subscriptions.ts';

const resolverAreas: ResolverMap[] = [
  addressResolvers,
  appResolvers,
  billingAttemptResolvers,
  billingCycleResolvers,
  bulkChargeResolvers,
  cardVaultResolvers,
  chargeResolvers,
  collectionResolvers,
  commitResolvers,
  contractStatusResolvers,
  contractResolvers,
  customerChangeResolvers,
  customerResolvers,
  cycleEditResolvers,
  discountResolvers,
  draftConcatenateResolvers,
  draftDiscountResolvers,
  draftLineResolvers,
  draftUpdateResolvers,
  draftResolvers,
  editedContractResolvers,
  imageResolvers,
  lineResolvers,
  marketResolvers,
  metafieldResolvers,
  nodeResolvers,
  orderResolvers,
  paymentMethodChangeResolvers,
  paymentMethodResolvers,
  productResolvers,
  sellingPlanChangeResolvers,
  sellingPlanResourceResolvers,
  sellingPlanResolvers,
  shopResolvers,
  storefrontTokenResolvers,
  variantResolvers,
  webhookSubscriptionResolvers,
];

/** The resolvers by type. An area can also have fields of another area's type. */
export const resolvers: ResolverMap = resolverAreas.reduce<ResolverMap>((merged, area) => {
  for (const [type, fields] of Object.entries(area)) merged[type] = { ...merged[type], ...fields };
  return merged;
}, {});
