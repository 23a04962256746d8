/**
 * Many customers of one store send requests concurrently, while its own server works: with a simulated clock and the
 * platform's bucket. Each response has data or a correct Retry-After.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../../full-size.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import { createInstances, createStore, MAXIMUM } from './busy-world.ts';
import { type Flood, simulateFlood } from './simulate-flood.ts';

const CUSTOMERS = 20;
const COST = 120;
const INSTANCES = 10;

test('a customer is served, or served after the time that it was given', async () => {
  const { startContainer, wait, runUntil } = createStore();
  const invoke = createInstances(1, startContainer);
  const reported: number[] = [];
  const again: number[] = [];
  const askAs = (customer: number) => invoke(({ ask }) => ask(COST, customer));
  const hammer = async (customer: number) => {
    for (let round = 0; round < 3; round++) {
      const seconds = await askAs(customer);
      if (seconds === 0) continue;
      reported.push(seconds);
      await wait(seconds * 1000);
      again.push(await askAs(customer));
    }
  };
  const known = invoke(({ ask }) => ask(1));
  const work = Promise.all([known, ...Array.from({ length: CUSTOMERS }, (_, index) => hammer(index + 1))]);
  await runUntil(work);
  await work;
  expect(reported.length).toBeGreaterThan(0);
  expect(again.filter((seconds) => seconds > 0)).toEqual([]);
});

test('lets the server’s calls through during a customer’s flood, within their deadline', async () => {
  const { startContainer, wait, runUntil } = createStore();
  const invoke = createInstances(INSTANCES, startContainer);
  const hammer = async (customer: number) => {
    for (let round = 0; round < 3; round++) await invoke(({ ask }) => ask(COST, customer));
  };
  const server = async () => {
    const { ask } = startContainer();
    const answers: number[] = [];
    for (let call = 0; call < 20; call++) {
      answers.push(await ask(30));
      await wait(500);
    }
    return answers;
  };
  const customers = Promise.all(Array.from({ length: CUSTOMERS }, (_, index) => hammer(index + 1)));
  const worked = server();
  await runUntil(Promise.all([customers, worked]));
  expect(await worked).toEqual(Array(20).fill(0));
});

const CONNECTIONS = 60;
const NETWORK_MS = 50;
const EXPENSIVE = 250;

test('one customer with many connections holds no instance for long, and so no other store', async () => {
  const { startContainer, clock, wait, runUntil } = createStore();
  const invoke = createInstances(INSTANCES, startContainer);
  const endAtMs = clock.nowMs + 60_000;
  let occupiedMs = 0;
  const hammer = async () => {
    while (clock.nowMs < endAtMs) {
      await wait(NETWORK_MS);
      await invoke(async ({ startRequest }) => {
        const beganAtMs = clock.nowMs;
        const ask = startRequest(1);
        for (let part = 0; part < 5; part++) if ((await ask(EXPENSIVE)) > 0) break;
        occupiedMs = Math.max(occupiedMs, clock.nowMs - beganAtMs);
      });
    }
  };
  let othersMs = 0;
  const other = async () => {
    while (clock.nowMs < endAtMs) {
      await wait(1000);
      const cameAtMs = clock.nowMs;
      await invoke(async () => undefined);
      othersMs = Math.max(othersMs, clock.nowMs - cameAtMs);
    }
  };
  await runUntil(Promise.all([...Array.from({ length: CONNECTIONS }, hammer), other()]));
  expect(occupiedMs).toBeLessThan(4000);
  expect(othersMs).toBeLessThan(4000);
});

test('sends no other customer further back for one that requests without waiting', async () => {
  const { ask, wait, runUntil } = createStore();
  const reported: number[] = [];
  const hammer = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += NETWORK_MS) {
      await wait(NETWORK_MS);
      await ask(EXPENSIVE, 1);
    }
  };
  const run = async () => {
    await hammer(20_000);
    for (let customer = 2; customer < 6; customer++) {
      const seconds = await ask(10, customer);
      reported.push(seconds);
      if (seconds > 60) return;
      await Promise.all([wait(seconds * 1000), hammer(seconds * 1000)]);
      reported.push(seconds === 0 ? 0 : await ask(10, customer));
    }
  };
  await runUntil(run());
  const first = reported.filter((_, index) => index % 2 === 0);
  expect(Math.max(...first)).toBeLessThanOrEqual(15);
  expect(reported.filter((_, index) => index % 2 === 1)).toEqual([0, 0, 0, 0]);
});

test('the parts of a request share its two seconds', async () => {
  const { ask, startRequest, clock, runUntil } = createStore();
  const run = async () => {
    for (const points of [60, 61, 62, MAXIMUM - 190]) await ask(points);
    const read = startRequest(1);
    const beganAtMs = clock.nowMs;
    const parts = [await read(60), await read(61), await read(62)];
    return { parts, passedMs: clock.nowMs - beganAtMs };
  };
  const running = run();
  await runUntil(running);
  expect((await running).parts).toEqual([0, 0, expect.any(Number)]);
  expect((await running).parts.at(-1)).toBeGreaterThan(0);
  expect((await running).passedMs).toBeLessThan(3000);
});

test('lets a change that has started wait for its points until it is finished', async () => {
  const { ask, startRequest, runUntil } = createStore();
  const run = async () => {
    const change = startRequest(1);
    const started = await change(1, true);
    await ask(MAXIMUM - 50);
    return [started, await change(310), await change(320, true)];
  };
  const running = run();
  await runUntil(running);
  expect(await running).toEqual([0, 0, 0]);
});

test('does not queue a customer again who comes at the given time with the next part of the request', async () => {
  const { ask, startRequest, wait, runUntil } = createStore();
  const run = async () => {
    for (const points of [160, 1, MAXIMUM - 170]) await ask(points);
    const seconds = await ask(160, 1);
    await wait(seconds * 1000);
    const read = startRequest(1);
    return [seconds > 0, await read(160), await read(1)];
  };
  const running = run();
  await runUntil(running);
  expect(await running).toEqual([true, 0, 0]);
});

test('keeps no other customer waiting for one that has spent its quota while the store has points', async () => {
  const { ask, runUntil } = createStore();
  const run = async () => {
    for (const points of [300, 300, 10]) await ask(points, 1);
    return [await ask(300, 1), await ask(10, 2)];
  };
  const running = run();
  await runUntil(running);
  expect(await running).toEqual([expect.any(Number), 0]);
  expect((await running)[0]).toBeGreaterThan(1);
});

test('gives several requests of one customer different times, and serves them at these', async () => {
  const { ask, wait, runUntil } = createStore();
  const come = async () => {
    const seconds = await ask(100, 1);
    await wait(seconds * 1000);
    return [seconds > 0, await ask(100, 1)];
  };
  const run = async () => {
    for (let round = 0; round < 4; round++) await ask(100, 1);
    return Promise.all([come(), come(), come()]);
  };
  const running = run();
  await runUntil(running);
  expect(await running).toEqual(Array(3).fill([true, 0]));
});

test('returns points that a change has reserved and not used, whatever container the next one runs in', async () => {
  const { ask, startContainer, runUntil } = createStore();
  const run = async () => {
    // The server's: a tenth is missing.
    await ask(MAXIMUM / 10);
    for (let changes = 0; ; changes++) {
      const container = startContainer();
      // Another request has given the container the state of the store's bucket.
      await container.ask(1, 2);
      const change = await container.receive(1, 60);
      const seconds = [await change(10), await change(15, true)];
      await change.end();
      if (seconds[0] !== 0) return changes;
    }
  };
  const running = run();
  await runUntil(running);
  // A third of the bucket, and what came back meanwhile, a change for each 25 points; five for each 60.
  expect(await running).toBeGreaterThanOrEqual(11);
});

test.each([
  ['six edits in twenty seconds', 6, 3_000],
  ['ten edits a minute, for three', 30, 6_000],
])(
  'a person who makes %s, and reads each again, is never sent away, while the store is busy',
  async (_what, edits, everyMs) => {
    const { ask, startContainer, wait, runUntil } = createStore();
    let isOver = false;
    /** The store's own server spends all that comes back: a tenth is always missing, in each container's eyes. */
    const server = async () => {
      await ask(MAXIMUM / 10);
      for (; !isOver; await wait(2_000)) await ask(100);
    };
    const person = async () => {
      const reported: number[] = [];
      for (let edit = 0; edit < edits; edit++, await wait(everyMs)) {
        const container = startContainer();
        await container.ask(1, 2);
        const change = await container.receive(1, 60);
        reported.push(await change(10), await change(25, true));
        await change.end();
        reported.push(await (await container.receive(1))(30));
      }
      isOver = true;
      return reported;
    };
    const running = person();
    await runUntil(Promise.all([server(), running]));
    expect((await running).filter((seconds) => seconds > 0)).toEqual([]);
  },
);

