/**
 * Checks the origins that an operator may allow: those of web pages and those of apps' web views, which have their
 * own schemes.
 */

export const BROWSER_ORIGIN =
  'must be an origin as browsers send it, like https://app.example.com or capacitor://localhost, without a path';

const FORM = /^([a-z][a-z0-9+.-]*):\/\/([a-z0-9._-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/;
/** Pages with these schemes have the opaque origin `null`, or none. */
const OPAQUE = ['about', 'blob', 'data', 'file', 'javascript'];

/**
 * Whether a text is an origin in the only form that browsers send: origins are compared by character (Fetch standard,
 * section 3.2.1). Plain http is allowed for loopback only, as in a web view: `http://localhost`.
 */
export function isBrowserOrigin(text: string): boolean {
  const [whole, scheme = ''] = FORM.exec(text) ?? [];
  if (whole !== text || OPAQUE.includes(scheme) || !URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  if (scheme === 'http') return origin === text && isLoopback(hostname);
  // // The URL standard defines no origin for other schemes; web views send scheme and host.
  return scheme !== 'https' || origin === text;
}

/** `hostname`: of a parsed address. */
export function isLoopback(hostname: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}
