/** React Native: `createInAppBrowser(InAppBrowser)`, with `import { InAppBrowser } from 'react-native-inappbrowser-reborn'`. */
import type { OpenBrowser } from './open-browser.ts';

type InAppBrowser = {
  openAuth(url: string, redirectUrl: string): Promise<{ type: string; url?: string }>;
};

/**
 * Creates a browser with react-native-inappbrowser. Android can report `dismiss` although Linking delivers the address
 * a moment later, or restarts the app.
 */
export function createInAppBrowser(inAppBrowser: InAppBrowser): OpenBrowser {
  return async ({ authUrl, redirectUri }) => (await inAppBrowser.openAuth(authUrl, redirectUri)).url ?? null;
}
