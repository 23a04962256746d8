/** The content of a store's `admin-keys` secret, and the lifetime of its keys. */

import * as z from 'zod/mini';
import { DEFAULT_SCOPES, type KeyScope, toScopes } from '../domain/key-scope.ts';
import type { Network } from '../domain/network.ts';
import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { StoreRecord } from './stores.ts';

const recordSchema = z.object({
  id: z.string(),
  /** SHA-256 of the key, base64url. */
  hash: z.string(),
  label: z.string(),
  intendedUse: z.string(),
  state: z.enum(['active', 'revoked']),
  /** All times are epoch milliseconds. */
  notAfter: z.optional(z.number()),
  createdAt: z.number(),
  createdBy: z.string(),
  revokedAt: z.optional(z.number()),
  replacedBy: z.optional(z.string()),
  /** How long the key remains valid after its successor is claimed. */
  overlapSeconds: z.optional(z.number()),
  /** The key's permissions; READ and WRITE by default. Unknown scopes are ignored. */
  scopes: z.optional(z.array(z.string())),
  /** The networks that may use the key; any by default. */
  networks: z.optional(z.array(z.string())),
});
/**
 * Limited keys are stored in a separate field. Code from earlier versions does not know the field and refuses these
 * keys; otherwise it would treat them as keys without limits. A deployment's old version, or an old command line, may
 * still be in use.
 */
const secretSchema = z.object({
  keys: z.array(recordSchema),
  limitedKeys: z.optional(z.array(recordSchema)),
});

export type AdminKeyRecord = z.infer<typeof recordSchema> & { readonly id: AdminKeyId | string };
/** The content of the secret. */
export type AdminKeysSecret = {
  readonly keys: readonly AdminKeyRecord[];
  readonly limitedKeys?: readonly AdminKeyRecord[];
};

/** How long a one-time link, and an unclaimed key, can be claimed. */
export const LINK_LIFETIME_MS = 72 * 3600 * 1000;

/**
 * Parses all keys of the secret.
 * @throws TEMPORARILY_UNAVAILABLE when the content is malformed
 */
export function parseAdminKeys(json: unknown): { readonly keys: readonly AdminKeyRecord[] } {
  const parsed = secretSchema.safeParse(json);
  if (parsed.success) return { keys: [...parsed.data.keys, ...(parsed.data.limitedKeys ?? [])] };
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'the admin-keys secret is malformed' });
}

/** Builds the secret's content. */
export function toAdminKeysSecret(keys: readonly AdminKeyRecord[]): AdminKeysSecret {
  const isLimited = ({ scopes, networks }: AdminKeyRecord) => scopes !== undefined || networks !== undefined;
  const limitedKeys = keys.filter(isLimited);
  return { keys: keys.filter((key) => !isLimited(key)), ...(limitedKeys.length > 0 && { limitedKeys }) };
}

/** Returns what a key may do. */
export function scopesOf({
  scopes,
}: {
  readonly scopes?: readonly string[] | undefined;
}): readonly KeyScope[] {
  return scopes === undefined ? DEFAULT_SCOPES : toScopes(scopes);
}

/**
 * Returns the networks that may use a key.
 * @returns undefined when any network may
 */
export function networksOf({ networks }: Pick<AdminKeyRecord, 'networks'>): readonly Network[] | undefined {
  return networks as readonly Network[] | undefined;
}

/**
 * Returns why a key may not be used now. `nowMs`: epoch milliseconds.
 * @returns undefined when it is live
 */
export function whyNotLive(record: AdminKeyRecord, store: StoreRecord, nowMs: number): string | undefined {
  if (isRevoked(record, store)) return 'The key has been revoked.';
  if (record.createdAt < store.installedAtMs)
    return 'The key was issued before the store was installed again.';
  if (store.keyClaims[record.id] === undefined) return 'The key has not been claimed yet.';
  const endsAtMs = endOfKey(record, store);
  if (endsAtMs === undefined || nowMs < endsAtMs) return undefined;
  return record.replacedBy !== undefined && endsAtMs !== record.notAfter
    ? 'The key was replaced by another one, and its time beside that one is over.'
    : 'The key has expired.';
}

/** Whether a key was revoked, by an operator or by itself. */
export function isRevoked({ id, state }: AdminKeyRecord, { keyRevocations = {} }: StoreRecord): boolean {
  return state === 'revoked' || keyRevocations[id] !== undefined;
}

/** Whether the one-time link of a key can still be opened. */
export function isClaimable(record: AdminKeyRecord, store: StoreRecord, nowMs: number): boolean {
  return (
    !isRevoked(record, store) &&
    store.status === 'installed' &&
    record.createdAt >= store.installedAtMs &&
    store.keyClaims[record.id] === undefined &&
    nowMs < record.createdAt + LINK_LIFETIME_MS &&
    (record.notAfter === undefined || nowMs < record.notAfter)
  );
}

/**
 * Returns when a key ends: at its own time, or after its overlap from the successor's claim on, whichever is first.
 */
export function endOfKey(
  { notAfter, replacedBy, overlapSeconds }: AdminKeyRecord,
  store: StoreRecord,
): number | undefined {
  const claimedAtMs = replacedBy === undefined ? undefined : store.keyClaims[replacedBy];
  if (claimedAtMs === undefined) return notAfter;
  const overlapEndsAtMs = claimedAtMs + (overlapSeconds ?? 0) * 1000;
  return notAfter === undefined ? overlapEndsAtMs : Math.min(notAfter, overlapEndsAtMs);
}
