/** The simulation: the same seed gives the same month, and each limit follows what it depends on. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { measured } from '../../../../infra/tools/costs/measured.ts';
import { type Month, monthOf } from '../../../../infra/tools/load/assumptions.ts';
import {
  assumptionRows,
  GROWTH_PAGE,
  growthFiles,
  verdictOf,
} from '../../../../infra/tools/simulate/growth-page.ts';
import { type Limit, shareOf } from '../../../../infra/tools/simulate/limit.ts';
import { adminLimits, limitsOf } from '../../../../infra/tools/simulate/limits.ts';
import { makeStores } from '../../../../infra/tools/simulate/make-stores.ts';
import { createRandom } from '../../../../infra/tools/simulate/random.ts';
import { countSecretReads } from '../../../../infra/tools/simulate/secret-reads.ts';
import { createWorker, shareMinute, wake } from '../../../../infra/tools/simulate/share-worker.ts';
import { runSimulate } from '../../../../infra/tools/simulate/simulate.ts';
import { simulateMonth } from '../../../../infra/tools/simulate/simulate-month.ts';
import { chargesPerSecond, simulateServers } from '../../../../infra/tools/simulate/simulate-servers.ts';

const SMALL = { stores: 8, customers: 2000, days: 8 };
const small = (changed: Partial<Month> = {}) => simulateMonth(monthOf({ ...SMALL, ...changed }));
const month = small();

const kept = new WeakMap<object, readonly Limit[]>();

function peakOf(simulated: ReturnType<typeof small>, name: string): number {
  const limits = kept.get(simulated) ?? limitsOf(simulated);
  kept.set(simulated, limits);
  const found = limits.find((limit) => limit.name.startsWith(name));
  if (found === undefined) throw new Error(`There is no limit ${name}.`);
  return found.peak;
}
const sum = (counts: Float64Array) => counts.reduce((total, value) => total + value, 0);

describe('a month', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(growthFiles(small())).toEqual(growthFiles(month));
    expect(growthFiles(small({ seed: 2 }))).not.toEqual(growthFiles(month));
  });

  test('has as many stores and customers as asked for, and the openings that its assumptions give', () => {
    const stores = makeStores(month.month, createRandom(1));
    expect(stores).toHaveLength(8);
    const customers = stores.reduce((total, store) => total + store.customers, 0);
    expect(Math.abs(customers - 2000)).toBeLessThan(20);
    expect(stores[0]?.customers).toBeGreaterThan(2 * (stores[2]?.customers ?? 0));
    // 4 other openings and a quarter of one notice for each customer, three queries each; changes beside them.
    const expected = 2000 * (4.25 * 3 + 4 * 0.125 + 0.25 * 0.3);
    expect(sum(month.minutes.customer) / expected).toBeGreaterThan(0.97);
    expect(sum(month.minutes.customer) / expected).toBeLessThan(1.03);
  });

  test('charges every order that is due, and reads every subscription each night', () => {
    const charged = sum(small({ syncPagesPerSecond: 0.0001, customers: 40 }).minutes.admin);
    expect(charged).toBeGreaterThan(0);
    const { minutes } = small({ ordersPerCustomer: 0 });
    const pages = makeStores(month.month, createRandom(month.month.seed)).reduce(
      (total, { customers }) => total + Math.ceil(customers / 50),
      0,
    );
    expect(sum(minutes.admin)).toBe(pages * SMALL.days);
  });

  test('has each server at work as long as it takes, at a second of its own or all at the same', () => {
    const due = Uint32Array.from([100, 0]);
    const plan = { syncAtSecond: 0, pages: 4, billingAtSecond: 86_400 + 50, dueByDay: due };
    const plans = [0, 30, 1000].map((billingDelaySeconds) => ({ ...plan, billingDelaySeconds }));
    const days = monthOf({ ...SMALL, days: 2 });
    const seconds = (isSpread: boolean, atOnce: number) => simulateServers(days, plans, { isSpread, atOnce });
    const takes = Math.ceil(100 / chargesPerSecond(days, 1));
    const spread = seconds(true, 1);
    expect(sum(Float64Array.from(spread.charging))).toBe(3 * takes);
    // The second day's minute 0, 30 and 1000; what ends after the month is the one before.
    expect([49, 50, 80, 50 + takes - 1, 1050].map((at) => spread.charging[86_400 + at])).toEqual([
      0, 1, 2, 2, 1,
    ]);
    expect([0, 1, 2].map((at) => spread.paging[at])).toEqual([3, 3, 0]);
    expect(seconds(false, 1).charging.reduce((most, count) => Math.max(most, count))).toBe(3);
    expect(sum(Float64Array.from(seconds(false, 3).charging))).toBe(
      3 * Math.ceil(100 / chargesPerSecond(days, 3)),
    );
    const ofTogether = adminLimits({ month: days, servers: seconds(false, 3) }, 3);
    expect(ofTogether[0].peak).toBe(9);
  });

  test('tells every charge in the end: the more there are the later', () => {
    const few = peakOf(month, 'from a charge');
    // Not below the wait for the bank and for the next run.
    expect(few).toBeGreaterThan(17);
    // So few stores at once that a run does not come to all.
    const many = small({ ordersPerCustomer: 6, scheduledStores: 0.01 });
    expect(peakOf(many, 'from a charge')).toBeGreaterThan(few + 15);
    expect(shareOf(limitsOf(many)[0] ?? never())).toBeGreaterThan(1);
  });
});

describe('workers over woken stores', () => {
  const longest = ({ workers }: Pick<typeof month, 'workers'>) =>
    Math.max(...workers.nights.map(({ hours }) => hours));

  test('pass through every contract of every night, as fast as points and processor allow', () => {
    const nothing = { ordersPerCustomer: 0, otherChanges: 0, endpointsDown: 0, triesADayAtDown: 0 };
    const { month: of, workers } = small({ ...nothing, nightlyShare: 1000 });
    const contracts = makeStores(of, createRandom(of.seed)).map(({ customers }) => customers);
    const { nightlyContract, nightlyStore, wokenStore } = measured;
    const ofContracts = sum(Float64Array.from(contracts)) * nightlyContract.writeUnits;
    // Each looks at its store twice; and so does who finds that the one endpoint is up which is always down once.
    const ofStores = contracts.length * (nightlyStore.writeUnits + 2 * wokenStore.writeUnits);
    const written = SMALL.days * (ofContracts + ofStores) + 2 * wokenStore.writeUnits;
    expect(sum(workers.writeUnits)).toBeCloseTo(written, 3);
    const poor = small({ nightlyShare: 0.001 });
    expect([workers.late, month.workers.late, poor.workers.late > 0]).toEqual([0, 0, true]);
    expect([longest(month) < 1, longest(poor) > 4]).toEqual([true, true]);
  });

  test('read each charge in as many nights as the code does', () => {
    const reads = ({ workers }: typeof month) => sum(workers.readUnits);
    const orders = month.plans.reduce((all, { dueByDay }) => all + sum(Float64Array.from(dueByDay)), 0);
    const beside = reads(month) - reads(small({ nightsOfCharge: 0 }));
    expect(beside / (orders * month.month.nightsOfCharge * measured.nightlyCharge.readUnits)).toBeCloseTo(
      1,
      1,
    );
  });

  test('give every event to every endpoint in the end, those that were down among them', () => {
    const { minutes, workers, month: of } = small({ endpointsDown: 0.3 });
    const events = sum(minutes.changes) + sum(minutes.charges) + 2000;
    expect(sum(workers.delivered) / (of.endpoints * events)).toBeCloseTo(1, 1);
    expect(workers.outages.length).toBeGreaterThan(2 * month.workers.outages.length);
    for (const { waiting, drainedAfter = 0 } of workers.outages.filter(isOver)) {
      expect(drainedAfter).toBeGreaterThan(30);
      expect(drainedAfter).toBeLessThan(34);
      expect(waiting).toBeLessThan(events);
    }
    expect(workers.prompt.late).toBe(0);
    function isOver({ fromMinute, hours }: (typeof workers.outages)[number]) {
      return fromMinute + 60 * (hours + 1) < of.days * 1440;
    }
  });

  test('take turns: whoever waits longest is served first, and a full processor leaves the rest', () => {
    const stores = 200;
    const worker = createWorker('webhook-deliveries', stores);
    const done = new Float64Array(stores);
    for (let store = 0; store < stores; store++) wake(worker, store);
    const turnOf = (store: number) => ({
      cpuSeconds: 1,
      work: (part: number) => {
        done[store] = (done[store] ?? 0) + part;
      },
    });
    const hasMore = (store: number) => (done[store] ?? 0) < 1;
    expect(shareMinute(worker, turnOf, hasMore).instances).toBe(4);
    expect(done.filter((part) => part > 0)).toHaveLength(80);
    const speed = sum(done) / 60;
    expect(speed).toBeLessThan(4 * worker.speed);
    for (let minute = 0; minute < 2; minute++) shareMinute(worker, turnOf, hasMore);
    expect(done.filter((part) => part > 0)).toHaveLength(200);
  });
});

describe('limits', () => {
  test('follow what they depend on', () => {
    const noPages = { syncPageSize: 1e6, syncPagesPerSecond: 0.01 };
    const slower = small({ ...noPages, serverPauseSeconds: 20 });
    expect(peakOf(small({ billingSpreadMinutes: 0 }), 'instances of admin-graphql')).toBeGreaterThan(
      peakOf(month, 'instances of admin-graphql'),
    );
    expect(peakOf(slower, 'throttle of admin')).toBeLessThan(peakOf(small(noPages), 'throttle of admin'));
    const calmer = small({ noticeOpens: 0 });
    expect(peakOf(calmer, 'throttle of customer')).toBeLessThan(peakOf(month, 'throttle of customer'));
    const slowRenewals = small({ renewSeconds: 5 });
    expect(peakOf(slowRenewals, 'writes of secrets')).toBeLessThan(peakOf(month, 'writes of secrets'));
    for (const row of ['renewing grants', 'a whole run'])
      expect(peakOf(slowRenewals, row)).toBeGreaterThan(peakOf(month, row));
    const longGrants = small({ renewMinutes: 60 * 24 * 365 });
    expect(countSecretReads(longGrants).inMonth).toBeLessThan(countSecretReads(month).inMonth);
  });

  test('come nearest first, and the verdict names the first and what to do', () => {
    const limits = limitsOf(month);
    const shares = limits.map(shareOf);
    expect(shares).toEqual(shares.toSorted((one, other) => other - one));
    expect(new Set(limits.map(({ name }) => name)).size).toBe(limits.length);
    const words = verdictOf(limits).join('\n');
    expect(words).toContain(limits[0]?.name);
    expect(words).toContain(limits[0]?.toDo);
    expect(words).toContain('Everything fits');
    const byLoad = limits.find(({ isDelay }) => isDelay === undefined) ?? never();
    expect(words).toContain(`the first is ${byLoad.name}: `);
    expect(words).toContain(`full at ${(1 / shareOf(byLoad)).toFixed(1)} times the load`);
    const delay = limits.find(({ name }) => name.startsWith('from a charge')) ?? never();
    expect(verdictOf([delay, byLoad]).join('\n')).toContain('17 minutes of that are there without any load');
    const crowded = limitsOf(small({ resumeSeconds: 1000, pausedUntilFirst: 0.1 }));
    expect(shareOf(crowded[0] ?? limits[0] ?? never())).toBeGreaterThan(1);
    expect(verdictOf(crowded).join('\n')).not.toContain('Everything fits');
  });
});

test('who fills the bucket of a store is told what to do', () => {
  const adviceOf = (simulated: ReturnType<typeof small>) =>
    limitsOf(simulated).find(({ name }) => name.startsWith("the platform's bucket"))?.toDo;
  const slowServer = { syncPagesPerSecond: 0.0001, serverPauseSeconds: 1000 };
  expect(adviceOf(small(slowServer))).toMatch(
    /^Customers take (9\d|100) % of that minute, and notices bring them: send those of a day over more than 10 /,
  );
  expect(adviceOf(small({ noticeOpens: 0, otherOpenings: 0 }))).toMatch(
    /^The server takes 100 % of that minute: spread its work over the night, or the merchant takes a larger plan/,
  );
});

describe('npm run simulate', () => {
  const run = (root: string, ...args: string[]) => {
    const lines: string[] = [];
    const exitCode = runSimulate(root, args, (line: string) => void lines.push(line));
    return { exitCode, text: lines.join('\n') };
  };
  const others = ['--stores', '5', '--customers', '100'];

  test('with other assumptions prints and writes nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'simulate-'));
    expect(run(folder, ...others)).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('What comes first'),
    });
    expect(() => readFileSync(join(folder, GROWTH_PAGE))).toThrow('ENOENT');
    rmSync(folder, { recursive: true });
  });

  test.each([
    [['--stores', 'many'], '--stores is a number'],
    [['--days', '0'], 'not below 1'],
    [['--colour', '3'], '--noticeOpens'],
  ])('refuses %j and says what there is', (args, words) => {
    expect(run('/', ...args)).toMatchObject({ exitCode: 2, text: expect.stringContaining(words) });
  });

  // The whole month takes seconds: `npm run simulate -- --check`, part of `npm run check`, plays it.
  test('the page shows the assumptions as they are', () => {
    const page = readFileSync(GROWTH_PAGE, 'utf8');
    for (const row of assumptionRows(monthOf())) expect(page).toContain(row);
  });
});

function never(): never {
  throw new Error('There is no limit.');
}
