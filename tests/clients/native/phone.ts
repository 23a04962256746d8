/** Controls Phone.kt or Phone.swift: starts it, sends it the customer's actions, and simulates the customer in its browser. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

type Session =
  | { readonly status: 'signedIn'; readonly customerId: number }
  | { readonly status: 'signedOut'; readonly endedByService: boolean };
/** The name of one of the phone's functions that fail: those of its storage. */
type StorageFunction = 'get' | 'set' | 'remove';
type BrowserRequest = { readonly authUrl: string };
type Event =
  | ({ readonly event: 'browser'; readonly browser: number } & BrowserRequest)
  | { readonly event: 'session'; readonly on: string; readonly session: Session }
  | { readonly event: 'wait'; readonly ms: number };
type Outcome = { readonly id: number; readonly value?: unknown; readonly error?: { readonly code: string } };
type Order = { readonly do: string; readonly [field: string]: unknown };

/** The command that starts the compiled phone; its last argument is the folder of the storage. */
export type BuiltPhone = { readonly command: readonly [string, ...string[]] };
export type PhoneOptions = BuiltPhone & {
  /** The folder of its storage. */
  readonly folder: string;
  /** Simulates the customer in the browser: returns the redirect address, or null for a closed browser. */
  readonly browse: (request: BrowserRequest) => Promise<string | null>;
};

/** Rejects with the client's error, by its `code`. */
export type Phone = {
  readonly send: (order: Order) => Promise<unknown>;
  /** A client of its own, in the same storage. */
  readonly client: (name: string, at: { serviceUrl: string; shop: string }) => Promise<Client>;
  readonly setClock: (aheadMs: number) => Promise<unknown>;
  readonly waitForMs: (ms: number) => Promise<unknown>;
  readonly breakStorage: (...at: StorageFunction[]) => Promise<unknown>;
  /** The time that it has waited so far before retries, in milliseconds. */
  readonly waitsMs: readonly number[];
  /** The sessions that the client's `onSession` reported, as soon as there are `count` of them. */
  readonly sessionsOf: (client: string, count: number) => Promise<readonly Session[]>;
  /** At once, as the system does with apps behind others. */
  readonly kill: () => Promise<void>;
};
export type Client = {
  readonly session: () => Promise<Session>;
  readonly signIn: () => Promise<Session>;
  readonly completeSignIn: (url: string) => Promise<Session>;
  readonly resume: () => Promise<Session>;
  readonly signOut: () => Promise<unknown>;
  readonly request: (document: string, variables?: object) => Promise<{ data: unknown; errors: string[] }>;
};

/** A phone that is switched on. */
export function startPhone({ command, folder, browse }: PhoneOptions): Phone {
  const [program, ...flags] = command;
  const child = spawn(program, [...flags, folder]);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const events: Event[] = [];
  let arrival = Promise.withResolvers<void>();
  const send = createOrders(child, (event) => {
    events.push(event);
    arrival.resolve();
    arrival = Promise.withResolvers();
    if (event.event !== 'browser') return;
    const { browser, ...request } = event;
    const closes = (address: string | null) => send({ do: 'browser', browser, address });
    browse(request).then(closes, () => closes(null));
  });
  const client = async (on: string, at: object) => {
    await send({ do: 'create', on, ...at });
    const does =
      (name: string) =>
      (more: object = {}) =>
        send({ do: name, on, ...more }) as Promise<never>;
    return {
      session: does('session'),
      signIn: does('signIn'),
      completeSignIn: (url: string) => does('completeSignIn')({ url }),
      resume: does('resume'),
      signOut: does('signOut'),
      request: (document: string, variables = {}) => does('request')({ document, variables }),
    };
  };
  return {
    send,
    client,
    setClock: (aheadMs) => send({ do: 'clock', aheadMs }),
    waitForMs: (ms) => send({ do: 'longestWait', ms }),
    breakStorage: (...at) => send({ do: 'storageFails', at }),
    get waitsMs() {
      return events.flatMap((event) => (event.event === 'wait' ? [event.ms] : []));
    },
    async sessionsOf(on, count) {
      const reported = () =>
        events.flatMap((event) => (event.event === 'session' && event.on === on ? [event.session] : []));
      while (reported().length < count) await arrival.promise;
      return reported();
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** Matches the phone's responses to orders by their number; all other lines are events. */
function createOrders(child: ChildProcessWithoutNullStreams, onEvent: (event: Event) => void) {
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let output = '';
  let last = 0;
  child.stderr.on('data', (text) => {
    output += text;
  });
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line) as Event | Outcome;
    if ('event' in message) return onEvent(message);
    const { id, value, error } = message;
    const order = open.get(id);
    open.delete(id);
    if (error === undefined) order?.resolve(value);
    else order?.reject(Object.assign(new Error(error.code), error));
  });
  child.once('close', () => {
    for (const { reject } of open.values())
      reject(Object.assign(new Error(`KILLED ${output}`), { code: 'KILLED' }));
    open.clear();
  });
  child.stdin.on('error', () => undefined);
  return (order: Order): Promise<unknown> => {
    const id = ++last;
    const outcome = Promise.withResolvers<unknown>();
    open.set(id, outcome);
    child.stdin.write(`${JSON.stringify({ id, ...order })}\n`);
    return outcome.promise;
  };
}
