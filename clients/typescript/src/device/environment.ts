/**
 * What the client takes of the device: the network, the clock, timers, randomness. All of it is looked up when it is used,
 * because React Native, Workers and old browsers each lack something, and each of it can be given for a test.
 */

type FetchInit = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly signal?: unknown;
};
type FetchAnswer = {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
};

/** `LockManager` of the Web Locks API, as far as it is used. */
type Locks = {
  request<Result>(name: string, options: { signal: unknown }, work: () => Promise<Result>): Promise<Result>;
};

export type Environment = {
  readonly fetch: (url: string, init: FetchInit) => Promise<FetchAnswer>;
  /** Epoch milliseconds of the device's clock, which may be wrong. */
  readonly now: () => number;
  /** Calls `work` after so many milliseconds; the result takes it back. */
  readonly setTimer: (work: () => void, ms: number) => () => void;
  /** From 0 to below 1; spreads repeats. */
  readonly random: () => number;
  /** A new text for each call, unlike all others: the key of a change. It guards no secret. */
  readonly createKey: () => string;
  /** Undefined where tabs cannot wait for each other. */
  readonly locks: Locks | undefined;
};

type Global = {
  readonly fetch: Environment['fetch'];
  readonly setTimeout?: (work: () => void, ms: number) => unknown;
  readonly clearTimeout?: (timer: never) => void;
  readonly crypto?: { getRandomValues?(bytes: Uint8Array): Uint8Array };
  readonly navigator?: { readonly locks?: Locks };
};
const global = globalThis as unknown as Global;

/** The device's own, but for what is given. */
export function createEnvironment(given: Partial<Environment> = {}): Environment {
  return {
    fetch: (url, init) => global.fetch(url, init),
    now: () => Date.now(),
    setTimer: global.setTimeout === undefined ? noTimer : setTimer,
    random: () => Math.random(),
    createKey,
    locks: global.navigator?.locks,
    ...given,
  };
}

function setTimer(work: () => void, ms: number): () => void {
  const timer = global.setTimeout?.(work, ms);
  return () => global.clearTimeout?.(timer as never);
}

/** Where there are no timers, nothing can be waited for. */
export const noTimer: Environment['setTimer'] = () => () => undefined;

/** 128 random bits. React Native has no `crypto`: there Math.random is enough, because a key need only be unlike others. */
function createKey(): string {
  const bytes = Uint8Array.from({ length: 16 }, () => Math.random() * 256);
  global.crypto?.getRandomValues?.(bytes);
  return bytes.join('-');
}
