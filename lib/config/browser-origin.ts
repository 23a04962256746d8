/**
 * Checks the web origins that an operator may allow (CORS): those of web pages, and those of apps' web views, for example
 * `capacitor://localhost`.
 */

export const BROWSER_ORIGIN_RULE =
  'must be an origin as browsers send it, like https://app.example.com or capacitor://localhost, without a path';

const ORIGIN_PATTERN = /^([a-z][a-z0-9+.-]*):\/\/([a-z0-9._-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/;
/** Pages with these schemes have the opaque origin `null`, or send no origin. */
const OPAQUE_SCHEMES = ['about', 'blob', 'data', 'file', 'javascript'];

/**
 * Whether a text is an origin exactly as browsers send it, because origins are compared character by character (Fetch
 * standard, section 3.2.1). Plain http is allowed only for loopback, such as `http://localhost` in a web view.
 */
export function isBrowserOrigin(text: string): boolean {
  const [matchedText, scheme = ''] = ORIGIN_PATTERN.exec(text) ?? [];
  if (matchedText !== text || OPAQUE_SCHEMES.includes(scheme) || !URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  if (scheme === 'http') return origin === text && isLoopbackHost(hostname);
  // The URL standard defines no origin for other schemes. Web views send scheme and host.
  return scheme !== 'https' || origin === text;
}

/** Whether a text is the origin of a web page, not of a web view with its own scheme. */
export function isWebPageOrigin(text: string): boolean {
  return /^https?:/.test(text) && isBrowserOrigin(text);
}

/** Whether the host is this machine. `hostname` is that of a parsed URL. */
export function isLoopbackHost(hostname: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}
