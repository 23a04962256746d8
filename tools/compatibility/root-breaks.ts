/** What no schema says of a root field, and clients rely on all the same. */

export type RootTerms = {
  /** The scopes that a key must have. */
  readonly scopes: readonly string[];
  /** Whether a key has to act for a customer. */
  readonly needsCustomer: boolean;
  /** Whether a change takes a key for its repeats (`@idempotent`). */
  readonly takesKey: boolean;
};
/** By coordinate, as in `Mutation.subscriptionContractPause`. */
export type Roots = Readonly<Record<string, RootTerms>>;

/** One sentence for each root that asks for more than it did. One that is gone is told by the schema. */
export function rootBreaks(before: Roots, after: Roots): string[] {
  return Object.entries(before).flatMap(([root, old]) => {
    const now = after[root];
    if (now === undefined) return [];
    return [
      ...now.scopes
        .filter((scope) => !old.scopes.includes(scope))
        .map((scope) => `${root} needs the scope ${scope}.`),
      ...(now.needsCustomer && !old.needsCustomer ? [`${root} needs a customer to act for.`] : []),
      ...(old.takesKey && !now.takesKey ? [`${root} takes no @idempotent any more.`] : []),
    ];
  });
}
