/** The sums of docs/costs.md, held against a sum done by hand. That the page is up to date, generated.test.ts tells. */
import { describe, expect, test } from '@jest/globals';
import { barChart } from '../../../../infra/tools/costs/bar-chart.ts';
import { type MeasuredWork, measured } from '../../../../infra/tools/costs/measured.ts';
import { busyMs, costOfMillion, sumOf } from '../../../../infra/tools/costs/request-costs.ts';
import { costOfStore } from '../../../../infra/tools/costs/store-month.ts';

const work: MeasuredWork = {
  ...{ name: 'samples', function: 'customer-graphql' as const, requests: 2, cpuMs: 17.69, peakMemoryMb: 100 },
  ...{ readUnits: 3, writeUnits: 2, storeReads: 1, logBytes: 300, platformRequests: 1, points: 1 },
};

describe('a million', () => {
  test('is the sum of its parts, each by its price', () => {
    expect(busyMs(work, 1769)).toBeCloseTo(17.69 + 200, 6);
    const parts = costOfMillion(work, 1024);
    // The lines of Lambda and API Gateway of each request are logs too. 230.6 s a thousand at 1 GB; 0.20 for each of two requests.
    expect(parts.lambda).toBeCloseTo(((17.69 * 1769) / 1024 + 200) * 1000 * 0.0000133334 + 0.4, 6);
    expect(parts).toMatchObject({ api: 2, table: 3 * 0.125 + 2 * 0.625, logs: 1, transfer: 0.54 });
    expect(sumOf(parts)).toBeCloseTo(parts.lambda + 2 + 1.625 + 1 + 0.54, 9);
  });

  test('of work that waits for the platform costs more with more memory, of work that computes the same', () => {
    const lambda = (name: keyof typeof measured, memoryMb: number) =>
      costOfMillion(measured[name], memoryMb).lambda;
    expect(lambda('customerQuery', 1024)).toBeGreaterThan(1.7 * lambda('customerQuery', 512));
    expect(lambda('refresh', 1024)).toBeCloseTo(lambda('refresh', 512), 9);
  });
});

test('a store costs its secrets even without a subscriber, and the rest by its subscribers', () => {
  const [none, some, more] = [0, 10_000, 20_000].map(costOfStore);
  expect(none).toMatchObject({ requests: 0, storage: 0 });
  expect(none?.secrets).toBeGreaterThan(0.8);
  expect(more?.requests).toBeCloseTo(2 * (some?.requests ?? 0), 9);
  expect(more?.secrets).toBe(some?.secrets);
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
