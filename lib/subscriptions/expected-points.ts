/**
 * What a change costs at the platform with all that is asked for it, most of the time. It is claimed of the customer's
 * share before the change begins, so that several at once spend little more than they claimed; the rest is given back.
 */

const CHANGE_POINTS = 60;
/** The changes that cost more. */
const DEAR_CHANGES: Readonly<Record<string, number>> = { subscriptionContractIntervalUpdate: 300 };

/** The points of a document with these mutations. */
export function expectedPointsOf(mutations: readonly string[]): number {
  return Math.max(...mutations.map((name) => DEAR_CHANGES[name] ?? CHANGE_POINTS));
}
