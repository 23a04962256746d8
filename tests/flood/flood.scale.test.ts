/**
 * A flood through the edge, beside customers who use the app: 2,000 junk requests a second from 50 addresses for 120 s, and
 * 20 customers (in `npm test` one address, 2 customers, and throttles as much smaller). In simulated time: what passes runs
 * in the real functions, over the stand-ins.
 */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { ask } from '../../docs/examples/mobile/ask.ts';
import { keepTrying } from '../../docs/examples/mobile/call-service.ts';
import { type Device, readStored } from '../../docs/examples/mobile/device.ts';
import { freshAccessToken, type Session } from '../../docs/examples/mobile/session.ts';
import { signIn } from '../../docs/examples/mobile/sign-in.ts';
import { isFullSize } from '../full-size.ts';
import { createFloodWorld, type FloodWorld, SERVICE_URL, type Sent } from './flood-world.ts';

const ADDRESSES = isFullSize ? 50 : 1;
const CUSTOMERS = isFullSize ? 20 : 2;
const PER_SECOND_OF_ADDRESS = 40;
const SECONDS = 120;
const SLICE_MS = isFullSize ? 100 : 500;
/** The window of the total of an address is full after 45 s, and WAF notices within 30 s. */
const RULES_BITE_AFTER_SECONDS = 76;

let world: FloodWorld;
type Seen = { readonly second: number; readonly status: number; readonly tookMs: number };
let seen: Seen[] = [];
const original = globalThis.fetch;
let startMs = 0;

beforeAll(async () => {
  world = await createFloodWorld(ADDRESSES / 50);
}, 120_000);
afterAll(() => world.close());
afterEach(() => void jest.restoreAllMocks());

/** The app's requests to the service, from an address; everything else goes its way. */
function playNetwork(address: string): void {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, init = {}) => {
    if (!`${url}`.startsWith(SERVICE_URL)) return original(url, init);
    const headers = Object.fromEntries(new Headers(init.headers));
    const sent = { method: init.method ?? 'GET', path: `${url}`.slice(SERVICE_URL.length), address, headers };
    const begun = performance.now();
    const {
      status,
      headers: answered,
      body,
    } = await world.time.during(() => world.send({ ...sent, body: String(init.body ?? '') }));
    seen.push({ second: (world.time.now() - startMs) / 1000, status, tookMs: performance.now() - begun });
    return new Response(status === 204 ? null : new Uint8Array(body), { status, headers: answered });
  });
}

/** Refreshes and asks in turn, every few seconds, as long as the flood goes on. Rejects if it is signed out. */
async function useApp(device: Device, index: number): Promise<void> {
  for (let turn = index; world.time.now() < startMs + SECONDS * 1000; turn++) {
    await world.time.wait(1 + ((index * 7 + turn) % 10) / 4);
    const session = await readStored<Session>(device, 'session');
    const again = () => freshAccessToken(device, session?.accessToken);
    const id = `gid://platform/Customer/${session?.customerId}`;
    const query = `{ customer(id: "${id}") { subscriptionContracts(first: 3) { nodes { id status } } } }`;
    // Who has tried five times in vain tells the customer, who presses again.
    await (turn % 2 === 0 ? keepTrying(device, again) : ask(device, { query })).catch((error) => {
      if (error.status !== 429) throw error;
    });
  }
}

const json = { 'content-type': 'application/json' };
const junkRefresh: Junk = (shop) => ({
  ...{ method: 'POST', path: '/headless-auth/refresh', headers: json },
  body: JSON.stringify({ shop, customerId: 1, refreshToken: `SVC_RT_${'x'.repeat(60)}` }),
});
/** Spread over all doors, so that no rule of a single one bites first. */
const spread: Junk = (shop, index) => {
  const all = [
    junkRefresh(shop, index),
    { method: 'POST', path: '/headless-auth/start', headers: json, body: '{"shop":"nobody.myshopify.com"}' },
    {
      ...{ method: 'POST', path: '/api/storefront/unstable/graphql.json', body: '{"query":"{ x }"}' },
      headers: { ...json, authorization: `Bearer SVC_CT_${'x'.repeat(60)}` },
    },
    { method: 'OPTIONS', path: '/headless-auth/refresh', body: '' },
    { method: 'GET', path: '/nowhere', body: '' },
  ];
  return all[index % all.length] as Omit<Sent, 'address'>;
};

