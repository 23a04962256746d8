import type { ShopId } from '../../domain/shop-id.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { type ChangeAdminKeysDeps, changeAdminKeys } from './change-admin-keys.ts';

/**
 * Revokes a key, so that it is refused from the next request on. If the key was not claimed, its link can no longer be
 * opened. Repeating the call changes nothing.
 * @throws StoreChangeRefused when the store has no such key
 */
export async function revokeAdminKey(
  deps: ChangeAdminKeysDeps,
  { shopId, keyId }: { readonly shopId: ShopId; readonly keyId: string },
): Promise<'revoked' | 'was revoked'> {
  let revocationOutcome: 'revoked' | 'was revoked' = 'was revoked';
  const nowMs = deps.now();
  await changeAdminKeys(deps, shopId, (keys) => {
    const keyRecord = keys.find(({ id }) => id === keyId);
    if (keyRecord === undefined)
      throw new StoreChangeRefused(
        `The store has no key ${keyId}. List its keys to see their ids.`,
        'ABSENT',
      );
    if (keyRecord.state === 'revoked') return undefined;
    revocationOutcome = 'revoked';
    return keys.map((key) => (key.id === keyId ? { ...key, state: 'revoked', revokedAt: nowMs } : key));
  });
  return revocationOutcome;
}
