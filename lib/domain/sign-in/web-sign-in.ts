/** A store's setting for web pages that sign customers in: which pages, and the platform's client for them. */
import { pageOriginOf, type WebRedirectUri } from './web-redirect-uri.ts';

export type WebSignIn = {
  /** The client id. A mobile client accepts only URIs with the app's scheme, so web pages have a client of their own. */
  readonly clientId: string;
  readonly redirectUris: readonly WebRedirectUri[];
  /** The number of changes of this setting. A change names the revision that it replaces. */
  readonly revision: number;
};

export const MAX_REDIRECT_URIS = 10;

/**
 * Returns the listed redirect URI that is exactly this text.
 * @returns undefined when it is not listed
 */
export function findRedirectUri(webSignIn: WebSignIn | undefined, text: string): WebRedirectUri | undefined {
  return webSignIn?.redirectUris.find((redirectUri) => redirectUri === text);
}

/** Whether a listed page has this origin. `origin` is a text that a client sent. */
export function isListedOrigin(webSignIn: WebSignIn | undefined, origin: string): boolean {
  return webSignIn?.redirectUris.some((redirectUri) => pageOriginOf(redirectUri) === origin) ?? false;
}
