import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createBillingRuns } from '../../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../../lib/billing/records/settings.ts';
import {
  type BillingSettings,
  DEFAULT_BILLING_SETTINGS,
} from '../../../../lib/billing/records/settings-record.ts';
import {
  confirmRun,
  resumeAllStores,
  resumeBilling,
  type StopOfAllChange,
  stopAllStores,
  stopBilling,
  updateSettings,
} from '../../../../lib/billing/settings/change-settings.ts';
import { decideBillingStatus } from '../../../../lib/billing/settings/decide-billing-status.ts';
import type { SettingsInput } from '../../../../lib/billing/settings/decide-settings-change.ts';
import { externalAttemptsFromMs } from '../../../../lib/billing/settings/external-attempts.ts';
import { type BillingObstacle, findObstacles } from '../../../../lib/billing/settings/find-obstacles.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { NEEDED_ACCESS } from '../../../../lib/platform/admin-api/needed-access.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { startTables } from '../../../isolated-table.ts';
import { berlin, berlinTime } from '../settle/fixtures.ts';

const shopId = 5001 as ShopId;
const installed: Partial<StoreRecord> = {
  ...{ shopId, status: 'installed', timeZone: berlin, restoredAtMs: undefined },
  installedAtMs: berlinTime('2026-01-01T00:00'),
};
let store: StoreRecord;
let tables: Awaited<ReturnType<typeof startTables>>;
let table: Table;
let nowMs = 0;
let steps: string[] = [];
let logged: BillingSettings[] = [];
/** Changes of others that come between a read and a write. */
let concurrentChanges = 0;

beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());
beforeEach(() => {
  table = tables.part();
  store = installed as StoreRecord;
  nowMs = berlinTime('2026-12-01T12:00');
  [steps, logged, concurrentChanges] = [[], [], 0];
});

const now = () => nowMs;
const repository = () => createBillingSettings({ table, now });

function deps() {
  const { read, write, readStop } = repository();
  return {
    settings: {
      read,
      readStop,
      async write(...[shop, before, after]: Parameters<typeof write>) {
        if (concurrentChanges-- > 0) await write(shop, before, { ...after, hour: 3 });
        steps.push('write');
        return write(shop, before, after);
      },
    },
    enqueueStore: async () => void steps.push('enqueue'),
    logChange: (settings: BillingSettings) => void logged.push(settings),
    now,
  };
}

const stored = () => repository().read(shopId);

function update(input: SettingsInput, obstacles: readonly BillingObstacle[] = []) {
  return updateSettings(deps(), store, { input, obstacles });
}

/** The reasons and paths of the faults of a change. */
async function faultsOf(input: SettingsInput, obstacles: readonly BillingObstacle[] = []) {
  const outcome = await update(input, obstacles);
  return outcome.refusal === 'INPUT'
    ? outcome.faults.map(({ reason, path }) => `${reason} ${path.join('.')}`)
    : [];
}

describe('switching on', () => {
  it('begins on the day after tomorrow, so that a preview is seen first', async () => {
    await update({ enabled: true });
    await expect(stored()).resolves.toMatchObject({
      ...{ enabled: true, startsOn: '2026-12-03', hour: 10 },
      ...{ enabledAtMs: nowMs, firstEnabledAtMs: nowMs, updatedAtMs: nowMs },
    });
  });

  it('begins today or on a later day that the store chooses', async () => {
    await update({ enabled: true, startsOn: '2026-12-01' });
    await expect(stored()).resolves.toMatchObject({ startsOn: '2026-12-01' });
  });

  it('takes a day that was chosen while billing was off', async () => {
    await update({ startsOn: '2026-12-24' });
    await update({ enabled: true });
    await expect(stored()).resolves.toMatchObject({ startsOn: '2026-12-24' });
  });

  it('is refused while something keeps the store from being billed', async () => {
    await expect(faultsOf({ enabled: true }, ['ACCESS_MISSING'])).resolves.toEqual([
      'STORE_NOT_READY enabled',
    ]);
    await expect(stored()).resolves.toEqual(DEFAULT_BILLING_SETTINGS);
  });

  it('enqueues the store before and after it writes, and logs what it has written', async () => {
    await update({ enabled: true });
    expect(steps).toEqual(['enqueue', 'write', 'enqueue']);
    expect(logged).toMatchObject([{ version: 1, enabled: true }]);
  });

  it('goes on from the earlier first day after a short break, and anew after a long one', async () => {
    await update({ enabled: true, startsOn: '2026-12-01' });
    nowMs = berlinTime('2026-12-10T12:00');
    await update({ enabled: false });
    nowMs = berlinTime('2026-12-12T12:00');
    await update({ enabled: true });
    await expect(stored()).resolves.toMatchObject({ startsOn: '2026-12-01' });
    await update({ enabled: false });
    nowMs = berlinTime('2027-01-12T12:00');
    await update({ enabled: true });
    await expect(stored()).resolves.toMatchObject({
      startsOn: '2027-01-14',
      firstEnabledAtMs: berlinTime('2026-12-01T12:00'),
    });
  });
});

