/** The scheduled work after a postponement: it finishes interrupted changes, and gives further orders their dates. */
import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import { countDocumentPoints } from '../../../graphql/run/count-document-points.ts';
import { listCyclesBetween, RESCHEDULING_KINDS } from '../../../sandbox/platform/state/billing-cycles.ts';
import { formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { addSellingPlanGroup } from '../../../sandbox/platform/state/seed/seed-plans.ts';
import { UNPUBLISHED_BEHAVIOURS } from '../../../sandbox/platform/state/unpublished-behaviour.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { test } from '../world/contract-test.ts';
import { isInterleaved } from '../world/interleaved.ts';
import { gid } from '../world/operation-world.ts';
import {
  createPostponementWorld,
  FIRST,
  failDocument,
  ID,
  postpone,
  REVERT,
  sendNow,
} from './postponement-world.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const POSTPONED = {
  4: '-',
  5: '2026-12-16',
  6: '2027-01-16',
  7: '2027-02-16',
  8: '2027-03-16',
  9: '2027-04-16',
  10: '2027-05-16',
  11: '2027-06-16',
  12: '2027-07-16',
  13: '2027-08-16',
  14: '2027-09-16',
  15: '2027-10-16',
  16: '2027-11-16',
};
const MADE = 'CUSTOMER orders_postponed';

describe('an interrupted postponement', () => {
  test.each([
    ['before', 1, {}, []],
    ['after', 1, POSTPONED, [MADE]],
    ['before', 2, POSTPONED, [MADE]],
    ['after', 2, POSTPONED, [MADE]],
  ] as const)(
    'is finished, or never made, when it was lost %s document %d',
    async (when, document, edits, made) => {
      const world = createPostponementWorld();
      failDocument(world, document, { kind: `lost ${when}` });
      expect((await world.send('customer', postpone(FIRST, '2026-12-16'))).code).toBe('OUTCOME_UNKNOWN');
      await world.runWork();
      expect(world.edits()).toEqual(edits);
      expect(await world.timeline()).toEqual(made);
      world.later(HOUR_MS);
      const { payload } = await world.send('customer', postpone(FIRST, '2026-12-16'));
      expect(payload.userErrors).toEqual([]);
      expect(world.edits()).toEqual(POSTPONED);
      expect(await world.timeline()).toEqual([MADE]);
    },
  );

  test('gets the date that the platform refused at first', async () => {
    const world = createPostponementWorld();
    failDocument(world, 2, { kind: 'one refused', mutation: 5 });
    const { payload } = await world.send('customer', postpone(FIRST, '2026-12-16'));
    expect(payload.userErrors).toEqual([]);
    expect(Object.keys(world.edits())).toHaveLength(12);
    const other = await world.send('customer', postpone('2026-12-16T10:00:00Z', '2026-12-20'));
    expect(other.payload.userErrors).toMatchObject([{ code: 'CONCURRENT_UPDATE' }]);
    await world.runWork();
    expect(world.edits()).toEqual(POSTPONED);
    expect(await world.timeline()).toEqual([MADE]);
    expect(await world.postponements.read(world.ref)).not.toHaveProperty('pendingChange');
  });

  test('is taken back when the platform refuses the date of the next order to the scheduled work', async () => {
    const world = createPostponementWorld();
    failDocument(world, 2, { kind: 'lost before' });
    await world.send('customer', postpone(FIRST, '2026-12-16'));
    expect(world.edits()).toEqual({ 4: '-' });
    failDocument(world, 1, { kind: 'one refused', mutation: 1 });
    await world.runWork();
    expect(world.edits()).toEqual({});
    expect(await world.timeline()).toEqual([]);
    expect(await world.postponements.read(world.ref)).not.toHaveProperty('pendingChange');
  });

  test('leaves an order that was skipped since', async () => {
    const world = createPostponementWorld();
    failDocument(world, 2, { kind: 'lost before' });
    await world.send('customer', postpone(FIRST, '2026-12-16'));
    world.contract.cycleEdits[7] = { skipped: true, billingDate: null, contract: null };
    await world.runWork();
    expect(world.edits()).toEqual({ ...POSTPONED, 7: '-' });
  });
});

