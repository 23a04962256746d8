/** Checks the web pages that sign customers in: the platform's client for them, and each page's redirect URI. */
import { awaitAll } from '../../domain/await-all.ts';
import { pageOriginOf, type WebRedirectUri } from '../../domain/sign-in/web-redirect-uri.ts';
import type { WebSignIn } from '../../domain/sign-in/web-sign-in.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import {
  type CheckSignInClientDeps,
  isClientIdKnown,
  isRedirectUriAccepted,
  UNKNOWN_CLIENT_TEXT,
} from './check-sign-in.ts';
import { errorTextOfFinding } from './error-text-of-finding.ts';
import type { StoreFinding } from './store-finding.ts';

type StoreWithWebSignIn = Pick<StoreRecord, 'signIn'> & { readonly webSignIn?: WebSignIn };

/** Returns the findings about client id and pages. Empty when the store has no page. */
export async function checkWebSignIn(
  deps: CheckSignInClientDeps,
  store: StoreWithWebSignIn,
): Promise<StoreFinding[]> {
  const { redirectUris = [] } = store.webSignIn ?? {};
  const [firstRedirectUri] = redirectUris;
  if (firstRedirectUri === undefined) return [];
  const pageChecks = redirectUris.map((redirectUri) => checkRedirectPage(deps, store, redirectUri));
  return awaitAll([checkWebClient(deps, store, firstRedirectUri), ...pageChecks]);
}

/**
 * Checks the client id with the token endpoint, as an exchange does: the platform accepts a web client only with the
 * Origin header of a registered page.
 */
async function checkWebClient(
  deps: CheckSignInClientDeps,
  { signIn, webSignIn }: StoreWithWebSignIn,
  redirectUri: WebRedirectUri,
): Promise<StoreFinding> {
  const name = 'Web client id';
  const pageOrigin = pageOriginOf(redirectUri);
  const isKnown = await isClientIdKnown(deps, {
    signIn,
    clientId: webSignIn?.clientId ?? '',
    origin: pageOrigin,
  });
  if (isKnown === true) return { name, state: 'ok', found: 'the platform knows it' };
  if (isKnown === false) {
    const fix = "Run store update --web-client-id with the id of a client of the type web, not the app's.";
    return { name, state: 'missing', found: UNKNOWN_CLIENT_TEXT, fix };
  }
  const foundText = `the token endpoint does not accept the client with the origin ${pageOrigin}, or did not respond`;
  const fix = `In the store's Customer Account API settings: a client of the type web, with the JavaScript origin ${pageOrigin}. Then try again.`;
  return { name, state: 'unknown', found: foundText, fix };
}

/** Checks that the platform accepts a page's redirect URI for the store's web client. */
async function checkRedirectPage(
  deps: CheckSignInClientDeps,
  { signIn, webSignIn }: StoreWithWebSignIn,
  redirectUri: WebRedirectUri,
): Promise<StoreFinding> {
  const name = 'Web page';
  try {
    if (await isRedirectUriAccepted(deps, { signIn, clientId: webSignIn?.clientId ?? '', redirectUri }))
      return { name, state: 'ok', found: redirectUri };
    const foundText = `the platform refuses the redirect URI ${redirectUri}`;
    const fix = `In the store's Customer Account API settings: a client of the type web, with the callback URI ${redirectUri} and the JavaScript origin ${pageOriginOf(redirectUri)}.`;
    return { name, state: 'missing', found: foundText, fix };
  } catch (error) {
    return {
      name,
      state: 'unknown',
      found: `${redirectUri}: ${errorTextOfFinding(error)}`,
      fix: 'Try again.',
    };
  }
}
