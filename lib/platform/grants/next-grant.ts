/** The grant that follows another: what stays of it, and what the platform's answer brings. */

import type { GivenToken } from './ask-access-token.ts';
import { lostScopes } from './granted-scopes.ts';
import { type PlatformGrant, type Renewal, renewalOf } from './platform-grant.ts';

/** The life that the platform documents, for tokens whose end it did not name. */
const USUAL_LIFETIME_SECONDS: Readonly<Record<Renewal, number>> = {
  refresh_token: 3_600,
  client_credentials: 86_399,
};

/** The next grant. `lost`: the scopes that the grant had, and the next one has not. */
export function nextGrant(
  grant: PlatformGrant,
  { accessToken, scopes, expiresAt, refreshToken }: GivenToken,
  requestedAtMs: number,
): { readonly next: PlatformGrant; readonly lost: readonly string[] } {
  const renewal = renewalOf(grant) ?? 'refresh_token';
  const usualEnd = new Date(requestedAtMs + USUAL_LIFETIME_SECONDS[renewal] * 1000).toISOString();
  const next: PlatformGrant = {
    ...grant,
    accessToken,
    expiresAt: expiresAt ?? usualEnd,
    ...(renewal === 'refresh_token' && refreshToken !== undefined && { refreshToken }),
    ...(scopes.length > 0 && { scopes }),
  };
  return { next, lost: scopes.length > 0 ? lostScopes(grant.scopes, scopes) : [] };
}
