/**
 * How oidc-provider is made to behave like the platform: one public native client, PKCE with S256 (its rule for
 * public clients), no consent page, a refresh token at once that rotates at each use.
 */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { interactionPolicy } from 'oidc-provider';
import { refusalPage } from '../pages/refusal-page.ts';
import type { StoreState } from '../state/state.ts';
import { createAdapterFactory, type SignInRecords } from './record-store.ts';
import { privateKeySet, type SigningKey } from './signing-keys.ts';
import { grantSeconds, interactionSeconds, type TokenLifetimes } from './token-lifetimes.ts';

export type ProviderDeps = {
  readonly store: () => StoreState;
  /** `/authentication/{shopId}`: cookies are for it alone. */
  readonly mountPath: string;
  readonly records: SignInRecords;
  readonly changed: () => void;
  readonly nowMs: () => number;
  readonly lifetimes: TokenLifetimes;
  readonly cookieKeys: readonly string[];
  readonly signingKeys: readonly SigningKey[];
};

export function providerConfiguration(deps: ProviderDeps): Configuration {
  const { mountPath, lifetimes } = deps;
  return {
    adapter: createAdapterFactory(deps),
    jwks: privateKeySet(deps.signingKeys),
    clients: [clientOf(deps.store())],
    responseTypes: ['code'],
    clientBasedCORS: () => false,
    scopes: ['openid', 'email', 'customer-account-api:full'],
    // The platform's own, where OpenID Connect has `ui_locales`.
    extraParams: ['locale'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // The e-mail is in the id_token itself, though an access token comes with it.
    conformIdTokenClaims: false,
    findAccount: (_ctx, id) => accountOf(deps.store(), id),
    routes: { authorization: '/oauth/authorize', token: '/oauth/token' },
    features: {
      devInteractions: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      // Log-out is an endpoint of our own: log-out.ts.
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
      policy: policyWithoutConsent(),
      url: (_ctx, { uid }) => `${mountPath}/interaction/${uid}`,
    },
    loadExistingGrant: grantEverything,
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    ttl: timesToLive(lifetimes),
    renderError: renderRefusal,
  };
}

function clientOf({ clientId, name, redirectUris }: StoreState) {
  return {
    client_id: clientId,
    client_name: name,
    application_type: 'native' as const,
    token_endpoint_auth_method: 'none' as const,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    redirect_uris: redirectUris,
  };
}

function accountOf(store: StoreState, id: string) {
  const customer = store.customers.get(Number(id));
  if (customer === undefined) return undefined;
  return {
    accountId: id,
    claims: async () => ({ sub: id, email: customer.email, email_verified: true }),
  };
}

/** Native clients are asked for consent by default; the platform's customers are not. */
function policyWithoutConsent(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy.get('consent')?.checks.remove('native_client_prompt');
  return policy;
}

/** A grant for each authorization: a reused refresh token ends its own sign-in, not one made beside it. */
async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { account, client, params } = oidc;
  if (account === undefined || client === undefined) return undefined;
  const grant = new oidc.provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope(String(params?.scope ?? 'openid'));
  await grant.save();
  return grant;
}

function timesToLive(lifetimes: TokenLifetimes) {
  return {
    AccessToken: lifetimes.accessToken,
    AuthorizationCode: lifetimes.authorizationCode,
    IdToken: lifetimes.idToken,
    RefreshToken: lifetimes.refreshToken,
    Session: lifetimes.session,
    Grant: grantSeconds,
    Interaction: interactionSeconds,
  };
}

/** An authorization request that cannot be answered at the app's redirect address: the customer reads why. */
function renderRefusal(
  ctx: KoaContextWithOIDC,
  out: { error: string; error_description?: string | undefined },
) {
  const { status, headers, body } = refusalPage(ctx.status, out);
  ctx.status = status;
  ctx.set({ ...headers });
  ctx.body = body;
}
