/** The platform's grant for a store, and when and how it is renewed. */

/** The grant in the secret `{prefix}/stores/{shopId}/platform`. */
export type PlatformGrant = {
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** ISO 8601. Only grants that expire have `expiresAt`, and some of them `refreshToken`. */
  readonly expiresAt?: string;
  readonly refreshToken?: string;
  /**
   * How the app renews the grant. `client_credentials`: with its client secret, at any time. Absent: with
   * `refreshToken`, if there is one.
   */
  readonly renewedBy?: 'client_credentials';
  /** The app's own client, not that of the customers' sign-in. */
  readonly clientId?: string;
  readonly clientSecret?: string;
};

/** How a grant that expires is renewed. */
export type GrantRenewalKind = 'refresh_token' | 'client_credentials';

/** An access token, and the version of the secret that contains it. */
export type StoreToken = { readonly accessToken: string; readonly versionId: string };

/**
 * The scheduled work runs every 15 minutes. For a token of an hour it can try once or twice before a request has to
 * renew it. For a token of a day it can try often enough that an operator learns of a refusal in time.
 */
const RENEW_AHEAD_MS_BY_KIND: Readonly<Record<GrantRenewalKind, number>> = {
  refresh_token: 20 * 60_000,
  client_credentials: 4 * 3_600_000,
};

/**
 * Returns how a grant is renewed.
 * @returns undefined when it cannot be renewed
 */
export function findGrantRenewalKind({
  renewedBy,
  refreshToken,
  clientId,
  clientSecret,
}: PlatformGrant): GrantRenewalKind | undefined {
  if (!clientId || !clientSecret) return undefined;
  return renewedBy ?? (refreshToken ? 'refresh_token' : undefined);
}

/**
 * Returns when a grant is renewed in advance, epoch milliseconds. Infinity when it does not expire, or cannot be
 * renewed.
 */
export function grantRenewalDueAtMs(grant: PlatformGrant): number {
  const renewalKind = findGrantRenewalKind(grant);
  if (grant.expiresAt === undefined || renewalKind === undefined) return Infinity;
  return Date.parse(grant.expiresAt) - RENEW_AHEAD_MS_BY_KIND[renewalKind];
}
