/** The pair of tokens of a session's current generation: computed, never stored, so it can be given again. */
import type { TokenKeys } from '../../credentials/token-keys.ts';
import type { CustomerId } from '../../domain/customer-id.ts';
import { accessTokenFormat } from '../../domain/tokens/access-token.ts';
import { refreshTokenFormat } from '../../domain/tokens/refresh-token.ts';
import { accessTokenExpiry } from '../../storage/sessions/session-life.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';

/** The answer of exchange and refresh. */
export type TokenPair = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly customerId: CustomerId;
  /** The end of the access token: ISO 8601, UTC. */
  readonly expiresAt: string;
};

type Deps = { readonly tokenKeys: TokenKeys; readonly now: () => number };

/**
 * The pair, made with the key and the time of minting that the session records: the same every time, but for the
 * number of the hand-out, and hours more in the access token when it is fetched late. TEMPORARILY_UNAVAILABLE if the key
 * cannot be read; undefined if it is gone from the ring, as a leaked key is, which ends the session.
 */
export async function makeTokenPair(
  { tokenKeys, now }: Deps,
  session: SessionRecord,
): Promise<TokenPair | undefined> {
  const key = await tokenKeys.find(session.kid);
  if (key === undefined) return undefined;
  const { shopId, customerId, sessionId, salt, generation, lateRepeats: handOut } = session;
  const claims = { shopId, customerId, sessionId, salt, generation, handOut };
  const expiresAtMs = accessTokenExpiry(session, now());
  return {
    accessToken: accessTokenFormat.encode({ ...claims, expiresAtMs }, key),
    refreshToken: refreshTokenFormat.encode(claims, key),
    customerId,
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
}