describe('a change of settings', () => {
  it('leaves what it does not name', async () => {
    await update({ declined: { finalAction: 'CANCEL' }, hour: 7 });
    await update({ declined: { retryAfterDays: [] }, askForNewMethod: false });
    await expect(stored()).resolves.toMatchObject({
      ...{ hour: 7, askForNewMethod: false, declined: { retryAfterDays: [], finalAction: 'CANCEL' } },
      outOfStock: DEFAULT_BILLING_SETTINGS.outOfStock,
    });
  });

  it.each<[string, SettingsInput, string]>([
    ['an hour that no day has', { hour: 24 }, 'HOUR_INVALID hour'],
    ['a negative hour', { hour: -1 }, 'HOUR_INVALID hour'],
    ['a gap of no day', { declined: { retryAfterDays: [0] } }, 'RETRIES_INVALID declined.retryAfterDays'],
    [
      'a gap of 15 days',
      { outOfStock: { retryAfterDays: [15] } },
      'RETRIES_INVALID outOfStock.retryAfterDays',
    ],
    [
      '31 days together',
      { declined: { retryAfterDays: [14, 14, 3] } },
      'RETRIES_INVALID declined.retryAfterDays',
    ],
    [
      'ten gaps',
      { declined: { retryAfterDays: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1] } },
      'RETRIES_INVALID declined.retryAfterDays',
    ],
    ['a day that does not exist', { startsOn: '2027-02-30' }, 'DATE_UNKNOWN startsOn'],
    ['a day in the past', { startsOn: '2026-11-30' }, 'DATE_IN_PAST startsOn'],
    ['a day more than a year ahead', { startsOn: '2027-12-03' }, 'DATE_TOO_FAR startsOn'],
  ])('refuses %s', async (_name, input, fault) => {
    await expect(faultsOf(input)).resolves.toEqual([fault]);
    expect(steps).toEqual([]);
  });

  it('accepts the bounds', async () => {
    const bounds = { startsOn: '2027-12-02', hour: 23, declined: { retryAfterDays: [14, 14, 2] } };
    await expect(faultsOf(bounds)).resolves.toEqual([]);
    await expect(faultsOf({ hour: 0, startsOn: '2026-12-01' })).resolves.toEqual([]);
  });

  it('tells all faults together, and changes nothing', async () => {
    await expect(
      faultsOf({ enabled: true, hour: 99, startsOn: '2020-01-01' }, ['WEBHOOKS_MISSING']),
    ).resolves.toEqual(['STORE_NOT_READY enabled', 'DATE_IN_PAST startsOn', 'HOUR_INVALID hour']);
    await expect(stored()).resolves.toEqual(DEFAULT_BILLING_SETTINGS);
  });

  it('keeps the first day once it has come, and moves it before', async () => {
    await update({ enabled: true, startsOn: '2026-12-05' });
    await expect(faultsOf({ startsOn: '2026-12-02' })).resolves.toEqual([]);
    nowMs = berlinTime('2026-12-02T00:00');
    await expect(faultsOf({ startsOn: '2026-12-09' })).resolves.toEqual(['STARTED_ALREADY startsOn']);
    await expect(faultsOf({ startsOn: '2026-12-02', hour: 4 })).resolves.toEqual([]);
  });

  it('is refused when another change comes between', async () => {
    concurrentChanges = 1;
    await expect(update({ hour: 7 })).resolves.toEqual({ refusal: 'CONCURRENT_UPDATE' });
    await expect(stored()).resolves.toMatchObject({ hour: 3 });
  });

  it('begins from the defaults after a new installation', async () => {
    await update({ enabled: true, hour: 7 });
    nowMs += 1000;
    store = { ...store, installedAtMs: nowMs };
    await update({ askForNewMethod: false });
    await expect(stored()).resolves.toMatchObject({ enabled: false, hour: 10, askForNewMethod: false });
  });
});

