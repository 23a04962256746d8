/**
 * What is left of a snapshot when its contract's customer is erased: that the contract was looked at, so that it is not
 * told as new, and nothing that is known of it. Both the erasure and the worker of store events leave it so.
 */

/** In the place of what was known. */
export const NOTHING_KNOWN = {
  isForgotten: true,
  revisionId: '',
  facts: {},
  untold: [],
  cycles: {},
  cyclesUntil: 0,
} as const;

/** What is not there any more. */
export const OF_A_PERSON = [
  'customerId',
  'namesSinceMs',
  'paymentMethod',
  'upcomingTold',
  'expiringTold',
] as const;