type Junk = (shop: string, index: number) => Omit<Sent, 'address'>;

/** Floods for two minutes; gives for each slice how much junk was not answered 429. */
async function flood(junk: Junk): Promise<number[]> {
  const passed: number[] = [];
  const perSlice = (ADDRESSES * PER_SECOND_OF_ADDRESS * SLICE_MS) / 1000;
  for (let slice = 0; slice < (SECONDS * 1000) / SLICE_MS; slice++) {
    // The junk comes first in each slice: customers get what it leaves.
    await world.time.advance(SLICE_MS, async () => {
      const answers = await Promise.all(
        Array.from({ length: perSlice }, (_, at) => {
          const index = slice * perSlice + at;
          const address = `203.0.113.${(index % ADDRESSES) + 1}`;
          return world.send({ ...junk(world.shop, Math.floor(index / ADDRESSES)), address });
        }),
      );
      passed.push(answers.filter(({ status }) => status !== 429).length);
    });
  }
  return passed;
}

test.each<[string, Junk]>([
  ['at one door', junkRefresh],
  ['at all doors', spread],
])(
  'junk %s signs nobody out, and leaves customers alone once the rules bite',
  async (_name, junk) => {
    playNetwork('198.51.100.200');
    const people = await world.customers(CUSTOMERS);
    const devices = people.map(({ email }) => world.deviceOf(email));
    for (const device of devices) await signIn(device);
    seen = [];
    startMs = world.time.now();
    const before = world.invocations();
    let inUse = true;
    const using = Promise.all(devices.map(useApp)).finally(() => {
      inUse = false;
    });
    using.catch(() => undefined);
    const passed = await flood(junk);
    while (inUse) await world.time.advance(1000);
    await using;
    const figures = { ...judge(), invocations: world.invocations() - before, passed };
    if (isFullSize) tell(figures);
    expect(seen.length).toBeGreaterThan(20 * CUSTOMERS);
    expect(figures).toMatchObject({ late: 0, failed: 0 });
    expect(figures.slowestMs).toBeLessThan(2000);
    for (const device of devices) expect(await readStored(device, 'session')).not.toBeNull();
  },
  1_800_000,
);

/** What customers saw: 429 after the rules, 5xx, and how long 99 of 100 answers took that were no 429. */
function judge() {
  const answered = seen.filter(({ status }) => status !== 429).map(({ tookMs }) => tookMs);
  return {
    late: seen.filter(({ second, status }) => second > RULES_BITE_AFTER_SECONDS && status === 429).length,
    failed: seen.filter(({ status }) => status >= 500).length,
    slowestMs: answered.toSorted((one, other) => one - other)[Math.floor(answered.length * 0.99)] ?? 0,
  };
}

type Figures = ReturnType<typeof judge> & {
  readonly invocations: number;
  readonly passed: readonly number[];
};

function tell({ slowestMs, invocations, passed }: Figures): void {
  const refused = seen.filter(({ status }) => status === 429);
  const last = Math.max(0, ...refused.map(({ second }) => second));
  const bitten = (passed.findLastIndex((count) => count > 0) * SLICE_MS) / 1000;
  process.stdout.write(
    `functions ran ${invocations} times; customers' requests ${seen.length}, of them 429 ${refused.length}, the last ` +
      `after ${last.toFixed(0)} s; 99 % within ${slowestMs.toFixed(0)} ms; junk last passed after ${bitten.toFixed(0)} s\n`,
  );
}
