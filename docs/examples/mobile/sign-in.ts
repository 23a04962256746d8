/** Sign-in: start, the platform's pages in the system's browser, exchange. */
import { callService, hasCode, isPassing, keepTrying, ServiceError } from './call-service.ts';
import { type Device, readStored } from './device.ts';
import { storeSession } from './session.ts';

type Started = { authUrl: string; verifier: string; nonce: string; state: string; redirectUri: string };

export async function signIn(device: Device): Promise<void> {
  try {
    await signInOnce(device);
  } catch (error) {
    // The code was not taken, or came too late. The customer is usually still signed in at the platform: no form.
    if (!hasCode(error, 'SIGN_IN_REJECTED', 'INVALID_NONCE')) throw error;
    await signInOnce(device);
  }
}

async function signInOnce(device: Device): Promise<void> {
  const { shop, storage, openBrowser } = device;
  const start = () => callService(device, { path: '/headless-auth/start', body: { shop } });
  const started: Started = await keepTrying(device, start);
  const code = readCode(await openBrowser(started.authUrl, started.redirectUri), started);
  const { verifier, nonce } = started;
  // Stored first: if the app is killed now, its next start sends the same again and gets the same tokens.
  await storage.write('pending-exchange', JSON.stringify({ shop, code, verifier, nonce }));
  await finishExchange(device);
}

/** Call it at every start of the app, too. */
export async function finishExchange(device: Device): Promise<void> {
  const body = await readStored(device, 'pending-exchange');
  if (body === null) return;
  try {
    const exchange = () => callService(device, { path: '/headless-auth/exchange', body });
    await storeSession(device, await keepTrying(device, exchange));
  } catch (error) {
    if (!isPassing(error)) await device.storage.remove('pending-exchange');
    throw error;
  }
  await device.storage.remove('pending-exchange');
}

/** Only the registered address with this sign-in's state brings a code (RFC 6749, section 10.12). */
function readCode(callback: string, { redirectUri, state }: Started): string {
  const [address, query = ''] = callback.replace(/#.*$/s, '').split('?', 2);
  if (address !== redirectUri || readParameter(query, 'state') !== state)
    throw new ServiceError('FOREIGN_REDIRECT');
  const code = readParameter(query, 'code');
  if (code === undefined) throw new ServiceError(readParameter(query, 'error') ?? 'CANCELLED');
  return code;
}

/** By hand: older versions of React Native have a URLSearchParams that cannot be read. */
function readParameter(query: string, name: string): string | undefined {
  const pair = query.split('&').find((each) => each.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  try {
    return decodeURIComponent(pair.slice(name.length + 1).replace(/\+/g, ' '));
  } catch {
    return undefined;
  }
}
