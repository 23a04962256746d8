/**
 * The permissions of an admin key. The schema's directive `@scope` lists the scopes that each root field requires.
 */

export const keyScopes = ['READ', 'WRITE', 'WEBHOOKS'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The scopes of a key that is issued without any, or was issued before scopes existed. */
export const DEFAULT_SCOPES: readonly KeyScope[] = ['READ', 'WRITE'];

/** Returns the known scopes among these texts, without duplicates, in order. */
export function toScopes(texts: readonly string[]): readonly KeyScope[] {
  return keyScopes.filter((scope) => texts.includes(scope));
}
