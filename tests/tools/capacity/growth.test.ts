/** docs/growth.md and docs/costs.md are what the code says, and each limit follows what it depends on. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createMonth, type MonthAssumptions } from '../../../tools/capacity/assumptions.ts';
import { generateCapacityPages, runCapacity } from '../../../tools/capacity/capacity.ts';
import { formatVerdict } from '../../../tools/capacity/growth-page.ts';
import { computeAdminLimits, computeLimits, computeUsedShare } from '../../../tools/capacity/limits.ts';
import {
  computeBusiestMinuteOfNotices,
  computeChargesPerSecond,
  computeCustomerLoadOfMinute,
  computePeakOfSecond,
  computeServerLoadOfSecond,
  distributeStores,
} from '../../../tools/capacity/peaks.ts';

const month = createMonth();
const changed = (other: Partial<MonthAssumptions>) => createMonth(other);
const ONE_BY_ONE = { isSpread: true, concurrency: 1 };

function limitOf(name: string, of: MonthAssumptions = month) {
  const found = computeLimits(of).find((limit) => limit.name.startsWith(name));
  if (found === undefined) throw new Error(`There is no limit ${name}.`);
  return found;
}
const peakOf = (name: string, other: Partial<MonthAssumptions>) => limitOf(name, changed(other)).peak;

describe('peaks', () => {
  test('have all customers in the stores, the second store with half of the first', () => {
    const sizes = distributeStores(month).map(({ customers }) => customers);
    expect(sizes).toHaveLength(1000);
    expect(sizes.reduce((sum, size) => sum + size, 0) / 1_000_000).toBeCloseTo(1, 3);
    expect((sizes[0] ?? 0) / (sizes[1] ?? 1)).toBeCloseTo(2, 3);
    expect(distributeStores(month).map(({ pointsPerSecond }) => pointsPerSecond)).toContain(100);
  });

  test('have as many openings as a sum by hand', () => {
    // 365 of 1,000 customers have an order on the first day, and a quarter of them open its notice: 4.9 % of them in
    // one minute.
    expect(computeBusiestMinuteOfNotices(month)).toBeCloseTo(0.0487, 4);
    const others = (1000 * 4 * 0.08) / 30 / 60;
    const notices = 365 * 0.25 * 0.04866;
    const minute = computeCustomerLoadOfMinute(month, 1000, 1);
    expect(minute.openings).toBeCloseTo(notices + others, 2);
    expect(minute.queries).toBeCloseTo(3 * (notices + others), 1);
    expect(minute.changes).toBeCloseTo(0.3 * notices + 0.125 * others, 2);
    expect(computeCustomerLoadOfMinute(month, 1000, 0).openings).toBeCloseTo(others, 6);
  });

  test('have a second above its minute’s mean', () => {
    expect(computePeakOfSecond(100)).toBe(140);
    expect(computePeakOfSecond(0)).toBe(0);
  });

  test('have servers charge for as long as their orders take', () => {
    const { servers, charges } = computeServerLoadOfSecond(month, ONE_BY_ONE);
    expect(charges).toBeCloseTo(servers * computeChargesPerSecond(month, 1), 9);
    expect(computeChargesPerSecond(month, 3)).toBeCloseTo(3 * computeChargesPerSecond(month, 1), 9);
    expect(computeServerLoadOfSecond(month, { isSpread: false, concurrency: 1 }).servers).toBe(400);
    expect(
      computeServerLoadOfSecond(changed({ billingSpreadMinutes: 1 }), ONE_BY_ONE).servers,
    ).toBeGreaterThan(servers);
  });
});

describe('limits', () => {
  test.each<[name: string, other: Partial<MonthAssumptions>]>([
    ['instances of customer-graphql', { noticeOpens: 0.5 }],
    ['throttle of refresh', { noticeMinutes: 1 }],
    ['throttle of admin-graphql', { billingSpreadMinutes: 1 }],
    ['throttle of platform-webhooks', { webhooksPerCharge: 4 }],
    ['writes of the whole table', { dueOnFirst: 0.7 }],
    ["a key of the day's scheduled tasks", { chargeDueWrites: 9 }],
    ["the platform's bucket", { queriesPerOpening: 6 }],
    ['item of the largest store', { customers: 2_000_000 }],
    ['ending pauses', { pausedUntilFirst: 0.5 }],
    ['renewing grants', { stores: 2000 }],
    ['from a charge to its entry', { sameClock: 1 }],
    ['the longest nightly reconciliation', { customers: 2_000_000 }],
    ['from a webhook of the platform', { stores: 2000 }],
    ["webhooks to merchants' endpoints", { endpoints: 5 }],
  ])('%s comes nearer with %j', (name, other) => {
    expect(peakOf(name, other)).toBeGreaterThan(limitOf(name).peak);
  });

  test('lists the nearest limits first, each once, all above the planned month', () => {
    const limits = computeLimits(month);
    const shares = limits.map(computeUsedShare);
    expect(shares).toEqual(shares.toSorted((one, other) => other - one));
    expect(new Set(limits.map(({ name }) => name)).size).toBe(32);
    expect(shares[0]).toBeLessThan(1);
  });

  test('has what to do for each limit in the page, and names a limit without it', () => {
    const [first, ...others] = computeLimits(month);
    if (first === undefined) throw new Error('There is no limit.');
    expect(() => formatVerdict([first, ...others])).not.toThrow();
    expect(() => formatVerdict([...others, { ...first, name: 'new' }])).toThrow(
      'needs a row for the limit new',
    );
  });

  test('passes the limits when all servers start together with several concurrent charges', () => {
    const [instances] = computeAdminLimits(month, { isSpread: false, concurrency: 3 });
    expect(computeUsedShare(instances)).toBeGreaterThan(1);
    expect(computeUsedShare(computeAdminLimits(month, ONE_BY_ONE)[0])).toBeLessThan(0.5);
  });

  test('have a verdict that names the nearest, and what to do', () => {
    const [first] = computeLimits(month);
    const message = formatVerdict(computeLimits(month)).join('\n');
    expect(message).toContain(`Nearest to its limit: ${first?.name}`);
    const row = readFileSync('docs/growth.md', 'utf8').match(
      /^\| writes of secrets \(renewed grants\) \| at any time \| [^|]* \| (.*) \|$/m,
    );
    expect(message).toContain(`(at any time).\nWhat to do: ${row?.[1]}\n`);
    expect(message).toMatch(/Everything fits\. .* full at \d\.\d times the load/);
    const crowded = formatVerdict(computeLimits(changed({ customers: 9_000_000 }))).join('\n');
    expect(crowded).toContain('Over their limits: ');
    expect(crowded).not.toContain('Everything fits');
  });
});

describe('npm run capacity', () => {
  const run = (root: string, ...args: string[]) => {
    const lines: string[] = [];
    const exitCode = runCapacity(root, args, (line: string) => void lines.push(line));
    return { exitCode, text: lines.join('\n') };
  };

  test.each(generateCapacityPages().map(({ file, text }) => [file, text]))('has written %s', (file, text) => {
    const isWritten = readFileSync(file, 'utf8') === text;
    expect(isWritten ? '' : `${file} is not what the code says: run npm run capacity and commit it.`).toBe(
      '',
    );
  });

  test('prints and writes nothing with other assumptions', () => {
    const folder = mkdtempSync(join(tmpdir(), 'capacity-'));
    const printed = run(folder, '--stores', '5', '--customers', '100');
    expect(printed).toMatchObject({ exitCode: 0, text: expect.stringContaining('Nearest to its limit') });
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test.each([
    [['--stores', 'many'], '--stores is a number'],
    [['--days', '0'], 'not below 1'],
    [['--colour', '3'], '--noticeOpens'],
  ])('refuses %j and says what there is', (args, message) => {
    expect(run('/', ...args)).toMatchObject({ exitCode: 2, text: expect.stringContaining(message) });
  });
});
