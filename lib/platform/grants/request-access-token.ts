/**
 * Calls the platform's token endpoint of a store, which issues an access token to a client that authenticates as the
 * app (RFC 6749, sections 4.1.3, 4.4 and 6). The response is parsed only here, because it contains secrets.
 */
import { type JsonObject, parseJsonObject } from '../../domain/json-object.ts';
import type { PostForm } from './post-form.ts';

/** The app's own client, as registered by its developer. `clientSecret` is a secret. */
export type AppClient = { readonly clientId: string; readonly clientSecret: string };

/** The app's credential: the code of a merchant's consent, its refresh token, or only its client secret. */
export type PresentedCredential =
  | { readonly code: string; readonly expiring?: '1' }
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string }
  | { readonly grant_type: 'client_credentials' };

/** The tokens that the platform issued. They are secrets: never log them. */
export type IssuedToken = {
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** ISO 8601. Absent when the platform set no end. */
  readonly expiresAt?: string;
  readonly refreshToken?: string;
};

type AccessTokenResult =
  | { readonly kind: 'given'; readonly token: IssuedToken }
  /** The status is a 4xx other than 408 and 429. `reason`: the platform's error code, or the status; for the log. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No response, or an unexpected one: the request can be retried. */
  | { readonly kind: 'unanswered' };

export type AccessTokenDeps = {
  readonly postForm: PostForm;
  /** The URL of the platform; `{shop}` is replaced by the store's domain. */
  readonly platformOrigin: string;
  readonly now: () => number;
};

type AccessTokenRequest = {
  readonly domain: string;
  readonly app: AppClient;
  readonly credential: PresentedCredential;
};

/** Sends one request, to the store's own domain. A success counts only with a token that a header can contain. */
export async function requestAccessToken(
  { postForm, platformOrigin, now }: AccessTokenDeps,
  { domain, app, credential }: AccessTokenRequest,
): Promise<AccessTokenResult> {
  const url = `${platformOrigin.replaceAll('{shop}', domain)}/admin/oauth/access_token`;
  const requestedAtMs = now();
  const tokenResponse = await postForm(url, {
    client_id: app.clientId,
    client_secret: app.clientSecret,
    ...credential,
  });
  if (tokenResponse === undefined) return { kind: 'unanswered' };
  const body = parseJsonObject(tokenResponse.body) ?? {};
  if (isRefusalStatus(tokenResponse.status))
    return { kind: 'refused', reason: oauthErrorCodeOf(body, tokenResponse.status) };
  const token = tokenResponse.status === 200 ? parseIssuedToken(body, requestedAtMs) : undefined;
  return token === undefined ? { kind: 'unanswered' } : { kind: 'given', token };
}

function isRefusalStatus(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Returns the platform's error code, if it has the format of RFC 6749, section 5.2; never any other text. */
function oauthErrorCodeOf({ error }: JsonObject, status: number): string {
  return typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : `status ${status}`;
}

/** Parses the token. Its expiry is calculated from the time before the request. */
function parseIssuedToken(body: JsonObject, requestedAtMs: number): IssuedToken | undefined {
  const { access_token: accessToken, refresh_token: refreshToken, scope } = body;
  if (!isHeaderSafeToken(accessToken)) return undefined;
  const lifetimeSeconds = Number(body.expires_in);
  return {
    accessToken,
    scopes: typeof scope === 'string' ? scope.split(/[\s,]+/).filter(Boolean) : [],
    ...(lifetimeSeconds > 0 &&
      lifetimeSeconds < MAX_TOKEN_LIFETIME_SECONDS && {
        expiresAt: new Date(requestedAtMs + lifetimeSeconds * 1000).toISOString(),
      }),
    ...(isHeaderSafeToken(refreshToken) && { refreshToken }),
  };
}

/** A token with a longer lifetime counts as one without an end. */
const MAX_TOKEN_LIFETIME_SECONDS = 100 * 365 * 86_400;

function isHeaderSafeToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,4096}$/.test(value);
}
