/** Which origins an operator may allow: web pages, and the web views of apps, whose schemes are their own. */

export const BROWSER_ORIGIN =
  'must be an origin as browsers send it, like https://app.example.com or capacitor://localhost, without a path';

const FORM = /^([a-z][a-z0-9+.-]*):\/\/([a-z0-9._-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/;
/** Pages with these have the opaque origin `null`, or none. */
const OPAQUE = ['about', 'blob', 'data', 'file', 'javascript'];

/**
 * True for an origin in the one form in which it is sent: they are compared by character (Fetch standard, 3.2.1).
 * Plain http is for this machine, as in a web view: `http://localhost`.
 */
export function isBrowserOrigin(text: string): boolean {
  const [whole, scheme = ''] = FORM.exec(text) ?? [];
  if (whole !== text || OPAQUE.includes(scheme) || !URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  if (scheme === 'http') return origin === text && isLoopback(hostname);
  // Other schemes have no origin in the URL standard; web views send scheme and host.
  return scheme !== 'https' || origin === text;
}

/** `hostname`: of a parsed address. */
export function isLoopback(hostname: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}
