/**
 * A flood through the edge, while customers use the app: 2,000 invalid requests a second from 50 addresses for 120 s,
 * and 20 customers (in `npm test` one address, 2 customers, and proportionally smaller throttles). In simulated time;
 * accepted requests reach the real functions with the emulators.
 */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { RATE_RULES } from '../../infra/definition/edge-rules.ts';
import { isFullSize } from '../full-size.ts';
import { createFloodWorld, type FloodWorld, JUNK_NETWORK, SERVICE_URL } from './flood-world.ts';
import { type Junk, junkAtAllDoors, junkAtOneDoor, type Own } from './junk.ts';
import { type Device, useApp } from './use-app.ts';

const ADDRESSES = isFullSize ? 50 : 1;
const CUSTOMERS = isFullSize ? 20 : 2;
const PER_SECOND_OF_ADDRESS = 40;
const SECONDS = 120;
const SLICE_MS = isFullSize ? 100 : 500;

let world: FloodWorld;
type Seen = { readonly second: number; readonly status: number; readonly tookMs: number };
let seen: Seen[] = [];
const original = globalThis.fetch;
let startMs = 0;

beforeAll(async () => {
  // Prime, so that each form of junk runs.
  world = await createFloodWorld({ share: ADDRESSES / 50, junkPerRun: isFullSize ? 19 : 7 });
}, 120_000);
afterAll(() => world.close());
afterEach(() => void jest.restoreAllMocks());

/** The app's requests to the service, from an address; everything else goes its way. */
function simulateNetwork(address: string): void {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, init = {}) => {
    if (!`${url}`.startsWith(SERVICE_URL)) return original(url, init);
    const headers = Object.fromEntries(new Headers(init.headers));
    const path = `${url}`.slice(SERVICE_URL.length);
    const sent = { method: init.method ?? 'GET', path, address, headers, body: String(init.body ?? '') };
    const startedMs = performance.now();
    const { status, body, ...answer } = await world.time.during(() => world.send(sent));
    const second = (world.time.now() - startMs) / 1000;
    seen.push({ second, status, tookMs: performance.now() - startedMs });
    return new Response(status === 204 ? null : new Uint8Array(body), { status, headers: answer.headers });
  });
}

type Kind = (own: Own, index: number) => Junk;
type Slice = {
  readonly second: number;
  /** How much of it was not answered 429, in all. */
  readonly passed: number;
  /** And at the door that the rules shut. */
  readonly passedAtDoor: number;
};

async function flood(kind: Kind, door: string, own: Own): Promise<Slice[]> {
  const slices: Slice[] = [];
  const perSlice = (ADDRESSES * PER_SECOND_OF_ADDRESS * SLICE_MS) / 1000;
  for (let slice = 0; slice < (SECONDS * 1000) / SLICE_MS; slice++) {
    const passed: string[] = [];
    // The junk comes first in each slice: customers get what it leaves.
    await world.time.advance(SLICE_MS, async () => {
      for (let index = slice * perSlice; index < (slice + 1) * perSlice; index++) {
        const junk = kind(own, Math.floor(index / ADDRESSES));
        const { status } = await world.send({
          ...junk,
          address: `${JUNK_NETWORK}${(index % ADDRESSES) + 1}`,
        });
        if (status !== 429) passed.push(`${junk.method} ${junk.path}`);
      }
    });
    const passedAtDoor = passed.filter((one) => one === door).length;
    slices.push({ second: (slice * SLICE_MS) / 1000, passed: passed.length, passedAtDoor });
  }
  return slices;
}

/** Returns how long an address can continue at its rate: until the window is full, and WAF has reacted. */
function limitsAfterSeconds(rule: string, perSecond: number): number {
  const { maxRequests: requests = 0 } = RATE_RULES.find(({ name }) => name === rule) ?? {};
  return Math.ceil(requests / perSecond) + 31;
}

