/** The steps, in the order in which they are played: what reads alone first, what charges last. */
import type { Step } from './step.ts';
import { apiVersion } from './steps/api-version.ts';
import { appSecret } from './steps/app-secret.ts';
import { cycleRange } from './steps/cycle-range.ts';
import { discovery } from './steps/discovery.ts';
import { emptyDiscount } from './steps/empty-discount.ts';
import { nodesCost } from './steps/nodes-cost.ts';
import { oldOrders } from './steps/old-orders.ts';
import { origin } from './steps/origin.ts';
import { pickupLocations } from './steps/pickup-locations.ts';
import { prepaidPrice } from './steps/prepaid-price.ts';
import { rhythm } from './steps/rhythm.ts';
import { storefrontToken } from './steps/storefront-token.ts';
import { sub } from './steps/sub.ts';
import { twoAttempts } from './steps/two-attempts.ts';

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
