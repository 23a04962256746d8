/**
 * The app's access to the Admin API of each store. A store of the seed has a token that does not end; a store whose app
 * is of another form has what that form is given: a token of a day for client credentials, or what a code was exchanged
 * for, which ends after an hour and comes with a refresh token of 90 days if that was asked for.
 */
import { randomBytes } from 'node:crypto';
import { hashId } from '../state/opaque-id.ts';
import type { StoreState } from '../state/state.ts';
import { wayOf } from '../state/unpublished.ts';

const credentialsSeconds = 86_399;
const accessSeconds = 3_600;
const refreshSeconds = 90 * 86_400;
/** How long the token before the current one stays usable while nobody used its replacement. */
const previousSeconds = 30 * 86_400;
const codeSeconds = 600;
/** After the old secret was revoked, webhooks are signed with it for up to an hour; half an hour was seen. */
const formerSeconds = 1_800;
/** The platform gives public apps tokens that end, and no others, from this day on. */
const publicAppsExpireFromMs = Date.parse('2027-01-01T00:00:00Z');

/** Made in the Dev Dashboard for stores of one's own; for one store by custom distribution; for many merchants. */
export const appForms = ['own-store', 'custom', 'public'] as const;
export type AppForm = (typeof appForms)[number];

type RefreshToken = { readonly token: string; readonly expiresAtMs: number };
/** `scopes`: those of the address that the merchant agreed at. */
type Code = { readonly code: string; readonly scopes: readonly string[]; readonly expiresAtMs: number };

export type AppGrant = {
  readonly form: AppForm;
  readonly clientSecret: string;
  /** The secret before, while webhooks are still signed with it. */
  readonly former?: { readonly clientSecret: string; readonly signsUntilMs: number };
  /** False: the merchant has removed the app. */
  readonly isInstalled: boolean;
  readonly redirectUris: readonly string[];
  /** The tokens that are accepted; one whose end is null does not end. */
  readonly accessTokens: readonly { readonly token: string; readonly expiresAtMs: number | null }[];
  readonly current?: RefreshToken | undefined;
  readonly previous?: RefreshToken | undefined;
  readonly codes: readonly Code[];
};

/** The grants by shop. */
export type AppGrants = Map<string, AppGrant>;

/** What the token endpoint answers. */
export type GrantAnswer = {
  readonly access_token: string;
  readonly scope: string;
  readonly expires_in?: number;
  readonly refresh_token?: string;
  readonly refresh_token_expires_in?: number;
};

/** The grants of one store, when something is asked of it. */
export type GrantServer = {
  readonly grants: AppGrants;
  readonly store: StoreState;
  /** What the app may have in this store. */
  readonly scopes: readonly string[];
  readonly nowMs: number;
};

/** The app's client, not that of the customers' sign-in. It is made from the domain, so that it survives a reset. */
export function appClientId(shop: string): string {
  return hashId(`${shop}/app`);
}

export function appGrantOf(grants: AppGrants, { shop, accessToken }: StoreState): AppGrant {
  const seeded: AppGrant = {
    form: 'custom',
    clientSecret: `shpss_${hashId(`${shop}/app-secret`)}`,
    isInstalled: true,
    redirectUris: ['https://subscriptions.example/store-connected'],
    accessTokens: [{ token: accessToken, expiresAtMs: null }],
    codes: [],
  };
  return grants.get(shop) ?? seeded;
}

/** Changes it; whoever removes the app, or makes it another form's, voids what it was given. */
export function changeApp(
  { grants, store, nowMs = 0 }: Pick<GrantServer, 'grants' | 'store'> & { readonly nowMs?: number },
  change: Partial<Pick<AppGrant, 'form' | 'isInstalled' | 'redirectUris'>> & { readonly newSecret?: boolean },
): AppGrant {
  const before = appGrantOf(grants, store);
  const { newSecret, ...facts } = change;
  const isRevoked = facts.form !== undefined || facts.isInstalled === false;
  const after: AppGrant = {
    ...before,
    ...facts,
    ...(newSecret && {
      clientSecret: `shpss_${randomBytes(16).toString('hex')}`,
      former: { clientSecret: before.clientSecret, signsUntilMs: nowMs + formerSeconds * 1000 },
    }),
    ...(isRevoked && { accessTokens: [], current: undefined, previous: undefined, codes: [] }),
  };
  grants.set(store.shop, after);
  return after;
}

/** What webhooks are signed with. */
export function signingSecretOf(grants: AppGrants, store: StoreState, nowMs: number): string {
  const { clientSecret, former } = appGrantOf(grants, store);
  return former !== undefined && nowMs < former.signsUntilMs ? former.clientSecret : clientSecret;
}

