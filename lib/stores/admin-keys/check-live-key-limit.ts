/**
 * A store has at most five live keys, including unclaimed ones with a valid link. A key and its successor count as
 * one, so that keys can be rotated with five keys, too; including all successors there are never more than ten.
 */

import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { type AdminKeyRecord, isClaimable, whyNotLive } from '../../storage/admin-key-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';

const MAX_LIVE_KEYS = 5;

/** `unclaimed`: keys whose link is not opened yet; revoking them makes room. */
export class TooManyLiveKeys extends StoreChangeRefused {
  readonly unclaimed: readonly AdminKeyRecord[];

  constructor(unclaimed: readonly AdminKeyRecord[]) {
    const offer =
      unclaimed.length === 0
        ? 'Revoke one of them first.'
        : `Revoke one of them first, or void the ${unclaimed.length} that nobody has claimed.`;
    super(`The store has ${MAX_LIVE_KEYS} live keys, the most it can have. ${offer}`);
    this.name = 'TooManyLiveKeys';
    this.unclaimed = unclaimed;
  }
}

/**
 * Checks the limit after a change that adds the last of `keys`.
 * @throws TooManyLiveKeys when there are more than five
 * @throws StoreChangeRefused when more than ten would be valid: keys are rotated faster than their overlaps end
 */
export function checkLiveKeyLimit(keys: readonly AdminKeyRecord[], store: StoreRecord, nowMs: number): void {
  const unclaimed = keys.filter((record) => isClaimable(record, store, nowMs));
  const live = keys.filter((record) => whyNotLive(record, store, nowMs) === undefined);
  const counted = [...live, ...unclaimed];
  const ids = new Set(counted.map(({ id }) => id));
  const withoutSuccessor = counted.filter(
    ({ replacedBy }) => replacedBy === undefined || !ids.has(replacedBy),
  );
  // The last one is the new key itself: revoking it would make no room.
  if (withoutSuccessor.length > MAX_LIVE_KEYS) throw new TooManyLiveKeys(unclaimed.slice(0, -1));
  if (counted.length > 2 * MAX_LIVE_KEYS)
    throw new StoreChangeRefused(
      'Too many replaced keys still work. Wait until their time is over, or revoke one of them.',
    );
}
