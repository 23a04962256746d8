/** Compares the sums of docs/costs.md with manual calculations. growth.test.ts checks that the page is up to date. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { FUNCTION_DEFINITIONS, type FunctionName } from '../../../infra/definition/function-definitions.ts';
import { MAX_ENDPOINTS } from '../../../lib/webhooks/endpoints.ts';
import { createMonth } from '../../../tools/capacity/assumptions.ts';
import { generateCostsPage } from '../../../tools/capacity/costs-page.ts';
import {
  computeOwnPartOfWaiting,
  countConcurrentAttempts,
  countConfigurationReads,
  type MeasuredWork,
  measuredWorks,
  measurement,
} from '../../../tools/capacity/measured.ts';
import { bodyMemory, memoryMeasurement, workerMemory } from '../../../tools/capacity/measured-memory.ts';
import { replacePageTables } from '../../../tools/capacity/page-tables.ts';
import { computeBusyMs, computeCostOfMillion, sumParts } from '../../../tools/capacity/request-costs.ts';
import {
  computeCostOfStore,
  computeStorageCostAfter,
  countWorksOfStore,
  countWorksOfSubscriber,
  FIXED_MONTHLY_COSTS,
} from '../../../tools/capacity/store-month.ts';

const work: MeasuredWork = {
  ...{ name: 'samples', function: 'customer-graphql' as const, requests: 2, cpuMs: 17.69, peakMemoryMb: 100 },
  ...{ readUnits: 3, writeUnits: 2, storedBytes: 0, secretReads: 1, secretWrites: 1, logBytes: 300 },
  ...{ platformRequests: 2, platformTrips: 1, points: 1, answerBytes: 6000, answerMs: 0, endpointMs: 0 },
};

describe('a million', () => {
  test('is the sum of its parts, each by its price', () => {
    // 384 MB give a part of a processor.
    expect(computeBusyMs(work)).toBeCloseTo((17.69 * 1769) / 384 + 200, 6);
    const parts = computeCostOfMillion(work);
    // 281.5 s a thousand at 0.375 GB, and 1 % of two requests starts an instance; 0.20 for each of two requests.
    const startMs = 2 * 0.01 * 1000 * (measurement.startSeconds['customer-graphql'] ?? 0);
    expect(parts.lambda).toBeCloseTo(((17.69 * 1769) / 384 + 200 + startMs) * 375 * 0.0000133334 + 0.4, 6);
    expect(parts).toMatchObject({ api: 2, table: 3 * 0.125 + 2 * 0.625 });
    // CloudFront, WAF, a line of the edge's log.
    expect(parts.edge).toBeCloseTo(2 * (1 + 0.6 + 0.15), 9);
    // Two calls of Secrets Manager each.
    expect(parts.secrets).toBeCloseTo(2 * 5, 9);
    // API Gateway's line of each request is a log, too.
    expect(parts.logs).toBeCloseTo(0.5 * (0.3 + 2 * 0.35), 9);
    expect(parts.transfer).toBeCloseTo(6 * 0.085, 9);
    expect(sumParts(parts)).toBeCloseTo(parts.lambda + 2 + 3.5 + 1.625 + 10 + 0.5 + 0.51, 9);
  });
});

test('the largest responses, bodies, hostile documents and runs leave a fifth of the memory free', () => {
  for (const [name, { memoryMb, peakMb }] of Object.entries({
    ...memoryMeasurement.functions,
    ...bodyMemory,
    ...workerMemory,
  })) {
    const deployed = FUNCTION_DEFINITIONS[name as FunctionName].memoryMb;
    // More memory than was measured would let V8 use more, too.
    expect([name, memoryMb]).toEqual([name, deployed]);
    expect(peakMb / deployed).toBeLessThanOrEqual(0.8);
  }
});

test('a store costs its secrets even without a subscriber, and the rest by its subscribers', () => {
  const [none, some, more] = [0, 10_000, 20_000].map(computeCostOfStore);
  // Each store is read in the nightly reconciliation.
  expect(none).toMatchObject({ requests: expect.closeTo(0, 2), storage: 0 });
  expect(none?.secrets).toBeGreaterThan(0.8);
  // A worker visits a store at most once a minute.
  expect((more?.requests ?? 0) / (some?.requests ?? 0)).toBeGreaterThan(1.5);
  expect((more?.requests ?? 0) / (some?.requests ?? 0)).toBeLessThan(2);
  expect(more?.secrets).toBe(some?.secrets);
});

describe('an endpoint that is down', () => {
  test('is waited for together with others: the more there are the less has each, and one alone has all', () => {
    const parts = [0.001, 1, 10, 100].map(computeOwnPartOfWaiting);
    expect(parts[0]).toBeCloseTo(1, 2);
    expect(parts).toEqual(parts.toSorted((one, other) => other - one));
    // With a hundred concurrent waits, an instance is hardly ever idle.
    expect(100 * (parts[3] ?? 0)).toBeCloseTo(1, 6);
    // 1,000 stores of three endpoints, of which 5 % are down; each is tried so often, for ten seconds.
    const { triesADayAtDown } = createMonth();
    const concurrent = countConcurrentAttempts(createMonth(), 10_000);
    expect(concurrent).toBeCloseTo((150 * triesADayAtDown * 10) / 86_400, 9);
    expect(measuredWorks.refusedDelivery.endpointMs).toBeCloseTo(
      10_000 * computeOwnPartOfWaiting(concurrent),
      6,
    );
  });

  test('polls once a second while it waits, and not more often than the endpoint responds', () => {
    expect([0, 200, 1000, 10_000].map(countConfigurationReads)).toEqual([0, 0.2, 1, 1]);
    for (const [name, reads] of [
      ['delivery', 0.2],
      ['refusedDelivery', 1],
      ['enqueuedStore', 0],
    ] as const)
      expect(measuredWorks[name].readUnits - measurement.works[name].readUnits).toBeCloseTo(reads, 9);
    // A poll reads the store's configuration: always one unit.
    expect(MAX_ENDPOINTS * (measurement.itemBytes.ENDPOINT ?? Infinity)).toBeLessThan(4096);
  });
});

describe('the page', () => {
  const page = generateCostsPage().text;
  const rows = (from: string, to: string) =>
    page
      .slice(page.indexOf(from), page.indexOf(to))
      .split('\n')
      .filter((line) => line.includes('| **'))
      .map((line) => line.split('|').map((cell) => Number(cell.replaceAll('*', ''))));

  test.each([
    ['of a million', '| per million |', 'Most of the time', 3, Object.keys(measuredWorks).length],
    ['of a store', '| subscribers | work |', 'The timeline stores', 2, 2],
  ])('%s adds up to what it says', (_name, from, to, first, count) => {
    const found = rows(from, to);
    expect(found).toHaveLength(count);
    for (const cells of found) {
      const [together = Number.NaN, ...parts] = cells.slice(first, -1).reverse();
      const sum = parts.reduce((all, part) => all + part, 0);
      // Each cell is rounded to cents.
      expect(Math.abs(sum - together)).toBeLessThan(0.005 * (parts.length + 1) + 1e-9);
    }
  });

  test('names what an environment costs without any store, and its sum', () => {
    const [, table = ''] = page.match(/<!-- environment -->(.*?)<!-- end -->/s) ?? [];
    const amounts = [...table.matchAll(/ ([\d.]+) \|$/gm)].map(([, amount]) => Number(amount));
    expect(amounts).toHaveLength(Object.keys(FIXED_MONTHLY_COSTS).length);
    const sum = table.match(/together about\*\* \| \*\*([\d.]+)/)?.[1];
    expect(amounts.reduce((all, one) => all + one, 0)).toBeCloseTo(Number(sum), 1);
  });

  test('counts a run of each part of the stores that has nothing to do', () => {
    const perMonth = (work: typeof measuredWorks.scheduledRun, runs: number) =>
      (runs / 1e6) * (sumParts(computeCostOfMillion(work)) + 0.2);
    const { scheduledRun, storeEventsRun, deliveriesRun, billingRun } = measuredWorks;
    const minutes = 730 * 60;
    // Eight parts each quarter of an hour, and three workers each minute.
    const expected =
      perMonth(scheduledRun, (8 * minutes) / 15) +
      perMonth(storeEventsRun, minutes) +
      perMonth(deliveriesRun, minutes) +
      perMonth(billingRun, minutes);
    expect(FIXED_MONTHLY_COSTS['runs of the timetable with nothing to do']).toBeCloseTo(expected, 2);
  });

  test('counts all that was measured: of a subscriber, a store, its billing by the service, or the timetable', () => {
    const ofTimetable = ['scheduledRun', 'storeEventsRun', 'deliveriesRun', 'billingRun', 'renewedGrant'];
    const ofBilling = ['billedOrder', 'settledOrder', 'declinedOrder', 'endedOrder'];
    const counted = [
      ...Object.keys(countWorksOfSubscriber()),
      ...Object.keys(countWorksOfStore(1)),
      ...ofTimetable,
      ...ofBilling,
    ];
    expect(counted.sort()).toEqual(Object.keys(measurement.works).sort());
    expect(Object.keys(measuredWorks).sort()).toEqual(Object.keys(measurement.works).sort());
  });
});

test('refuses a page whose places differ from the tables', () => {
  expect(() => replacePageTables('docs/costs.md', {})).toThrow('unknown table measurement');
  expect(() => replacePageTables('docs/errors.md', { works: '' })).toThrow('no place for works');
  const tooFew = { verdict: '', limits: [['1 call/s', '50', '2 %']] };
  expect(() => replacePageTables('docs/growth.md', tooFew)).toThrow(
    'docs/growth.md, limits has 32 labels, and 1 rows.',
  );
});

test('no work has a higher peak than the page holds against the memory that is chosen', () => {
  const page = readFileSync('docs/costs.md', 'utf8');
  const [, table = ''] = page.split('<!-- works -->\n\n');
  const rows =
    table
      .split('\n\n')[0]
      ?.split('\n')
      .map((row) => row.split(' | ')) ?? [];
  const column = rows[0]?.indexOf('peak memory') ?? -1;
  const highest = Math.max(...rows.slice(2).map((cells) => Number.parseInt(cells[column] ?? '', 10)));
  const [, choice = ''] = page.match(/<!-- memory-choice -->(.*?)<!-- end -->/s) ?? [];
  const named = Math.max(...[...choice.matchAll(/ (\d+) MB \|$/gm)].map(([, mb]) => Number(mb)));
  expect(highest).toBeGreaterThan(0);
  expect(named).toBe(highest);
});

test('costs more each year for what stays forever, and not for what has a time to live', () => {
  const [first, one, two] = [0, 1, 2].map((years) => computeStorageCostAfter(1_000_000, years));
  expect((two ?? 0) - (one ?? 0)).toBeCloseTo((one ?? 0) - (first ?? 0), 9);
  expect(one).toBeGreaterThan(first ?? 0);
  for (const name of ['signIn', 'refresh', 'customerQuery'] as const)
    expect(measuredWorks[name].storedBytes).toBe(0);
});
