/** Expo: `createExpoBrowser(WebBrowser)`, with `import * as WebBrowser from 'expo-web-browser'`. */
import type { OpenBrowser } from './open-browser.ts';

type WebBrowser = {
  openAuthSessionAsync(url: string, redirectUrl: string): Promise<{ type: string; url?: string }>;
};

/**
 * Creates the browser of an Expo app. Android can report `dismiss` although Linking delivers the address a moment
 * later, or restarts the app.
 */
export function createExpoBrowser(webBrowser: WebBrowser): OpenBrowser {
  return async ({ authUrl, redirectUri }) =>
    (await webBrowser.openAuthSessionAsync(authUrl, redirectUri)).url ?? null;
}
