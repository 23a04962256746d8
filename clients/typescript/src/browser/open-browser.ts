/** Shows the platform's sign-in pages in the system's browser, never in a web view of the app. */

/** The sign-in page to open. */
export type BrowserRequest = {
  /** The address of the platform's sign-in page. */
  readonly authUrl: string;
  /** The address to which the platform redirects the browser. */
  readonly redirectUri: string;
};

/**
 * Resolves with the redirect address, or with null if the browser closed without one or delivers it another way. Null
 * does not cancel the sign-in: `completeSignIn` accepts the address for 15 minutes.
 */
export type OpenBrowser = (request: BrowserRequest) => Promise<string | null>;
