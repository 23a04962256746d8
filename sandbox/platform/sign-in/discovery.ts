/**
 * The two discovery documents at a store's own origin. As on the real platform, their endpoints are at another origin.
 */

/** Returns the issuer of a store's sign-in, which is the address of its endpoints. */
export function formatIssuer(origin: string, shopId: number): string {
  return `${origin}/authentication/${shopId}`;
}

/**
 * Builds the document of OpenID Connect Discovery 1.0, section 3. Like the platform's, it does not state that public
 * clients send no secret.
 */
export function buildOpenidConfiguration(issuer: string): unknown {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    end_session_endpoint: `${issuer}/logout`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    scopes_supported: ['openid', 'email', 'customer-account-api:full'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'sid', 'email', 'email_verified'],
  };
}

export function buildCustomerAccountApiConfiguration(origin: string, shopId: number): unknown {
  return { graphql_api: `${origin}/${shopId}/account/customer/api/2026-07/graphql` };
}
