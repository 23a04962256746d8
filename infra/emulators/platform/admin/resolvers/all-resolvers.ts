/** All areas' resolvers in one map: type name → field name → function. */
import type { ResolverMap } from '../context.ts';
import { appInstallationResolvers } from './app-installation.ts';
import { billingAttemptResolvers } from './billing/billing-attempts.ts';
import { billingCycleResolvers } from './billing/billing-cycles.ts';
import { bulkChargeResolvers } from './billing/bulk-charges.ts';
import { chargeResolvers } from './billing/charges.ts';
import { cycleEditResolvers } from './billing/cycle-edits.ts';
import { orderResolvers } from './billing/orders.ts';
import { imageResolvers } from './catalogue/images.ts';
import { metafieldResolvers } from './catalogue/metafields.ts';
import { productResolvers } from './catalogue/products.ts';
import { sellingPlanChangeResolvers } from './catalogue/selling-plan-changes.ts';
import { sellingPlanResourceResolvers } from './catalogue/selling-plan-resources.ts';
import { sellingPlanResolvers } from './catalogue/selling-plans.ts';
import { variantResolvers } from './catalogue/variants.ts';
import { contractStatusResolvers } from './contracts/contract-status.ts';
import { contractResolvers } from './contracts/contracts.ts';
import { editedContractResolvers } from './contracts/edited-contracts.ts';
import { lineResolvers } from './contracts/lines.ts';
import { cardVaultResolvers } from './customers/card-vault.ts';
import { customerChangeResolvers } from './customers/customer-changes.ts';
import { customerResolvers } from './customers/customers.ts';
import { paymentMethodChangeResolvers } from './customers/payment-method-changes.ts';
import { paymentMethodResolvers } from './customers/payment-methods.ts';
import { addressResolvers } from './delivery/addresses.ts';
import { commitResolvers } from './drafts/commits.ts';
import { discountResolvers } from './drafts/discounts.ts';
import { draftConcatenateResolvers } from './drafts/draft-concatenate.ts';
import { draftDiscountResolvers } from './drafts/draft-discounts.ts';
import { draftLineResolvers } from './drafts/draft-lines.ts';
import { draftUpdateResolvers } from './drafts/draft-update.ts';
import { draftResolvers } from './drafts/drafts.ts';
import { nodeResolvers } from './nodes.ts';
import { shopResolvers } from './shop.ts';
import { storefrontTokenResolvers } from './storefront-tokens.ts';

const areas: ResolverMap[] = [
  addressResolvers,
  appInstallationResolvers,
  billingAttemptResolvers,
  billingCycleResolvers,
  bulkChargeResolvers,
  cardVaultResolvers,
  chargeResolvers,
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
];

/** Merged by type, so that one area can add a field to another's type. */
export const resolvers: ResolverMap = areas.reduce<ResolverMap>((merged, area) => {
  for (const [type, fields] of Object.entries(area)) merged[type] = { ...merged[type], ...fields };
  return merged;
}, {});
