/**
 * Sign-in as an app does it: start, the platform's own pages in the system's browser session, exchange.
 * The service's three steps and nothing else; RFC 8252 is the pattern, RFC 7636 the proof.
 */
import { callService } from '../service/call-service.js';
import { keepTrying } from '../service/keep-trying.js';
import { hasCode, ServiceError } from '../service/service-error.js';
import { readPendingExchange, storePendingExchange, storeSession } from './session-store.js';

/**
 * Shows the platform's pages to the customer; its result is the redirect's address.
 * @typedef {(session: { authUrl: string, shop: string }) => Promise<string>} OpenBrowserSession
 */

/**
 * Signs somebody in at the shop. Throws CANCELLED if the sheet was closed.
 * @param {string} shop
 * @param {OpenBrowserSession} openBrowserSession
 */
export async function signIn(shop, openBrowserSession) {
  try {
    if (readPendingExchange()?.shop === shop) await finishExchange();
    else await signInOnce(shop, openBrowserSession);
  } catch (error) {
    // The platform did not take the code. The customer is usually still signed in there and sees no form.
    if (!hasCode(error, 'SIGN_IN_REJECTED')) throw error;
    await signInOnce(shop, openBrowserSession);
  }
}

/** @param {string} shop @param {OpenBrowserSession} openBrowserSession */
async function signInOnce(shop, openBrowserSession) {
  const started = await keepTrying(() => callService({ path: '/headless-auth/start', body: { shop } }));
  const callbackUrl = await openBrowserSession({ authUrl: started.authUrl, shop });
  const code = readCode(callbackUrl, started);
  storePendingExchange({ shop, code, verifier: started.verifier, nonce: started.nonce });
  await finishExchange();
}

/**
 * The code of the redirect, if it is the one asked for: the registered address and this sign-in's state.
 * @param {string} callbackUrl
 * @param {{ redirectUri: string, state: string }} started
 */
function readCode(callbackUrl, { redirectUri, state }) {
  const [address, query] = callbackUrl.split('?', 2);
  const parameters = new URLSearchParams(query);
  if (address !== redirectUri || parameters.get('state') !== state)
    throw new ServiceError({ code: 'FOREIGN_REDIRECT' });
  const code = parameters.get('code');
  if (code === null) throw withoutCode(parameters.get('error'));
  return code;
}

/** RFC 6749, section 4.1.2.1. @param {string | null} error */
function withoutCode(error) {
  return new ServiceError({ code: error === 'access_denied' ? 'CANCELLED' : 'SIGN_IN_REFUSED' });
}

/** Sends the code that waits for its answer, with the same inputs as before; also after a reload. */
export async function finishExchange() {
  const pending = readPendingExchange();
  if (pending === undefined) return;
  try {
    const answer = await keepTrying(() => callService({ path: '/headless-auth/exchange', body: pending }));
    storeSession(pending.shop, answer);
  } catch (error) {
    if (error instanceof ServiceError && error.transient) throw error;
    storePendingExchange(undefined);
    throw error;
  }
  storePendingExchange(undefined);
}
