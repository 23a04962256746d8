/**
 * The platform's token endpoint of a store: whoever proves to be the app is given its access token (RFC 6749, sections
 * 4.1.3, 4.4 and 6). Its answer is read here, and nowhere repeated: it holds secrets.
 */
import { type JsonObject, parseJsonObject } from '../../domain/json-object.ts';
import type { PostForm } from './post-form.ts';

/** The app's own client, as its maker sees it. `clientSecret` is a secret. */
export type App = { readonly clientId: string; readonly clientSecret: string };

/** The app's proof: a code that a merchant agreed to, the refresh token that it holds, or itself alone. */
export type Presented =
  | { readonly code: string; readonly expiring?: '1' }
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string }
  | { readonly grant_type: 'client_credentials' };

/** Secrets. */
export type GivenToken = {
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** ISO 8601. Absent: the platform named no end. */
  readonly expiresAt?: string;
  readonly refreshToken?: string;
};

type TokenAnswer =
  | { readonly kind: 'given'; readonly token: GivenToken }
  /** The status is a 4xx other than 408 and 429. `reason`: the platform's code for it, or the status; for the log. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** There is no answer, or none of either kind: the platform may be asked again. */
  | { readonly kind: 'unanswered' };

export type AskAccessTokenDeps = {
  readonly postForm: PostForm;
  /** `{shop}` stands for the store's domain. */
  readonly platformOrigin: string;
  readonly now: () => number;
};

type TokenQuestion = {
  readonly domain: string;
  readonly app: App;
  readonly presented: Presented;
};

/** Asks once, at the store's own domain; an answer of success counts only with a token that a header can carry. */
export async function askAccessToken(
  { postForm, platformOrigin, now }: AskAccessTokenDeps,
  { domain, app, presented }: TokenQuestion,
): Promise<TokenAnswer> {
  const url = `${platformOrigin.replaceAll('{shop}', domain)}/admin/oauth/access_token`;
  const askedAtMs = now();
  const answer = await postForm(url, {
    client_id: app.clientId,
    client_secret: app.clientSecret,
    ...presented,
  });
  if (answer === undefined) return { kind: 'unanswered' };
  const body = parseJsonObject(answer.body) ?? {};
  if (isRefusal(answer.status)) return { kind: 'refused', reason: reasonOf(body, answer.status) };
  const token = answer.status === 200 ? readToken(body, askedAtMs) : undefined;
  return token === undefined ? { kind: 'unanswered' } : { kind: 'given', token };
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** The platform's error code, if it has the form of RFC 6749, section 5.2; never text of any other kind. */
function reasonOf({ error }: JsonObject, status: number): string {
  return typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : `status ${status}`;
}

/** The token of an answer. Its end is counted from before it was asked for. */
function readToken(body: JsonObject, askedAtMs: number): GivenToken | undefined {
  const { access_token: accessToken, refresh_token: refreshToken, scope } = body;
  if (!isToken(accessToken)) return undefined;
  const lifeSeconds = Number(body.expires_in);
  return {
    accessToken,
    scopes: typeof scope === 'string' ? scope.split(/[\s,]+/).filter(Boolean) : [],
    ...(lifeSeconds > 0 &&
      lifeSeconds < LONGEST_LIFE_SECONDS && {
        expiresAt: new Date(askedAtMs + lifeSeconds * 1000).toISOString(),
      }),
    ...(isToken(refreshToken) && { refreshToken }),
  };
}

/** A token with a longer life does not end, as far as anybody can tell. */
const LONGEST_LIFE_SECONDS = 100 * 365 * 86_400;

function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,4096}$/.test(value);
}