/** Gives the store's app tokens as a public app has them; what it had before is void. */
export function startExpiring(grantServer: GrantServer): GrantAnswer {
  changeApp(grantServer, { form: 'public', isInstalled: true });
  return giveRefreshable(grantServer);
}

/** The merchant has agreed to these scopes: a code for one exchange. */
export function giveCode({ grants, store, nowMs }: GrantServer, scopes: readonly string[]): string {
  const code = randomBytes(16).toString('hex');
  const before = changeApp({ grants, store }, { isInstalled: true });
  const codes = [...before.codes, { code, scopes, expiresAtMs: nowMs + codeSeconds * 1000 }];
  grants.set(store.shop, { ...before, codes });
  return code;
}

/** What client credentials are given, as often as they ask. */
export function giveOfDay(grantServer: GrantServer): GrantAnswer {
  const { grants, store } = grantServer;
  if (wayOf(store, 'dayTokens') === 'void')
    grants.set(store.shop, { ...appGrantOf(grants, store), accessTokens: [] });
  const token = addAccessToken(grantServer, credentialsSeconds);
  return { access_token: token, scope: scopeOf(grantServer.scopes), expires_in: credentialsSeconds };
}

/** The tokens of a code; undefined: the code is unknown, used or too old. 'must expire': a public app that asks for a token without end. */
export function exchangeCode(
  grantServer: GrantServer,
  { code, isExpiring }: { readonly code: string; readonly isExpiring: boolean },
): GrantAnswer | 'must expire' | undefined {
  const { grants, store, nowMs } = grantServer;
  const before = appGrantOf(grants, store);
  const found = before.codes.find((each) => each.code === code && each.expiresAtMs > nowMs);
  if (found === undefined) return undefined;
  grants.set(store.shop, { ...before, codes: before.codes.filter((each) => each !== found) });
  const scopes = grantServer.scopes.filter((scope) => found.scopes.includes(scope));
  if (isExpiring) return giveRefreshable({ ...grantServer, scopes });
  if (before.form === 'public' && nowMs >= publicAppsExpireFromMs) return 'must expire';
  return { access_token: addAccessToken(grantServer, null), scope: scopeOf(scopes) };
}

/** The tokens of a refresh token; undefined: it is not usable (any more). Using the current one ends the one before it. */
export function refreshGrant(grantServer: GrantServer, refreshToken: string): GrantAnswer | undefined {
  const { grants, store, nowMs } = grantServer;
  const { current, previous } = appGrantOf(grants, store);
  const used = [current, previous].find((known) => known?.token === refreshToken);
  if (used === undefined || used.expiresAtMs <= nowMs) return undefined;
  return giveRefreshable(grantServer, {
    ...used,
    expiresAtMs: Math.min(used.expiresAtMs, nowMs + previousSeconds * 1000),
  });
}

/** Whether the Admin API accepts the token. */
export function isLiveAccessToken(grant: AppGrant, token: string | undefined, nowMs: number): boolean {
  return grant.accessTokens.some((known) => known.token === token && (known.expiresAtMs ?? Infinity) > nowMs);
}

function giveRefreshable(grantServer: GrantServer, previous?: RefreshToken): GrantAnswer {
  const { grants, store, nowMs, scopes } = grantServer;
  const token = addAccessToken(grantServer, accessSeconds);
  const current = {
    token: `shprt_${randomBytes(16).toString('hex')}`,
    expiresAtMs: nowMs + refreshSeconds * 1000,
  };
  grants.set(store.shop, { ...appGrantOf(grants, store), current, previous });
  return {
    access_token: token,
    expires_in: accessSeconds,
    refresh_token: current.token,
    refresh_token_expires_in: refreshSeconds,
    scope: scopeOf(scopes),
  };
}

function addAccessToken({ grants, store, nowMs }: GrantServer, lifetimeSeconds: number | null): string {
  const before = appGrantOf(grants, store);
  const live = before.accessTokens.filter(({ expiresAtMs }) => (expiresAtMs ?? Infinity) > nowMs);
  const token = `shpat_${randomBytes(16).toString('hex')}`;
  const expiresAtMs = lifetimeSeconds === null ? null : nowMs + lifetimeSeconds * 1000;
  grants.set(store.shop, { ...before, accessTokens: [...live, { token, expiresAtMs }] });
  return token;
}

/** A scope that writes includes the one that reads, which is then not named. */
function scopeOf(scopes: readonly string[]): string {
  return scopes
    .filter((scope) => !scopes.includes(scope.replace(/^read_/, 'write_')) || !scope.startsWith('read_'))
    .join(',');
}
