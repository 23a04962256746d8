/** The grant that the platform gave for a store, and when and how it is renewed. */

/** The grant as it stands in `{prefix}/stores/{shopId}/platform`. A secret. */
export type PlatformGrant = {
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** ISO 8601. Only grants that end have these. */
  readonly expiresAt?: string;
  readonly refreshToken?: string;
  /** The app is given another token for showing that it is the app, as often as it asks. */
  readonly renewedBy?: 'client_credentials';
  /** The app's own client, not that of the customers' sign-in. */
  readonly clientId?: string;
  readonly clientSecret?: string;
};

/** How a grant that ends is followed by the next. */
export type Renewal = 'refresh_token' | 'client_credentials';

/** An access token, and the version of the secret that holds it. */
export type StoreToken = { readonly accessToken: string; readonly versionId: string };

/**
 * The scheduled work comes every 15 minutes. A token of an hour gets one try, or two, before a request has to renew it; a
 * token of a day gets as many as an operator needs to hear that it is refused, and to mend it.
 */
const RENEW_AHEAD_MS: Readonly<Record<Renewal, number>> = {
  refresh_token: 20 * 60_000,
  client_credentials: 4 * 3_600_000,
};

/** How a grant is renewed; undefined: nothing renews it. */
export function renewalOf({
  renewedBy,
  refreshToken,
  clientId,
  clientSecret,
}: PlatformGrant): Renewal | undefined {
  if (!clientId || !clientSecret) return undefined;
  return renewedBy ?? (refreshToken ? 'refresh_token' : undefined);
}

/** When a grant is renewed ahead of need, epoch milliseconds. Infinity: it does not end, or cannot be renewed. */
export function renewalTimeOf(grant: PlatformGrant): number {
  const renewal = renewalOf(grant);
  if (grant.expiresAt === undefined || renewal === undefined) return Infinity;
  return Date.parse(grant.expiresAt) - RENEW_AHEAD_MS[renewal];
}
