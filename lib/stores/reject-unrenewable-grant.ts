import { StoreChangeRefused } from '../errors/store-change-refused.ts';
import { findGrantRenewalKind, type PlatformGrant } from '../platform/grants/platform-grant.ts';

/**
 * Returns the grant if it does not expire or can be renewed.
 * @throws StoreChangeRefused when the grant expires and cannot be renewed, because the store would be disconnected then
 */
export function rejectUnrenewableGrant(grant: PlatformGrant): PlatformGrant {
  if (grant.expiresAt === undefined || findGrantRenewalKind(grant) !== undefined) return grant;
  throw new StoreChangeRefused(
    `This access token ends at ${grant.expiresAt}, and there is nothing to renew it with: neither refresh token nor ` +
      'client credentials, each with client id and client secret of the app. Nothing was changed.',
    'INPUT',
  );
}
