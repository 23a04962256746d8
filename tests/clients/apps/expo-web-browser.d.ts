/** As much of expo-web-browser as its adapter uses (expo/packages/expo-web-browser/src/WebBrowser.types.ts). */
export declare enum WebBrowserResultType {
  CANCEL = 'cancel',
  DISMISS = 'dismiss',
  OPENED = 'opened',
  LOCKED = 'locked',
}
export type WebBrowserResult = { type: WebBrowserResultType };
export type WebBrowserRedirectResult = { type: 'success'; url: string };
export type WebBrowserAuthSessionResult = WebBrowserRedirectResult | WebBrowserResult;
export type AuthSessionOpenOptions = { preferEphemeralSession?: boolean; showInRecents?: boolean };
export declare function openAuthSessionAsync(
  url: string,
  redirectUrl?: string | null,
  options?: AuthSessionOpenOptions,
): Promise<WebBrowserAuthSessionResult>;
