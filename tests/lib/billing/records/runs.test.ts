import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { BillingRunLine } from '../../../../lib/billing/records/run-record.ts';
import { createBillingRuns, lineSortKey, type NewBillingRun } from '../../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../../lib/billing/records/settings.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../../../lib/billing/records/settings-record.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { startTables } from '../../../isolated-table.ts';

const nowMs = Date.parse('2026-12-01T09:07:00Z');
const shopId = 5001 as ShopId;
const run: NewBillingRun = {
  ...{ shopId, date: '2026-12-01', status: 'FINDING', foundCount: 0, startedAtMs: nowMs },
  cursor: { job: 'gid://shopify/Job/1', pages: [1, 2] },
};

let tables: Awaited<ReturnType<typeof startTables>>;
let table: Table;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());
beforeEach(() => {
  table = tables.part();
});

function runs() {
  return createBillingRuns({ table, now: () => nowMs });
}

function line(contract: number, cycleIndex = 1): BillingRunLine {
  const contractNumber = `${contract}` as ContractNumber;
  return { shopId, date: '2026-12-01', contractNumber, cycleIndex, expectedAtMs: nowMs };
}

it('creates one run for each day of a store', async () => {
  await expect(runs().create(run)).resolves.toEqual({ ...run, version: 1 });
  await expect(runs().create(run)).resolves.toBe('refused');
  await expect(runs().create({ ...run, shopId: 5002 as ShopId })).resolves.toMatchObject({ version: 1 });
  await expect(runs().find(shopId, '2026-12-01')).resolves.toEqual({ ...run, version: 1 });
  await expect(runs().find(shopId, '2026-12-02')).resolves.toBeUndefined();
});

it('replaces only the version of the run that was read', async () => {
  const before = await runs().create(run);
  if (before === 'refused') throw new Error('there is a run');
  await expect(runs().replace(before, { ...before, status: 'CHARGING' })).resolves.toMatchObject({
    version: 2,
  });
  await expect(runs().replace(before, { ...before, status: 'DONE' })).resolves.toBe('refused');
  await expect(runs().find(shopId, run.date)).resolves.toMatchObject({ status: 'CHARGING' });
});

it('lists the runs between two days in either direction', async () => {
  for (const date of ['2026-12-01', '2026-12-04', '2026-12-02', '2026-12-03'])
    await runs().create({ ...run, date });
  const days = async (range: Parameters<ReturnType<typeof runs>['list']>[1]) =>
    (await Array.fromAsync(runs().list(shopId, range))).map(({ date }) => date.slice(-1));
  await expect(days({})).resolves.toEqual(['1', '2', '3', '4']);
  await expect(days({ after: '2026-12-01', before: '2026-12-04' })).resolves.toEqual(['2', '3']);
  await expect(days({ after: '2026-12-02', descending: true, pageSize: 1 })).resolves.toEqual(['4', '3']);
});

it('writes a line once, and lists lines by contract and cycle after a given one', async () => {
  for (const each of [line(7, 10), line(7, 9), line(8)])
    await expect(runs().putLine(each)).resolves.toBe('done');
  await expect(runs().putLine(line(8))).resolves.toBe('refused');
  await runs().create(run);
  const after = lineSortKey(line(7, 9));
  await expect(Array.fromAsync(runs().listLines(shopId, run.date, { after }))).resolves.toEqual([
    line(7, 10),
    line(8),
  ]);
  await expect(Array.fromAsync(runs().listLines(shopId, '2026-12-02'))).resolves.toEqual([]);
});

it('lets runs and lines expire after 13 months', async () => {
  await runs().create(run);
  await runs().putLine(line(7));
  const expiresAt = (nowMs + 396 * 86_400_000) / 1000;
  const item = await table.get({ pk: 'RUN#5001', sk: '2026-12-01' });
  const lineItem = await table.get({ pk: 'RUN#5001#2026-12-01', sk: lineSortKey(line(7)) });
  expect([item?.expiresAt, lineItem?.expiresAt]).toEqual([expiresAt, expiresAt]);
});

it('reads the defaults until settings are stored, and replaces the version that was read', async () => {
  const settings = createBillingSettings({ table, now: () => nowMs });
  await expect(settings.read(shopId)).resolves.toEqual(DEFAULT_BILLING_SETTINGS);
  const changed = { ...DEFAULT_BILLING_SETTINGS, hour: 7 };
  await expect(settings.write(shopId, DEFAULT_BILLING_SETTINGS, changed)).resolves.toBe('done');
  await expect(settings.write(shopId, DEFAULT_BILLING_SETTINGS, changed)).resolves.toBe('refused');
  await expect(settings.read(shopId)).resolves.toEqual({ ...changed, version: 1, updatedAtMs: nowMs });
});

it('stops all stores until they are resumed', async () => {
  const settings = createBillingSettings({ table, now: () => nowMs });
  await expect(settings.readStop()).resolves.toBeUndefined();
  await settings.stopAll();
  await expect(settings.readStop()).resolves.toEqual({ atMs: nowMs });
  await settings.resumeAll();
  await expect(settings.readStop()).resolves.toBeUndefined();
});
