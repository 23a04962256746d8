/** What of a grant and the platform's answer to it makes the next one. */

import type { GivenToken } from './ask-access-token.ts';
import { lostScopes } from './granted-scopes.ts';
import { type PlatformGrant, type Renewal, renewalOf } from './platform-grant.ts';

/** Of tokens whose end the platform did not name: what it documents. */
const USUAL_LIFE_SECONDS: Readonly<Record<Renewal, number>> = {
  refresh_token: 3_600,
  client_credentials: 86_399,
};

/** `lost`: scopes that the grant had, and the next one has not. */
export function nextGrant(
  grant: PlatformGrant,
  { accessToken, scopes, expiresAt, refreshToken }: GivenToken,
  askedAtMs: number,
): { readonly next: PlatformGrant; readonly lost: readonly string[] } {
  const renewal = renewalOf(grant) ?? 'refresh_token';
  const usualEnd = new Date(askedAtMs + USUAL_LIFE_SECONDS[renewal] * 1000).toISOString();
  const next: PlatformGrant = {
    ...grant,
    accessToken,
    expiresAt: expiresAt ?? usualEnd,
    ...(renewal === 'refresh_token' && refreshToken !== undefined && { refreshToken }),
    ...(scopes.length > 0 && { scopes }),
  };
  return { next, lost: scopes.length > 0 ? lostScopes(grant.scopes, scopes) : [] };
}
