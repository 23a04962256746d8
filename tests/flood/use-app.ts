/** A customer during a flood: refreshes, asks, and sets out to sign in, in turn, by the code that app developers copy. */
import { ask } from '../../docs/examples/mobile/ask.ts';
import { callService, keepTrying } from '../../docs/examples/mobile/call-service.ts';
import { type Device, readStored } from '../../docs/examples/mobile/device.ts';
import { freshAccessToken, type Session } from '../../docs/examples/mobile/session.ts';

type Use = {
  /** Customers with different ones do different things at different times. */
  readonly index: number;
  /** Epoch milliseconds. */
  readonly untilMs: number;
};

/** Every few seconds, until then. Rejects if the customer is signed out, or hears another error than 429. */
export async function useApp(device: Device, { index, untilMs }: Use): Promise<void> {
  for (let turn = index; device.now() < untilMs; turn++) {
    await device.wait(1 + ((index * 7 + turn) % 10) / 4);
    // Who has tried five times in vain tells the customer, who presses again.
    await (doings[turn % doings.length] ?? askForSome)(device).catch((error) => {
      if (error.status !== 429) throw error;
    });
  }
}

/** Sign-ins are seldom: at one address the edge lets through 300 requests of them a minute, refused ones counted too. */
const doings = [
  refreshNow,
  askForSome,
  refreshNow,
  askForSome,
  refreshNow,
  askForSome,
  refreshNow,
  startSignIn,
];

async function refreshNow(device: Device): Promise<unknown> {
  const session = await readStored<Session>(device, 'session');
  return keepTrying(device, () => freshAccessToken(device, session?.accessToken));
}

async function askForSome(device: Device): Promise<unknown> {
  const session = await readStored<Session>(device, 'session');
  const id = `gid://platform/Customer/${session?.customerId}`;
  const query = `{ customer(id: "${id}") { subscriptionContracts(first: 3) { nodes { id status } } } }`;
  return ask(device, { query });
}

/** The first request of a sign-in on another device of the customer's. */
function startSignIn(device: Device): Promise<unknown> {
  const body = { shop: device.shop };
  return keepTrying(device, () => callService(device, { path: '/headless-auth/start', body }));
}