test.each(['customer', 'store', 'store for a customer'] as const)(
  'a %s can postpone the next order and take that back',
  async (as) => {
    const world = createPostponementWorld();
    const { payload } = await world.send(as, postpone(FIRST, '2026-12-16'));
    expect(payload).toMatchObject({
      contract: { postponement: { laidUntil: '2027-11-16T10:00:00Z' } },
      userErrors: [],
    });
    expect(world.edits()).toEqual(POSTPONED);
    expect((await world.send(as, REVERT)).payload.userErrors).toEqual([]);
    expect(world.edits()).toEqual({});
    expect(await world.postponedDates()).toBeUndefined();
  },
);

describe('an interrupted revert', () => {
  test.each([
    ['before', 1],
    ['after', 1],
    ['before', 2],
    ['after', 2],
  ] as const)('has one of the two results when it was lost %s document %d', async (when, document) => {
    const world = createPostponementWorld();
    await world.send('customer', postpone(FIRST, '2026-12-16'));
    failDocument(world, document, { kind: `lost ${when}` });
    expect((await world.send('customer', REVERT)).code).toBe('OUTCOME_UNKNOWN');
    await world.runWork();
    const isMade = !(when === 'before' && document === 1);
    expect(world.edits()).toEqual(isMade ? {} : POSTPONED);
    expect(await world.timeline()).toEqual([
      MADE,
      ...(isMade ? ['CUSTOMER orders_postponement_reverted'] : []),
    ]);
  });
});

test.each([
  ['to move an order back', 1, 5],
  ['to restore the order', 2, 1],
])(
  'a revert is taken back when the platform refuses %s to the scheduled work, too',
  async (_what, document, mutation) => {
    const world = createPostponementWorld();
    await world.send('customer', postpone(FIRST, '2026-12-16'));
    failDocument(world, document, { kind: 'one refused', mutation });
    expect((await world.send('customer', REVERT)).payload.userErrors).toEqual([]);
    expect(world.edits()).toMatchObject({ 4: '-' });
    failDocument(world, 1, { kind: 'one refused', mutation: 1 });
    await world.runWork();
    expect(world.edits()).toEqual(POSTPONED);
    expect(await world.timeline()).toEqual([MADE]);
    expect((await world.send('customer', REVERT)).payload.userErrors).toEqual([]);
    expect(world.edits()).toEqual({});
  },
);

test('a postponed order that was sent now stays in its cycle, so that no other order is skipped', async () => {
  const world = createPostponementWorld({ sendNow: 'MOVE' });
  await world.send('customer', postpone(FIRST, '2026-12-16'));
  const { payload } = await world.send('customer', sendNow('2026-12-16T10:00:00Z'));
  expect(payload.userErrors).toEqual([]);
  const sentNow = { ...POSTPONED, 4: '2026-11-21', 5: '-' };
  expect(world.edits()).toEqual(sentNow);
  const { date } = payload.upcomingOrders[0];
  const later = await world.send('customer', postpone(date, '2026-12-16'));
  expect(later.payload.userErrors).toMatchObject([{ code: 'OUT_OF_BOUNDS', details: { latest: FIRST } }]);
  expect(world.edits()).toEqual(sentNow);
  const moved = await world.send('customer', postpone(date, '2026-12-05'));
  expect(moved.payload.userErrors).toEqual([]);
  expect(world.edits()).toEqual({ ...sentNow, 4: '2026-12-05' });
});

test('an order that was sent now for a later one stays in its cycle, also after an order between them is restored', async () => {
  const world = createPostponementWorld({ sendNow: 'MOVE' });
  const date = '2027-01-20T10:00:00Z';
  for (const change of [
    `mutation { subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: "${date}") { userErrors { code } } }`,
    sendNow(date),
    `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 5, skip: false) { userErrors { code } } }`,
  ])
    expect((await world.send('customer', change)).payload.userErrors).toEqual([]);
  const before = world.edits();
  expect(before).toMatchObject({ 4: '2026-11-21', 6: '-' });
  const { payload } = await world.send('customer', postpone('2026-11-21T12:05:00Z', '2026-12-16'));
  expect(payload.userErrors).toMatchObject([{ code: 'OUT_OF_BOUNDS', details: { latest: FIRST } }]);
  expect(world.edits()).toEqual(before);
});

