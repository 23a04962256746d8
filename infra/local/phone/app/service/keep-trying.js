/**
 * Repeats a request whose answer was lost or put off, with the same inputs: the service answers a repeat of
 * exchange, refresh, revoke and skip as it answered the first. What is final is thrown at once.
 */
import { ServiceError } from './service-error.js';

const TRIES = 5;
/** Without a word of the service. The gateway before it, which is not ours, says none with its 429. */
const FIRST_DELAY_SECONDS = 1;
const LONGEST_DELAY_SECONDS = 8;

/** Tells the screen: `waiting` (detail: the error) while a repeat is pending, `answered` when it is over. */
export const connection = new EventTarget();

/**
 * @template T
 * @param {() => Promise<T>} request
 * @returns {Promise<T>}
 */
export async function keepTrying(request) {
  for (let failures = 0; ; ) {
    try {
      const answer = await request();
      if (failures > 0) connection.dispatchEvent(new Event('answered'));
      return answer;
    } catch (error) {
      failures += 1;
      const transient = error instanceof ServiceError && error.transient;
      if (!transient || failures === TRIES) {
        if (failures > 1) connection.dispatchEvent(new Event('answered'));
        throw error;
      }
      connection.dispatchEvent(new CustomEvent('waiting', { detail: error }));
      await pause(delaySeconds(error, failures));
    }
  }
}

/** @param {ServiceError} error @param {number} failures */
function delaySeconds(error, failures) {
  const backOff = FIRST_DELAY_SECONDS * 2 ** (failures - 1) * (0.75 + Math.random() / 2);
  return Math.max(error.retryAfterSeconds ?? 0, Math.min(backOff, LONGEST_DELAY_SECONDS));
}

/** As long as it says, or until the phone is online again. @param {number} seconds */
function pause(seconds) {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer);
      window.removeEventListener('online', goOn);
      resolve(undefined);
    };
    const timer = setTimeout(goOn, seconds * 1000);
    window.addEventListener('online', goOn);
  });
}
