/** The customer's part of the client without its operations: the session, and `request`. */
import type { OpenBrowser } from './browser/open-browser.ts';
import { type AppInfo, checkOptions } from './device/check-options.ts';
import { createEnvironment, type Environment } from './device/environment.ts';
import { isServiceError, type ServiceError } from './errors/service-error.ts';
import { createRequest } from './request/create-request.ts';
import type { Language } from './request/language.ts';
import type { RequestInfo, ResponseInfo } from './request/observer.ts';
import type { Request } from './request/request.ts';
import { createAnnouncer } from './session/announce.ts';
import { createExchange, findNewestWaitingSignIn } from './session/exchange.ts';
import { createGetValidToken } from './session/fresh-token.ts';
import { createRecordsLock } from './session/records.ts';
import type { Session, SessionListener } from './session/session.ts';
import { readSession } from './session/session-deps.ts';
import { completeSignIn, signIn } from './session/sign-in.ts';
import { createSignOutSender, signOut } from './session/sign-out.ts';
import type { Storage } from './storage/storage.ts';

const CUSTOMER_API_PATH = '/api/storefront/unstable/graphql.json';
const READ_DEADLINE_MS = 60_000;
const CHANGE_DEADLINE_MS = 8_000;

/** The options of `createCustomerClient`. */
export type CustomerClientOptions = {
  /** The address of the service, such as `https://subscriptions.example.com`. */
  readonly serviceUrl: string;
  /** The store's domain. */
  readonly shop: string;
  /** Where the tokens are stored, such as `createExpoStorage(…)`. */
  readonly storage: Storage;
  /** How the sign-in opens the system browser, such as `createExpoBrowser(…)`. */
  readonly openBrowser: OpenBrowser;
  /**
   * For a web page: the address of the page to which the browser returns, exactly as the operator has entered it, such
   * as `https://shop.example.com/account`. An app leaves it out, and returns to its own scheme.
   */
  readonly redirectUri?: string;
  /** The language of messages: a tag such as `de` or `pt-BR`, or a function that is called for each request. */
  readonly language?: Language;
  /** The time limit of one call with all its attempts and waits: 60,000 if absent. */
  readonly deadlineMs?: number;
  /** The time limit of a change, for which a person waits: 8,000 if absent. */
  readonly changeDeadlineMs?: number;
  /**
   * Receives the error while a retry is pending, and null when the wait is over: for a line such as “Trying again …”.
   */
  readonly onWaiting?: (error: ServiceError | null) => void;
  /** Receives each attempt of each request before it is sent, those of the sign-in too. */
  readonly onRequest?: (request: RequestInfo) => unknown;
  /** Receives the outcome of each attempt. */
  readonly onResponse?: (response: ResponseInfo) => unknown;
  /**
   * The app's name (at most 40 characters) and version (at most 20) for the log of the service: letters, digits, and
   * `.`, `_`, `-`, `+`.
   */
  readonly appInfo?: AppInfo;
  /** The device functions, for tests and for devices without one of them. */
  readonly environment?: Partial<Environment>;
};

export type CustomerCore = {
  /**
   * Returns the current session.
   * @throws STORAGE when the storage cannot be read.
   */
  session(): Promise<Session>;
  /**
   * Calls the listener with the current session, then with each stored change, until the returned function is called.
   */
  onSession(listener: SessionListener): () => void;
  /**
   * Opens the browser and returns the resulting session. If it is signed out, the address may still arrive: pass it to
   * `completeSignIn`.
   */
  signIn(): Promise<Session>;
  /** Completes the sign-in with its redirect address. Works after a cold start, and can be called more than once. */
  completeSignIn(url: string): Promise<Session>;
  /** Signs out immediately on the device, and at the service as soon as it is reachable. */
  signOut(): Promise<void>;
  /**
   * Completes a sign-in or a sign-out whose response was lost. `onSession` calls it once; call it when the device is
   * online again.
   */
  resume(): Promise<Session>;
  request: Request;
};

/**
 * Creates the client's core. Nothing is read or sent before the first call.
 * @throws TypeError when an option is missing or cannot work.
 */
export function createCustomerCore(options: CustomerClientOptions): CustomerCore {
  checkOptions(options, 'shop', 'storage', 'openBrowser');
  const { storage, deadlineMs = READ_DEADLINE_MS, changeDeadlineMs = CHANGE_DEADLINE_MS } = options;
  // A page's preflight request has no headers of the client: only the URL's query can name the store.
  const query = options.redirectUri ? `?shop=${encodeURIComponent(options.shop)}` : '';
  const coreOptions = { ...options, deadlineMs, query, environment: createEnvironment(options.environment) };
  const { announce, listen } = createAnnouncer();
  const sessionDeps = { ...coreOptions, announce, withRecords: createRecordsLock(coreOptions) };
  const exchange = createExchange(sessionDeps);
  const sendSignOuts = createSignOutSender(sessionDeps);
  let firstResumePromise: Promise<Session> | undefined;

  /** Completes a sign-in and sign-outs whose responses were lost. */
  async function finishInterruptedSignIns(): Promise<Session> {
    const waitingSignIn = await findNewestWaitingSignIn(sessionDeps);
    // After a transient error the sign-in stays stored, and the next call retries it.
    if (waitingSignIn !== undefined) await exchange(waitingSignIn).catch(ignoreUnlessStorageError);
    await sendSignOuts().catch(ignoreUnlessStorageError);
    return readSession(sessionDeps);
  }

  function subscribeToSession(listener: SessionListener): () => void {
    let isListening = true;
    const stopWatching = storage.watch?.(() => void readSession(sessionDeps).catch(() => undefined));
    const firstReadPromise = readSession(sessionDeps)
      .catch((error) => ({ status: 'unknown', error }) as const)
      .then((session) => listen((changedSession) => isListening && listener(changedSession), session));
    firstResumePromise ??= firstReadPromise.then(finishInterruptedSignIns);
    firstResumePromise.catch(() => undefined);
    return () => {
      isListening = false;
      stopWatching?.();
      void firstReadPromise.then((stopListening) => stopListening());
    };
  }

  return {
    session: () => readSession(sessionDeps),
    onSession: subscribeToSession,
    signIn: () => signIn(sessionDeps, exchange),
    completeSignIn: (url) => completeSignIn(sessionDeps, { url, exchange }),
    signOut: async () => {
      await signOut(sessionDeps);
      void sendSignOuts().catch(() => undefined);
    },
    resume: finishInterruptedSignIns,
    request: createRequest({
      ...sessionDeps,
      changeDeadlineMs,
      path: CUSTOMER_API_PATH,
      authorize: createGetValidToken(sessionDeps),
    }),
  };
}

function ignoreUnlessStorageError(error: unknown): void {
  if (!isServiceError(error) || error.code === 'STORAGE') throw error;
}
