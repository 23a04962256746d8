/** The platform's page on which a merchant lets the app into a store; the browser comes back from it with a code. */

type AuthorizationAddress = {
  /** `{shop}` stands for the store's domain. */
  readonly platformOrigin: string;
  readonly domain: string;
  /** The app's own client id. */
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** One that is registered at the app. */
  readonly redirectUri: string;
  readonly state: string;
};

/** The address, for an offline token (RFC 6749, section 4.1.1; the platform takes scopes with commas). */
export function authorizationAddress({ platformOrigin, domain, ...asked }: AuthorizationAddress): string {
  const query = new URLSearchParams({
    client_id: asked.clientId,
    scope: asked.scopes.join(','),
    redirect_uri: asked.redirectUri,
    state: asked.state,
  });
  return `${platformOrigin.replaceAll('{shop}', domain)}/admin/oauth/authorize?${query}`;
}
