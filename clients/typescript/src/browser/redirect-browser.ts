/**
 * The browser of a web page that navigates to the sign-in pages. The redirect loads the page again, which then calls
 * `completeSignIn(location.href)`.
 */
import type { OpenBrowser } from './open-browser.ts';

type BrowserLocation = { assign(url: string): void };

/** Creates the browser of a web page. It resolves with null: the page that is loaded next receives the address. */
export function createRedirectBrowser(
  location = (globalThis as unknown as { location: BrowserLocation }).location,
): OpenBrowser {
  return async ({ authUrl }) => {
    location.assign(authUrl);
    return null;
  };
}
