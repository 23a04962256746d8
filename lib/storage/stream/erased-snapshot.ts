/**
 * The snapshot of a contract whose customer was erased: it shows that the contract was observed, so that it is not
 * reported as created, and has no facts.
 */

/** Replaces the recorded state. */
export const NOTHING_RECORDED = {
  ...{ v: 2, isForgotten: true, isKnown: true, isComplete: false, facts: {}, unknown: [] },
  ...{ cycles: {}, areCyclesKnown: false, observedFromMs: 0, observedUntilMs: 0, ownEndedAtMs: 0 },
  ...{ updatedAtMs: 0, revisionId: '', uncertain: [] },
} as const;

/** The attributes that are removed. */
export const OF_A_PERSON = [
  'customerId',
  'namesSinceMs',
  'paymentMethod',
  'upcomingTold',
  'expiringTold',
  'batch',
  'telling',
] as const;
