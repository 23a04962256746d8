/**
 * The device functions that the client uses: the network, the clock, timers, randomness. Each is looked up when it is
 * used, because React Native, Workers and old browsers lack some of them. A test can replace each of them.
 */

type FetchInit = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly signal?: unknown;
};
type FetchResponse = {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
};

/** The used part of `LockManager` of the Web Locks API. */
type WebLocks = {
  request<Result>(name: string, options: { signal: unknown }, work: () => Promise<Result>): Promise<Result>;
};

/** The device functions that the client uses. */
export type Environment = {
  /** Sends a request: the `fetch` of the device if absent. */
  readonly fetch: (url: string, init: FetchInit) => Promise<FetchResponse>;
  /** Epoch milliseconds of the device's clock, which may be wrong. */
  readonly now: () => number;
  /** Calls `work` after the milliseconds; the returned function cancels it. */
  readonly setTimer: (work: () => void, ms: number) => () => void;
  /** A number from 0 to below 1, for the jitter of retries. */
  readonly random: () => number;
  /** Returns a new unique string for each call: the idempotency key of a change. It need not be unpredictable. */
  readonly createKey: () => string;
  /** Undefined if tabs cannot wait for each other. */
  readonly locks: WebLocks | undefined;
};

type DeviceGlobals = {
  readonly fetch: Environment['fetch'];
  readonly setTimeout?: (work: () => void, ms: number) => unknown;
  readonly clearTimeout?: (timer: never) => void;
  readonly crypto?: { getRandomValues?(bytes: Uint8Array): Uint8Array };
  readonly navigator?: { readonly locks?: WebLocks };
};
const deviceGlobals = globalThis as unknown as DeviceGlobals;

/** Returns the device's functions with the given replacements. */
export function createEnvironment(replacements: Partial<Environment> = {}): Environment {
  return {
    fetch: (url, init) => deviceGlobals.fetch(url, init),
    now: () => Date.now(),
    setTimer: deviceGlobals.setTimeout === undefined ? setNoTimer : setTimer,
    random: () => Math.random(),
    createKey,
    locks: deviceGlobals.navigator?.locks,
    ...replacements,
  };
}

function setTimer(work: () => void, ms: number): () => void {
  const timer = deviceGlobals.setTimeout?.(work, ms);
  return () => deviceGlobals.clearTimeout?.(timer as never);
}

/** The timer of an environment without timers: the client does not wait there. */
export const setNoTimer: Environment['setTimer'] = () => () => undefined;

/**
 * Returns 128 random bits. React Native has no `crypto`; Math.random suffices there, because a key need only be unique.
 */
function createKey(): string {
  const randomBytes = Uint8Array.from({ length: 16 }, () => Math.random() * 256);
  deviceGlobals.crypto?.getRandomValues?.(randomBytes);
  return randomBytes.join('-');
}
