/**
 * Sign-in: start, the platform's pages in the system's browser, exchange. Each step is stored before the next one
 * starts.
 */

import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { notServiceResponseError } from '../request/call-service.ts';
import { languageTagOf } from '../request/language.ts';
import { type ExchangeSignIn, findNewestWaitingSignIn } from './exchange.ts';
import { foreignRedirectError, parseSignInCallback } from './read-callback.ts';
import type { Records, StoredSignIn } from './records.ts';
import { sendSignInWithRetries } from './send-sign-in.ts';
import type { Session } from './session.ts';
import { readSession, type SessionDeps } from './session-deps.ts';

/** The service accepts a code for 15 minutes after the start. */
const SIGN_IN_LIFETIME_MS = 15 * 60_000;
/**
 * The maximum number of sign-ins without a code: a customer can press the button again while the first browser is open.
 */
const MAX_OPEN_SIGN_INS = 3;

export async function signIn(deps: SessionDeps, exchange: ExchangeSignIn): Promise<Session> {
  try {
    return await signInOnce(deps, exchange);
  } catch (error) {
    // The code was rejected or expired. Try again: the customer is usually still signed in at the platform and sees no
    // form.
    if (!isServiceError(error, 'SIGN_IN_REJECTED', 'INVALID_NONCE')) throw error;
    return signInOnce(deps, exchange);
  }
}

async function signInOnce(deps: SessionDeps, exchange: ExchangeSignIn): Promise<Session> {
  const waitingSignIn = await findNewestWaitingSignIn(deps);
  if (waitingSignIn !== undefined) return exchange(waitingSignIn);
  const { authUrl, ...startedSignIn } = await startSignIn(deps);
  await deps.withRecords(async (records) => {
    await records.write(
      'signIns',
      [startedSignIn, ...(await readOpenSignIns(deps, records))].slice(0, MAX_OPEN_SIGN_INS),
    );
  });
  const url = await deps.openBrowser({ authUrl, redirectUri: startedSignIn.redirectUri });
  return url === null ? readSession(deps) : completeSignIn(deps, { url, exchange });
}

type StartedSignIn = StoredSignIn & { readonly authUrl: string };

function startSignIn(deps: SessionDeps): Promise<StartedSignIn> {
  const startFields = { locale: languageTagOf(deps.language), redirectUri: deps.redirectUri };
  return sendSignInWithRetries(deps, { step: 'start', fields: startFields }, ({ json }) => {
    const { authUrl, state, verifier, nonce, redirectUri } = json as Partial<StartedSignIn>;
    if (!authUrl || !state || !verifier || !nonce || !redirectUri) throw notServiceResponseError();
    // A service that does not know `redirectUri` ignores it, and would redirect the browser to an app's address.
    if (redirectUri !== (deps.redirectUri ?? redirectUri)) throw new ServiceError('SIGN_IN_REFUSED');
    return { authUrl, state, verifier, nonce, redirectUri, startedAtMs: deps.environment.now() };
  });
}

type SignInRedirect = { readonly url: string; readonly exchange: ExchangeSignIn };

/**
 * Completes the sign-in of a callback. Throws FOREIGN_REDIRECT, CANCELLED, SIGN_IN_REFUSED, or the errors of the
 * exchange.
 */
export async function completeSignIn(deps: SessionDeps, { url, exchange }: SignInRedirect): Promise<Session> {
  const signInCallback = parseSignInCallback(url);
  const signInToExchange = await deps.withRecords(async (records) => {
    // React Native delivers the address again at each reload.
    if ((await records.session())?.state === signInCallback.state) return undefined;
    const signIns = await readOpenSignIns(deps, records);
    const ownSignIn = signIns.find(({ state }) => state === signInCallback.state);
    const otherSignIns = signIns.filter((each) => each !== ownSignIn);
    if (ownSignIn === undefined || ownSignIn.redirectUri !== signInCallback.address)
      throw foreignRedirectError();
    const { code } = signInCallback;
    if (code === undefined) {
      await records.write('signIns', otherSignIns);
      // RFC 6749, section 4.1.2.1.
      throw new ServiceError(signInCallback.error === 'access_denied' ? 'CANCELLED' : 'SIGN_IN_REFUSED');
    }
    if (ownSignIn.code !== undefined && ownSignIn.code !== code) throw foreignRedirectError();
    // Store the code first: if the app is killed now, its next start sends the same request and gets the same tokens.
    const signInWithCode = { ...ownSignIn, code };
    await records.write('signIns', [signInWithCode, ...otherSignIns]);
    return signInWithCode;
  });
  return signInToExchange === undefined ? readSession(deps) : exchange(signInToExchange);
}

/** Returns the sign-ins that can still complete. Only the service knows whether a waiting code is still valid. */
async function readOpenSignIns({ environment }: SessionDeps, records: Records): Promise<StoredSignIn[]> {
  const earliestOpenStartMs = environment.now() - SIGN_IN_LIFETIME_MS;
  return (await records.read('signIns')).filter(
    ({ startedAtMs, code }) => code !== undefined || startedAtMs >= earliestOpenStartMs,
  );
}
