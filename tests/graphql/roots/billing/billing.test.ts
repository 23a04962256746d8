/** Billing by GraphQL, over a table: settings, stop and resume, runs, charges and previews. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createBillingPreviews } from '../../../../lib/billing/preview/previews.ts';
import type { BillingCharge } from '../../../../lib/billing/records/charge-record.ts';
import { createBillingCharges } from '../../../../lib/billing/records/charges.ts';
import { createBillingRuns } from '../../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../../lib/billing/records/settings.ts';
import { NEEDED_ACCESS } from '../../../../lib/platform/admin-api/needed-access.ts';
import { createScheduledTaskRepository } from '../../../../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { writeReconciliation } from '../../../../lib/store-events/reconciliation/reconciliation-record.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { createTimeline } from '../../../../lib/timeline/timeline.ts';
import { startTables } from '../../../isolated-table.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import { actorOf, store as harnessStore, runPlan } from '../../world/harness.ts';

const nowMs = Date.parse('2026-12-01T12:00:00Z');
let clockMs = nowMs;
const now = () => clockMs;
const store = {
  ...{ ...harnessStore, timeZone: 'Europe/Berlin', installedAtMs: Date.parse('2026-01-01T00:00:00Z') },
  ...{ status: 'installed', webhooksVersionId: '1', webhookWay: { by: 'api', uri: 'https://x.example' } },
} as StoreRecord;
const { shopId } = store;
const allScopes = NEEDED_ACCESS.map(({ handle }) => handle);

let tables: Awaited<ReturnType<typeof startTables>>;
let table: Table;
let granted: readonly string[] = [];
let logged: { event: string; fields: Readonly<Record<string, unknown>> | undefined }[] = [];

beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());
beforeEach(async () => {
  table = tables.part();
  [granted, logged, clockMs] = [allScopes, [], nowMs];
  await writeReconciliation(
    { table },
    {
      ...{ shopId, baselineAtMs: 1, beganAtMs: 1, chargesSinceMs: 1, night: '2026-11-30', after: null },
      ...{ state: 'done', waiting: [], waitingCharges: [] },
    },
  );
});

async function send(
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  as: 'store' | 'customer' = 'store',
) {
  const quiet = () => undefined;
  const { result, sent } = await runPlan({
    ...{ as, query, variables, table, store, now },
    actor: actorOf(as, store),
    standIn: async () => ({
      data: { currentAppInstallation: { accessScopes: granted.map((handle) => ({ handle })) } },
    }),
    timeline: (over) =>
      createTimeline({
        ...{ table: over, scheduledTasks: createScheduledTaskRepository({ table: over, now }), now },
        ...{ logger: { error: quiet }, newId: () => crypto.randomUUID() },
      }),
    logger: {
      ...{ debug: quiet, warn: quiet, error: quiet },
      info: (event, fields) => void logged.push({ event, fields }),
    },
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
  return { data: (result.data ?? {}) as any, errors: result.errors ?? [], sent };
}

const SETTINGS = `enabled status startsOn hour askForNewMethod obstacles nextRunAt
  declined { retryAfterDays finalAction } outOfStock { retryAfterDays finalAction }`;
const ERRORS = 'userErrors { field message code }';

async function readSettings() {
  return (await send(`{ billingSettings { ${SETTINGS} } }`)).data.billingSettings;
}

async function update(settings: object) {
  const query = `mutation ($settings: BillingSettingsInput!) {
    billingSettingsUpdate(settings: $settings) { settings { ${SETTINGS} } ${ERRORS} } }`;
  return (await send(query, { settings })).data.billingSettingsUpdate;
}

async function change(field: string, args = '') {
  const object = field === 'billingRunConfirm' ? 'run { id status holdReason }' : `settings { ${SETTINGS} }`;
  return (await send(`mutation { ${field}${args} { ${object} ${ERRORS} } }`)).data[field];
}

const codesOf = ({ userErrors }: { userErrors: { field: string[] | null; code: string }[] }) =>
  userErrors.map(({ field, code }) => `${code} ${field?.join('.') ?? null}`);

describe('settings', () => {
  it('are the defaults until they are changed', async () => {
    await expect(readSettings()).resolves.toEqual({
      ...{ enabled: false, status: 'OFF', startsOn: null, hour: 10, askForNewMethod: true },
      ...{ obstacles: [], nextRunAt: null },
      declined: { retryAfterDays: [3, 4, 7], finalAction: 'PAUSE' },
      outOfStock: { retryAfterDays: [1, 1, 1, 1], finalAction: 'SKIP' },
    });
  });

  it('are switched on for the day after tomorrow, with the time of the first run', async () => {
    const { settings, userErrors } = await update({
      enabled: true,
      hour: 7,
      declined: { finalAction: 'SKIP' },
    });
    expect(userErrors).toEqual([]);
    expect(settings).toMatchObject({
      ...{ enabled: true, status: 'STARTING', startsOn: '2026-12-03', hour: 7 },
      ...{ nextRunAt: expect.stringMatching(/^2026-12-03T06:\d\d:00Z$/), obstacles: [] },
      declined: { retryAfterDays: [3, 4, 7], finalAction: 'SKIP' },
    });
    await expect(readSettings()).resolves.toEqual(settings);
  });

  it('read the granted access only when a query asks for obstacles', async () => {
    expect((await send('{ billingSettings { status } }')).sent).toHaveLength(0);
    granted = [];
    await expect(readSettings()).resolves.toMatchObject({ obstacles: ['ACCESS_MISSING'] });
  });

  it('are not switched on while something keeps the store from being billed', async () => {
    granted = [];
    const refused = await update({ enabled: true });
    expect(refused.settings).toBeNull();
    expect(codesOf(refused)).toEqual(['STORE_NOT_READY settings.enabled']);
    expect(refused.userErrors[0].message).toMatch(/cannot bill/);
  });

  it('are not switched on before all contracts were read', async () => {
    table = tables.part();
    expect(codesOf(await update({ enabled: true }))).toEqual(['STORE_NOT_READY settings.enabled']);
    await expect(readSettings()).resolves.toMatchObject({ obstacles: ['SNAPSHOTS_INCOMPLETE'] });
  });

  it('name the path of each value that is not valid, and change nothing', async () => {
    const refused = await update({
      ...{ hour: 24, startsOn: '2026-11-30', declined: { retryAfterDays: [15] } },
      outOfStock: { retryAfterDays: [10, 10, 11] },
    });
    expect(codesOf(refused)).toEqual([
      'DATE_IN_PAST settings.startsOn',
      'INVALID settings.hour',
      'RETRIES_INVALID settings.declined.retryAfterDays',
      'RETRIES_INVALID settings.outOfStock.retryAfterDays',
    ]);
    expect(codesOf(await update({ startsOn: '2027-02-30' }))).toEqual(['INVALID settings.startsOn']);
    expect(codesOf(await update({ startsOn: '2028-02-01' }))).toEqual(['DATE_TOO_FAR settings.startsOn']);
    await expect(readSettings()).resolves.toMatchObject({ enabled: false, hour: 10, startsOn: null });
  });

  it('accept an empty schedule: then no try follows', async () => {
    const { settings, userErrors } = await update({ declined: { retryAfterDays: [] } });
    expect([settings.declined.retryAfterDays, userErrors]).toEqual([[], []]);
  });

  it('say from when on the merchant’s servers can make attempts after billing was switched off', async () => {
    const read = async () =>
      (await send('{ billingSettings { externalAttemptsFrom } }')).data.billingSettings;
    expect(await read()).toEqual({ externalAttemptsFrom: null });
    await update({ enabled: true, startsOn: '2026-12-01' });
    expect(await read()).toEqual({ externalAttemptsFrom: null });
    await update({ enabled: false });
    expect(await read()).toEqual({ externalAttemptsFrom: '2026-12-01T13:00:00Z' });
  });

  it('leave what is null as it is', async () => {
    await update({ hour: 3 });
    await expect(update({ hour: null, declined: null, enabled: null })).resolves.toMatchObject({
      settings: { hour: 3 },
      userErrors: [],
    });
  });

  it('keep the first day once it has come', async () => {
    await update({ enabled: true, startsOn: '2026-12-01' });
    expect(codesOf(await update({ startsOn: '2026-12-24' }))).toEqual(['STARTED_ALREADY settings.startsOn']);
  });

  it('are logged with all values, which a restore replays', async () => {
    await update({ enabled: true });
    const lines = logged.filter(({ event }) => event === 'billing.changed');
    expect(lines).toMatchObject([
      {
        fields: {
          shopId,
          requestId: 'request-1',
          settings: { enabled: true, startsOn: '2026-12-03', version: 1 },
        },
      },
    ]);
  });

  it('are closed to customers', async () => {
    const { data, errors } = await send('{ billingSettings { status } }', {}, 'customer');
    expect([data.billingSettings ?? null, errors.length]).toEqual([null, 1]);
  });
});

describe('stop and resume', () => {
  beforeEach(() => update({ enabled: true, startsOn: '2026-12-01' }));

  it('stops without a request to the platform, and resumes', async () => {
    const stopped = await send(`mutation { billingStop { settings { status nextRunAt } ${ERRORS} } }`);
    expect(stopped.sent).toEqual([]);
    expect(stopped.data.billingStop).toEqual({
      settings: { status: 'STOPPED_BY_STORE', nextRunAt: null },
      userErrors: [],
    });
    await expect(change('billingResume')).resolves.toMatchObject({ settings: { status: 'ON' } });
  });

  it('does not resume what an operator has stopped', async () => {
    await createBillingSettings({ table, now }).stopAll();
    const refused = await change('billingResume');
    expect(codesOf(refused)).toEqual(['STOPPED_BY_OPERATOR null']);
    await expect(readSettings()).resolves.toMatchObject({ status: 'STOPPED_BY_OPERATOR', nextRunAt: null });
  });
});

const chargesOfTable = () => createBillingCharges({ table, now, enqueueStore: async () => undefined });
const runsOfTable = () => createBillingRuns({ table, now });

/** Writes a charge of the run of 1 December, and its line. */
async function found(contract: number, changes: Partial<BillingCharge> = {}): Promise<void> {
  const order = { shopId, contractNumber: `${contract}` as ContractNumber, cycleIndex: 4 };
  const expectedAtMs = nowMs - 3_600_000;
  await runsOfTable().putLine({ ...order, date: '2026-12-01', expectedAtMs });
  await chargesOfTable().create({
    ...{ ...order, state: 'DUE', expectedAtMs, runDate: '2026-12-01', failedTryCount: 0 },
    ...changes,
  });
}

