import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createBillingSettings } from '../../../../lib/billing/records/settings.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../../../lib/billing/records/settings-record.ts';
import { replaySettings } from '../../../../lib/billing/settings/replay-settings.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { parseLoggedChanges } from '../../../../lib/stores/restore/logged-change.ts';
import { startTables } from '../../../isolated-table.ts';

const shopId = 5001 as ShopId;
let tables: Awaited<ReturnType<typeof startTables>>;
let table: Table;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());
beforeEach(() => {
  table = tables.part();
});

const now = () => 9000;
const stored = () => createBillingSettings({ table, now }).read(shopId);
const logged = (version: number, enabled: boolean) => ({
  shopId,
  settings: { ...DEFAULT_BILLING_SETTINGS, version, enabled, updatedAtMs: 100 * version },
});

it('writes the latest logged settings with their own version and time', async () => {
  await createBillingSettings({ table, now }).write(shopId, DEFAULT_BILLING_SETTINGS, {
    ...DEFAULT_BILLING_SETTINGS,
    enabled: true,
  });
  await expect(replaySettings({ table, now }, [logged(4, true), logged(5, false)])).resolves.toBe(1);
  await expect(stored()).resolves.toEqual({ ...DEFAULT_BILLING_SETTINGS, version: 5, updatedAtMs: 500 });
});

it('changes nothing when it is repeated, or when the table has later settings', async () => {
  await replaySettings({ table, now }, [logged(5, false)]);
  await expect(replaySettings({ table, now }, [logged(5, false), logged(3, true)])).resolves.toBe(0);
  await expect(stored()).resolves.toMatchObject({ version: 5, enabled: false });
});

it('reads the settings of a log line', () => {
  const line = { timestamp: '2026-12-01T09:00:00Z', message: 'billing.changed', ...logged(2, false) };
  expect(parseLoggedChanges(JSON.stringify(line), 0)).toMatchObject([
    { message: 'billing.changed', shopId, settings: { version: 2, outOfStock: { finalAction: 'SKIP' } } },
  ]);
});

it('repeats the last stop or resume of all stores', async () => {
  const { readStop } = createBillingSettings({ table, now });
  const [stopped, resumed] = [{ allStores: 'stopped' }, { allStores: 'resumed' }] as const;
  await replaySettings({ table, now }, [resumed, stopped]);
  await expect(readStop()).resolves.toEqual({ atMs: 9000 });
  await replaySettings({ table, now }, [logged(5, false)]);
  await expect(readStop()).resolves.toEqual({ atMs: 9000 });
  await replaySettings({ table, now }, [stopped, resumed]);
  await expect(readStop()).resolves.toBeUndefined();
});

it('reads a stop of all stores from its log line', () => {
  const line = { timestamp: '2026-12-01T09:00:00Z', message: 'billing.changed', allStores: 'stopped' };
  expect(parseLoggedChanges(JSON.stringify(line), 0)).toMatchObject([{ allStores: 'stopped' }]);
});
