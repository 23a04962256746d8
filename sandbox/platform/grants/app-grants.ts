/**
 * The app's access to the Admin API of each store. A store of the seed has a token that does not expire. For other
 * forms of the app, client credentials get a token for a day, and a code gets a token that does not expire or, on
 * request, a token for an hour with a refresh token for 90 days.
 */
import { randomBytes } from 'node:crypto';
import { hashId } from '../state/opaque-id.ts';
import type { StoreState } from '../state/state.ts';
import { behaviourOfStore } from '../state/unpublished-behaviour.ts';

const CLIENT_CREDENTIALS_TOKEN_SECONDS = 86_399;
const ACCESS_TOKEN_SECONDS = 3_600;
const REFRESH_TOKEN_SECONDS = 90 * 86_400;
/** How long the previous refresh token stays valid while its replacement is unused. */
const PREVIOUS_REFRESH_TOKEN_SECONDS = 30 * 86_400;
const AUTHORIZATION_CODE_SECONDS = 600;
/** After the old secret was revoked, it signs webhooks for up to an hour; half an hour was observed. */
const PREVIOUS_SECRET_SECONDS = 1_800;
/** From this day, the platform issues only expiring tokens to public apps. */
const EXPIRING_PUBLIC_TOKENS_FROM_MS = Date.parse('2027-01-01T00:00:00Z');

/**
 * The forms of the app: created in the Dev Dashboard for the developer's own stores, distributed to one store (custom),
 * or offered to many merchants (public).
 */
export const APP_FORMS = ['own-store', 'custom', 'public'] as const;
export type AppForm = (typeof APP_FORMS)[number];

type RefreshToken = { readonly token: string; readonly expiresAtMs: number };
/** A code that can be exchanged once. `scopes`: those to which the merchant has consented. */
type AuthorizationCode = {
  readonly code: string;
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
};

export type AppGrant = {
  readonly form: AppForm;
  readonly clientSecret: string;
  /** The previous secret, while it still signs webhooks. */
  readonly former?: { readonly clientSecret: string; readonly signsUntilMs: number };
  /** Whether the merchant has the app installed. */
  readonly isInstalled: boolean;
  readonly redirectUris: readonly string[];
  /** The accepted tokens; `expiresAtMs` is null for a token that does not expire. */
  readonly accessTokens: readonly { readonly token: string; readonly expiresAtMs: number | null }[];
  /** The newest refresh token. */
  readonly current?: RefreshToken | undefined;
  /** The refresh token before it, which stays valid while the newest one is unused. */
  readonly previous?: RefreshToken | undefined;
  readonly codes: readonly AuthorizationCode[];
};

/** The grants by shop. */
export type AppGrants = Map<string, AppGrant>;

/** The body of a successful response of the token endpoint. */
export type AccessTokenResponse = {
  readonly access_token: string;
  readonly scope: string;
  readonly expires_in?: number;
  readonly refresh_token?: string;
  readonly refresh_token_expires_in?: number;
};

/** The dependencies of the functions below: all grants, the store of the request, and the time. */
export type StoreGrants = {
  readonly grants: AppGrants;
  readonly store: StoreState;
  /** The scopes that the app may have in this store. */
  readonly scopes: readonly string[];
  readonly nowMs: number;
};

/**
 * Returns the client id of the app, which differs from that of the customers' sign-in. It is derived from the domain,
 * so it survives a reset.
 */
export function appClientId(shop: string): string {
  return hashId(`${shop}/app`);
}

export function grantOfStore(grants: AppGrants, { shop, accessToken }: StoreState): AppGrant {
  const seededGrant: AppGrant = {
    form: 'custom',
    clientSecret: `shpss_${hashId(`${shop}/app-secret`)}`,
    isInstalled: true,
    redirectUris: ['https://subscriptions.example/store-connected'],
    accessTokens: [{ token: accessToken, expiresAtMs: null }],
    codes: [],
  };
  return grants.get(shop) ?? seededGrant;
}

/** Changes the app. Removing it, or changing its `form` (see `APP_FORMS`), invalidates all its tokens. */
export function changeApp(
  { grants, store, nowMs = 0 }: Pick<StoreGrants, 'grants' | 'store'> & { readonly nowMs?: number },
  change: Partial<Pick<AppGrant, 'form' | 'isInstalled' | 'redirectUris'>> & { readonly newSecret?: boolean },
): AppGrant {
  const grantBefore = grantOfStore(grants, store);
  const { newSecret, ...fields } = change;
  const areTokensRevoked = fields.form !== undefined || fields.isInstalled === false;
  const grantAfter: AppGrant = {
    ...grantBefore,
    ...fields,
    ...(newSecret && {
      clientSecret: `shpss_${randomBytes(16).toString('hex')}`,
      former: {
        clientSecret: grantBefore.clientSecret,
        signsUntilMs: nowMs + PREVIOUS_SECRET_SECONDS * 1000,
      },
    }),
    ...(areTokensRevoked && { accessTokens: [], current: undefined, previous: undefined, codes: [] }),
  };
  grants.set(store.shop, grantAfter);
  return grantAfter;
}

/** Returns the secret that signs webhooks. */
export function webhookSigningSecret(grants: AppGrants, store: StoreState, nowMs: number): string {
  const { clientSecret, former } = grantOfStore(grants, store);
  return former !== undefined && nowMs < former.signsUntilMs ? former.clientSecret : clientSecret;
}

