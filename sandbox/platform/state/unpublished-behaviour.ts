/** Cases in which the real platform's behaviour is undocumented, so a store supports each possible behaviour. */

/** The possible behaviours of each case; the seed uses the first one. */
export const UNPUBLISHED_BEHAVIOURS = {
  /** An Origin header at the token endpoint of customers' sign-in. */
  origin: ['refused', 'taken', 'needed'],
  /** The discovery documents below the myshopify.com domain; `moved`: a redirect to the domain of the store's pages. */
  discovery: ['served', 'moved'],
  /** A second attempt to bill a cycle while one is open. */
  openAttempts: ['one', 'several'],
  /** Two attempts of an order were open, and one has paid it: the other fails (`one`), or charges again (`several`). */
  paymentsPerOrder: ['one', 'several'],
  /** A code that a later API version has added, in the states and fields of an attempt. */
  laterCodes: ['shown', 'unexpected'],
  /** A request with a known idempotency key while the platform refuses charges: its attempt, or the refusal. */
  refusedKeys: ['answered', 'refused'],
  /** How long a billing attempt's idempotency key is remembered. */
  keysRemembered: ['day', 'hour', 'forever'],
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
  /** The filter `completed_at` of billing attempts, which is not documented; an ignored filter matches everything. */
  completedAtFilter: ['known', 'ignored'],
  /** The results of a bulk job that does not exist any more. */
  lostJobs: ['empty', 'refused'],
  /** How far ahead an order can be edited. */
  editReach: ['year', 'none'],
  /** The second cycle of a new schedule with several anchors: it ends at the next anchor, or it is empty. */
  severalAnchors: ['alternate', 'emptyCycle'],
  /** The cycle of an attempt without a selector: the one at its origin time, or always the current one. */
  attemptsWithoutIndex: ['originTime', 'now'],
  /** An attempt without a selector more than a day before the order of its cycle is due. */
  earlyWithoutIndex: ['refused', 'charged'],
  /** A charge of an order whose lines an order of another contract contains. */
  concatenatedOrders: ['charged', 'refused'],
  /** Skipped orders among the results of a bulk search. */
  skippedInSearch: ['listed', 'omitted'],
  /** Which cycles a bulk search lists: those that matched when it ran, or those that match when they are read. */
  searchResults: ['atSearch', 'atRead'],
} as const;

type UnpublishedBehaviours = typeof UNPUBLISHED_BEHAVIOURS;
export type BehaviourSettings = {
  -readonly [Name in keyof UnpublishedBehaviours]: UnpublishedBehaviours[Name][number];
};

/** Returns the behaviours of the seed. */
export function createDefaultBehaviour(): BehaviourSettings {
  const defaultEntries = Object.entries(UNPUBLISHED_BEHAVIOURS).map(([name, [firstBehaviour]]) => [
    name,
    firstBehaviour,
  ]);
  return Object.fromEntries(defaultEntries) as BehaviourSettings;
}

/** Returns the store's behaviour. Data of an earlier version does not have the field. */
export function behaviourOfStore<Name extends keyof UnpublishedBehaviours>(
  { unpublished }: { readonly unpublished?: Partial<BehaviourSettings> },
  name: Name,
): BehaviourSettings[Name] {
  return unpublished?.[name] ?? createDefaultBehaviour()[name];
}
