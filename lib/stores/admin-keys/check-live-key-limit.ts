/**
 * Limits a store to five live keys, including unclaimed ones with a valid link. A key and its successor count as one,
 * so that keys can be rotated when there are five. Including successors, at most ten keys are valid.
 */

import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import {
  type AdminKeyRecord,
  findAdminKeyProblem,
  isAdminKeyClaimable,
} from '../../storage/admin-key-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';

const MAX_LIVE_KEYS = 5;

/**
 * The store has five live keys. `unclaimedKeys` are those whose link was not opened yet; an operator can revoke them to
 * make room.
 */
export class TooManyLiveKeys extends StoreChangeRefused {
  readonly unclaimedKeys: readonly AdminKeyRecord[];

  constructor(unclaimedKeys: readonly AdminKeyRecord[]) {
    const adviceText =
      unclaimedKeys.length === 0
        ? 'Revoke one of them first.'
        : `Revoke one of them first, or void the ${unclaimedKeys.length} that nobody has claimed.`;
    super(`The store has ${MAX_LIVE_KEYS} live keys, the most it can have. ${adviceText}`);
    this.name = 'TooManyLiveKeys';
    this.unclaimedKeys = unclaimedKeys;
  }
}

/**
 * Checks the limit. The last of `keys` is the new key.
 * @throws TooManyLiveKeys when there are more than five live keys
 * @throws StoreChangeRefused when more than ten keys would be valid, because keys are rotated faster than their
 * overlaps end
 */
export function checkLiveKeyLimit(keys: readonly AdminKeyRecord[], store: StoreRecord, nowMs: number): void {
  const unclaimedKeys = keys.filter((record) => isAdminKeyClaimable(record, store, nowMs));
  const liveKeys = keys.filter((record) => findAdminKeyProblem(record, store, nowMs) === undefined);
  const countedKeys = [...liveKeys, ...unclaimedKeys];
  const ids = new Set(countedKeys.map(({ id }) => id));
  const keysWithoutSuccessor = countedKeys.filter(
    ({ replacedBy }) => replacedBy === undefined || !ids.has(replacedBy),
  );
  // Do not offer to revoke the last key: it is the new one.
  if (keysWithoutSuccessor.length > MAX_LIVE_KEYS) throw new TooManyLiveKeys(unclaimedKeys.slice(0, -1));
  if (countedKeys.length > 2 * MAX_LIVE_KEYS)
    throw new StoreChangeRefused(
      'Too many replaced keys still work. Wait until their time is over, or revoke one of them.',
    );
}
