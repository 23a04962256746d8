/** The sums of docs/costs.md, held against a sum done by hand. That the page is up to date, generated.test.ts tells. */
import { describe, expect, test } from '@jest/globals';
import { barChart } from '../../../../infra/tools/costs/bar-chart.ts';
import { type MeasuredWork, measured, measurement } from '../../../../infra/tools/costs/measured.ts';
import { busyMs, costOfMillion, sumOf } from '../../../../infra/tools/costs/request-costs.ts';
import { costOfStore, storageAfter, worksOfSubscriber } from '../../../../infra/tools/costs/store-month.ts';
import { monthOf } from '../../../../infra/tools/load/assumptions.ts';
import { simulateMonth } from '../../../../infra/tools/simulate/simulate-month.ts';

const work: MeasuredWork = {
  ...{ name: 'samples', function: 'customer-graphql' as const, requests: 2, cpuMs: 17.69, peakMemoryMb: 100 },
  ...{ readUnits: 3, writeUnits: 2, keptBytes: 0, secretReads: 1, secretWrites: 1, logBytes: 300 },
  ...{ platformRequests: 1, points: 1, answerBytes: 6000 },
};

describe('a million', () => {
  test('is the sum of its parts, each by its price', () => {
    expect(busyMs(work, 1769)).toBeCloseTo(17.69 + 200, 6);
    const parts = costOfMillion(work, 1024);
    // 230.6 s a thousand at 1 GB, and 1 % of two requests starts an instance; 0.20 for each of two requests.
    const startMs = 2 * 0.01 * 1000 * (measurement.startSeconds['customer-graphql'] ?? 0);
    expect(parts.lambda).toBeCloseTo(((17.69 * 1769) / 1024 + 200 + startMs) * 1000 * 0.0000133334 + 0.4, 6);
    expect(parts).toMatchObject({ api: 2, table: 3 * 0.125 + 2 * 0.625 });
    // CloudFront, WAF, a line of the edge's log.
    expect(parts.edge).toBeCloseTo(2 * (1 + 0.6 + 0.15), 9);
    // Two calls of Secrets Manager each.
    expect(parts.secrets).toBeCloseTo(2 * 5, 9);
    // The lines of Lambda and API Gateway of each request are logs too, and 5 % of traces.
    expect(parts.logs).toBeCloseTo(1 + 2 * 0.25, 9);
    expect(parts.transfer).toBeCloseTo(6 * 0.085, 9);
    expect(sumOf(parts)).toBeCloseTo(parts.lambda + 2 + 3.5 + 1.625 + 10 + 1.5 + 0.51, 9);
  });

  test('of work that waits for the platform costs more with more memory, of work that computes the same', () => {
    const lambda = (name: keyof typeof measured, memoryMb: number) =>
      costOfMillion(measured[name], memoryMb).lambda;
    expect(lambda('customerQuery', 1024)).toBeGreaterThan(1.7 * lambda('customerQuery', 512));
    const { refresh } = measured;
    expect(1024 * busyMs(refresh, 1024)).toBeCloseTo(512 * busyMs(refresh, 512), 6);
  });
});

test('a store costs its secrets even without a subscriber, and the rest by its subscribers', () => {
  const [none, some, more] = [0, 10_000, 20_000].map(costOfStore);
  // Its night is looked at.
  expect(none).toMatchObject({ requests: expect.closeTo(0, 2), storage: 0 });
  expect(none?.secrets).toBeGreaterThan(0.8);
  // A worker visits a store once a minute at most, whatever happens there.
  expect((more?.requests ?? 0) / (some?.requests ?? 0)).toBeGreaterThan(1.5);
  expect((more?.requests ?? 0) / (some?.requests ?? 0)).toBeLessThan(2);
  expect(more?.secrets).toBe(some?.secrets);
});

test('a subscriber does in the costs what a customer does in the simulation', () => {
  const { minutes } = simulateMonth(monthOf({ stores: 2, customers: 3000, days: 30 }));
  const of = worksOfSubscriber();
  const close = (counts: Float64Array, ofOne = 0) => {
    const counted = counts.reduce((sum, count) => sum + count, 0) / 3000;
    expect(Math.abs(counted / ofOne - 1)).toBeLessThan(0.05);
  };
  close(minutes.changes, of.customerChange);
  close(minutes.charges, of.charge);
  close(minutes.customer, (of.customerQuery ?? 0) + (of.customerChange ?? 0));
});

test('what is kept for ever costs more each year, and what has a time to live does not', () => {
  const [first, one, two] = [0, 1, 2].map((years) => storageAfter(1_000_000, years));
  expect((two ?? 0) - (one ?? 0)).toBeCloseTo((one ?? 0) - (first ?? 0), 9);
  expect(one).toBeGreaterThan(first ?? 0);
  for (const name of ['signIn', 'refresh', 'customerQuery'] as const)
    expect(measured[name].keptBytes).toBe(0);
});

test('a chart is well-formed, its bars as long as their values', () => {
  const bar = (label: string, value: number) => ({
    label,
    parts: [{ value, fill: '#000' }],
    text: `${value}`,
  });
  const chart = barChart({ label: 'A & B', bars: [bar('<one>', 50), bar('two', 100)] });
  expect(chart).toContain('aria-label="A &amp; B"');
  expect(chart).toContain('&lt;one>');
  const widths = [...chart.matchAll(/<rect x="330.0" y="\d+" width="([\d.]+)"/g)].map(([, width]) =>
    Number(width),
  );
  expect(widths).toEqual([200, 400]);
});
