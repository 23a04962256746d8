/** What an admin key may do. The directive `@scope` of the schema says which scopes each root needs. */

export const keyScopes = ['READ', 'WRITE', 'WEBHOOKS'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The scopes of a key from before there were any. */
export const DEFAULT_SCOPES: readonly KeyScope[] = ['READ', 'WRITE'];
