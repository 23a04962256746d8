/** A web page that leaves for the sign-in pages, where the redirect leads back to it: it then calls `completeSignIn(location.href)`. */
import type { OpenBrowser } from './open-browser.ts';

type Location = { assign(url: string): void };

/** Null, because the answer comes to the page that is loaded next. */
export function createRedirectBrowser(
  location = (globalThis as unknown as { location: Location }).location,
): OpenBrowser {
  return async ({ authUrl }) => {
    location.assign(authUrl);
    return null;
  };
}
