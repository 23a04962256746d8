/**
 * The URL of the platform's page on which a merchant authorizes the app for a store; the browser returns from it with
 * a code.
 */

type ConsentUrlRequest = {
  /** The URL of the platform; `{shop}` is replaced by the store's domain. */
  readonly platformOrigin: string;
  readonly domain: string;
  /** The app's own client id. */
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** A redirect URI that is registered for the app. */
  readonly redirectUri: string;
  readonly state: string;
};

/** Builds the URL, for an offline token (RFC 6749, section 4.1.1; the platform separates scopes by commas). */
export function buildConsentUrl({ platformOrigin, domain, ...params }: ConsentUrlRequest): string {
  const query = new URLSearchParams({
    client_id: params.clientId,
    scope: params.scopes.join(','),
    redirect_uri: params.redirectUri,
    state: params.state,
  });
  return `${platformOrigin.replaceAll('{shop}', domain)}/admin/oauth/authorize?${query}`;
}
