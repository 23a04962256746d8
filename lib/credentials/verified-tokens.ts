/**
 * Remembers access tokens whose MAC was good: an app sends the same one with every request. Nothing but the MAC is
 * believed again, and only while the very key object that it was checked with is in use.
 */
import { LRUCache } from 'lru-cache';
import type { AccessToken } from '../domain/access-token.ts';
import type { RingKey } from './key-ring.ts';

type Verified = { readonly key: RingKey; readonly token: AccessToken };

const MAX_TOKENS = 1_000;
const verified = new LRUCache<string, Verified>({ max: MAX_TOKENS });

/** The key that a token was found good with, and what it says; undefined: not known. */
export function recallToken(text: string): Verified | undefined {
  return verified.get(text);
}

/** Notes that the MAC of `text` is good under this key. */
export function rememberToken(text: string, key: RingKey, token: AccessToken): void {
  verified.set(text, { key, token });
}
