/** Issues an admin key: stores its hash in the store's secret, and the sealed key in a one-time link. */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { isAdminKeyClaimable } from '../../storage/admin-key-record.ts';
import { checkLiveKeyLimit } from './check-live-key-limit.ts';
import {
  createAdminKeyWithLink,
  type IssuedAdminKey,
  type NewAdminKeyDeps,
  type NewAdminKeyProperties,
} from './create-admin-key-with-link.ts';

type IssueKeyDeps = NewAdminKeyDeps;
export type IssueKeyRequest = NewAdminKeyProperties & {
  readonly shopId: ShopId;
  /** Whether to revoke all unclaimed keys in the same change. */
  readonly revokesUnclaimedKeys?: boolean;
};
export type { IssuedAdminKey };

/**
 * Creates an admin key and its one-time link. The key becomes live when the link is opened.
 * @throws SHOP_NOT_INSTALLED when the store is not installed
 * @throws TooManyLiveKeys when the store has five live keys
 */
export function issueAdminKey(deps: IssueKeyDeps, request: IssueKeyRequest): Promise<IssuedAdminKey> {
  const { shopId, revokesUnclaimedKeys = false, ...properties } = request;
  return createAdminKeyWithLink(deps, { shopId, properties }, (record) => (keys, store) => {
    if (store.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
    const nowMs = deps.now();
    const otherKeys = keys.map((existingKey) =>
      revokesUnclaimedKeys && isAdminKeyClaimable(existingKey, store, nowMs)
        ? { ...existingKey, state: 'revoked' as const, revokedAt: nowMs }
        : existingKey,
    );
    const newKeyList = [...otherKeys, record];
    checkLiveKeyLimit(newKeyList, store, nowMs);
    return newKeyList;
  });
}
