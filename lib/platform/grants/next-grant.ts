/** Builds the next grant from the previous one and the platform's response. */

import { findMissingScopes } from './granted-scopes.ts';
import { findGrantRenewalKind, type GrantRenewalKind, type PlatformGrant } from './platform-grant.ts';
import type { IssuedToken } from './request-access-token.ts';

/** The lifetime that the platform documents, for tokens without an expiry. */
const USUAL_GRANT_LIFETIME_SECONDS: Readonly<Record<GrantRenewalKind, number>> = {
  refresh_token: 3_600,
  client_credentials: 86_399,
};

/** Returns the next grant. `lostScopes` are the scopes of the previous grant that the next one does not have. */
export function toNextGrant(
  grant: PlatformGrant,
  { accessToken, scopes, expiresAt, refreshToken }: IssuedToken,
  requestedAtMs: number,
): { readonly nextGrant: PlatformGrant; readonly lostScopes: readonly string[] } {
  const renewalKind = findGrantRenewalKind(grant) ?? 'refresh_token';
  const usualExpiresAt = new Date(
    requestedAtMs + USUAL_GRANT_LIFETIME_SECONDS[renewalKind] * 1000,
  ).toISOString();
  const nextGrant: PlatformGrant = {
    ...grant,
    accessToken,
    expiresAt: expiresAt ?? usualExpiresAt,
    ...(renewalKind === 'refresh_token' && refreshToken !== undefined && { refreshToken }),
    ...(scopes.length > 0 && { scopes }),
  };
  return {
    nextGrant,
    lostScopes: scopes.length > 0 ? findMissingScopes(grant.scopes, scopes) : [],
  };
}
