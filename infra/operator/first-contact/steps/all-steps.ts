/** The steps, in the order in which they are played: what reads alone first, what charges last. */
import type { Step } from '../step.ts';
import { apiVersion } from './api-version.ts';
import { appSecret } from './app-secret.ts';
import { cycleRange } from './cycle-range.ts';
import { discovery } from './discovery.ts';
import { emptyDiscount } from './empty-discount.ts';
import { nodesCost } from './nodes-cost.ts';
import { oldOrders } from './old-orders.ts';
import { origin } from './origin.ts';
import { pickupLocations } from './pickup-locations.ts';
import { prepaidPrice } from './prepaid-price.ts';
import { rhythm } from './rhythm.ts';
import { storefrontToken } from './storefront-token.ts';
import { sub } from './sub.ts';
import { twoAttempts } from './two-attempts.ts';

export const allSteps: readonly Step[] = [
  apiVersion,
  discovery,
  origin,
  appSecret,
  nodesCost,
  oldOrders,
  cycleRange,
  prepaidPrice,
  sub,
  storefrontToken,
  pickupLocations,
  emptyDiscount,
  rhythm,
  twoAttempts,
];