describe('stop and resume', () => {
  beforeEach(async () => {
    await update({ enabled: true, startsOn: '2026-12-01' });
  });

  it('stops the store and resumes it', async () => {
    await stopBilling(deps(), store, 'STORE');
    await expect(stored()).resolves.toMatchObject({ stoppedByStoreAtMs: nowMs });
    await resumeBilling(deps(), store, 'STORE');
    expect(await stored()).not.toHaveProperty('stoppedByStoreAtMs');
  });

  it('stops although others change settings at the same time', async () => {
    concurrentChanges = 3;
    await stopBilling(deps(), store, 'STORE');
    await expect(stored()).resolves.toMatchObject({ hour: 3, stoppedByStoreAtMs: nowMs });
  });

  it('does nothing a second time, and nothing while billing is off', async () => {
    await stopBilling(deps(), store, 'STORE');
    steps = [];
    await stopBilling(deps(), store, 'STORE');
    await update({ enabled: false });
    await resumeBilling(deps(), store, 'STORE');
    steps = [];
    await stopBilling(deps(), store, 'STORE');
    expect(steps).toEqual([]);
  });

  it('ends with a new switch to on', async () => {
    await stopBilling(deps(), store, 'STORE');
    await update({ enabled: false });
    await update({ enabled: true });
    expect(await stored()).not.toHaveProperty('stoppedByStoreAtMs');
  });

  it('lets no store resume what an operator has stopped', async () => {
    await stopBilling(deps(), store, 'STORE');
    await stopBilling(deps(), store, 'OPERATOR');
    await expect(resumeBilling(deps(), store, 'STORE')).resolves.toEqual({ refusal: 'STOPPED_BY_OPERATOR' });
    await resumeBilling(deps(), store, 'OPERATOR');
    const after = await stored();
    expect(after).toMatchObject({ stoppedByStoreAtMs: nowMs, resumedByOperatorAtMs: nowMs });
    expect(after).not.toHaveProperty('stoppedByOperatorAtMs');
  });

  it('lets no store resume during the stop of all, nor after a restore', async () => {
    await stopBilling(deps(), store, 'STORE');
    await repository().stopAll();
    await expect(resumeBilling(deps(), store, 'STORE')).resolves.toEqual({ refusal: 'STOPPED_BY_OPERATOR' });
    await repository().resumeAll();
    store = { ...store, restoredAtMs: nowMs + 1 };
    await expect(resumeBilling(deps(), store, 'STORE')).resolves.toEqual({ refusal: 'STOPPED_BY_OPERATOR' });
  });
});

describe('attempts of a merchant’s own server', () => {
  const blocks = async (time: string) =>
    (externalAttemptsFromMs(await stored(), store, berlinTime(time)) ?? 0) > berlinTime(time);

  it('are refused from the start of the first day until an hour after the switch to off', async () => {
    await update({ enabled: true, startsOn: '2026-12-03' });
    await expect(blocks('2026-12-02T23:59')).resolves.toBe(false);
    await expect(blocks('2026-12-03T00:00')).resolves.toBe(true);
    await stopBilling(deps(), store, 'STORE');
    await expect(blocks('2026-12-03T00:00')).resolves.toBe(true);
    nowMs = berlinTime('2026-12-09T12:00');
    await update({ enabled: false });
    await expect(blocks('2026-12-09T12:59')).resolves.toBe(true);
    await expect(blocks('2026-12-09T13:00')).resolves.toBe(false);
  });

  it('are refused for that hour, although a later first day is chosen in it', async () => {
    await update({ enabled: true, startsOn: '2026-12-01' });
    await update({ enabled: false });
    await update({ startsOn: '2026-12-24' });
    await expect(blocks('2026-12-01T12:59')).resolves.toBe(true);
    nowMs = berlinTime('2026-12-01T12:30');
    await update({ enabled: true });
    await update({ enabled: false });
    await expect(blocks('2026-12-01T12:59')).resolves.toBe(true);
    await expect(blocks('2026-12-01T13:00')).resolves.toBe(false);
  });

  it('are refused while the service charges without a first day', async () => {
    const before = await stored();
    await repository().write(shopId, before, { ...before, enabled: true });
    expect(decideBillingStatus(await stored(), { store, nowMs, stopOfAllStores: undefined })).toBe('ON');
    await expect(blocks('2026-12-01T12:00')).resolves.toBe(true);
  });

  it('are accepted when billing was switched off before its first day, or never on', async () => {
    await expect(blocks('2026-12-01T12:00')).resolves.toBe(false);
    await update({ enabled: true });
    await update({ enabled: false });
    await expect(blocks('2026-12-01T12:01')).resolves.toBe(false);
  });
});

