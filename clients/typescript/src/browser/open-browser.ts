/** How the platform's sign-in pages are shown: in the system's browser, never in a web view of the app's own. */

export type BrowserRequest = {
  readonly authUrl: string;
  /** Where the browser comes back to. */
  readonly redirectUri: string;
};

/**
 * Resolves with the address that the browser came back to; with null where it closed without one, or where the answer
 * comes by another way. Null cancels nothing: for 15 minutes `completeSignIn` takes the address.
 */
export type OpenBrowser = (request: BrowserRequest) => Promise<string | null>;
