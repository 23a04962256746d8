/** React Native: `createInAppBrowser(InAppBrowser)`, with `import { InAppBrowser } from 'react-native-inappbrowser-reborn'`. */
import type { OpenBrowser } from './open-browser.ts';

type InAppBrowser = {
  openAuth(url: string, redirectUrl: string): Promise<{ type: string; url?: string }>;
};

/** Android may tell `dismiss` although the address arrives by Linking a moment later, or starts the app anew. */
export function createInAppBrowser(inAppBrowser: InAppBrowser): OpenBrowser {
  return async ({ authUrl, redirectUri }) => (await inAppBrowser.openAuth(authUrl, redirectUri)).url ?? null;
}
