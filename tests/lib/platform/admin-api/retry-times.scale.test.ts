/**
 * `Retry-After` is correct for a customer who waits exactly that long: of one request after another, each with several
 * operations, each retry is accepted, regardless of the points used before and of the containers.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../../full-size.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import { createStore, MAXIMUM, RATE } from './busy-world.ts';

/** A request: what each of its parts costs, and from which part on it changes something. */
type Parts = { readonly points: readonly number[]; readonly changesFrom: number | undefined };
type Sent = Parts & { readonly container: number };
type Scenario = {
  readonly containers: number;
  /** The concurrent requests of the customer before the test, and the pause after them. */
  readonly before: readonly Sent[];
  readonly pauseMs: number;
  /** The customer's sequential requests; each attempt goes to the next of these containers. */
  readonly requests: readonly Parts[];
  readonly ways: readonly number[];
  /** The points per second of the store's own server. */
  readonly serverPoints: number;
};

const CUSTOMER = 1;
/** The expected points of a change before it starts. */
const CHANGE_POINTS = 60;
const MAX_REFUSALS = 1;

const points = fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 90, max: 300 }));
const query: fc.Arbitrary<Parts> = fc
  .array(points, { minLength: 1, maxLength: 5 })
  .map((all) => ({ points: all, changesFrom: undefined }));
const change: fc.Arbitrary<Parts> = fc
  .record({
    reads: fc.array(points, { minLength: 1, maxLength: 3 }),
    changes: fc.array(points, { minLength: 1, maxLength: 5 }),
  })
  .map(({ reads, changes }) => ({ points: [...reads, ...changes], changesFrom: reads.length }));
/**
 * The points that a full bucket has left after a share, one request above it, and the server; more exceeds the store's
 * own bucket.
 */
const MAX_POINTS = 0.3 * MAXIMUM;
const parts = fc
  .oneof(query, change)
  .filter(({ points: all }) => all.reduce((sum, cost) => sum + cost, 0) <= MAX_POINTS);
const container = fc.nat({ max: 9 });
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  containers: fc.integer({ min: 1, max: 5 }),
  before: fc.array(
    fc.record({ sent: parts, container }).map(({ sent, container: at }) => ({ ...sent, container: at })),
    { maxLength: 8 },
  ),
  pauseMs: fc.integer({ min: 0, max: 20_000 }),
  requests: fc.array(parts, { minLength: 1, maxLength: 12 }),
  ways: fc.array(container, { minLength: 1, maxLength: 12 }),
  serverPoints: fc.integer({ min: 0, max: 16 }),
});

/** An interval change with a date of one's own, as it was measured. */
const EXPENSIVE: Parts = { points: [58, 17, 10, 20, 10, 14, 30, 60, 60, 60, 60, 60], changesFrom: 3 };
const CHEAP: Parts = { points: [10, 3], changesFrom: 1 };
const oneAfterAnother: Scenario = {
  containers: 1,
  before: [],
  pauseMs: 0,
  requests: [EXPENSIVE, EXPENSIVE, CHEAP, EXPENSIVE, CHEAP, CHEAP, EXPENSIVE],
  ways: [0],
  serverPoints: 0,
};
const throughThree: Scenario = { ...oneAfterAnother, containers: 3, ways: [0, 1, 2] };

/** How often each request was refused before it was let in to its end; and what was spent in which time. */
async function run({ containers, before, pauseMs, requests, ways, serverPoints }: Scenario) {
  const store = createStore();
  const { clock, wait, startContainer } = store;
  const all = Array.from({ length: containers }, startContainer);
  const at = (index: number) => all[index % containers] as (typeof all)[number];
  let spent = 0;
  let isOver = false;
  const sendOne = async (way: number, { points: each, changesFrom = each.length }: Parts) => {
    const isChange = changesFrom < each.length;
    const ask = await at(way).receive(CUSTOMER, isChange ? CHANGE_POINTS : 0);
    let seconds = 0;
    for (const [index, cost] of each.entries()) {
      seconds = await ask(cost, index >= changesFrom);
      if (seconds > 0) break;
      spent += cost;
    }
    await ask.end();
    return seconds;
  };
  const server = async () => {
    while (!isOver) {
      await wait(1_000);
      if (serverPoints > 0) await store.ask(serverPoints);
    }
  };
  const customer = async () => {
    await Promise.all(before.map((one) => sendOne(one.container, one)));
    await wait(pauseMs);
    let turn = 0;
    const refusals: number[] = [];
    for (const request of requests) {
      let refused = 0;
      for (; refused < 10; refused++) {
        const seconds = await sendOne(ways[turn++ % ways.length] ?? 0, request);
        if (seconds === 0) break;
        await wait(seconds * 1000);
      }
      refusals.push(refused);
    }
    isOver = true;
    return refusals;
  };
  const beganAtMs = clock.nowMs;
  const running = customer();
  await store.runUntil(Promise.all([server(), running]));
  return { refusals: await running, spent, seconds: (clock.nowMs - beganAtMs) / 1000 };
}

test('lets a customer in who comes at the given time, to the end of the request', async () => {
  const holds = async (one: Scenario) => {
    const { refusals } = await run(one);
    expect(Math.max(...refusals)).toBeLessThanOrEqual(MAX_REFUSALS);
  };
  const examples: [Scenario][] = [[oneAfterAnother], [throughThree]];
  const numRuns = Math.max(examples.length, propertyRuns(3000).numRuns);
  await fc.assert(fc.asyncProperty(scenarios, holds), { ...propertyRuns(3000), numRuns, examples });
});

test('gives a customer no more than a third of the points in the long run', async () => {
  const { spent, seconds } = await run({ ...oneAfterAnother, requests: Array(12).fill(EXPENSIVE) });
  const expensive = EXPENSIVE.points.reduce((sum, cost) => sum + cost, 0);
  // A third of a full bucket and of the points restored since, and the one request that may exceed the quota.
  expect(spent).toBeLessThanOrEqual(MAXIMUM / 3 + (seconds * RATE) / 3 + expensive);
});

holdsRights();
