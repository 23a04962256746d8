/** A minute without the table, without Secrets Manager, or without the platform: every customer stays signed in. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, again, start } from '../contract/world/service-client.ts';
import { startTestStack, type TestStack } from '../stack.ts';
import { type App, type ExchangeBody, exchange, signedInApp, toCode } from './app.ts';
import { createFaultControl, type FaultControl } from './fault-control.ts';

let stack: TestStack;
let faults: FaultControl;
beforeAll(async () => {
  stack = await startTestStack({ faultPoints: true, platformTokenSeconds: 5 });
  faults = createFaultControl(stack);
});
afterEach(async () => {
  await faults.clear();
  await stack.control.clearFaults();
});
afterAll(() => stack?.stop());

const EVERY = 1_000_000;
const MORE_THAN_CONTAINERS = 40;
const STEPS = 4;
const STEP_SECONDS = 15;

type Everyone = { readonly apps: App[]; readonly pending: ExchangeBody };

let signedIn: Promise<App[]> | undefined;

/**
 * The same three through all outages, and another who is about to sign in. As many requests as during an outage go
 * before it: a container that starts in it cannot have its keys, and answers 503 as it has to.
 */
async function everyone(): Promise<Everyone> {
  const emails = ['ada@example.com', 'ben@example.com', 'dan@example.com'];
  signedIn ??= Promise.all(emails.map((email) => signedInApp(stack, email)));
  const apps = await signedIn;
  const pending = await toCode(stack, 'carla@example.com');
  const requests = apps.flatMap((app) => [again(app.refresh), again(app.use)]);
  await Promise.all([...requests, start(stack)]);
  return { apps, pending };
}

/** A minute by the clock; everything that apps do, in every quarter of it. */
async function duringAMinute({ apps, pending }: Everyone): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let step = 0; step < STEPS; step++) {
    await stack.control.clock({ advance: STEP_SECONDS });
    const refreshed = apps.map((app) => app.refresh());
    const used = apps.map((app) => app.use());
    answers.push(...(await Promise.all([...refreshed, ...used, exchange(stack, pending)])));
  }
  return answers;
}

const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))].sort();

async function expectAllGoOn({ apps }: Everyone): Promise<void> {
  for (const app of apps) {
    expect((await again(app.refresh)).status).toBe(200);
    expect((await again(app.use)).status).toBe(200);
  }
}

describe('60 s without the table', () => {
  test.each(['error', 'throttle', 'cut-before', 'cut-after'] as const)('%s', async (effect) => {
    const all = await everyone();
    await faults.add({ target: 'table', effect, count: EVERY });
    const answers = await duringAMinute(all);
    expect(statuses(answers)).toEqual([503]);
    expect(answers.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
    await faults.clear();
    await expectAllGoOn(all);
  });

  test('a slow one: each call answers late, and is applied late', async () => {
    const all = await everyone();
    await faults.add({ target: 'table', effect: 'slow', count: 8 });
    const refreshed = await Promise.all(all.apps.map((app) => app.refresh()));
    expect(statuses(refreshed).every((status) => [200, 503].includes(status))).toBe(true);
    await faults.clear();
    await expectAllGoOn(all);
  });

  test('throttled once, the SDK tries again: nobody sees it', async () => {
    const all = await everyone();
    await faults.add({ target: 'table', effect: 'throttle', count: 1 });
    expect(statuses(await Promise.all(all.apps.map((app) => app.refresh())))).toEqual([200]);
  });
});

describe('60 s without Secrets Manager', () => {
  test.each(['error', 'throttle', 'cut-before'] as const)(
    '%s: containers go on with what they have',
    async (effect) => {
      const all = await everyone();
      await faults.add({ target: 'secrets', effect, count: EVERY });
      await stack.control.clock({ advance: 300 });
      const answers = await duringAMinute(all);
      // Carla's code is used or has expired after the five minutes: neither ends a session.
      expect(statuses(answers).filter((status) => status === 401 || status === 404)).toEqual([]);
      await expectAllGoOn(all);
    },
  );

  test('a new container has no keys: 503, and 200 when they can be read again', async () => {
    const all = await everyone();
    await faults.add({ target: 'secrets', effect: 'error', count: EVERY });
    const [app] = all.apps as [App];
    // The containers with cached keys crash one after another, until a new container responds.
    await faults.crash('any', MORE_THAN_CONTAINERS);
    let answer = await app.refresh();
    for (let tries = 0; tries < MORE_THAN_CONTAINERS && answer.status === 500; tries++)
      answer = await app.refresh();
    expect(answer.status).toBe(503);
    const answers = await Promise.all(all.apps.map((one) => one.refresh()));
    expect(statuses(answers)).toEqual([503]);
    await faults.clear();
    await expectAllGoOn(all);
  });
});

describe('60 s without the platform', () => {
  test.each([
    ['520', { status: 520, body: '<html>520</html>' }],
    ['503', { status: 503 }],
    ['HTML with 200', { status: 200, body: '<html></html>' }],
    ['401 without a body', { status: 401, body: '' }],
    ['cut', { cut: 'before' }],
  ] as const)('%s: every refresh is answered 200', async (_what, fault) => {
    const all = await everyone();
    await stack.control.faults({ target: 'sign-in', count: EVERY, ...fault });
    const answers = await duringAMinute(all);
    expect(statuses(answers).filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const refreshes = await Promise.all(all.apps.map((app) => app.refresh()));
    expect(statuses(refreshes)).toEqual([200]);
    await stack.control.clearFaults();
    await expectAllGoOn(all);
    await stack.control.clock({ advance: 30 });
    await expectAllGoOn(all);
  });
});

test('a container dies in mid-liveness after the platform consumed its token: refreshes go on', async () => {
  const app = await signedInApp(stack, 'ada@example.com');
  await stack.control.clock({ advance: 30 });
  await faults.crash('liveness.after-grant');
  expect((await app.refresh()).status).toBe(500);
  expect((await faults.counts()).waiting).toEqual({});
  for (let refresh = 0; refresh < 3; refresh++) {
    expect((await app.refresh()).status).toBe(200);
    expect((await app.use()).status).toBe(200);
    await stack.control.clock({ advance: 30 });
  }
});
