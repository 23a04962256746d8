/**
 * The snapshot of a contract whose customer was erased: it shows that the contract was observed, so that it is not
 * reported as created, and has no facts.
 */

/** No fact is recorded. */
export const NO_FACTS = { facts: {}, unknown: [], cycles: {}, areCyclesKnown: false } as const;

/** The recorded state of a contract before it is observed. */
export const NOTHING_OBSERVED = {
  ...{ ...NO_FACTS, isComplete: false, observedFromMs: 0, observedUntilMs: 0, ownEndedAtMs: 0 },
  ...{ updatedAtMs: 0, revisionId: '', uncertain: [] },
} as const;

/** Replaces the recorded state. */
export const NOTHING_RECORDED = { ...NOTHING_OBSERVED, v: 2, isForgotten: true, isKnown: true } as const;

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
