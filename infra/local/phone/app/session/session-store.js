/**
 * The store of tokens: in an app the Keychain or Keystore, here the browser's storage, which all tabs
 * of the page share. Nothing else in the app reads or writes them.
 */

/**
 * @typedef {{
 *   shop: string, customerId: number, accessToken: string, refreshToken: string,
 *   expiresAt: string, receivedAtMs: number,
 * }} Session
 * @typedef {{ shop: string, code: string, verifier: string, nonce: string }} PendingExchange
 * @typedef {Pick<Session, 'shop' | 'customerId' | 'refreshToken'>} PendingRevocation
 */

const SESSION = 'session';
const REVOCATION = 'pending-revocation';
const EXCHANGE = 'pending-exchange';

const changes = new EventTarget();
let endedByService = false;

/** @returns {Session | undefined} */
export function readSession() {
  return read(localStorage, SESSION);
}

/**
 * @param {string} shop
 * @param {Pick<Session, 'customerId' | 'accessToken' | 'refreshToken' | 'expiresAt'>} answer
 *   Of exchange or refresh.
 * @returns {Session}
 */
export function storeSession(shop, { customerId, accessToken, refreshToken, expiresAt }) {
  const session = { shop, customerId, accessToken, refreshToken, expiresAt, receivedAtMs: Date.now() };
  localStorage.setItem(SESSION, JSON.stringify(session));
  changes.dispatchEvent(new Event('change'));
  return session;
}

/** @param {{ ended?: boolean }} [how] `ended`: the service ended the sign-in, not the customer. */
export function clearSession({ ended = false } = {}) {
  endedByService = ended;
  localStorage.removeItem(SESSION);
  changes.dispatchEvent(new Event('change'));
}

/** Whether the sign-in was ended by the service; tells it once. */
export function takeEnded() {
  const ended = endedByService;
  endedByService = false;
  return ended;
}

/** Calls back when somebody signed in or out, in this tab or another. @param {() => void} callback */
export function onSessionChange(callback) {
  let signedIn = readSession() !== undefined;
  const look = () => {
    const before = signedIn;
    signedIn = readSession() !== undefined;
    if (signedIn !== before) callback();
  };
  changes.addEventListener('change', look);
  window.addEventListener('storage', look);
}

/** A code whose answer did not come yet; it outlives a reload. @returns {PendingExchange | undefined} */
export function readPendingExchange() {
  return read(sessionStorage, EXCHANGE);
}

/** @param {PendingExchange | undefined} pending */
export function storePendingExchange(pending) {
  write(sessionStorage, EXCHANGE, pending);
}

/** A sign-out the service has not heard of yet. @returns {PendingRevocation | undefined} */
export function readPendingRevocation() {
  return read(localStorage, REVOCATION);
}

/** @param {PendingRevocation | undefined} pending */
export function storePendingRevocation(pending) {
  write(localStorage, REVOCATION, pending);
}

/** @param {Storage} storage @param {string} key */
function read(storage, key) {
  const text = storage.getItem(key);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {Storage} storage @param {string} key @param {unknown} value */
function write(storage, key, value) {
  if (value === undefined) storage.removeItem(key);
  else storage.setItem(key, JSON.stringify(value));
}
