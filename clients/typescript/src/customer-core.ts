/** The customer's part of the client without its operations: the session, and `request`. */
import type { OpenBrowser } from './browser/open-browser.ts';
import { checkOptions } from './device/check-options.ts';
import { createEnvironment, type Environment } from './device/environment.ts';
import { isServiceError, type ServiceError } from './errors/service-error.ts';
import { createRequest } from './request/create-request.ts';
import type { Language } from './request/language.ts';
import type { Request } from './request/request.ts';
import { createAnnouncer } from './session/announce.ts';
import { createExchange, newestWaiting } from './session/exchange.ts';
import { createFreshToken } from './session/fresh-token.ts';
import { readSession } from './session/parts.ts';
import { createTurns } from './session/records.ts';
import type { Session, SessionListener } from './session/session.ts';
import { completeSignIn, signIn } from './session/sign-in.ts';
import { createSignOutSender, signOut } from './session/sign-out.ts';
import type { Storage } from './storage/storage.ts';

const PATH = '/api/storefront/unstable/graphql.json';
const DEADLINE_MS = 60_000;

export type CustomerClientOptions = {
  /** The address of the service, such as `https://subscriptions.example.com`. */
  readonly serviceUrl: string;
  /** The store's domain. */
  readonly shop: string;
  readonly storage: Storage;
  readonly openBrowser: OpenBrowser;
  /** Of messages: a tag such as `de` or `pt-BR`, or a function that is asked each time. */
  readonly language?: Language;
  /** For all tries and waits of one call. 60,000 if absent. */
  readonly deadlineMs?: number;
  /** Told the error while a repeat is pending, and null when it is over: for a line such as “Trying again …”. */
  readonly onWaiting?: (error: ServiceError | null) => void;
  /** For tests, and for devices that lack something. */
  readonly environment?: Partial<Environment>;
};

export type CustomerCore = {
  /** Who is signed in. Throws STORAGE if the storage does not tell. */
  session(): Promise<Session>;
  /** Calls with the current state, then with each change after it is stored. The result ends it. */
  onSession(listener: SessionListener): () => void;
  /** Opens the browser. The session afterwards: signed out means that the answer may still come, to `completeSignIn`. */
  signIn(): Promise<Session>;
  /** Takes the address that the browser came back to, also after a cold start, and more than once. */
  completeSignIn(url: string): Promise<Session>;
  /** Signed out at once; the service is told as soon as it can be reached. */
  signOut(): Promise<void>;
  /** Ends a sign-in or a sign-out whose answer never came. `onSession` does it once; call it when the device is online again. */
  resume(): Promise<Session>;
  request: Request;
};

/** Nothing is read or sent before the first call. Throws TypeError for options that are missing. */
export function createCustomerCore(options: CustomerClientOptions): CustomerCore {
  checkOptions(options, 'shop', 'storage', 'openBrowser');
  const { storage, deadlineMs = DEADLINE_MS } = options;
  const own = { ...options, deadlineMs, environment: createEnvironment(options.environment) };
  const { announce, listen } = createAnnouncer();
  const parts = { ...own, announce, inTurn: createTurns(own) };
  const exchange = createExchange(parts);
  const sendSignOuts = createSignOutSender(parts);
  let resumed: Promise<Session> | undefined;

  async function resume(): Promise<Session> {
    const waiting = await newestWaiting(parts);
    // What cannot be sent now is sent the next time; what is refused is over.
    if (waiting !== undefined) await exchange(waiting).catch(passOver);
    await sendSignOuts().catch(passOver);
    return readSession(parts);
  }

  function onSession(listener: SessionListener): () => void {
    let isOn = true;
    const unwatch = storage.watch?.(() => void readSession(parts).catch(() => undefined));
    const listening = readSession(parts)
      .catch((error) => ({ status: 'unknown', error }) as const)
      .then((session) => listen((change) => isOn && listener(change), session));
    resumed ??= listening.then(resume);
    resumed.catch(() => undefined);
    return () => {
      isOn = false;
      unwatch?.();
      void listening.then((end) => end());
    };
  }

  return {
    session: () => readSession(parts),
    onSession,
    signIn: () => signIn(parts, exchange),
    completeSignIn: (url) => completeSignIn(parts, { url, exchange }),
    signOut: async () => {
      await signOut(parts);
      void sendSignOuts().catch(() => undefined);
    },
    resume,
    request: createRequest({
      ...parts,
      path: PATH,
      authorize: createFreshToken(parts),
    }),
  };
}

function passOver(error: unknown): void {
  if (!isServiceError(error) || error.code === 'STORAGE') throw error;
}
