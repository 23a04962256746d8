/** As much of @capacitor/browser as its adapter uses (capacitor-plugins/browser/src/definitions.ts). */
type PluginListenerHandle = { remove: () => Promise<void> };
export type OpenOptions = {
  url: string;
  windowName?: string;
  toolbarColor?: string;
  presentationStyle?: string;
};
export type BrowserPlugin = {
  open(options: OpenOptions): Promise<void>;
  close(): Promise<void>;
  addListener(eventName: 'browserFinished', listener: () => void): Promise<PluginListenerHandle>;
  addListener(eventName: 'browserPageLoaded', listener: () => void): Promise<PluginListenerHandle>;
};
export declare const Browser: BrowserPlugin;
