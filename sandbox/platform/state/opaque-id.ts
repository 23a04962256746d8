/** Creates ids that look random but are deterministic: the same store and order of calls give the same ids. */
import { createHash } from 'node:crypto';
import type { StoreState } from './state.ts';

/** Returns the next free number of a store. */
export function takeNextId(store: StoreState): number {
  store.nextId += 1;
  return store.nextId;
}

/** Returns a hash with 32 hexadecimal digits. */
export function hashId(seed: string): string {
  return createHash('sha256').update(seed).digest('hex').slice(0, 32);
}

/** Returns a UUID in the form of version 4. */
export function deriveUuid(seed: string): string {
  const hex = hashId(seed);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
