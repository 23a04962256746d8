/** Cases in which the real platform's behaviour is undocumented, so a store supports each possible behaviour. */

/** The possible behaviours of each case; the seed uses the first one. */
export const unpublishedWays = {
  /** An Origin header at the token endpoint of customers' sign-in. */
  origin: ['refused', 'taken', 'needed'],
  /** The discovery documents below the myshopify.com domain; `moved`: a redirect to the domain of the store's pages. */
  discovery: ['served', 'moved'],
  /** A second attempt to bill a cycle while one is open. */
  openAttempts: ['one', 'several'],
  /** A commit that leaves a manual discount without a line. */
  emptyDiscounts: ['refused', 'kept'],
  /** A range of billing cycles that is longer than ten years. */
  longRanges: ['answered', 'refused'],
  /** Creation of a storefront token, when the app's access to the Storefront API is not enabled. */
  storefrontTokens: ['made', 'denied'],
  /** The earlier token of client credentials, after a new one is issued. */
  dayTokens: ['kept', 'void'],
  /** The cost of `nodes(ids:)` in the Admin API: for each id, or once. */
  nodesCost: ['each', 'once'],
  /** The bounds within which an order can be moved: the instants of its cycle, or the days of these in the store's zone. */
  cycleBounds: ['instant', 'day'],
  /** The date of a moved order that is skipped. */
  skippedDates: ['kept', 'dropped'],
  /** The cycles after a commit that sets the billing policy that the contract has. */
  samePolicyCommit: ['keeps', 'recounts'],
  /** How far ahead an order can be edited. */
  editReach: ['year', 'none'],
} as const;

type UnpublishedWays = typeof unpublishedWays;
export type Unpublished = { -readonly [Name in keyof UnpublishedWays]: UnpublishedWays[Name][number] };

/** Returns the behaviours of the seed. */
export function firstWays(): Unpublished {
  const entries = Object.entries(unpublishedWays).map(([name, [first]]) => [name, first]);
  return Object.fromEntries(entries) as Unpublished;
}

/** Returns the store's behaviour. Data of an earlier version does not have the field. */
export function wayOf<Name extends keyof UnpublishedWays>(
  { unpublished }: { readonly unpublished?: Partial<Unpublished> },
  name: Name,
): Unpublished[Name] {
  return unpublished?.[name] ?? firstWays()[name];
}
