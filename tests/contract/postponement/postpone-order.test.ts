import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import { countDocumentPoints } from '../../../graphql/run/count-document-points.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import type { createMemoryTable } from '../../memory-table.ts';
import { test } from '../world/contract-test.ts';
import { createPostponementWorld, FIRST, failDocument, ID, postpone, REVERT } from './postponement-world.ts';

/** The records of postponements that have dates. */
async function records(table: ReturnType<typeof createMemoryTable>): Promise<unknown[]> {
  const { items } = await table.scan({ filter: 'sk = :sk', values: { ':sk': 'POSTPONEMENT' } });
  return items.filter(({ dates }) => dates !== undefined);
}

function newHarness() {
  const world = createPostponementWorld();
  const { table, contract, platform } = world;
  const run = (query: string, as: 'customer' | 'store' = 'customer') =>
    // Without a timeline, the changes are listed.
    world.run({ as, query, table });
  return { world, table, contract, platform, run };
}

const NEXT = '2027-01-09T10:00:00Z';
const COMING = (...orders: readonly (readonly [number, string])[]) =>
  orders.map(([cycleIndex, date]) => ({ cycleIndex, date, skipped: false }));

describe('subscriptionOrderPostpone', () => {
  test('moves the next order, and the orders after it follow by the interval', async () => {
    const { run, contract } = newHarness();
    const { payload, sent, recorded } = await run(postpone(FIRST, '2026-12-16'));
    expect(payload).toEqual({
      contract: {
        id: ID,
        nextOrder: { date: '2026-12-16T10:00:00Z', cycleIndex: 5 },
        postponement: {
          since: '2026-11-21T12:00:00Z',
          laidUntil: '2027-11-16T10:00:00Z',
          revertableUntil: '2026-12-09T09:00:00Z',
        },
      },
      upcomingOrders: COMING(
        [5, '2026-12-16T10:00:00Z'],
        [6, '2027-01-16T10:00:00Z'],
        [7, '2027-02-16T10:00:00Z'],
      ),
      userErrors: [],
    });
    expect(contract.cycleEdits[4]).toMatchObject({ skipped: true });
    expect(contract.cycleEdits[16]).toMatchObject({ billingDate: '2027-11-16T10:00:00Z' });
    expect(contract.cycleEdits[17]).toBeUndefined();
    const edit = 'subscriptionBillingCycleScheduleEdit';
    expect(sent.slice(1, 3)).toEqual([[edit], Array.from({ length: 12 }, () => edit)]);
    expect(recorded).toMatchObject([{ action: 'orders_postponed', outcome: 'done' }]);
    expect(recorded[0]?.changes.slice(0, 2)).toMatchObject([
      { field: 'billingCycles.4.skipped', after: 'true' },
      { field: 'billingCycles.5.billingAttemptExpectedDate', before: NEXT, after: '2026-12-16T10:00:00Z' },
    ]);
  });

  test('costs at most 150 points, and so does its revert', async () => {
    const { run } = newHarness();
    const points = async (query: string) =>
      (await run(query)).documents.reduce((sum, document) => sum + countDocumentPoints(document, {}), 0);
    const withoutContract = (query: string) => query.replace(/contract \{.*\} upcoming/s, 'upcoming');
    expect(await points(withoutContract(postpone(FIRST, '2026-12-16')))).toBeLessThanOrEqual(150);
    expect(await points(withoutContract(REVERT))).toBeLessThanOrEqual(150);
  });

  test('costs 10 points more for each skipped order when it is reverted, and at most those of docs/operations.md', async () => {
    const pointsOf = async (skippedCycles: readonly number[]) => {
      const { run, contract } = newHarness();
      const weekly = { interval: 'WEEK' as const, intervalCount: 1, anchors: [] };
      contract.createdAt = '2026-11-11T10:00:00Z';
      contract.schedule = [{ fromIndex: 1, startAt: contract.createdAt, policy: weekly }];
      contract.content.billingPolicy = { ...contract.content.billingPolicy, ...weekly };
      contract.billedCycles = [1];
      for (const index of skippedCycles)
        contract.cycleEdits[index] = { skipped: true, billingDate: null, contract: null };
      const points: number[] = [];
      for (const query of [postpone('2026-11-25T10:00:00Z', '2026-11-27'), REVERT]) {
        const { documents, payload } = await run(query.replace(/contract \{.*\} upcoming/s, 'upcoming'));
        expect(payload.userErrors).toEqual([]);
        points.push(documents.reduce((sum, document) => sum + countDocumentPoints(document, {}), 0));
      }
      return points;
    };
    const [, points = 0] = await pointsOf([]);
    expect((await pointsOf([4, 6, 8]))[1]).toBe(points + 3 * 10);
    // Every second order is skipped, and the last one of them leads beyond the twelve orders with dates.
    expect(await pointsOf([4, 6, 8, 10, 12, 14])).toEqual([156, 218]);
    expect(readFileSync('docs/operations.md', 'utf8')).toContain('The revert costs up to 218');
  });

  test('names no order more than a year ahead, because only the extension sets its date', async () => {
    for (const more of ['dryRun: true', '']) {
      const { run, contract } = newHarness();
      const yearly = { interval: 'YEAR' as const, intervalCount: 1, anchors: [] };
      contract.createdAt = '2023-12-09T10:00:00Z';
      contract.schedule = [{ fromIndex: 1, startAt: contract.createdAt, policy: yearly }];
      contract.content.billingPolicy = { ...contract.content.billingPolicy, ...yearly };
      contract.billedCycles = [1, 2];
      const { payload } = await run(postpone(FIRST, '2026-12-16', more));
      expect([payload.userErrors, payload.upcomingOrders]).toEqual([
        [],
        [{ cycleIndex: 4, date: '2026-12-16T10:00:00Z', skipped: false }],
      ]);
    }
  });

  test('returns the dates in a dry run, and changes nothing', async () => {
    const { run, contract, table } = newHarness();
    const { payload, sent, recorded } = await run(postpone(FIRST, '2026-12-16', 'dryRun: true'));
    expect(payload.userErrors).toEqual([]);
    expect(payload.contract).toMatchObject({ nextOrder: { date: FIRST }, postponement: null });
    expect(payload.upcomingOrders[0]).toEqual({
      cycleIndex: 5,
      date: '2026-12-16T10:00:00Z',
      skipped: false,
    });
    expect(sent.flat()).not.toContain('subscriptionBillingCycleScheduleEdit');
    expect([contract.cycleEdits, recorded, await records(table)]).toEqual([{}, [], []]);
  });

  test('changes nothing when the request is repeated, and refuses another day', async () => {
    const { run, contract } = newHarness();
    const { payload: first } = await run(postpone(FIRST, '2026-12-16'));
    const before = structuredClone(contract.cycleEdits);
    const repeated = await run(postpone(FIRST, '2026-12-16'));
    expect(repeated.payload).toEqual(first);
    expect(repeated.recorded).toEqual([]);
    const { payload } = await run(postpone(FIRST, '2026-12-20'));
    expect(payload.userErrors).toMatchObject([
      { code: 'CYCLE_DATE_MISMATCH', field: ['expectedDate'], details: { cycleIndex: 5 } },
    ]);
    expect(contract.cycleEdits).toEqual(before);
  });

  test('adds up with a second postponement', async () => {
    const { run } = newHarness();
    await run(postpone(FIRST, '2026-12-16'));
    const { payload } = await run(postpone('2026-12-16T10:00:00Z', '2027-01-03'));
    expect(payload.userErrors).toEqual([]);
    expect(payload.upcomingOrders).toEqual(
      COMING([5, '2027-01-03T10:00:00Z'], [6, '2027-02-03T10:00:00Z'], [7, '2027-03-03T10:00:00Z']),
    );
  });

  test('keeps a skip and the distance of a moved order with their orders', async () => {
    const { run, contract } = newHarness();
    contract.cycleEdits = {
      6: { skipped: true, billingDate: null, contract: null },
      7: { skipped: false, billingDate: '2027-03-05T10:00:00Z', contract: null },
    };
    const { payload } = await run(postpone(FIRST, '2026-12-16'));
    expect(payload.upcomingOrders).toEqual([
      { cycleIndex: 5, date: '2026-12-16T10:00:00Z', skipped: false },
      { cycleIndex: 6, date: '2027-01-16T10:00:00Z', skipped: false },
      { cycleIndex: 7, date: '2027-02-16T10:00:00Z', skipped: true },
      { cycleIndex: 8, date: '2027-03-12T10:00:00Z', skipped: false },
    ]);
  });

  test('moves only the order when it was moved earlier by itself', async () => {
    const { run, contract, table } = newHarness();
    contract.cycleEdits = { 4: { skipped: false, billingDate: '2026-12-01T10:00:00Z', contract: null } };
    const { payload, recorded } = await run(postpone('2026-12-01T10:00:00Z', '2026-12-05'));
    expect(payload.upcomingOrders[0].date).toBe('2026-12-05T10:00:00Z');
    expect(Object.keys(contract.cycleEdits)).toEqual(['4']);
    expect(recorded).toMatchObject([{ action: 'billing_cycle_rescheduled', outcome: 'done' }]);
    expect(await records(table)).toEqual([]);
  });

  test('only skips the order when it is postponed by a whole interval, and offers to take that back', async () => {
    const { run, contract } = newHarness();
    const { payload, recorded } = await run(postpone(FIRST, '2027-01-09'));
    expect(payload.contract.postponement).toEqual({
      since: '2026-11-21T12:00:00Z',
      laidUntil: NEXT,
      revertableUntil: '2026-12-09T09:00:00Z',
    });
    expect(payload.upcomingOrders[0]).toMatchObject({ cycleIndex: 5, date: NEXT });
    expect(Object.keys(contract.cycleEdits)).toEqual(['4']);
    // The timeline names both days.
    expect(recorded).toMatchObject([{ details: { expectedDate: FIRST, billingDate: NEXT } }]);
  });

  test.each([
    ['CYCLE_DATE_MISMATCH', NEXT, '2027-01-20', {}],
    ['OUT_OF_BOUNDS', FIRST, '2026-12-09', {}],
    ['OUT_OF_BOUNDS', FIRST, '2027-01-10', { earliest: '2026-12-10T10:00:00Z', latest: NEXT }],
    ['DATE_TOO_FAR', FIRST, '2028-01-10', { earliest: '2026-12-10T10:00:00Z', latest: NEXT }],
  ])('returns %s for the order of %s and the day %s', async (code, expectedDate, to, details) => {
    const { run, contract } = newHarness();
    const { payload, recorded } = await run(postpone(expectedDate, to));
    expect(payload.contract).toBeNull();
    expect(payload.userErrors).toMatchObject([{ code, details }]);
    expect([contract.cycleEdits, recorded]).toEqual([{}, []]);
  });

  test.each([
    ['DATE_TOO_FAR', '2027-12-01'],
    ['OUT_OF_BOUNDS', '2027-06-01'],
  ])('names days within a year that are accepted then (%s)', async (code, to) => {
    const { run, contract } = newHarness();
    const yearly = { interval: 'YEAR' as const, intervalCount: 1, anchors: [] };
    contract.createdAt = '2024-08-09T10:00:00Z';
    contract.schedule = [{ fromIndex: 1, startAt: contract.createdAt, policy: yearly }];
    contract.content.billingPolicy = { ...contract.content.billingPolicy, ...yearly };
    contract.billedCycles = [1, 2];
    const next = '2027-08-09T10:00:00Z';
    const { payload } = await run(postpone(next, to));
    const { earliest, latest } = payload.userErrors[0].details;
    expect([payload.userErrors[0].code, earliest, latest.slice(0, 10)]).toEqual([
      code,
      '2027-08-10T10:00:00Z',
      '2027-11-21',
    ]);
    for (const day of [earliest, latest]) {
      const dry = await run(postpone(next, day.slice(0, 10), 'dryRun: true'));
      expect(dry.payload.userErrors).toEqual([]);
    }
  });

  type Change = (contract: ContractRecord) => void;
  const anchor = { type: 'MONTHDAY' as const, day: 9, month: null, cutoffDay: null };
  test.each<[string, Change]>([
    [
      'CONTRACT_NOT_ACTIVE',
      (contract) => {
        contract.content.status = 'PAUSED';
      },
    ],
    [
      'CONTRACT_NOT_ACTIVE',
      (contract) => {
        contract.content.status = 'FAILED';
      },
    ],
    [
      'CONTRACT_TERMINATED',
      (contract) => {
        contract.content.status = 'CANCELLED';
      },
    ],
    [
      'ORDERS_ON_FIXED_DAYS',
      ({ content }) => {
        content.billingPolicy.anchors = [anchor];
      },
    ],
    ['CYCLE_ALREADY_BILLED', (contract) => void contract.billedCycles.push(5)],
    [
      'CYCLES_IRREGULAR',
      ({ content }) => {
        content.billingPolicy = { ...content.billingPolicy, interval: 'WEEK' };
      },
    ],
  ])('returns %s for a contract that is not suited', async (code, change) => {
    const { run, contract } = newHarness();
    change(contract);
    const { payload, recorded } = await run(postpone(FIRST, '2026-12-16'));
    expect(payload.userErrors).toMatchObject([{ code }]);
    expect([contract.cycleEdits, recorded]).toEqual([{}, []]);
  });

  test('takes everything back when the platform refuses the date of the next order', async () => {
    const { run, contract, world, table } = newHarness();
    failDocument(world, 2, { kind: 'one refused', mutation: 1 });
    const { payload, recorded } = await run(postpone(FIRST, '2026-12-16'));
    expect(payload.userErrors).toMatchObject([{ code: 'OUT_OF_BOUNDS', field: ['to'] }]);
    expect(contract.cycleEdits).toEqual({});
    expect(recorded).toMatchObject([{ outcome: 'not done' }]);
    expect(await records(table)).toEqual([]);
  });

  test('leaves the change open when the platform refuses the date of a later order', async () => {
    const { run, world } = newHarness();
    failDocument(world, 2, { kind: 'one refused', mutation: 5 });
    const { payload, recorded } = await run(postpone(FIRST, '2026-12-16'));
    expect(payload.userErrors).toEqual([]);
    expect(recorded).toMatchObject([{ outcome: 'open' }]);
    const { payload: second } = await run(REVERT);
    expect(second.userErrors).toMatchObject([{ code: 'CONCURRENT_UPDATE' }]);
  });

  test.each(['lost before', 'lost after'] as const)(
    'makes the change when the response to the skip is %s',
    async (kind) => {
      const { run, world, contract } = newHarness();
      world.fail({ kind, at: 'subscriptionBillingCycleScheduleEdit' });
      const { payload, recorded } = await run(postpone(FIRST, '2026-12-16'));
      expect(payload.userErrors).toEqual([]);
      expect(Object.keys(contract.cycleEdits)).toHaveLength(13);
      expect(recorded).toMatchObject([{ outcome: 'done' }]);
    },
  );

  test('refuses to restore the order that it skipped, and says what to do instead', async () => {
    const { run } = newHarness();
    const restore = async () => {
      const { payload } =
        await run(`mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 4, skip: false) {
        billingCycle { skipped } userErrors { code message } } }`);
      return payload.userErrors;
    };
    await run(postpone(FIRST, '2026-12-16'));
    expect(await restore()).toMatchObject([
      { code: 'ORDER_IS_POSTPONED', message: expect.stringContaining('Undo the postponement') },
    ]);
    // Only the latest postponement can be undone.
    await run(postpone('2026-12-16T10:00:00Z', '2026-12-20'));
    expect(await restore()).toMatchObject([
      { code: 'ORDER_IS_POSTPONED', message: expect.stringContaining('Change that order') },
    ]);
  });
});