const request = fc.oneof(
  fc.record({ kind: fc.constant('query' as const), points: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ kind: fc.constantFrom('change' as const, 'expensive' as const), points: fc.constant(0) }),
);
const floods: fc.Arbitrary<Flood> = fc.record({
  containers: fc.integer({ min: 4, max: 80 }),
  connections: fc.integer({ min: 1, max: 60 }),
  requests: fc.array(request, { minLength: 1, maxLength: 4 }),
  waits: fc.boolean(),
});

/** Runs in `npm test`. */
const allOfIt: Flood = {
  containers: 40,
  connections: 24,
  waits: false,
  requests: [
    { kind: 'change', points: 0 },
    { kind: 'change', points: 0 },
    { kind: 'query', points: 250 },
    { kind: 'query', points: 8 },
  ],
};

/** Afterwards the attacker reaches a container that does not know the cost of its request. */
const withUnknownCosts: Flood = {
  containers: 9,
  connections: 5,
  waits: false,
  requests: [
    { kind: 'query', points: 226 },
    { kind: 'change', points: 0 },
  ],
};

/** After it the attacker makes a change: its first part costs less than what is claimed for all of it. */
const withChanges: Flood = {
  containers: 28,
  connections: 25,
  waits: false,
  requests: [
    { kind: 'change', points: 0 },
    { kind: 'query', points: 338 },
  ],
};

