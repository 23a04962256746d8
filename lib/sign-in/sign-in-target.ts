/** Where a sign-in returns to, an app or a web page, and with which of the store's clients the platform is called. */
import { appRedirectUriOf } from '../domain/sign-in/redirect-uri.ts';
import { pageOriginOf, type WebRedirectUri } from '../domain/sign-in/web-redirect-uri.ts';
import { findRedirectUri } from '../domain/sign-in/web-sign-in.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { StoreRecord } from '../storage/stores.ts';
import { requireClientId } from './find-installed-store.ts';

export type SignInTarget = {
  readonly redirectUri: string;
  readonly clientId: string;
  /**
   * The Origin header of requests to the platform. Its client of web pages needs the header, although the service sends
   * the requests. Undefined for an app.
   */
  readonly origin: string | undefined;
};

type PageTarget = SignInTarget & { readonly redirectUri: WebRedirectUri };

/**
 * Returns the target of an app, whose redirect URI has the store's scheme.
 * @throws CLIENT_ID_NOT_CONFIGURED when the store has no client id for apps
 */
export function appSignInTarget(store: StoreRecord): SignInTarget {
  return { redirectUri: appRedirectUriOf(store.shopId), clientId: requireClientId(store), origin: undefined };
}

/**
 * Returns the target of a page. `text` is compared exactly with the pages that the operator has entered.
 * @throws INVALID_REDIRECT_URI when the operator has not entered the page
 */
export function requirePageTarget(store: StoreRecord, text: string): PageTarget {
  const pageTarget = findPageTarget(store, text);
  if (pageTarget === undefined) throw new ServiceError('INVALID_REDIRECT_URI');
  return pageTarget;
}

/**
 * Returns the target of a page.
 * @returns undefined when the operator has not entered the page, or has removed it
 */
export function findPageTarget({ webSignIn }: StoreRecord, text: string): PageTarget | undefined {
  const redirectUri = findRedirectUri(webSignIn, text);
  if (webSignIn === undefined || redirectUri === undefined) return undefined;
  return { redirectUri, clientId: webSignIn.clientId, origin: pageOriginOf(redirectUri) };
}