async function runOfDay(changes = {}): Promise<void> {
  await runsOfTable().create({
    ...{ shopId, date: '2026-12-01', status: 'CHARGING', expectedCount: 3, foundCount: 4 },
    ...{ startedAtMs: nowMs - 60_000, countByState: { CHARGED: 2, DUE: 2 } },
    totals: [{ amount: '39.80', currencyCode: 'EUR' }],
    ...changes,
  });
}

const CHARGE = `id contractId cycleIndex runId expectedAt state reason tryCount lastErrorCode nextTryAt
  billingAttemptId amount { amount currencyCode } orderId`;
const RUN_ID = 'gid://platform/BillingRun/2026-12-01';

describe('billing attempts of the merchant’s own server', () => {
  const attempt = `mutation { subscriptionBillingAttemptCreate(
    subscriptionContractId: "gid://platform/SubscriptionContract/7001"
    subscriptionBillingAttemptInput: { idempotencyKey: "key-1", billingCycleSelector: { index: 4 } }
  ) { subscriptionBillingAttempt { id } ${ERRORS} } }`;
  const bulk = `mutation { subscriptionBillingCycleBulkCharge(
    billingAttemptExpectedDateRange: { startDate: "2026-12-01T00:00:00Z", endDate: "2026-12-01T10:00:00Z" }
  ) { job { id } ${ERRORS} } }`;

  it.each([
    ['an attempt', attempt, 'subscriptionBillingAttemptCreate'],
    ['a charge of many cycles', bulk, 'subscriptionBillingCycleBulkCharge'],
  ])('are refused while the service bills: %s', async (_name, query, field) => {
    await update({ enabled: true, startsOn: '2026-12-01' });
    await change('billingStop');
    const { data, errors, sent } = await send(query);
    expect([errors, sent.filter(({ mutates }) => mutates)]).toEqual([[], []]);
    expect(codesOf(data[field])).toEqual(['BILLING_ENABLED null']);
    expect(data[field].userErrors[0].message).toMatch(/subscriptionBillingCycleCharge/);
  });

  it('are refused for an hour after billing was switched off, with the minutes that are left', async () => {
    await update({ enabled: true, startsOn: '2026-12-01' });
    await update({ enabled: false });
    const { subscriptionBillingCycleBulkCharge: payload } = (await send(bulk)).data;
    expect(codesOf(payload)).toEqual(['BILLING_ENABLED null']);
    expect(payload.userErrors[0].message).toMatch(/switched off.* in 60 minutes/);
  });

  it.each([
    ['an attempt', attempt, 'subscriptionBillingAttemptCreate'],
    ['a charge of many cycles', bulk, 'subscriptionBillingCycleBulkCharge'],
  ])(
    'are refused for the rest of that hour when billing is switched on for a later day: %s',
    async (...test) => {
      const [, query, field] = test;
      await update({ enabled: true, startsOn: '2026-12-01' });
      await update({ enabled: false });
      clockMs += 10 * 60_000;
      await update({ enabled: true, startsOn: '2026-12-05' });
      expect(codesOf((await send(query)).data[field])).toEqual(['BILLING_ENABLED null']);
      const { data } = await send('{ billingSettings { status externalAttemptsFrom } }');
      expect(data.billingSettings).toEqual({
        status: 'STARTING',
        externalAttemptsFrom: '2026-12-01T13:00:00Z',
      });
      await update({ enabled: false });
      const payload = (await send(query)).data[field];
      expect(codesOf(payload)).toEqual(['BILLING_ENABLED null']);
      expect(payload.userErrors[0].message).toMatch(/in 50 minutes/);
    },
  );

  it('reach the platform until the first day begins', async () => {
    await update({ enabled: true, startsOn: '2026-12-02' });
    const { sent } = await send(bulk);
    expect(sent.map(({ document }) => document).join()).toContain('subscriptionBillingCycleBulkCharge');
  });
});

