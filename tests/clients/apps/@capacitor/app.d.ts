/** As much of @capacitor/app as its example uses (capacitor-plugins/app/src/definitions.ts). */
type PluginListenerHandle = { remove: () => Promise<void> };
export type URLOpenListenerEvent = { url: string; iosSourceApplication?: unknown; iosOpenInPlace?: boolean };
export type AppPlugin = {
  getLaunchUrl(): Promise<{ url: string } | undefined>;
  addListener(
    eventName: 'appStateChange',
    listener: (state: { isActive: boolean }) => void,
  ): Promise<PluginListenerHandle>;
  addListener(
    eventName: 'appUrlOpen',
    listener: (event: URLOpenListenerEvent) => void,
  ): Promise<PluginListenerHandle>;
};
export declare const App: AppPlugin;