describe('two changes at the same time', () => {
  it('are refused but one, which stays as it was written', async () => {
    concurrentChanges = 1;
    await expect(update({ enabled: true, hour: 7 })).resolves.toEqual({ refusal: 'CONCURRENT_UPDATE' });
    await expect(stored()).resolves.toMatchObject({ version: 1, hour: 3 });
    expect(logged).toEqual([]);
  });
});

describe('the stop of all stores', () => {
  const changes: StopOfAllChange[] = [];
  const ofAll = () => ({
    settings: repository(),
    enqueueAllStores: async () => void steps.push('enqueue all'),
    logChange: (change: StopOfAllChange) => void changes.push(change),
  });

  it('is logged with its end, after which all stores go on at once', async () => {
    await stopAllStores(ofAll());
    await expect(repository().readStop()).resolves.toEqual({ atMs: nowMs });
    expect(steps).toEqual([]);
    await resumeAllStores(ofAll());
    await expect(repository().readStop()).resolves.toBeUndefined();
    expect(steps).toEqual(['enqueue all']);
    expect(changes).toEqual([{ allStores: 'stopped' }, { allStores: 'resumed' }]);
  });
});

describe('the confirmation of a run', () => {
  const confirm = (date: string) => {
    const { find, replace } = createBillingRuns({ table, now });
    return confirmRun({ ...deps(), runs: { find, replace } }, shopId, date);
  };
  const createRunOnHold = () =>
    createBillingRuns({ table, now }).create({
      ...{ shopId, date: '2026-12-01', status: 'ON_HOLD', holdReason: 'PREVIEW_MISSING', foundCount: 9 },
      startedAtMs: nowMs,
    });

  it('lets a run on hold go on, once', async () => {
    await createRunOnHold();
    const confirmed = await confirm('2026-12-01');
    expect(confirmed).toMatchObject({ run: { status: 'CHARGING', confirmedAtMs: nowMs } });
    expect(confirmed).not.toHaveProperty('run.holdReason');
    expect(steps).toEqual(['enqueue', 'enqueue']);
    await expect(confirm('2026-12-01')).resolves.toEqual({ refusal: 'RUN_NOT_ON_HOLD' });
  });

  it('lets a run on hold go on whose charges are counted at the same time', async () => {
    await createRunOnHold();
    const { find, replace } = createBillingRuns({ table, now });
    let countsLeft = 2;
    const runs = {
      find,
      async replace(...[before, after]: Parameters<typeof replace>) {
        if (countsLeft-- > 0) await replace(before, { ...before, countByState: { DUE: countsLeft } });
        return replace(before, after);
      },
    };
    await expect(confirmRun({ ...deps(), runs }, shopId, '2026-12-01')).resolves.toMatchObject({
      run: { status: 'CHARGING', confirmedAtMs: nowMs, countByState: { DUE: 0 } },
    });
  });

  it('finds no run of another day, or of none', async () => {
    await expect(confirm('2026-12-02')).resolves.toEqual({ refusal: 'RUN_NOT_FOUND' });
    await expect(confirm('LEASE')).resolves.toEqual({ refusal: 'RUN_NOT_FOUND' });
  });
});

describe('obstacles', () => {
  const ready = {
    ...{ timeZone: berlin, webhooksVersionId: '1', webhookWay: { by: 'api', uri: 'https://x.example' } },
    ...{ grantRefusal: undefined, platformVersionId: '1' },
  } as unknown as StoreRecord;
  const scopes = NEEDED_ACCESS.filter(({ need }) => need === 'required').map(({ handle }) => handle);
  const find = (changes: object, more: { complete?: boolean; scopes?: readonly string[] } = {}) =>
    findObstacles({
      store: { ...ready, ...changes },
      isFirstReconciliationComplete: more.complete ?? true,
      grantedScopes: more.scopes ?? scopes,
    });

  it('are none for a store that is ready', () => {
    expect(find({})).toEqual([]);
  });

  it('name what is missing', () => {
    expect(find({ timeZone: undefined })).toEqual(['TIME_ZONE_UNKNOWN']);
    expect(find({ webhookWay: undefined })).toEqual(['WEBHOOKS_MISSING']);
    expect(find({}, { complete: false })).toEqual(['SNAPSHOTS_INCOMPLETE']);
    const withoutWrite = scopes.filter((handle) => handle !== 'write_own_subscription_contracts');
    expect(find({}, { scopes: withoutWrite })).toEqual(['ACCESS_MISSING']);
  });

  it('name a grant that the platform has refused for good', () => {
    const grantRefusal = { versionId: '1', reason: 'invalid_grant', atMs: 1, isFinal: true };
    expect(find({ grantRefusal })).toEqual(['ACCESS_MISSING']);
  });
});
