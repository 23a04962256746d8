/** All areas' resolvers in one map: type name → field name → function. */
import type { ResolverMap } from '../context.ts';
import { addressResolvers } from './addresses.ts';
import { appInstallationResolvers } from './app-installation.ts';
import { billingAttemptResolvers } from './billing-attempts.ts';
import { billingCycleResolvers } from './billing-cycles.ts';
import { bulkChargeResolvers } from './bulk-charges.ts';
import { cardVaultResolvers } from './card-vault.ts';
import { chargeResolvers } from './charges.ts';
import { commitResolvers } from './commits.ts';
import { contractStatusResolvers } from './contract-status.ts';
import { contractResolvers } from './contracts.ts';
import { customerChangeResolvers } from './customer-changes.ts';
import { customerResolvers } from './customers.ts';
import { cycleEditResolvers } from './cycle-edits.ts';
import { discountResolvers } from './discounts.ts';
import { draftConcatenateResolvers } from './draft-concatenate.ts';
import { draftDiscountResolvers } from './draft-discounts.ts';
import { draftLineResolvers } from './draft-lines.ts';
import { draftUpdateResolvers } from './draft-update.ts';
import { draftResolvers } from './drafts.ts';
import { editedContractResolvers } from './edited-contracts.ts';
import { imageResolvers } from './images.ts';
import { lineResolvers } from './lines.ts';
import { metafieldResolvers } from './metafields.ts';
import { nodeResolvers } from './nodes.ts';
import { orderResolvers } from './orders.ts';
import { paymentMethodChangeResolvers } from './payment-method-changes.ts';
import { paymentMethodResolvers } from './payment-methods.ts';
import { productResolvers } from './products.ts';
import { sellingPlanChangeResolvers } from './selling-plan-changes.ts';
import { sellingPlanResourceResolvers } from './selling-plan-resources.ts';
import { sellingPlanResolvers } from './selling-plans.ts';
import { shopResolvers } from './shop.ts';
import { storefrontTokenResolvers } from './storefront-tokens.ts';
import { variantResolvers } from './variants.ts';

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