describe('the next run', () => {
  const startToday = async () => {
    await update({ enabled: true, startsOn: '2026-12-01', hour: 20 });
    clockMs += 60_000;
  };

  it('begins in the next minute when the hour is changed to one that has passed, and today has no run', async () => {
    await startToday();
    await expect(readSettings()).resolves.toMatchObject({
      nextRunAt: expect.stringMatching(/^2026-12-01T19:/),
    });
    clockMs += 1_500;
    const { settings } = await update({ hour: 9 });
    expect(settings.nextRunAt).toBe('2026-12-01T12:02:00Z');
    await runOfDay();
    await expect(readSettings()).resolves.toMatchObject({
      nextRunAt: expect.stringMatching(/^2026-12-02T08:/),
    });
  });

  it('begins in the next minute when billing is switched on for today, or again, after the hour', async () => {
    const first = await update({ enabled: true, startsOn: '2026-12-01', hour: 9 });
    expect(first.settings.nextRunAt).toBe('2026-12-01T12:00:00Z');
    await update({ enabled: false });
    clockMs += 30_000;
    const second = await update({ enabled: true });
    expect(second.settings.nextRunAt).toBe('2026-12-01T12:01:00Z');
  });
});

describe('runs', () => {
  beforeEach(() => runOfDay());

  it('begin next on the following day when the hour is moved later on a day that has its run', async () => {
    const { settings } = await update({ enabled: true, startsOn: '2026-12-01', hour: 20 });
    expect(settings.nextRunAt).toMatch(/^2026-12-02T19:/);
    await expect(readSettings()).resolves.toMatchObject({ nextRunAt: settings.nextRunAt });
  });

  it('have counts by state and totals', async () => {
    const fields = `id date status holdReason expectedCount foundCount dueCount chargedCount endedCount
      totals { amount currencyCode } startedAt doneAt`;
    const { data } = await send(`query ($id: ID!) { billingRun(id: $id) { ${fields} } }`, { id: RUN_ID });
    expect(data.billingRun).toEqual({
      ...{ id: RUN_ID, date: '2026-12-01', status: 'CHARGING', holdReason: null, expectedCount: 3 },
      ...{ foundCount: 4, dueCount: 2, chargedCount: 2, endedCount: 0 },
      ...{
        totals: [{ amount: '39.80', currencyCode: 'EUR' }],
        startedAt: '2026-12-01T11:59:00Z',
        doneAt: null,
      },
    });
  });

  it('are stopped while billing is stopped', async () => {
    await update({ enabled: true, startsOn: '2026-12-01' });
    await change('billingStop');
    const { data } = await send('{ billingRuns(first: 1) { nodes { status } } }');
    expect(data.billingRuns.nodes).toEqual([{ status: 'STOPPED' }]);
  });

  it('have their hold reason while billing is stopped, and can be confirmed then', async () => {
    await update({ enabled: true, startsOn: '2026-12-01' });
    await runOfDay({ date: '2026-12-02', status: 'ON_HOLD', holdReason: 'PREVIEW_MISSING' });
    await change('billingStop');
    const { data } = await send('{ billingRuns(last: 1) { nodes { status holdReason } } }');
    expect(data.billingRuns.nodes).toEqual([{ status: 'STOPPED', holdReason: 'PREVIEW_MISSING' }]);
    const id = 'gid://platform/BillingRun/2026-12-02';
    await expect(change('billingRunConfirm', `(id: "${id}")`)).resolves.toEqual({
      run: { id, status: 'STOPPED', holdReason: null },
      userErrors: [],
    });
  });

  it('are listed by day in pages, forwards and backwards', async () => {
    await runOfDay({ date: '2026-12-02' });
    await runOfDay({ date: '2026-12-03' });
    const page = async (args: string) => {
      const { data } = await send(
        `{ billingRuns(${args}) { nodes { date } pageInfo { hasNextPage endCursor startCursor } } }`,
      );
      return {
        ...data.billingRuns,
        days: data.billingRuns.nodes.map((node: { date: string }) => node.date.slice(-1)),
      };
    };
    const first = await page('first: 2');
    expect([first.days, first.pageInfo.hasNextPage]).toEqual([['1', '2'], true]);
    expect((await page(`first: 2, after: "${first.pageInfo.endCursor}"`)).days).toEqual(['3']);
    expect((await page('last: 2')).days).toEqual(['2', '3']);
    expect((await page('first: 2, reverse: true')).days).toEqual(['3', '2']);
  });

  it('have charges in pages, by state, under several names', async () => {
    await found(7001, {
      state: 'CHARGED',
      amount: { amount: '19.90', currencyCode: 'EUR' },
      orderId: 'gid://shopify/Order/9',
    });
    await found(7002);
    await found(7003, { state: 'SKIPPED', reason: 'NOT_ACTIVE' });
    const query = `query ($id: ID!, $after: String) { billingRun(id: $id) {
      status: date
      first: charges(first: 2, after: $after) { nodes { ${CHARGE} } pageInfo { hasNextPage endCursor } }
      skipped: charges(first: 10, state: SKIPPED) { edges { node { reason contractId } } } } }`;
    const { data, errors } = await send(query, { id: RUN_ID });
    expect(errors).toEqual([]);
    const { status, first, skipped } = data.billingRun;
    expect(status).toBe('2026-12-01');
    expect(first.nodes).toMatchObject([
      {
        ...{
          id: 'gid://platform/BillingCharge/7001.4',
          contractId: 'gid://platform/SubscriptionContract/7001',
        },
        ...{ state: 'CHARGED', tryCount: 1, amount: { amount: '19.90', currencyCode: 'EUR' }, runId: RUN_ID },
        orderId: 'gid://platform/Order/9',
      },
      { state: 'DUE', tryCount: 0, amount: null, expectedAt: '2026-12-01T11:00:00Z' },
    ]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    expect(skipped.edges).toEqual([
      { node: { reason: 'NOT_ACTIVE', contractId: 'gid://platform/SubscriptionContract/7003' } },
    ]);
    const next = await send(query, { id: RUN_ID, after: first.pageInfo.endCursor });
    expect(next.data.billingRun.first.nodes).toMatchObject([{ state: 'SKIPPED', reason: 'NOT_ACTIVE' }]);
  });

  it('have full pages of a state, however many other charges are before them', async () => {
    for (let contract = 7100; contract < 7230; contract++) await found(contract);
    for (const contract of [7300, 7301, 7302])
      await found(contract, { state: 'REPORTED', reason: 'OVERDUE' });
    const page = async (args: string) => {
      const query = `{ billingRun(id: "${RUN_ID}") { charges(state: REPORTED, ${args}) {
        nodes { contractId } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } } } }`;
      const { nodes, pageInfo } = (await send(query)).data.billingRun.charges;
      return {
        numbers: nodes.map(({ contractId }: { contractId: string }) => contractId.slice(-4)),
        pageInfo,
      };
    };
    const first = await page('first: 2');
    expect(first).toMatchObject({ numbers: ['7300', '7301'], pageInfo: { hasNextPage: true } });
    const next = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect(next).toMatchObject({ numbers: ['7302'], pageInfo: { hasNextPage: false } });
    const last = await page('last: 2');
    expect(last).toMatchObject({ numbers: ['7301', '7302'], pageInfo: { hasPreviousPage: true } });
  });

  it('are read by state at most eight times in a document, once for each state', async () => {
    await found(7001, { state: 'REPORTED', reason: 'OVERDUE' });
    const sendFields = (count: number) => {
      const fields = Array.from(
        { length: count },
        (_, index) => `c${index}: charges(first: 1, state: $state)`,
      );
      const run = (of: string[]) =>
        `billingRun(id: "${RUN_ID}") { all: charges(first: 1) { nodes { id } } ${of.map((field) => `${field} { nodes { state } }`).join(' ')} }`;
      const query = `query ($state: BillingChargeState) { one: ${run(fields.slice(0, 4))} other: ${run(fields.slice(4))} }`;
      return send(query, { state: 'REPORTED' });
    };
    const { data, errors } = await sendFields(8);
    expect(errors).toEqual([]);
    expect(data.other).toMatchObject({ c7: { nodes: [{ state: 'REPORTED' }] } });
    expect((await sendFields(9)).errors).toMatchObject([
      {
        message: expect.stringContaining('9 fields "charges" with a state, but the limit is 8'),
        extensions: { code: 'QUERY_TOO_COMPLEX' },
      },
    ]);
  });

  it('fail at the root alone when a cursor belongs to another list', async () => {
    const query = `{ billingRun(id: "${RUN_ID}") { charges(first: 1, after: "MTIz") { nodes { id } } } billingSettings { hour } }`;
    const { data, errors } = await send(query);
    expect(data).toEqual({ billingRun: null, billingSettings: { hour: 10 } });
    expect(errors).toMatchObject([{ path: ['billingRun'], message: expect.stringContaining('cursor') }]);
  });

  it('do not exist for other days, and other ids', async () => {
    const ids = [
      'gid://platform/BillingRun/2026-12-02',
      'gid://platform/BillingRun/x',
      'gid://platform/Order/1',
    ];
    for (const id of ids.slice(0, 2)) {
      const { data } = await send('query ($id: ID!) { billingRun(id: $id) { id } }', { id });
      expect(data.billingRun).toBeNull();
    }
  });

  it('are confirmed once when they are on hold', async () => {
    expect(codesOf(await change('billingRunConfirm', `(id: "${RUN_ID}")`))).toEqual(['RUN_NOT_ON_HOLD id']);
    await runOfDay({ date: '2026-12-02', status: 'ON_HOLD', holdReason: 'MORE_THAN_EXPECTED' });
    const other = RUN_ID.replace('01', '02').replace('2026-12-01', '2026-12-02');
    await expect(change('billingRunConfirm', `(id: "${other}")`)).resolves.toEqual({
      run: { id: other, status: 'CHARGING', holdReason: null },
      userErrors: [],
    });
    expect(codesOf(await change('billingRunConfirm', `(id: "${other}")`))).toEqual(['RUN_NOT_ON_HOLD id']);
    const unknown = '(id: "gid://platform/BillingRun/2026-12-09")';
    expect(codesOf(await change('billingRunConfirm', unknown))).toEqual(['RUN_NOT_FOUND id']);
  });
});

describe('charges', () => {
  it('are found by contract and cycle, and by their ids', async () => {
    await runOfDay();
    await found(7001, {
      state: 'RETRYING',
      failedTryCount: 2,
      nextTryAtMs: nowMs,
      remindAtMs: nowMs,
      lastErrorCode: 'CARD_DECLINED',
    });
    const query = `{ billingCharge(contractId: "gid://platform/SubscriptionContract/7001", cycleIndex: 4) { ${CHARGE} }
      none: billingCharge(contractId: "gid://platform/SubscriptionContract/7001", cycleIndex: 5) { id }
      nodes(ids: ["gid://platform/BillingCharge/7001.4", "${RUN_ID}", "gid://platform/BillingCharge/7001.9"]) {
        __typename ... on BillingCharge { state } ... on BillingRun { date charges(first: 1) { nodes { id } } } } }`;
    const { data, errors } = await send(query);
    expect(errors).toEqual([]);
    expect(data.billingCharge).toMatchObject({
      ...{
        state: 'RETRYING',
        tryCount: 2,
        nextTryAt: '2026-12-01T12:00:00Z',
        lastErrorCode: 'CARD_DECLINED',
      },
      reason: null,
    });
    expect(data.none).toBeNull();
    expect(data.nodes).toEqual([
      { __typename: 'BillingCharge', state: 'RETRYING' },
      { __typename: 'BillingRun', date: '2026-12-01', charges: null },
      null,
    ]);
  });

  it('in dunning are listed by the time of the next step, without void reminders', async () => {
    await found(7001, { state: 'RETRYING', remindAtMs: nowMs + 9000 });
    await found(7002, { state: 'ACTION_REQUIRED', remindAtMs: nowMs + 1000 });
    await found(7003, { state: 'WAITING', remindAtMs: nowMs + 2000 });
    await found(7004, { state: 'RETRYING', remindAtMs: nowMs + 3000 });
    await found(7005, { state: 'RETRYING', remindAtMs: nowMs + 4000 });
    const [waiting] = await chargesOfTable().listOfContract({
      shopId,
      contractNumber: '7004' as ContractNumber,
    });
    if (waiting === undefined) throw new Error('no charge');
    const { remindAtMs: _none, ...closed } = waiting;
    await chargesOfTable().replace(waiting, { ...closed, state: 'CHARGED' });
    const page = async (args: string) => {
      const { data } = await send(
        `{ billingCharges(${args}) { nodes { contractId } pageInfo { hasNextPage endCursor } } }`,
      );
      const { nodes, pageInfo } = data.billingCharges;
      return {
        pageInfo,
        numbers: nodes.map(({ contractId }: { contractId: string }) => contractId.split('/').at(-1)),
      };
    };
    const first = await page('first: 2');
    expect(first).toMatchObject({ numbers: ['7002', '7005'], pageInfo: { hasNextPage: true } });
    const next = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect(next).toMatchObject({ numbers: ['7001'], pageInfo: { hasNextPage: false } });
    expect((await page('last: 2')).numbers).toEqual(['7005', '7001']);
  });
});

describe('previews', () => {
  beforeEach(async () => {
    await update({ enabled: true, startsOn: '2026-12-01' });
    clockMs += 2000;
    const previews = createBillingPreviews({ table });
    const date = '2026-12-02';
    const totals = [{ amount: '39.80', currencyCode: 'EUR' }];
    await previews.put(shopId, { date, preparedAtMs: nowMs + 1000, orderCount: 3, totals });
    for (const contract of [7001, 7002, 7003])
      await previews.putEntry({
        ...{ shopId, date, contractNumber: `${contract}` as ContractNumber, cycleIndex: 4 },
        ...{ expectedAtMs: nowMs + 86_400_000, warnings: contract === 7002 ? ['METHOD_MISSING'] : [] },
      });
  });

  const entries = async (args: string) => {
    const query = `{ billingPreview(date: "2026-12-02") { orderCount preparedAt totals { amount }
      entries(${args}) { nodes { contractId amount { amount } warnings } pageInfo { hasNextPage endCursor startCursor } } } }`;
    const { data } = await send(query);
    const { nodes, pageInfo } = data.billingPreview.entries;
    const numbers = nodes.map(({ contractId }: { contractId: string }) => contractId.split('/').at(-1));
    return { ...data.billingPreview, numbers, nodes, pageInfo };
  };

  it('have counts, totals and pages of orders', async () => {
    const first = await entries('first: 2');
    expect(first).toMatchObject({
      ...{ orderCount: 3, preparedAt: '2026-12-01T12:00:01Z', totals: [{ amount: '39.80' }] },
      ...{ numbers: ['7001', '7002'], pageInfo: { hasNextPage: true } },
    });
    expect(first.nodes[1]).toMatchObject({ amount: null, warnings: ['METHOD_MISSING'] });
    expect((await entries(`first: 2, after: "${first.pageInfo.endCursor}"`)).numbers).toEqual(['7003']);
    expect((await entries('last: 2')).numbers).toEqual(['7002', '7003']);
    expect((await entries(`first: 9, before: "${first.pageInfo.endCursor}"`)).numbers).toEqual(['7001']);
  });

  const readPreview = async (date = '2026-12-02') => {
    const { data, errors } = await send(`{ billingPreview(date: "${date}") { orderCount } }`);
    expect(errors).toEqual([]);
    return data.billingPreview;
  };

  it('are null for a day that was not counted', async () => {
    await expect(readPreview('2026-12-03')).resolves.toBeNull();
  });

  it('are null while billing is off, and when they are from before it was switched on again', async () => {
    await expect(readPreview()).resolves.toEqual({ orderCount: 3 });
    await update({ enabled: false });
    await expect(readPreview()).resolves.toBeNull();
    await update({ enabled: true });
    await expect(readPreview()).resolves.toBeNull();
  });

  it('are null for a day before the first one that is charged', async () => {
    await update({ enabled: false });
    await update({ enabled: true, startsOn: '2026-12-03' });
    const orders = { orderCount: 3, totals: [] };
    for (const date of ['2026-12-02', '2026-12-03'])
      await createBillingPreviews({ table }).put(shopId, { date, preparedAtMs: clockMs, ...orders });
    await expect(readPreview('2026-12-02')).resolves.toBeNull();
    await expect(readPreview('2026-12-03')).resolves.toEqual({ orderCount: 3 });
  });

  it.each(['2026-11-30', '2026-12-16', '2026-02-30'])(
    'are refused at the root alone for %s',
    async (date) => {
      const query = `{ billingPreview(date: "${date}") { orderCount } billingSettings { hour } }`;
      const { data, errors } = await send(query);
      expect(data).toEqual({ billingPreview: null, billingSettings: { hour: 10 } });
      expect(errors).toMatchObject([{ path: ['billingPreview'] }]);
    },
  );
});

holdsRights();