// At all doors each gets a fifth, which is too much for that of sign-ins alone; the others stay below the rules.
test.each([
  {
    ...{ where: 'at one door', kind: junkAtOneDoor, door: 'POST /headless-auth/refresh' },
    limitsAfter: limitsAfterSeconds('refresh', PER_SECOND_OF_ADDRESS),
  },
  {
    ...{ where: 'at all doors', kind: junkAtAllDoors, door: 'POST /headless-auth/start' },
    limitsAfter: limitsAfterSeconds('sign-in', PER_SECOND_OF_ADDRESS / 5),
  },
])(
  'junk $where signs nobody out, and leaves customers alone once the rules bite',
  async ({ where, kind, door, limitsAfter }) => {
    simulateNetwork('198.51.100.200');
    // The counts of an earlier flood have expired.
    await world.time.advance(180_000);
    const people = await world.customers(CUSTOMERS + 1);
    const all = people.map(({ email }) => world.deviceOf(email));
    for (const { client } of all) await client.signIn();
    const [attacker, ...devices] = all as [Device, ...Device[]];
    const own = { shop: world.shop, ...((await attacker.stored()) as Omit<Own, 'shop'>) };
    seen = [];
    startMs = world.time.now();
    const before = world.junk();
    let inUse = true;
    const untilMs = startMs + SECONDS * 1000;
    const using = Promise.all(devices.map((device, index) => useApp(device, { index, untilMs }))).finally(
      () => (inUse = false),
    );
    using.catch(() => undefined);
    const slices = await flood(kind, door, own);
    while (inUse) await world.time.advance(1000);
    await using;
    const figures = evaluateFlood(limitsAfter);
    if (isFullSize) reportSlice(where, figures, { before, slices });
    expect(figures.early).toBeGreaterThan(0);
    expect(figures).toMatchObject({ late: 0, failed: 0 });
    expect(figures.slowestMs).toBeLessThan(2000);
    expect(slices.filter(({ second, passedAtDoor }) => second > limitsAfter && passedAtDoor > 0)).toEqual([]);
    expect(seen.length).toBeGreaterThan(20 * CUSTOMERS);
    for (const device of devices) expect(await device.client.session()).toMatchObject({ status: 'signedIn' });
  },
  600_000,
);

type Figures = ReturnType<typeof evaluateFlood>;

/**
 * Returns the customers' results: 429 before and after the rules, 5xx, and the 99th percentile of the other responses'
 * time.
 */
function evaluateFlood(limitsAfter: number) {
  const refused = seen.filter(({ status }) => status === 429);
  const answered = seen.filter(({ status }) => status !== 429).map(({ tookMs }) => tookMs);
  return {
    early: refused.filter(({ second }) => second <= limitsAfter).length,
    late: refused.filter(({ second }) => second > limitsAfter).length,
    lastRefused: Math.max(0, ...refused.map(({ second }) => second)),
    failed: seen.filter(({ status }) => status >= 500).length,
    slowestMs: answered.toSorted((one, other) => one - other)[Math.floor(answered.length * 0.99)] ?? 0,
  };
}

type FloodResult = { readonly before: ReturnType<FloodWorld['junk']>; readonly slices: readonly Slice[] };

function reportSlice(
  where: string,
  { early, late, lastRefused, slowestMs }: Figures,
  { before, slices }: FloodResult,
): void {
  const { invocations, runs, busyMs } = world.junk();
  const sent = SECONDS * ADDRESSES * PER_SECOND_OF_ADDRESS;
  const perRunMs = (busyMs - before.busyMs) / (runs - before.runs);
  const inLastSeconds = slices.filter(({ second }) => second >= SECONDS - 5);
  const atLast = inLastSeconds.reduce((sum, { passed }) => sum + passed, 0) / 5;
  const lastAtDoor = slices.findLast(({ passedAtDoor }) => passedAtDoor > 0)?.second;
  process.stdout.write(
    `${where}: of ${sent} junk requests functions got ${invocations - before.invocations} (${runs - before.runs} of them ran, ` +
      `${perRunMs.toFixed(1)} ms each), in the last 5 s ${atLast} a second, at the door that was too narrow until ` +
      `${lastAtDoor} s; of customers' ${seen.length} requests ${early + late} were answered 429, the last after ` +
      `${lastRefused.toFixed(0)} s; 99 % of the others within ${slowestMs.toFixed(0)} ms\n`,
  );
}