/** Changes that cost more than a share each, all at once. */
const withExpensiveChanges: Flood = {
  containers: 40,
  connections: 24,
  waits: true,
  requests: [{ kind: 'expensive', points: 0 }],
};

/** Each request costs too little for a reservation, and each container has had no response of the store for seconds. */
const withCheapQueries: Flood = {
  containers: 50,
  connections: 1,
  waits: false,
  requests: [{ kind: 'query', points: 15 }],
};

test('gives one customer with many connections a quota, in any containers, without effect on others', async () => {
  const holds = async (flood: Flood) => {
    const { others, server, scheduledLongestMs, attacker } = await simulateFlood(flood);
    expect(server.sentAway).toBe(0);
    expect(server.longestMs).toBeLessThan(2_000);
    expect(scheduledLongestMs).toBeLessThan(10_000);
    // Before the service knows who sends often, concurrent first requests may refuse a customer once.
    expect(others.filter(({ ms, sentAway }) => !(sentAway <= 1 && ms < 10_000))).toEqual([]);
    expect(attacker.spent).toBeLessThan(2.5 * MAXIMUM);
    expect(attacker.refusedAfterwards).toBeLessThanOrEqual(1);
    expect(attacker.refusals.filter((seconds) => !(seconds >= 1))).toEqual([]);
  };
  // Examples count as runs: in `npm test` they are all.
  const expensive: [Flood][] = [[withUnknownCosts], [withChanges], [withExpensiveChanges], [allOfIt]];
  const examples: [Flood][] = [...expensive, [withCheapQueries]];
  const numRuns = Math.max(examples.length, propertyRuns(100).numRuns);
  await fc.assert(fc.asyncProperty(floods, holds), { ...propertyRuns(100), numRuns, examples });
});

holdsRights();
