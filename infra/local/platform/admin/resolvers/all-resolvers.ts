/** All areas' resolvers in one map: type name → field name → function. */
import type { ResolverMap } from '../context.ts';
import { addressResolvers } from './addresses.ts';
import { billingAttemptResolvers } from './billing-attempts.ts';
import { billingCycleResolvers } from './billing-cycles.ts';
import { contractResolvers } from './contracts.ts';
import { customerResolvers } from './customers.ts';
import { cycleEditResolvers } from './cycle-edits.ts';
import { discountResolvers } from './discounts.ts';
import { imageResolvers } from './images.ts';
import { lineResolvers } from './lines.ts';
import { nodeResolvers } from './nodes.ts';
import { orderResolvers } from './orders.ts';
import { paymentMethodResolvers } from './payment-methods.ts';

const areas: ResolverMap[] = [
  addressResolvers,
  billingAttemptResolvers,
  billingCycleResolvers,
  contractResolvers,
  customerResolvers,
  cycleEditResolvers,
  discountResolvers,
  imageResolvers,
  lineResolvers,
  nodeResolvers,
  orderResolvers,
  paymentMethodResolvers,
];

/** Merged by type, so that one area can add a field to another's type. */
export const resolvers: ResolverMap = areas.reduce<ResolverMap>((merged, area) => {
  for (const [type, fields] of Object.entries(area)) merged[type] = { ...merged[type], ...fields };
  return merged;
}, {});
