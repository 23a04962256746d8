/** The typed `/_control/` interface of a stack: controls the emulated platform and the clock. */

type RecordedRequest = {
  readonly at: string;
  readonly shop: string;
  readonly kind: 'sign-in' | 'admin';
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Only for `admin` requests. */
  readonly query?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly cost?: unknown;
};
export type Fault = {
  readonly target: 'sign-in' | 'admin';
  readonly operation?: string;
  /** The store of the fault; all stores without it. */
  readonly shop?: string;
  readonly count: number;
  readonly status?: number;
  readonly delayMs?: number;
  readonly body?: unknown;
  readonly cut?: 'before' | 'after';
  readonly consume?: boolean;
  readonly throttle?: boolean;
  readonly outdate?: boolean;
};
/** Points of a store of the dearest plan. A test does in seconds what takes hours, and would wait for the points of other plans. */
export const MANY_POINTS = { maximumAvailable: 20_000, restoreRate: 2_000 };

export type StackControl = {
  /** The clock of everything, ISO 8601. */
  now(): Promise<string>;
  /** Moves the clock of everything; resolves when all have moved and due scheduled work is done. */
  clock(move: { readonly now: string } | { readonly advance: number }): Promise<void>;
  /** Returns the service's requests to the platform, oldest first. */
  requests(): Promise<RecordedRequest[]>;
  clearRequests(): Promise<void>;
  /** The newest code sent to an address. */
  oneTimeCode(email: string): Promise<string>;
  faults(...faults: readonly Fault[]): Promise<void>;
  /** The faults that have not occurred yet. */
  waitingFaults(): Promise<Fault[]>;
  clearFaults(): Promise<void>;
  /** The Admin API points of a store's plan: the maximum, and the points restored each second. */
  throttle(shop: string, points: Readonly<Record<'maximumAvailable' | 'restoreRate', number>>): Promise<void>;
  /** The platform signs with new keys from now on, and still publishes the old ones. */
  rotateSigningKeys(): Promise<void>;
  /** Adds to the first store; resolves with the new customers. */
  seed(more: {
    readonly contracts?: number;
    readonly customers?: number;
    readonly subscriptions?: readonly object[];
    readonly sellingPlanGroups?: readonly object[];
  }): Promise<{ readonly customers: readonly { readonly id: number; readonly email: string }[] }>;
  /** Sets the bank's answers to the next charges of a subscription. */
  card(more: {
    readonly shop: string;
    readonly contractId: number;
    readonly answers: readonly string[];
  }): Promise<void>;
  reset(): Promise<void>;
};

/** The control of a platform. Every call rejects with the platform's message if it fails. */
export function createStackControl(platformUrl: string): StackControl {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${platformUrl}/_control/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    now: async () => (await call('GET', 'clock')).now,
    clock: (move) => call('POST', 'clock', move),
    requests: () => call('GET', 'requests'),
    clearRequests: () => call('DELETE', 'requests'),
    oneTimeCode: async (email) =>
      (await call('GET', `one-time-code?email=${encodeURIComponent(email)}`)).code,
    async faults(...faults) {
      for (const fault of faults) await call('POST', 'faults', fault);
    },
    waitingFaults: () => call('GET', 'faults'),
    clearFaults: () => call('DELETE', 'faults'),
    throttle: (shop, throttle) => call('POST', 'settings', { shop, throttle }),
    rotateSigningKeys: () => call('POST', 'jwks', {}),
    seed: (more) => call('POST', 'seed', more),
    card: (more) => call('POST', 'card', more),
    reset: () => call('POST', 'reset', {}),
  };
}
