import { beforeEach, describe, expect, it } from '@jest/globals';
import { createBillingPreviews } from '../../../../lib/billing/preview/previews.ts';
import { createBillingCharges } from '../../../../lib/billing/records/charges.ts';
import type { BillingRun } from '../../../../lib/billing/records/run-record.ts';
import { createBillingRuns } from '../../../../lib/billing/records/runs.ts';
import { settleRun } from '../../../../lib/billing/run/settle-run.ts';
import { reportLateRuns, startRun } from '../../../../lib/billing/run/start-run.ts';
import type { BillingStatus } from '../../../../lib/billing/settings/decide-billing-status.ts';
import { runStartAtMs } from '../../../../lib/billing/settings/run-times.ts';
import type { TimeZone } from '../../../../lib/domain/time-zone.ts';
import type { LogFields } from '../../../../lib/observability/logger.ts';
import { store as aStore } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { berlin, chargeRecord, settings } from '../settle/fixtures.ts';

const HOUR_MS = 3_600_000;
const DATE = '2026-12-01';
const store = { ...aStore, timeZone: berlin };
const beginsAtMs = runStartAtMs(settings, store, DATE);

let nowMs = 0;
let lines: [string, LogFields | undefined][] = [];
let table = createMemoryTable();
const now = () => nowMs;
const log = (message: string, fields?: LogFields) => void lines.push([message, fields]);
const logger = { error: log, info: log, warn: log };

beforeEach(() => {
  [nowMs, lines, table] = [beginsAtMs, [], createMemoryTable()];
});

const alarms = () => lines.flatMap(([, fields]) => fields?.alarm ?? []);

async function start(status: BillingStatus, updatedAtMs?: number): Promise<BillingRun | undefined> {
  const runs = createBillingRuns({ table, now });
  const previews = createBillingPreviews({ table });
  const changed = { ...settings, startsOn: DATE, ...(updatedAtMs !== undefined && { updatedAtMs }) };
  await startRun({ runs, previews, logger, now }, { store, settings: changed }, status);
  return runs.find(store.shopId, DATE);
}

describe('the run of a day', () => {
  it('begins at the minute of the store, and once', async () => {
    nowMs = beginsAtMs - 1;
    await expect(start('ON')).resolves.toBeUndefined();
    nowMs = beginsAtMs;
    await expect(start('ON')).resolves.toMatchObject({ status: 'FINDING', startedAtMs: beginsAtMs });
    nowMs += HOUR_MS;
    await expect(start('ON')).resolves.toMatchObject({ startedAtMs: beginsAtMs, version: 1 });
    expect(lines.map(([message]) => message)).toEqual(['billing_run.started']);
  });

  it('stays the only one of its day when the time zone changes after it', async () => {
    await start('ON');
    const newYork = { ...store, timeZone: 'America/New_York' as TimeZone };
    const runs = createBillingRuns({ table, now });
    const deps = { runs, previews: createBillingPreviews({ table }), logger, now };
    const turn = { store: newYork, settings: { ...settings, startsOn: DATE } };
    nowMs = runStartAtMs(settings, newYork, DATE);
    await startRun(deps, turn, 'ON');
    nowMs = runStartAtMs(settings, newYork, '2026-12-02');
    await startRun(deps, turn, 'ON');
    const dates = (await Array.fromAsync(runs.list(store.shopId))).map(({ date, startedAtMs }) => [
      date,
      startedAtMs,
    ]);
    expect(dates).toEqual([
      [DATE, beginsAtMs],
      ['2026-12-02', nowMs],
    ]);
  });

  it('pages when it begins more than an hour late, also when it cannot be written', async () => {
    nowMs = beginsAtMs + HOUR_MS;
    await start('ON');
    expect(alarms()).toEqual([]);
    table = createMemoryTable();
    table.put = () => Promise.reject(new Error('the table is down'));
    nowMs += 1;
    await expect(start('ON')).rejects.toThrow('the table is down');
    expect(alarms()).toEqual(['billing_run_late']);
  });

  it('is not late when somebody switched billing on, or chose another hour, after its time', async () => {
    nowMs = beginsAtMs + 5 * HOUR_MS;
    await start('ON', nowMs - 60_000);
    expect(alarms()).toEqual([]);
  });

  it.each(['STOPPED_BY_STORE', 'STOPPED_BY_OPERATOR'] as const)(
    'begins while %s, and opens a ticket once that day',
    async (status) => {
      nowMs = beginsAtMs + 2 * HOUR_MS;
      await expect(start(status)).resolves.toMatchObject({ status: 'FINDING' });
      await start(status);
      expect(alarms()).toEqual(['billing_stopped']);
    },
  );
});

describe('a run that is not done', () => {
  const run: BillingRun = {
    ...{ shopId: store.shopId, version: 1, date: DATE, status: 'CHARGING' },
    ...{ foundCount: 3, startedAtMs: beginsAtMs },
  };
  const report = (changes: Partial<BillingRun>, updatedAtMs = 0) => {
    lines = [];
    reportLateRuns({ logger, now }, { settings: { ...settings, updatedAtMs } }, [{ ...run, ...changes }]);
    return alarms();
  };

  it('pages six hours after it began, was confirmed, or billing was resumed', () => {
    nowMs = beginsAtMs + 6 * HOUR_MS;
    expect(report({})).toEqual([]);
    nowMs += 1;
    expect(report({})).toEqual(['billing_run_late']);
    expect(report({ confirmedAtMs: nowMs - HOUR_MS })).toEqual([]);
    expect(report({}, nowMs - HOUR_MS)).toEqual([]);
  });

  it('pages once when all its attempts are sent, and one has no outcome', async () => {
    const runs = createBillingRuns({ table, now });
    const charges = createBillingCharges({ table, now, enqueueStore: async () => undefined });
    await runs.create({ ...run, status: 'SETTLING' });
    await runs.putLine({ ...chargeRecord, shopId: store.shopId, date: DATE });
    await charges.create({ ...chargeRecord, shopId: store.shopId, state: 'WAITING', attemptId: 'gid://1' });
    const settle = async () => {
      const stored = await runs.find(store.shopId, DATE);
      if (stored === undefined) throw new Error('The run is not there.');
      reportLateRuns({ logger, now }, { settings }, [stored]);
      await settleRun({ charges, runs, logger, now }, { settings }, { run: stored, mayCharge: true });
    };
    nowMs = beginsAtMs + 6 * HOUR_MS;
    await settle();
    expect(alarms()).toEqual([]);
    for (let hours = 0; hours < 24; hours++) {
      nowMs += HOUR_MS;
      await settle();
    }
    expect(alarms()).toEqual(['billing_run_late']);
    await charges.replace(
      { ...chargeRecord, shopId: store.shopId, version: 1 },
      { ...chargeRecord, shopId: store.shopId, state: 'CHARGED' },
    );
    nowMs += HOUR_MS;
    await settle();
    await expect(runs.find(store.shopId, DATE)).resolves.toMatchObject({ status: 'DONE' });
  });

  it('does not page while it waits for a confirmation', () => {
    nowMs = beginsAtMs + 60 * HOUR_MS;
    expect(report({ status: 'ON_HOLD', holdReason: 'PREVIEW_MISSING' })).toEqual([]);
  });
});
