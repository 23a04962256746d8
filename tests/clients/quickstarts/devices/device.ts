/** A device in a browser: its storage, and the system's browser, which the test controls. */
export const texts = new Map<string, string>();

declare global {
  interface Window {
    /** Signs a customer in at the platform, and returns the address to which the platform redirects. */
    readonly signInPages: (authUrl: string) => Promise<string>;
  }
}

export const signInPages = (authUrl: string) => window.signInPages(authUrl);

/** An address to which the browser returned from another sign-in. */
export const OLD_ADDRESS = 'shop.81234567001.app://callback?code=old&state=old';
