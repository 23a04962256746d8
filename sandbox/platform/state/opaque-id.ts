/** Ids that look random and are not: the same store and the same order of calls give the same ids. */
import { createHash } from 'node:crypto';
import type { StoreState } from './state.ts';

/** Next free number of a store. */
export function takeNextId(store: StoreState): number {
  store.nextId += 1;
  return store.nextId;
}

/** A hash in hex, 32 digits. */
export function hashId(seed: string): string {
  return createHash('sha256').update(seed).digest('hex').slice(0, 32);
}

/** A version 4 shaped UUID. */
export function deriveUuid(seed: string): string {
  const hex = hashId(seed);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
