/** The content of a store's secret `admin-keys`, and the rules for when a key is valid. */

import * as z from 'zod/mini';
import { DEFAULT_SCOPES, type KeyScope, parseKnownScopes } from '../domain/key-scope.ts';
import type { Network } from '../domain/network.ts';
import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { StoreRecord } from './stores.ts';

const adminKeyRecordSchema = z.object({
  id: z.string(),
  /** SHA-256 hash of the key, base64url. */
  hash: z.string(),
  label: z.string(),
  intendedUse: z.string(),
  state: z.enum(['active', 'revoked']),
  /** All times of a record are epoch milliseconds. */
  notAfter: z.optional(z.number()),
  createdAt: z.number(),
  createdBy: z.string(),
  revokedAt: z.optional(z.number()),
  replacedBy: z.optional(z.string()),
  /** For how many seconds the key stays valid after its successor was claimed. */
  overlapSeconds: z.optional(z.number()),
  /** The key's scopes. READ and WRITE by default. Unknown scopes have no effect. */
  scopes: z.optional(z.array(z.string())),
  /** The networks (CIDR) that may use the key. Any by default. */
  networks: z.optional(z.array(z.string())),
});
/**
 * Keys with scopes or networks are stored in the field `limitedKeys`. Earlier versions of the code do not know the
 * field, so they refuse these keys; in `keys` they would accept them without the limits. Such code may still run during
 * a deployment or at an operator.
 */
const adminKeysSecretSchema = z.object({
  keys: z.array(adminKeyRecordSchema),
  limitedKeys: z.optional(z.array(adminKeyRecordSchema)),
});

export type AdminKeyRecord = z.infer<typeof adminKeyRecordSchema> & { readonly id: AdminKeyId | string };
/** The content of the secret as it is stored. */
export type AdminKeysSecret = {
  readonly keys: readonly AdminKeyRecord[];
  readonly limitedKeys?: readonly AdminKeyRecord[];
};

/** For how long a one-time link can be opened, and its key claimed. */
export const ONE_TIME_LINK_LIFETIME_MS = 72 * 3600 * 1000;

/**
 * Returns all keys of the secret.
 * @throws TEMPORARILY_UNAVAILABLE when the content is malformed
 */
export function parseAdminKeys(json: unknown): { readonly keys: readonly AdminKeyRecord[] } {
  const parseResult = adminKeysSecretSchema.safeParse(json);
  if (parseResult.success)
    return { keys: [...parseResult.data.keys, ...(parseResult.data.limitedKeys ?? [])] };
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'the admin-keys secret is malformed' });
}

/**
 * Returns the content of the secret for these keys. Keys with scopes or networks go into `limitedKeys`, because earlier
 * versions would accept them in `keys` without the limits.
 */
export function toAdminKeysSecret(keys: readonly AdminKeyRecord[]): AdminKeysSecret {
  const isLimited = ({ scopes, networks }: AdminKeyRecord) => scopes !== undefined || networks !== undefined;
  const limitedKeys = keys.filter(isLimited);
  return { keys: keys.filter((key) => !isLimited(key)), ...(limitedKeys.length > 0 && { limitedKeys }) };
}

/** Returns the scopes of a key. */
export function adminKeyScopes({
  scopes,
}: {
  readonly scopes?: readonly string[] | undefined;
}): readonly KeyScope[] {
  return scopes === undefined ? DEFAULT_SCOPES : parseKnownScopes(scopes);
}

/**
 * Returns the networks that may use a key.
 * @returns undefined when any network may
 */
export function adminKeyNetworks({
  networks,
}: Pick<AdminKeyRecord, 'networks'>): readonly Network[] | undefined {
  return networks as readonly Network[] | undefined;
}

/**
 * Returns why a key is not valid now. `nowMs` is in epoch milliseconds.
 * @returns undefined when it is valid
 */
export function findAdminKeyProblem(
  record: AdminKeyRecord,
  store: StoreRecord,
  nowMs: number,
): string | undefined {
  if (isAdminKeyRevoked(record, store)) return 'The key has been revoked.';
  if (record.createdAt < store.installedAtMs)
    return 'The key was issued before the store was installed again.';
  if (store.keyClaims[record.id] === undefined) return 'The key has not been claimed yet.';
  const expiresAtMs = adminKeyExpiresAtMs(record, store);
  if (expiresAtMs === undefined || nowMs < expiresAtMs) return undefined;
  return record.replacedBy !== undefined && expiresAtMs !== record.notAfter
    ? 'The key was replaced by another one, and its time beside that one is over.'
    : 'The key has expired.';
}

/** Whether the key was revoked, by an operator or by a request with the key itself. */
export function isAdminKeyRevoked(
  { id, state }: AdminKeyRecord,
  { keyRevocations = {} }: StoreRecord,
): boolean {
  return state === 'revoked' || keyRevocations[id] !== undefined;
}

/** Whether the one-time link of a key can still be opened. */
export function isAdminKeyClaimable(record: AdminKeyRecord, store: StoreRecord, nowMs: number): boolean {
  return (
    !isAdminKeyRevoked(record, store) &&
    store.status === 'installed' &&
    record.createdAt >= store.installedAtMs &&
    store.keyClaims[record.id] === undefined &&
    nowMs < record.createdAt + ONE_TIME_LINK_LIFETIME_MS &&
    (record.notAfter === undefined || nowMs < record.notAfter)
  );
}

/**
 * Returns when a key expires (epoch milliseconds): at its own end, or at the end of the overlap with a claimed
 * successor, whichever is earlier.
 * @returns undefined when it does not expire
 */
export function adminKeyExpiresAtMs(
  { notAfter, replacedBy, overlapSeconds }: AdminKeyRecord,
  store: StoreRecord,
): number | undefined {
  const claimedAtMs = replacedBy === undefined ? undefined : store.keyClaims[replacedBy];
  if (claimedAtMs === undefined) return notAfter;
  const overlapEndsAtMs = claimedAtMs + (overlapSeconds ?? 0) * 1000;
  return notAfter === undefined ? overlapEndsAtMs : Math.min(notAfter, overlapEndsAtMs);
}
