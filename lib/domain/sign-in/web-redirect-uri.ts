/**
 * The redirect URIs of web pages that sign customers in. They are compared character by character (RFC 9700, section
 * 2.1), so only one spelling of each address is accepted: the one that a browser has in `location.href`.
 */
import type { Brand } from '../brand.ts';

/** The address of a page, such as `https://shop.example.com/account`. */
export type WebRedirectUri = Brand<string, 'WebRedirectUri'>;

export const WEB_REDIRECT_URI_RULE =
  'must be the address of a page as browsers write it, such as https://shop.example.com/account: https, a domain in lower case, a path of letters, digits and . _ ~ -, and nothing after it';

const MAX_URI_LENGTH = 255;
const HOST_LABEL_PATTERN = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
/** The last label has a letter first, so that no IP address matches. */
const HOST_PATTERN = `(?:${HOST_LABEL_PATTERN}\\.)+[a-z](?:[a-z0-9-]*[a-z0-9])`;
/** No empty segments and no percent-encoding, because servers decode both differently. */
const PATH_PATTERN = '(?:/[A-Za-z0-9._~-]+)*/?';
const PUBLIC_PAGE_URI_PATTERN = new RegExp(`^https://${HOST_PATTERN}(?::\\d{1,5})?${PATH_PATTERN}$`);
const LOOPBACK_PAGE_URI_PATTERN = new RegExp(
  `^http://(?:localhost|127\\.0\\.0\\.1)(?::\\d{1,5})?${PATH_PATTERN}$`,
);

/** `allowsLoopback`: whether plain http on this machine is accepted, which only the local stack does. */
type RedirectUriRules = { readonly allowsLoopback: boolean };

/**
 * Parses the address of a page.
 * @returns undefined for any other text: another scheme, a user, a query, a fragment, an IP address, a dot at the end
 * of the domain, or another spelling of the address (upper case, default port, `/../`, no path)
 */
export function parseWebRedirectUri(
  text: string,
  { allowsLoopback }: RedirectUriRules,
): WebRedirectUri | undefined {
  if (text.length > MAX_URI_LENGTH) return undefined;
  const hasAllowedForm =
    PUBLIC_PAGE_URI_PATTERN.test(text) || (allowsLoopback && LOOPBACK_PAGE_URI_PATTERN.test(text));
  return hasAllowedForm && URL.parse(text)?.href === text ? (text as WebRedirectUri) : undefined;
}

/** Returns the origin of a page, as browsers send it. */
export function pageOriginOf(redirectUri: WebRedirectUri): string {
  return new URL(redirectUri).origin;
}
