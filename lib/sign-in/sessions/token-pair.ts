/**
 * The token pair of a session's current generation. It is computed from the session and not stored, so it can be issued
 * again.
 */
import type { TokenKeys } from '../../credentials/token-keys.ts';
import type { CustomerId } from '../../domain/customer-id.ts';
import { accessTokenFormat } from '../../domain/tokens/access-token.ts';
import { refreshTokenFormat } from '../../domain/tokens/refresh-token.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';
import { accessTokenExpiresAtMs } from '../../storage/sessions/session-record.ts';

/** The response body of exchange and refresh. */
export type TokenPair = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly customerId: CustomerId;
  /** When the access token expires, as ISO 8601 in UTC. */
  readonly expiresAt: string;
};

type Deps = { readonly tokenKeys: TokenKeys; readonly now: () => number };

/**
 * Computes the token pair with the session's stored key and time. The result is always the same, except that a late
 * retry has another issue number and a later expiry of the access token.
 * @returns undefined when the key was removed after a leak, which ends the session
 * @throws TEMPORARILY_UNAVAILABLE when the key cannot be read
 */
export async function computeTokenPair(
  { tokenKeys, now }: Deps,
  session: SessionRecord,
): Promise<TokenPair | undefined> {
  const key = await tokenKeys.find(session.kid);
  if (key === undefined) return undefined;
  const { shopId, customerId, sessionId, salt, generation, lateRepeats: handOut } = session;
  const sessionClaims = { shopId, customerId, sessionId, salt, generation, handOut };
  const expiresAtMs = accessTokenExpiresAtMs(session, now());
  return {
    accessToken: accessTokenFormat.encode({ ...sessionClaims, expiresAtMs }, key),
    refreshToken: refreshTokenFormat.encode(sessionClaims, key),
    customerId,
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
}
