/** The scopes of admin keys. The schema's directive `@scope` lists the scopes that a root field requires. */

export const keyScopes = ['READ', 'WRITE', 'WEBHOOKS', 'BILLING'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The scopes of a key without any in its record, such as keys from before scopes existed. */
export const DEFAULT_SCOPES: readonly KeyScope[] = ['READ', 'WRITE'];

/** Returns the known scopes among these texts, without duplicates, in the order of `keyScopes`. */
export function parseKnownScopes(texts: readonly string[]): readonly KeyScope[] {
  return keyScopes.filter((scope) => texts.includes(scope));
}
