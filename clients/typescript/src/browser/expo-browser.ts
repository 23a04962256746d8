/** Expo: `createExpoBrowser(WebBrowser)`, with `import * as WebBrowser from 'expo-web-browser'`. */
import type { OpenBrowser } from './open-browser.ts';

type WebBrowser = {
  openAuthSessionAsync(url: string, redirectUrl: string): Promise<{ type: string; url?: string }>;
};

/** Android may tell `dismiss` although the address arrives by Linking a moment later, or starts the app anew. */
export function createExpoBrowser(webBrowser: WebBrowser): OpenBrowser {
  return async ({ authUrl, redirectUri }) =>
    (await webBrowser.openAuthSessionAsync(authUrl, redirectUri)).url ?? null;
}
