/** What an admin key may do. The directive `@scope` of the schema says which scopes each root needs. */

export const keyScopes = ['READ', 'WRITE', 'WEBHOOKS'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The scopes of a key from before there were any, and of one that is issued without a word on them. */
export const DEFAULT_SCOPES: readonly KeyScope[] = ['READ', 'WRITE'];

/** The scopes among these texts, each once, in their order. */
export function toScopes(texts: readonly string[]): readonly KeyScope[] {
  return keyScopes.filter((scope) => texts.includes(scope));
}
