/**
 * Remembers `Authorization` headers whose token had a good MAC: an app sends the same one with every request. Nothing
 * but the MAC is believed again, and only while the very key object that it was checked with is in use.
 */
import { createRecentlyUsed } from '../domain/recently-used.ts';
import type { AccessToken } from '../domain/tokens/access-token.ts';
import type { RingKey } from './key-ring.ts';

type Verified = { readonly key: RingKey; readonly token: AccessToken };

const MAX_TOKENS = 1_000;
const verified = createRecentlyUsed<string, Verified>(MAX_TOKENS);

/** The key that a header's token was found good with, and what the token says; undefined: the header is not known. */
export function recallToken(header: string): Verified | undefined {
  return verified.get(header);
}

/** Notes that the MAC of a header's token is good under this key. */
export function rememberToken(header: string, key: RingKey, token: AccessToken): void {
  verified.set(header, { key, token });
}