describe('subscriptionOrderPostponementRevert', () => {
  test('brings all orders back', async () => {
    const { run, contract, table } = newHarness();
    await run(postpone(FIRST, '2026-12-16'));
    const { payload, recorded } = await run(REVERT);
    expect(payload).toMatchObject({
      contract: { nextOrder: { date: FIRST }, postponement: null },
      userErrors: [],
    });
    expect(payload.upcomingOrders[0]).toEqual({ cycleIndex: 4, date: FIRST, skipped: false });
    expect(contract.cycleEdits).toEqual({});
    expect(recorded).toMatchObject([{ action: 'orders_postponement_reverted', outcome: 'done' }]);
    expect(await records(table)).toEqual([]);
  });

  test('brings back the dates of the postponement before', async () => {
    const { run, contract } = newHarness();
    await run(postpone(FIRST, '2026-12-16'));
    const before = structuredClone(contract.cycleEdits);
    await run(postpone('2026-12-16T10:00:00Z', '2027-01-12'));
    const { payload } = await run(REVERT);
    expect(payload.userErrors).toEqual([]);
    expect(contract.cycleEdits).toEqual(before);
    expect(payload.contract.postponement).not.toBeNull();
    expect((await run(REVERT)).payload.userErrors).toEqual([]);
    expect(contract.cycleEdits).toEqual({});
    expect((await run(REVERT)).payload.userErrors).toMatchObject([{ code: 'NOTHING_TO_REVERT' }]);
  });

  test.each<[string, (contract: ContractRecord) => void]>([
    [
      'CHANGED_SINCE',
      ({ cycleEdits }) => {
        cycleEdits[7] = { skipped: true, billingDate: null, contract: null };
      },
    ],
    ['CYCLE_ALREADY_BILLED', ({ billedCycles }) => void billedCycles.push(5)],
  ])('returns %s when an order has changed since', async (code, change) => {
    const { run, contract } = newHarness();
    await run(postpone(FIRST, '2026-12-16'));
    change(contract);
    const before = structuredClone(contract.cycleEdits);
    expect((await run(REVERT)).payload.userErrors).toMatchObject([{ code }]);
    expect(contract.cycleEdits).toEqual(before);
  });

  test('restores an order that was postponed by a whole interval, and the skip that moved with it', async () => {
    const { run, contract } = newHarness();
    contract.cycleEdits[6] = { skipped: true, billingDate: null, contract: null };
    const before = structuredClone(contract.cycleEdits);
    await run(postpone(FIRST, '2027-01-09'));
    expect(Object.keys(contract.cycleEdits)).toEqual(expect.arrayContaining(['4', '7']));
    expect((await run(REVERT)).payload.userErrors).toEqual([]);
    expect(contract.cycleEdits).toEqual(before);
  });

  test('returns NOTHING_TO_REVERT without a postponement', async () => {
    const { run } = newHarness();
    expect((await run(REVERT)).payload.userErrors).toMatchObject([{ code: 'NOTHING_TO_REVERT' }]);
  });
});