test('a postponement that was undone since is no retry', async () => {
  const world = createPostponementWorld({ sendNow: 'MOVE' });
  await world.send('customer', postpone(FIRST, '2026-12-16'));
  await world.send('customer', sendNow('2026-12-16T10:00:00Z'));
  await world.send(
    'customer',
    `mutation { subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: 4, billingDate: "${FIRST}") { userErrors { code } } }`,
  );
  expect(world.edits()).toEqual({ ...POSTPONED, 4: undefined, 5: '-' });
  const { payload } = await world.send('customer', postpone(FIRST, '2026-12-16'));
  expect(payload.userErrors).toMatchObject([{ code: 'OUT_OF_BOUNDS' }]);
  expect(world.edits()).toMatchObject({ 5: '-', 6: '2027-01-16' });
});

test('an order that comes again before a postponed one stays in its cycle, so that no other order is skipped', async () => {
  const world = createPostponementWorld();
  const skip = (value: boolean) =>
    world.send(
      'customer',
      `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 4, skip: ${value}) { userErrors { code } } }`,
    );
  await skip(true);
  await world.send('customer', postpone('2027-01-09T10:00:00Z', '2027-01-16'));
  await skip(false);
  const before = world.edits();
  expect(before).toMatchObject({ 5: '-', 6: '2027-01-16' });
  const { payload } = await world.send('customer', postpone(FIRST, '2026-12-16'));
  expect(payload.userErrors).toMatchObject([{ code: 'OUT_OF_BOUNDS' }]);
  expect(world.edits()).toEqual(before);
});

describe('the extension', () => {
  async function postponed() {
    const world = createPostponementWorld();
    await world.send('customer', postpone(FIRST, '2026-12-16'));
    return world;
  }

  test('is due a day after the sixth of twelve orders, and gives six more orders their dates', async () => {
    const world = await postponed();
    expect(await world.extensions()).toEqual(['2027-05-17']);
    world.at('2027-05-16T12:00:00Z', [5, 6, 7, 8, 9, 10]);
    expect(await world.runWork()).toBe(0);
    world.at('2027-05-17T12:00:00Z', [5, 6, 7, 8, 9, 10]);
    expect(await world.runWork()).toBe(1);
    expect(world.edits()).toEqual({
      ...POSTPONED,
      17: '2027-12-16',
      18: '2028-01-16',
      19: '2028-02-16',
      20: '2028-03-16',
      21: '2028-04-16',
      22: '2028-05-16',
    });
    expect(await world.timeline()).toEqual([MADE, 'SERVICE orders_postponement_extended']);
    expect(await world.extensions()).toEqual(['2027-11-17']);
    expect(await world.runWork()).toBe(0);
  });

  test('takes for six orders the requests and points that docs/costs.md states', async () => {
    const world = await postponed();
    world.at('2027-05-17T12:00:00Z', [5, 6, 7, 8, 9, 10]);
    const sent: string[] = [];
    const { send } = world.platform;
    world.platform.send = (body, ...more) => {
      sent.push((JSON.parse(body) as { query: string }).query);
      return send(body, ...more);
    };
    expect(await world.runWork()).toBe(1);
    const points = sent.reduce((sum, query) => sum + countDocumentPoints(query, {}), 0);
    expect([sent.length, points]).toEqual([2, 76]);
    expect(readFileSync('docs/costs.md', 'utf8')).toContain('takes 2 platform requests and 76 points');
  });

  test('leaves orders that were skipped or moved by themselves', async () => {
    const world = await postponed();
    world.at('2027-05-17T12:00:00Z', [5, 6, 7, 8, 9, 10]);
    world.contract.cycleEdits[18] = { skipped: true, billingDate: null, contract: null };
    world.contract.cycleEdits[19] = { skipped: false, billingDate: '2028-02-20T10:00:00Z', contract: null };
    await world.runWork();
    expect(world.edits()).toMatchObject({ 17: '2027-12-16', 18: '-', 19: '2028-02-20', 20: '2028-03-16' });
  });

  test.each([
    ['the interval has changed', 'orders_postponement_ended'],
    ['another app has moved the orders', 'orders_postponement_ended'],
    ['the contract has ended', undefined],
  ])('ends when %s', async (why, action) => {
    const world = await postponed();
    world.at('2027-05-17T12:00:00Z', [5, 6, 7, 8, 9, 10]);
    const { content } = world.contract;
    if (why === 'the interval has changed')
      content.billingPolicy = { ...content.billingPolicy, intervalCount: 2 };
    else if (why === 'the contract has ended') content.status = 'CANCELLED';
    else for (const index of [11, 12, 13, 14, 15, 16]) delete world.contract.cycleEdits[index];
    const before = world.edits();
    await world.runWork();
    expect(world.edits()).toEqual(before);
    expect(await world.postponedDates()).toBeUndefined();
    expect(await world.timeline()).toEqual([MADE, ...(action === undefined ? [] : [`SERVICE ${action}`])]);
    expect(await world.extensions()).toEqual([]);
  });

  test.each([
    ['2027-12-20T12:00:00Z', []],
    ['2028-01-10T12:00:00Z', [17]],
  ])('ends when it comes at %s, too late for an order', async (now, late) => {
    const world = await postponed();
    world.at(now, [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, ...late]);
    await world.runWork();
    // The order of 16 December comes on 9 January: the next one must not come on 16 January.
    expect(world.edits()).toEqual(POSTPONED);
    expect(await world.postponedDates()).toBeUndefined();
    expect(await world.timeline()).toEqual([MADE, 'SERVICE orders_postponement_ended']);
  });

  test('is tried again a day after the platform refused a date', async () => {
    const world = await postponed();
    world.at('2027-05-17T12:00:00Z', [5, 6, 7, 8, 9, 10]);
    failDocument(world, 1, { kind: 'one refused', mutation: 2 });
    await world.runWork();
    expect(await world.extensions()).toEqual(['2027-05-18']);
    world.at('2027-05-18T13:00:00Z', [5, 6, 7, 8, 9, 10]);
    await world.runWork();
    expect(world.edits()).toMatchObject({ 17: '2027-12-16', 18: '2028-01-16', 22: '2028-05-16' });
    expect(await world.extensions()).toEqual(['2027-11-17']);
  });
});

