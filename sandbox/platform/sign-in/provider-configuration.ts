/**
 * Configures oidc-provider like the platform: a public native client and one of web pages, PKCE with S256 (its rule for
 * public clients), no consent page, and an immediate refresh token that rotates at each use.
 */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { interactionPolicy } from 'oidc-provider';
import { renderSignInErrorPage } from '../pages/sign-in-error-page.ts';
import type { StoreState } from '../state/state.ts';
import { createAdapterFactory, type SignInRecords } from './record-store.ts';
import { type SigningKey, toPrivateKeySet } from './signing-keys.ts';
import {
  SIGN_IN_LIFETIME_SECONDS,
  type TokenLifetimes,
  UNFINISHED_SIGN_IN_SECONDS,
} from './token-lifetimes.ts';
import { webClientIdOfStore } from './web-client.ts';

export type ProviderDeps = {
  readonly store: () => StoreState;
  /** `/authentication/{shopId}`, the path of the cookies. */
  readonly mountPath: string;
  readonly records: SignInRecords;
  readonly onChange: () => void;
  readonly nowMs: () => number;
  readonly lifetimes: TokenLifetimes;
  readonly cookieKeys: readonly string[];
  readonly signingKeys: readonly SigningKey[];
};

export function buildProviderConfiguration(deps: ProviderDeps): Configuration {
  const { mountPath, lifetimes } = deps;
  return {
    adapter: createAdapterFactory(deps),
    jwks: toPrivateKeySet(deps.signingKeys),
    clients: listClients(deps.store()),
    responseTypes: ['code'],
    clientBasedCORS: () => false,
    scopes: ['openid', 'email', 'customer-account-api:full'],
    // The platform's own parameter; OpenID Connect has `ui_locales`.
    extraParams: ['locale'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // The id_token contains the e-mail, although an access token is issued with it.
    conformIdTokenClaims: false,
    findAccount: (_ctx, id) => findAccount(deps.store(), id),
    routes: { authorization: '/oauth/authorize', token: '/oauth/token' },
    features: {
      devInteractions: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      // Log-out has its own endpoint: handle-log-out.ts.
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: false },
    },
    cookies: {
      keys: [...deps.cookieKeys],
      long: { httpOnly: true, sameSite: 'lax', path: mountPath },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    interactions: {
      policy: createPolicyWithoutConsent(),
      url: (_ctx, { uid }) => `${mountPath}/interaction/${uid}`,
    },
    loadExistingGrant: grantEverything,
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    ttl: toTtlConfiguration(lifetimes),
    renderError: renderAuthorizationError,
  };
}

function listClients(store: StoreState) {
  const { clientId, name, redirectUris, webRedirectUris = [] } = store;
  const commonClient = {
    client_name: name,
    token_endpoint_auth_method: 'none' as const,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
  };
  const nativeClient = {
    application_type: 'native' as const,
    client_id: clientId,
    redirect_uris: redirectUris,
  };
  const webClient = {
    application_type: 'web' as const,
    client_id: webClientIdOfStore(store),
    redirect_uris: webRedirectUris,
  };
  return [nativeClient, ...(webRedirectUris.length > 0 ? [webClient] : [])].map((client) => ({
    ...commonClient,
    ...client,
  }));
}

function findAccount(store: StoreState, id: string) {
  const customer = store.customers.get(Number(id));
  if (customer === undefined) return undefined;
  return {
    accountId: id,
    claims: async () => ({ sub: id, email: customer.email, email_verified: true }),
  };
}

/** Creates the policy without the provider's consent page for native clients: the platform's customers see none. */
function createPolicyWithoutConsent(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy.get('consent')?.checks.remove('native_client_prompt');
  return policy;
}

/** Creates a grant for each authorization: reuse of a refresh token revokes its own sign-in, not a concurrent one. */
async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { account, client, params } = oidc;
  if (account === undefined || client === undefined) return undefined;
  const grant = new oidc.provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope(String(params?.scope ?? 'openid'));
  await grant.save();
  return grant;
}

function toTtlConfiguration(lifetimes: TokenLifetimes) {
  return {
    AccessToken: lifetimes.accessToken,
    AuthorizationCode: lifetimes.authorizationCode,
    IdToken: lifetimes.idToken,
    RefreshToken: lifetimes.refreshToken,
    Session: lifetimes.session,
    Grant: SIGN_IN_LIFETIME_SECONDS,
    Interaction: UNFINISHED_SIGN_IN_SECONDS,
  };
}

/** Shows the customer the error of an authorization request without a valid redirect address. */
function renderAuthorizationError(
  ctx: KoaContextWithOIDC,
  out: { error: string; error_description?: string | undefined },
) {
  const { status, headers, body } = renderSignInErrorPage(ctx.status, out);
  ctx.status = status;
  ctx.set({ ...headers });
  ctx.body = body;
}
