import { beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryTable } from '../../../memory-table.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import {
  type Break,
  createStoreWorld,
  HOUR_MS,
  MINUTE_MS,
  type StoreWorld,
  WEEKLY,
} from '../../../world/store-world.ts';
import { Crash, createFaults, faulty } from '../../stores/world/faults.ts';

let world: StoreWorld;
beforeEach(() => {
  world = createStoreWorld(createMemoryTable());
});

const until = (hours: number) => new Date(world.now() + hours * HOUR_MS).toISOString();
const pauseFor = (hours: number) =>
  world.ask('customer', `subscriptionContractPause(ID, until: "${until(hours)}", reason: "away")`);
const PAUSED = 'CUSTOMER subscription_paused';
const RESUMED = 'SERVICE subscription_resumed, no end any more';

describe('a pause with an end', () => {
  test('is ended when its time has come, once, by the service', async () => {
    await pauseFor(1);
    world.later(HOUR_MS - 1000);
    expect([await world.work(), world.status()]).toEqual([0, 'PAUSED']);
    world.later(15 * MINUTE_MS);
    expect([await world.work(), world.status()]).toEqual([1, 'ACTIVE']);
    expect(await world.work()).toBe(0);
    expect(await world.timeline()).toEqual([PAUSED, RESUMED]);
    expect([await world.pauseOf(), await world.ends()]).toEqual([undefined, []]);
  });

  test('by two runs at the same time is ended by one of them', async () => {
    await pauseFor(1);
    world.later(2 * HOUR_MS);
    const counts = await Promise.all([world.work(), world.work()]);
    expect(counts.toSorted()).toEqual([0, 1]);
    expect(await world.timeline()).toEqual([PAUSED, RESUMED]);
  });

  test('ends a replaced pause at its new end', async () => {
    await pauseFor(1);
    await pauseFor(3);
    expect(await world.ends()).toHaveLength(1);
    world.later(2 * HOUR_MS);
    expect([await world.work(), world.status()]).toEqual([0, 'PAUSED']);
    world.later(HOUR_MS);
    expect([await world.work(), world.status()]).toEqual([1, 'ACTIVE']);
    expect(await world.timeline()).toEqual([PAUSED, PAUSED, RESUMED]);
  });

  test.each([
    ['made open-ended', () => world.ask('customer', 'subscriptionContractPause(ID)'), 'PAUSED'],
    ['ended by hand', () => world.ask('customer', 'subscriptionContractActivate(ID)'), 'ACTIVE'],
    ['cancelled', () => world.ask('store', 'subscriptionContractCancel(ID)'), 'CANCELLED'],
    ['ended elsewhere', () => world.changeExternally('subscriptionContractActivate'), 'ACTIVE'],
    ['cancelled elsewhere', () => world.changeExternally('subscriptionContractCancel'), 'CANCELLED'],
  ])('is no longer due when it is %s', async (_name, change, status) => {
    await pauseFor(1);
    await change();
    const timeline = await world.timeline();
    world.later(2 * HOUR_MS);
    expect([await world.work(), world.status()]).toEqual([0, status]);
    expect([await world.timeline(), await world.ends()]).toEqual([timeline, []]);
    expect(await world.pauseOf()).toEqual(status === 'PAUSED' ? expect.anything() : undefined);
  });

  test('is no longer due when its contract is gone', async () => {
    await pauseFor(1);
    world.platform.store().contracts.delete(WEEKLY);
    world.later(2 * HOUR_MS);
    expect([await world.work(), await world.ends()]).toEqual([0, []]);
  });

  test('waits for the store to be connected', async () => {
    await pauseFor(1);
    world.later(2 * HOUR_MS);
    const { deps } = world.process();
    const stores = { find: async () => undefined };
    expect([await world.work({ deps: { ...deps, stores } }), await world.ends()]).toMatchObject([0, [{}]]);
    expect([await world.work(), world.status()]).toEqual([1, 'ACTIVE']);
  });

  test('keeps its end while it is being ended', async () => {
    await pauseFor(1);
    world.later(2 * HOUR_MS);
    const pause = await world.pauseOf();
    if (pause !== undefined) {
      await world.timedPauses.claim(pause, { nowMs: world.now(), untilMs: world.now() + MINUTE_MS });
    }
    world.platform.holder.nowMs -= 2 * HOUR_MS;
    const { payload } = await pauseFor(3);
    expect(payload).toEqual({ contract: null, userErrors: [{ code: 'CONCURRENT_UPDATE' }] });
    expect(await world.timeline()).toEqual([PAUSED]);
  });
});

test('ends the pause although the process that changes its end crashes before any request to the table', async () => {
  let points = 0;
  for (let died = true; died; points++) {
    const table = createMemoryTable();
    world = createStoreWorld(table);
    await pauseFor(1);
    died = false;
    const faults = createFaults();
    faults.plan = ({ count }) => {
      died ||= count === points;
      return count === points ? 'before' : undefined;
    };
    const change = `subscriptionContractPause(ID, until: "${until(3)}")`;
    await world.ask('customer', change, WEEKLY, faulty(table, 'table', faults)).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    world.later(4 * HOUR_MS);
    expect([points, await world.work(), world.status()]).toEqual([points, 1, 'ACTIVE']);
  }
  expect(points).toBeGreaterThan(5);
});

describe('the process dies', () => {
  /** Crashes at one point, then runs again every quarter of an hour. */
  async function diesAt(broken: {
    step?: number;
    fault?: 'before' | 'after';
    platform?: Break;
    at?: string;
  }) {
    await pauseFor(1);
    world.later(HOUR_MS);
    const victim = world.process((document) =>
      broken.at !== undefined && document.includes(broken.at) ? broken.platform : undefined,
    );
    let died = false;
    victim.faults.plan = ({ count }) => {
      if (count !== broken.step) return undefined;
      died = true;
      return 'before';
    };
    await world.work(victim).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    for (let run = 0; run < 2; run++) {
      world.later(15 * MINUTE_MS);
      await world.work();
    }
    return died;
  }

  test('before any request to the table: it is ended once, with one entry', async () => {
    let points = 0;
    for (let died = true; died; points++) {
      world = createStoreWorld(createMemoryTable());
      died = await diesAt({ step: points });
      expect([points, world.status(), await world.timeline()]).toEqual([points, 'ACTIVE', [PAUSED, RESUMED]]);
      expect([points, await world.pauseOf()]).toEqual([points, undefined]);
    }
    expect(points).toBeGreaterThan(10);
  });

  test.each([
    ['before the platform is asked', 'die before', 'subscriptionContractActivate'],
    ['when the platform has done it', 'die after', 'subscriptionContractActivate'],
    ['while it reads', 'die before', 'nodes('],
  ] as const)('%s: it is ended once, with one entry', async (_name, platform, at) => {
    await diesAt({ platform, at });
    expect([world.status(), await world.timeline()]).toEqual(['ACTIVE', [PAUSED, RESUMED]]);
  });

  test('ends the pause once, with one entry, when the response is lost', async () => {
    await diesAt({ platform: 'lose', at: 'subscriptionContractActivate' });
    expect([world.status(), await world.timeline()]).toEqual(['ACTIVE', [PAUSED, RESUMED]]);
  });
});

holdsRights();
