/** Billing by the command line: each verb, and the input that it refuses. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { createBillingPreviews } from '../../../../lib/billing/preview/previews.ts';
import { createBillingRuns } from '../../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../../lib/billing/records/settings.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createSdkTableClient } from '../../../../lib/storage/sdk-client/sdk-table.ts';
import { emulatorClientSettings } from '../../../../sandbox/aws/local-client-settings.ts';
import type { OperatorWorld } from '../../operator-world.ts';

const HARBOR = 'harbor-coffee.myshopify.com';
const SHOP_ID = 81234567001 as ShopId;

export function billingSuite(getWorld: () => OperatorWorld): void {
  const run = (...args: string[]) => getWorld().run(['billing', ...args]);
  const json = (...args: string[]) => getWorld().json(['billing', ...args]);

  test('shows settings, changes them, and refuses values that are not valid', async () => {
    expect(await json('show', HARBOR)).toMatchObject({
      status: 'OFF',
      settings: { enabled: false, hour: 10 },
    });
    const changed = await json(
      'set',
      HARBOR,
      '--hour',
      '7',
      '--retry-after',
      '2,5',
      '--final-action',
      'cancel',
    );
    expect(changed).toMatchObject({
      settings: { hour: 7, declined: { retryAfterDays: [2, 5], finalAction: 'CANCEL' } },
    });
    const none = await json('set', HARBOR, '--stock-retry-after', 'none', '--ask-for-new-method', 'no');
    expect(none).toMatchObject({
      settings: { hour: 7, outOfStock: { retryAfterDays: [], finalAction: 'SKIP' }, askForNewMethod: false },
    });
    for (const [args, why] of [
      [['--hour', '24'], /hours 0 to 23\. Choose one of them\. \(HOUR_INVALID: hour\)/],
      [['--hour', 'noon'], /HOUR_INVALID/],
      [['--retry-after', '15'], /from 1 to 14.*\(RETRIES_INVALID: declined.retryAfterDays\)/],
      [['--starts-on', '2020-01-01'], /first day is in the past.*\(DATE_IN_PAST: startsOn\)/],
      [['--starts-on', 'tomorrow'], /DATE_UNKNOWN/],
      [['--final-action', 'forget'], /no final action/],
      [['--enabled', 'maybe'], /yes or no/],
      [[], /nothing to change/],
    ] as const) {
      const refused = await run('set', HARBOR, ...args);
      expect({ args, code: refused.exitCode, why: refused.err }).toEqual({
        ...{ args, code: 2, why: expect.stringMatching(why) },
      });
    }
  });

  test('has a line in store check while the service bills the store', async () => {
    const lineOf = async () => {
      const { out } = await getWorld().run(['store', 'check', HARBOR, '--json']);
      const { findings } = JSON.parse(out);
      return findings.find(({ name }: { name: string }) => name === 'Billing');
    };
    expect(await lineOf()).toBeUndefined();
    const { state } = getWorld();
    const client = new DynamoDBClient(emulatorClientSettings(state.dynamoDbUrl));
    const table = createSdkTableClient({ client, tableName: state.tableName });
    const settings = createBillingSettings({ table, now: Date.now });
    const before = await settings.read(SHOP_ID);
    await settings.write(SHOP_ID, before, { ...before, enabled: true, startsOn: '2999-01-01' });
    expect(await lineOf()).toMatchObject({
      state: 'missing',
      found: expect.stringMatching(/SNAPSHOTS_INCOMPLETE/),
    });
    const enabled = await settings.read(SHOP_ID);
    await settings.write(SHOP_ID, enabled, { ...enabled, enabled: false });
    client.destroy();
  });

  test('stops and resumes a store, and all stores', async () => {
    expect(await json('stop', HARBOR)).toMatchObject({
      settings: { stoppedByOperatorAt: expect.any(String) },
    });
    const resumed = await json('resume', HARBOR);
    expect(resumed).toMatchObject({ settings: { resumedByOperatorAt: expect.any(String) } });
    expect(resumed).not.toHaveProperty('settings.stoppedByOperatorAt');
    expect(await json('stop', '--all')).toEqual({ all: 'stopped' });
    expect((await run('show', HARBOR)).out).toMatch(/all stores stopped +\d{4}-/);
    expect(await json('resume', '--all')).toEqual({ all: 'resumed' });
    expect((await run('stop')).err).toMatch(/Name a store, or add --all/);
    expect((await run('stop', HARBOR, '--all')).exitCode).toBe(2);
  });

  test('lists a run that is not done as STOPPED while billing is stopped', async () => {
    const { state } = getWorld();
    const client = new DynamoDBClient(emulatorClientSettings(state.dynamoDbUrl));
    const table = createSdkTableClient({ client, tableName: state.tableName });
    const settings = createBillingSettings({ table, now: Date.now });
    const runs = createBillingRuns({ table, now: Date.now });
    const newRun = { shopId: SHOP_ID, foundCount: 3, startedAtMs: Date.now() } as const;
    await runs.create({ ...newRun, date: '2026-11-29', status: 'DONE' });
    await runs.create({ ...newRun, date: '2026-11-30', status: 'CHARGING' });
    const before = await settings.read(SHOP_ID);
    await settings.write(SHOP_ID, before, { ...before, enabled: true, startsOn: '2026-11-29' });
    const statuses = async () => (await json('runs', HARBOR)).map(({ status }: { status: string }) => status);
    expect(await statuses()).toEqual(['CHARGING', 'DONE']);
    await json('stop', HARBOR);
    expect(await statuses()).toEqual(['STOPPED', 'DONE']);
    expect((await run('runs', HARBOR)).out).toMatch(/2026-11-30 +STOPPED/);
    await json('resume', HARBOR);
    await json('set', HARBOR, '--enabled', 'no');
    client.destroy();
  });

  test('shows the preview of a day only if a run of the present settings counts it', async () => {
    const { state } = getWorld();
    const client = new DynamoDBClient(emulatorClientSettings(state.dynamoDbUrl));
    const table = createSdkTableClient({ client, tableName: state.tableName });
    const counts = { date: '2026-12-05', preparedAtMs: Date.now(), orderCount: 4, totals: [] };
    await createBillingPreviews({ table }).put(SHOP_ID, counts);
    const show = async () => (await run('preview', HARBOR, '--day', '2026-12-05')).out;
    const settings = createBillingSettings({ table, now: Date.now });
    const enable = async (changes: { enabledAtMs?: number; startsOn: string }) => {
      const before = await settings.read(SHOP_ID);
      await settings.write(SHOP_ID, before, { ...before, enabled: true, ...changes });
    };
    expect(await show()).toMatch(/^2026-12-05 has no preview:/);
    await enable({ enabledAtMs: counts.preparedAtMs, startsOn: '2026-12-05' });
    expect(await show()).toMatch(/^4 orders on 2026-12-05/);
    await enable({ startsOn: '2026-12-06' });
    expect(await json('preview', HARBOR, '--day', '2026-12-05')).toBeNull();
    await enable({ enabledAtMs: counts.preparedAtMs + 1, startsOn: '2026-12-05' });
    expect(await json('preview', HARBOR, '--day', '2026-12-05')).toBeNull();
    await json('set', HARBOR, '--enabled', 'no');
    client.destroy();
  });

  test('lists runs and charges, and confirms a run on hold', async () => {
    const { state } = getWorld();
    const client = new DynamoDBClient(emulatorClientSettings(state.dynamoDbUrl));
    const table = createSdkTableClient({ client, tableName: state.tableName });
    for (const date of ['2026-12-01', '2026-12-02'])
      await createBillingRuns({ table, now: Date.now }).create({
        ...{ shopId: SHOP_ID, date, status: 'ON_HOLD', holdReason: 'PREVIEW_MISSING' },
        ...{ foundCount: 3, startedAtMs: Date.now() },
      });
    client.destroy();
    expect((await run('runs', HARBOR)).out).toMatch(/2026-12-01 +ON_HOLD +PREVIEW_MISSING/);
    expect(await json('confirm', HARBOR, '2026-12-01')).toMatchObject({ status: 'CHARGING' });
    expect((await run('confirm', HARBOR, '2026-12-01')).err).toMatch(/not on hold/);
    expect((await run('confirm', HARBOR, 'today')).err).toMatch(/no run/);
    expect(await json('charges', HARBOR)).toEqual([]);
    expect((await run('charges', HARBOR)).out).toBe('No order is in dunning.');
    expect((await run('charges', HARBOR, '--run', '2026-12-01')).out).toBe(
      'No order was found by a run of 2026-12-01.',
    );
    expect(await json('charges', HARBOR, '--run', '2026-12-01')).toEqual([]);
    expect(await json('preview', HARBOR, '--day', '2026-12-02')).toBeNull();
  });
}
