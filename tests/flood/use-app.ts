/**
 * A customer during a flood: refreshes, sends requests, and starts sign-ins in turn, with the client that users
 * install.
 */
import {
  createCustomerClient,
  createMemoryStorage,
  type OpenBrowser,
} from '../../clients/typescript/src/client.ts';
import type { SimulatedTime } from './simulated-time.ts';

const HOUR_MS = 3_600_000;

type Place = { readonly serviceUrl: string; readonly shop: string; readonly time: SimulatedTime };
export type Device = ReturnType<typeof createDevice>;

/** Creates a device that sends its requests to `fetch`. `openBrowser` is called once: later sign-ins are dismissed. */
export function createDevice({ serviceUrl, shop, time }: Place, openBrowser: OpenBrowser) {
  const storage = createMemoryStorage();
  /** The device's clock offset: an hour more makes the client refresh. */
  const clock = { aheadMs: 0 };
  let isFirst = true;
  const client = createCustomerClient({
    ...{ serviceUrl, shop, storage },
    async openBrowser(request) {
      const url = isFirst ? await openBrowser(request) : null;
      isFirst = false;
      return url;
    },
    environment: {
      now: () => time.now() + clock.aheadMs,
      setTimer(work, ms) {
        let isOn = true;
        void time.wait(ms / 1000).then(() => isOn && work());
        return () => {
          isOn = false;
        };
      },
    },
  });
  return {
    client,
    clock,
    time,
    /** Returns the session that the sign-in stored. */
    stored: async () => JSON.parse((await storage.get(`subscriptions.${shop}.session`)) ?? 'null'),
  };
}

type Use = {
  /** Customers with different ones do different things at different times. */
  readonly index: number;
  /** Epoch milliseconds. */
  readonly untilMs: number;
};

/**
 * Uses the app every few seconds, until then. Rejects if the customer is signed out, or gets an error other than 429.
 */
export async function useApp(device: Device, { index, untilMs }: Use): Promise<void> {
  const { time } = device;
  for (let turn = index; time.now() < untilMs; turn++) {
    await time.wait(1 + ((index * 7 + turn) % 10) / 4);
    // After five failed attempts the app reports the error, and the customer tries again.
    await (doings[turn % doings.length] ?? askForSome)(device).catch((error) => {
      if (error.status !== 429) throw error;
    });
  }
}

/** Sign-ins are seldom: at one address the edge lets through 300 requests of them a minute, refused ones counted too. */
const doings = [
  refreshAndAsk,
  askForSome,
  refreshAndAsk,
  askForSome,
  refreshAndAsk,
  askForSome,
  refreshAndAsk,
  startSignIn,
];

async function refreshAndAsk(device: Device): Promise<unknown> {
  device.clock.aheadMs += HOUR_MS;
  return askForSome(device);
}

async function askForSome({ client }: Device): Promise<unknown> {
  const session = await client.session();
  const id = `gid://platform/Customer/${session.status === 'signedIn' && session.customerId}`;
  return client.request(
    `{ customer(id: "${id}") { subscriptionContracts(first: 3) { nodes { id status } } } }`,
  );
}

/** The first request of a sign-in. */
function startSignIn({ client }: Device): Promise<unknown> {
  return client.signIn();
}
