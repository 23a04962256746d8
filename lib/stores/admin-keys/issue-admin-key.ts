/** Issues an admin key: its hash into the store's secret, the key itself, sealed, behind a one-time link. */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { isClaimable } from '../../storage/admin-key-record.ts';
import { checkLiveKeyLimit } from './check-live-key-limit.ts';
import {
  type IssuedKey,
  type NewKeyDeps,
  type NewKeyFacts,
  putKeyBehindLink,
} from './put-key-behind-link.ts';

type IssueKeyDeps = NewKeyDeps;
export type IssueKeyRequest = NewKeyFacts & {
  readonly shopId: ShopId;
  /** True: the same change revokes the keys that nobody has claimed. */
  readonly voidUnclaimed?: boolean;
};
export type { IssuedKey };

/**
 * A new admin key of a store and the one-time link to it; the key works once the link is opened.
 * SHOP_NOT_INSTALLED if the store is not installed; TooManyLiveKeys if it has five live keys already.
 */
export function issueAdminKey(deps: IssueKeyDeps, request: IssueKeyRequest): Promise<IssuedKey> {
  const { shopId, voidUnclaimed = false, ...facts } = request;
  return putKeyBehindLink(deps, { shopId, facts }, (record) => (keys, store) => {
    if (store.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
    const nowMs = deps.now();
    const others = keys.map((other) =>
      voidUnclaimed && isClaimable(other, store, nowMs)
        ? { ...other, state: 'revoked' as const, revokedAt: nowMs }
        : other,
    );
    const all = [...others, record];
    checkLiveKeyLimit(all, store, nowMs);
    return all;
  });
}
