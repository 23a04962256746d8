/** What the real platform does in these cases is published nowhere, so a store does it in either way. */

/** The ways of each unpublished behaviour by its name, that of the seed first. */
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
  /** Making a storefront token, where the app's access to the Storefront API is not enabled. */
  storefrontTokens: ['made', 'denied'],
  /** The token that client credentials were given before, once they are given another. */
  dayTokens: ['kept', 'void'],
  /** How the Admin API charges `nodes(ids:)`: for each id, or once. */
  nodesCost: ['each', 'once'],
} as const;

type Ways = typeof unpublishedWays;
export type Unpublished = { -readonly [Name in keyof Ways]: Ways[Name][number] };

/** The seed's. */
export function firstWays(): Unpublished {
  const entries = Object.entries(unpublishedWays).map(([name, [first]]) => [name, first]);
  return Object.fromEntries(entries) as Unpublished;
}

/** How the store does it. Kept data of an earlier start does not have the field. */
export function wayOf<Name extends keyof Ways>(
  { unpublished }: { readonly unpublished?: Partial<Unpublished> },
  name: Name,
): Unpublished[Name] {
  return unpublished?.[name] ?? firstWays()[name];
}
