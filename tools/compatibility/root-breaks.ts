/** Finds breaking changes of root fields that the schema does not show. */

export type RootRequirements = {
  /** The scopes that an admin key must have to use the root field. */
  readonly scopes: readonly string[];
  /** Whether a key has to act for a customer. */
  readonly needsCustomer: boolean;
  /** Whether a mutation accepts an idempotency key (`@idempotent`). */
  readonly takesKey: boolean;
};
/** Keyed by coordinate, as in `Mutation.subscriptionContractPause`. */
export type RequirementsByRoot = Readonly<Record<string, RootRequirements>>;

/**
 * Returns one sentence for each root with stricter requirements. A removed root is reported by the schema comparison.
 */
export function findRootBreaks(before: RequirementsByRoot, after: RequirementsByRoot): string[] {
  return Object.entries(before).flatMap(([root, rootBefore]) => {
    const rootAfter = after[root];
    if (rootAfter === undefined) return [];
    return [
      ...rootAfter.scopes
        .filter((scope) => !rootBefore.scopes.includes(scope))
        .map((scope) => `${root} needs the scope ${scope}.`),
      ...(rootAfter.needsCustomer && !rootBefore.needsCustomer
        ? [`${root} needs a customer to act for.`]
        : []),
      ...(rootBefore.takesKey && !rootAfter.takesKey ? [`${root} takes no @idempotent any more.`] : []),
    ];
  });
}