describe('a new interval of a postponed contract', () => {
  test('keeps the date of the next order, and the orders after it follow', async () => {
    const world = createPostponementWorld();
    await world.send('store', postpone(FIRST, '2026-12-16'));
    const id = world.contract.id;
    const { payload } = await world.send(
      'store',
      `mutation { subscriptionContractIntervalUpdate(contractId: "gid://platform/SubscriptionContract/${id}", interval: { interval: WEEK, intervalCount: 2 }) {
        contract { nextOrder { date } postponement { laidUntil } } droppedEdits { cycleIndex } userErrors { code message } } }`,
    );
    expect(payload.userErrors).toEqual([]);
    expect(payload.droppedEdits).toEqual([]);
    const orders = await world.send(
      'store',
      `mutation { subscriptionOrderPostpone(contractId: "gid://platform/SubscriptionContract/${id}", expectedDate: "2026-12-16T10:00:00Z", to: "2026-12-17", dryRun: true) {
        contract { nextOrder { date } postponement { laidUntil } } userErrors { code } } }`,
    );
    expect(orders.payload).toMatchObject({
      contract: { nextOrder: { date: '2026-12-16T10:00:00Z' } },
      userErrors: [],
    });
    const record = await world.postponements.read(world.ref);
    expect(record?.dates?.laid).toMatchObject({ interval: 'WEEK', intervalCount: 2, day: '2026-12-16' });
    expect(record).not.toHaveProperty('latest');
  });

  async function postponed() {
    const world = createPostponementWorld();
    await world.send('store', postpone(FIRST, '2026-12-16'));
    return world;
  }

  const CHANGED = `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: WEEK, intervalCount: 2 }) {
    droppedEdits { cycleIndex } userErrors { code } } }`;

  /** Sets the interval to two months. Returns the dates of the orders that are upcoming then. */
  async function changedToTwoMonths(world: ReturnType<typeof createPostponementWorld>): Promise<string[]> {
    const changed = await world.send(
      'store',
      `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: MONTH, intervalCount: 2 }) {
        userErrors { code } } }`,
    );
    expect(changed.payload.userErrors).toEqual([]);
    const { contract, now } = world;
    const cycles = listCyclesBetween(contract, 5, 12).filter(({ skipped }) => !skipped);
    const ahead = cycles.filter(({ expectedMs }) => expectedMs > now());
    return ahead.slice(0, 3).map(({ expectedMs }) => formatIsoInstant(expectedMs).slice(0, 10));
  }

  test.each([0, MINUTE_MS])(
    'keeps the date of an order that had been chosen before it was postponed, %d ms later',
    async (ms) => {
      const world = createPostponementWorld();
      const chosen = '2027-01-05T10:00:00Z';
      await world.send(
        'store',
        `mutation { subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: "${chosen}") { userErrors { code } } }`,
      );
      const { payload } = await world.send('store', postpone(chosen, '2027-01-12'));
      expect(payload.userErrors).toEqual([]);
      world.later(ms);
      expect(await changedToTwoMonths(world)).toEqual(['2027-01-12', '2027-03-12', '2027-05-12']);
    },
  );

  test('follows from the next upcoming order when an earlier one was never tried within a week', async () => {
    const world = await postponed();
    world.at('2026-12-24T12:00:00Z', []);
    expect(await changedToTwoMonths(world)).toEqual(['2027-01-16', '2027-03-16', '2027-05-16']);
  });

  // The next order gets its date by the first document, and the orders after it by the second one.
  test.each([
    ['before', 1],
    ['before', 2],
    ['after', 2],
  ] as const)('has the same dates when it was lost %s document %d', async (when, document) => {
    const expected = await postponed();
    await expected.send('store', CHANGED);
    const world = await postponed();
    failDocument(world, document, { kind: `lost ${when}` });
    expect((await world.send('store', CHANGED)).code).toBe('OUTCOME_UNKNOWN');
    world.clearFaults();
    await world.runWork();
    expect(world.edits()).toEqual(expected.edits());
    const laid = ({ postponedDates }: typeof world) => postponedDates();
    expect(await laid(world)).toEqual(await laid(expected));
    expect(await world.timeline()).toEqual([
      'MERCHANT orders_postponed',
      'MERCHANT subscription_interval_updated',
    ]);
  });

  test('leaves the dates of a postponement that was made before it was finished', async () => {
    const world = await postponed();
    failDocument(world, 2, { kind: 'lost before' });
    await world.send('store', CHANGED);
    const other = postpone('2026-12-16T10:00:00Z', '2026-12-30');
    expect((await world.send('store', other)).payload.userErrors).toMatchObject([
      { code: 'CONCURRENT_UPDATE' },
    ]);
    world.later(MINUTE_MS);
    expect((await world.send('store', other)).payload.userErrors).toEqual([]);
    const before = [world.edits(), await world.postponements.read(world.ref)];
    expect(before[0]).toMatchObject({ 5: '-', 6: '2026-12-30', 7: '2027-01-13' });
    await world.runWork();
    expect([world.edits(), await world.postponements.read(world.ref)]).toEqual(before);
  });

  test.each(
    UNPUBLISHED_BEHAVIOURS.samePolicyCommit.flatMap((way) =>
      RESCHEDULING_KINDS.map((rescheduling) => [way, rescheduling] as const),
    ),
  )(
    'leaves the dates if it is the present one, and the platform %s the cycles, counted %s',
    async (way, rescheduling) => {
      const world = await postponed();
      world.later(HOUR_MS);
      const shop = world.platform.store();
      Object.assign(shop, { rescheduling, unpublished: { ...shop.unpublished, samePolicyCommit: way } });
      const terms = { billing: ['MONTH', 1], delivery: ['MONTH', 1], prices: [['PERCENTAGE', 50]] } as const;
      const plans = [{ name: 'Loyal', ...terms, limits: { minCycles: 12, maxCycles: null } }];
      const group = { id: 8_301_009, name: 'Loyal', productIds: [8_101_001], plans };
      addSellingPlanGroup(shop, group, new Date(world.now()).toISOString());
      const before = [world.edits(), await world.postponedDates()];
      const { payload } = await world.send(
        'store',
        `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", sellingPlanId: "${gid('SellingPlan', 830_100_901)}") {
        contract { billingPolicy { minCycles } } droppedEdits { cycleIndex } userErrors { code } } }`,
      );
      expect(payload).toEqual({
        ...{ contract: { billingPolicy: { minCycles: 12 } }, droppedEdits: [], userErrors: [] },
      });
      expect([world.edits(), await world.postponedDates()]).toEqual(before);
      expect((await world.send('store', REVERT)).payload.userErrors).toEqual([]);
      expect(world.edits()).toEqual({});
    },
  );
});

if (!isInterleaved) holdsRights();
