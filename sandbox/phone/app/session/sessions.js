/**
 * The signed-in customer, and the client of their shop. The clients store the tokens; there is one client for each shop
 * of this build.
 */
import { createCustomerClient, createWebStorage } from '../../../../clients/typescript/src/client.ts';
import { language } from '../messages/translate.js';
import { configuration } from '../service/configuration.js';

/**
 * Opens the platform's pages. Resolves with the redirect's address, or null when the customer closed them.
 * @typedef {(session: { authUrl: string, shop: string }) => Promise<string | null>} OpenBrowserSession
 * @typedef {{ shop: string, customerId: number }} SignedIn
 */

/** Notifies the screen: `waiting` (detail: the error) while a retry is pending, `answered` when it has ended. */
export const connection = new EventTarget();

/** @type {Map<string, import('../../../../clients/typescript/src/client.ts').CustomerClient>} */
const clients = new Map();
/** @type {SignedIn | undefined} */
let current;
let endedByService = false;

/** @returns {SignedIn | undefined} */
export function signedIn() {
  return current;
}

/**
 * Returns the client of a shop, by default of the one where the customer is signed in.
 * @param {string} [shop]
 */
export function clientOf(shop = current?.shop) {
  return clients.get(shop ?? '');
}

/** Returns whether the service ended the sign-in; returns true only once. */
export function takeEnded() {
  const ended = endedByService;
  endedByService = false;
  return ended;
}

/**
 * Resolves when the stored session is loaded. Calls `changed` after each sign-in or sign-out, in this tab or another.
 * @param {{ openBrowser: OpenBrowserSession, changed: () => void }} parts
 */
export async function startSessions({ openBrowser, changed }) {
  const storage = createWebStorage();
  let isStarted = false;
  const first = configuration.shops.map(({ shop }) => {
    const client = createCustomerClient({
      serviceUrl: configuration.serviceUrl,
      shop,
      storage,
      language: language(),
      openBrowser: ({ authUrl }) => openBrowser({ authUrl, shop }),
      onWaiting: (error) =>
        connection.dispatchEvent(
          error === null ? new Event('answered') : new CustomEvent('waiting', { detail: error }),
        ),
    });
    clients.set(shop, client);
    window.addEventListener('online', () => void client.resume().catch(() => undefined));
    return new Promise((resolve) => {
      client.onSession((session) => {
        if (note(shop, session) && isStarted) changed();
        resolve(undefined);
      });
    });
  });
  await Promise.all(first);
  isStarted = true;
}

/**
 * @param {string} shop
 * @param {import('../../../../clients/typescript/src/client.ts').Session} session
 * @returns {boolean} Whether the sign-in has changed.
 */
function note(shop, session) {
  if (session.status === 'signedIn') {
    current = { shop, customerId: session.customerId };
    return true;
  }
  if (current?.shop !== shop) return false;
  current = undefined;
  endedByService = session.status === 'signedOut' && session.endedByService;
  return true;
}
