/** What the app's code needs of the device and of the app's configuration, for one shop. */
export type Device = {
  readonly serviceUrl: string;
  /** The store's domain. */
  readonly shop: string;
  /** Keychain or Keystore. `read` gives null where nothing is stored. */
  readonly storage: {
    read(key: string): Promise<string | null>;
    write(key: string, text: string): Promise<void>;
    remove(key: string): Promise<void>;
  };
  /** Runs one work after the other, never two at once: `createTurns()`, made once for the whole app. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** ASWebAuthenticationSession or Custom Tabs; resolves with the address that the browser came back to. */
  readonly openBrowser: (authUrl: string, redirectUri: string) => Promise<string>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly wait: (seconds: number) => Promise<void>;
};

export function createTurns(): Device['inTurn'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

export async function readStored<Value>({ storage }: Device, key: string): Promise<Value | null> {
  return JSON.parse((await storage.read(key)) ?? 'null');
}
