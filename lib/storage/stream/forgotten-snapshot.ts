/**
 * What is left of a contract's recorded state when its customer is erased: that the contract was observed, so that it is not
 * reported as created, and no fact.
 */

/** In the place of what was recorded. */
export const NOTHING_RECORDED = {
  ...{ v: 2, isForgotten: true, isKnown: true, isComplete: false, facts: {}, unknown: [] },
  ...{ cycles: {}, areCyclesKnown: false, observedFromMs: 0, observedUntilMs: 0, ownEndedAtMs: 0 },
  ...{ updatedAtMs: 0, revisionId: '', uncertain: [] },
} as const;

/** What is removed. */
export const OF_A_PERSON = [
  'customerId',
  'namesSinceMs',
  'paymentMethod',
  'upcomingTold',
  'expiringTold',
  'batch',
  'telling',
] as const;
