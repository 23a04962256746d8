/**
 * Admin API grants that expire, as public apps have them: an access token of 60 minutes and a rotating refresh
 * token of 90 days. A store has one only if it is asked for; otherwise its token from the seed lives for ever.
 */
import { randomBytes } from 'node:crypto';

export const accessSeconds = 3_600;
export const refreshSeconds = 90 * 86_400;
/** How long the token before the current one stays usable while nobody used its replacement. */
const previousSeconds = 30 * 86_400;

type RefreshToken = { readonly token: string; readonly expiresAtMs: number };

export type ExpiringGrant = {
  readonly clientSecret: string;
  readonly accessTokens: readonly { readonly token: string; readonly expiresAtMs: number }[];
  readonly current: RefreshToken;
  readonly previous?: RefreshToken;
};

/** By shop. */
export type ExpiringGrants = Map<string, ExpiringGrant>;

/** What the token endpoint answers. */
export type GrantAnswer = {
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly refresh_token_expires_in: number;
  readonly scope: string;
};

const scope =
  'read_customers,write_customers,read_own_subscription_contracts,write_own_subscription_contracts';

/** Makes a store's grant an expiring one; what it had before is void. */
export function startGrant(grants: ExpiringGrants, shop: string, nowMs: number): GrantAnswer {
  const clientSecret = grants.get(shop)?.clientSecret ?? `shpss_${randomBytes(16).toString('hex')}`;
  const current = newRefreshToken(nowMs);
  const access = newAccessToken(nowMs);
  grants.set(shop, { clientSecret, current, accessTokens: [access] });
  return answerOf(access.token, current.token);
}

/** Undefined: the refresh token is not usable (any more). Using the current one ends the one before it. */
export function refreshGrant(
  grants: ExpiringGrants,
  shop: string,
  presented: { readonly refreshToken: string; readonly nowMs: number },
): GrantAnswer | undefined {
  const { refreshToken, nowMs } = presented;
  const grant = grants.get(shop);
  if (grant === undefined) return undefined;
  const used = [grant.current, grant.previous].find((known) => known?.token === refreshToken);
  if (used === undefined || used.expiresAtMs <= nowMs) return undefined;
  const access = newAccessToken(nowMs);
  const current = newRefreshToken(nowMs);
  const previous = { ...used, expiresAtMs: Math.min(used.expiresAtMs, nowMs + previousSeconds * 1000) };
  const live = grant.accessTokens.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  grants.set(shop, { ...grant, current, previous, accessTokens: [...live, access] });
  return answerOf(access.token, current.token);
}

/** Whether the Admin API accepts the token; undefined if the store has no expiring grant. */
export function isLiveAccessToken(
  grant: ExpiringGrant | undefined,
  token: string | undefined,
  nowMs: number,
): boolean | undefined {
  return grant?.accessTokens.some((known) => known.token === token && known.expiresAtMs > nowMs);
}

function newAccessToken(nowMs: number) {
  return { token: `shpat_${randomBytes(16).toString('hex')}`, expiresAtMs: nowMs + accessSeconds * 1000 };
}

function newRefreshToken(nowMs: number): RefreshToken {
  return { token: `shprt_${randomBytes(16).toString('hex')}`, expiresAtMs: nowMs + refreshSeconds * 1000 };
}

function answerOf(accessToken: string, refreshToken: string): GrantAnswer {
  return {
    access_token: accessToken,
    expires_in: accessSeconds,
    refresh_token: refreshToken,
    refresh_token_expires_in: refreshSeconds,
    scope,
  };
}