/** Issues expiring tokens to the store's app, as to a public app, and invalidates its earlier tokens. */
export function replaceWithExpiringTokens(grantServer: StoreGrants): AccessTokenResponse {
  changeApp(grantServer, { form: 'public', isInstalled: true });
  return issueRefreshableTokens(grantServer);
}

/** Issues a code for one exchange, after the merchant has consented to these scopes. */
export function issueAuthorizationCode(
  { grants, store, nowMs }: StoreGrants,
  scopes: readonly string[],
): string {
  const code = randomBytes(16).toString('hex');
  const grantBefore = changeApp({ grants, store }, { isInstalled: true });
  const grantCodes = [
    ...grantBefore.codes,
    { code, scopes, expiresAtMs: nowMs + AUTHORIZATION_CODE_SECONDS * 1000 },
  ];
  grants.set(store.shop, { ...grantBefore, codes: grantCodes });
  return code;
}

/** Issues a token for client credentials. Each request gets a new one. */
export function issueClientCredentialsToken(grantServer: StoreGrants): AccessTokenResponse {
  const { grants, store } = grantServer;
  if (behaviourOfStore(store, 'dayTokens') === 'void')
    grants.set(store.shop, { ...grantOfStore(grants, store), accessTokens: [] });
  const accessToken = addAccessToken(grantServer, CLIENT_CREDENTIALS_TOKEN_SECONDS);
  return {
    access_token: accessToken,
    scope: formatScope(grantServer.scopes),
    expires_in: CLIENT_CREDENTIALS_TOKEN_SECONDS,
  };
}

/**
 * Issues the tokens for a code.
 * @returns undefined when the code is unknown, used or expired; 'must expire' when a public app requests a token that
 * does not expire
 */
export function exchangeCode(
  grantServer: StoreGrants,
  { code, isExpiring }: { readonly code: string; readonly isExpiring: boolean },
): AccessTokenResponse | 'must expire' | undefined {
  const { grants, store, nowMs } = grantServer;
  const grantBefore = grantOfStore(grants, store);
  const grantCode = grantBefore.codes.find((each) => each.code === code && each.expiresAtMs > nowMs);
  if (grantCode === undefined) return undefined;
  grants.set(store.shop, { ...grantBefore, codes: grantBefore.codes.filter((each) => each !== grantCode) });
  const scopes = grantServer.scopes.filter((scope) => grantCode.scopes.includes(scope));
  if (isExpiring) return issueRefreshableTokens({ ...grantServer, scopes });
  if (grantBefore.form === 'public' && nowMs >= EXPIRING_PUBLIC_TOKENS_FROM_MS) return 'must expire';
  return { access_token: addAccessToken(grantServer, null), scope: formatScope(scopes) };
}

/**
 * Issues the tokens for a refresh token. Using the current one invalidates the previous one.
 * @returns undefined when the refresh token is not valid
 */
export function refreshGrant(
  grantServer: StoreGrants,
  refreshToken: string,
): AccessTokenResponse | undefined {
  const { grants, store, nowMs } = grantServer;
  const { current, previous } = grantOfStore(grants, store);
  const usedRefreshToken = [current, previous].find((candidate) => candidate?.token === refreshToken);
  if (usedRefreshToken === undefined || usedRefreshToken.expiresAtMs <= nowMs) return undefined;
  return issueRefreshableTokens(grantServer, {
    ...usedRefreshToken,
    expiresAtMs: Math.min(usedRefreshToken.expiresAtMs, nowMs + PREVIOUS_REFRESH_TOKEN_SECONDS * 1000),
  });
}

/** Returns whether the Admin API accepts the token. */
export function isValidAccessToken(grant: AppGrant, token: string | undefined, nowMs: number): boolean {
  return grant.accessTokens.some(
    (candidate) => candidate.token === token && (candidate.expiresAtMs ?? Infinity) > nowMs,
  );
}

function issueRefreshableTokens(
  grantServer: StoreGrants,
  previousRefreshToken?: RefreshToken,
): AccessTokenResponse {
  const { grants, store, nowMs, scopes } = grantServer;
  const accessToken = addAccessToken(grantServer, ACCESS_TOKEN_SECONDS);
  const newRefreshToken = {
    token: `shprt_${randomBytes(16).toString('hex')}`,
    expiresAtMs: nowMs + REFRESH_TOKEN_SECONDS * 1000,
  };
  grants.set(store.shop, {
    ...grantOfStore(grants, store),
    current: newRefreshToken,
    previous: previousRefreshToken,
  });
  return {
    access_token: accessToken,
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: newRefreshToken.token,
    refresh_token_expires_in: REFRESH_TOKEN_SECONDS,
    scope: formatScope(scopes),
  };
}

function addAccessToken({ grants, store, nowMs }: StoreGrants, lifetimeSeconds: number | null): string {
  const grantBefore = grantOfStore(grants, store);
  const unexpiredTokens = grantBefore.accessTokens.filter(
    ({ expiresAtMs }) => (expiresAtMs ?? Infinity) > nowMs,
  );
  const accessToken = `shpat_${randomBytes(16).toString('hex')}`;
  const expiresAtMs = lifetimeSeconds === null ? null : nowMs + lifetimeSeconds * 1000;
  grants.set(store.shop, {
    ...grantBefore,
    accessTokens: [...unexpiredTokens, { token: accessToken, expiresAtMs }],
  });
  return accessToken;
}

/** A write scope includes the read scope, which is then not listed. */
function formatScope(scopes: readonly string[]): string {
  return scopes
    .filter((scope) => !scopes.includes(scope.replace(/^read_/, 'write_')) || !scope.startsWith('read_'))
    .join(',');
}
