/**
 * The platform points that a change usually costs, with all its requests. They are reserved from the customer's quota
 * before the change starts, so that concurrent changes spend little more than they reserved. The unused rest is
 * refunded.
 */

const CHANGE_POINTS = 60;
/** The changes that cost more. */
const EXPENSIVE_CHANGES: Readonly<Record<string, number>> = { subscriptionContractIntervalUpdate: 300 };

/** Returns the points of a document with these mutations. */
export function expectedPointsOf(mutations: readonly string[]): number {
  return Math.max(...mutations.map((name) => EXPENSIVE_CHANGES[name] ?? CHANGE_POINTS));
}
