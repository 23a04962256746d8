/** A new interval of a postponed contract: a skip stays on its day, or the answer names it; and when it is refused. */
import { describe, expect } from '@jest/globals';
import { RESCHEDULING_KINDS } from '../../../sandbox/platform/state/billing-cycles.ts';
import { UNPUBLISHED_BEHAVIOURS } from '../../../sandbox/platform/state/unpublished-behaviour.ts';
import { test } from '../world/contract-test.ts';
import {
  createPostponementWorld,
  FIRST,
  failDocument,
  ID,
  postpone,
  REVERT,
  sendNow,
} from './postponement-world.ts';

const WAYS = UNPUBLISHED_BEHAVIOURS.skippedDates.flatMap((skippedDates) =>
  RESCHEDULING_KINDS.map((rescheduling) => [skippedDates, rescheduling] as const),
);
const skip = (index: number) =>
  `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: ${index}) { userErrors { code } } }`;
const TWO_WEEKS = `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: WEEK, intervalCount: 2 }) {
  droppedEdits { originalDate skipped reasonCode } userErrors { code } } }`;
const PAUSE = `mutation { subscriptionContractPause(subscriptionContractId: "${ID}") { userErrors { code } } }`;
const ORDERS = `{ subscriptionContractDetails(contractId: "${ID}") { billingCycles(first: 12) { nodes { cycleIndex orderDate skipped } } } }`;

async function createChangedWorld(
  [skippedDates, rescheduling]: (typeof WAYS)[number],
  changes: readonly string[],
) {
  const world = createPostponementWorld({ sendNow: 'MOVE' });
  const shop = world.platform.store();
  Object.assign(shop, { rescheduling, unpublished: { ...shop.unpublished, skippedDates } });
  for (const change of changes) {
    expect((await world.send('store', change)).payload.userErrors).toEqual([]);
    // Changes never share a millisecond.
    world.later(1);
  }
  return {
    ...world,
    /** Five orders from the next one on, `-` before a skipped one. */
    async orders(): Promise<string[]> {
      const { payload } = await world.send('store', ORDERS);
      const nodes: { readonly orderDate: string | null; readonly skipped: boolean }[] =
        payload.billingCycles.nodes;
      const days = nodes.map(({ orderDate, skipped }) => `${skipped ? '-' : ''}${orderDate?.slice(0, 10)}`);
      return days.slice(days.indexOf('2026-12-16')).slice(0, 5);
    },
  };
}

test.each(WAYS)('names a skip whose day has no order (%s, %s)', async (...way) => {
  const world = await createChangedWorld(way, [skip(6), postpone(FIRST, '2026-12-16')]);
  const { payload } = await world.send('store', TWO_WEEKS);
  expect(payload).toEqual({
    droppedEdits: [{ originalDate: '2027-02-16T10:00:00Z', skipped: true, reasonCode: 'NO_ORDER_THAT_DAY' }],
    userErrors: [],
  });
  expect(await world.orders()).toEqual([
    '2026-12-16',
    '2026-12-30',
    '2027-01-13',
    '2027-01-27',
    '2027-02-10',
  ]);
});

describe.each(WAYS)('after another date was chosen before (%s, %s)', (...way) => {
  const CHOSEN = `mutation { subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: "2027-04-01T10:00:00Z") { userErrors { code } } }`;
  const DATED = TWO_WEEKS.replace('}) {', '}, nextBillingDate: "2026-12-16T10:00:00Z") {');

  test('names no skip that only followed from the chosen date', async () => {
    const world = await createChangedWorld(way, [CHOSEN]);
    expect((await world.send('store', DATED)).payload).toEqual({ droppedEdits: [], userErrors: [] });
  });

  test('names a skip that a client made before or after it', async () => {
    const world = await createChangedWorld(way, [skip(5), CHOSEN, skip(9)]);
    const { payload } = await world.send('store', DATED);
    expect(payload.droppedEdits.map(({ originalDate }: { originalDate: string }) => originalDate)).toEqual([
      '2027-01-09T10:00:00Z',
      '2027-05-09T10:00:00Z',
    ]);
  });

  test('names no move of the order that gets the date of the change, even if its day had a skipped order', async () => {
    const world = await createChangedWorld(way, [CHOSEN]);
    const { payload } = await world.send('store', DATED.replace('2026-12-16', '2026-12-09'));
    expect(payload).toEqual({ droppedEdits: [], userErrors: [] });
  });

  test('names a skip that a postponement moved after another new interval has kept it', async () => {
    const weekly = TWO_WEEKS.replace('intervalCount: 2', 'intervalCount: 1');
    const changes = [skip(10), postpone(FIRST, '2026-12-16'), weekly];
    const chosen = CHOSEN.replace('2027-04-01', '2027-07-01');
    const world = await createChangedWorld(way, [...changes, chosen]);
    // No order is due within 48 hours then.
    world.at('2026-11-25T12:00:00Z', []);
    const { payload } = await world.send('store', DATED.replace('2026-12-16', '2026-12-23'));
    expect(payload.droppedEdits).toMatchObject([{ originalDate: '2027-06-16T10:00:00Z', skipped: true }]);
  });

  test('names no skip that only followed from the chosen date, and that a postponement moved', async () => {
    const restore = skip(4).replace(') {', ', skip: false) {');
    const world = await createChangedWorld(way, [CHOSEN, restore, postpone(FIRST, '2026-12-16')]);
    const { payload } = await world.send('store', DATED);
    expect(payload).toEqual({ droppedEdits: [], userErrors: [] });
  });

  test.each([[[]], [[REVERT, postpone(FIRST, '2026-12-16')]]])(
    'names only the skip that a client made among those of the chosen date that a postponement moved with it (%#)',
    async (more) => {
      const restore = skip(4).replace(') {', ', skip: false) {');
      const changes = [skip(6), CHOSEN, restore, postpone(FIRST, '2026-12-16'), ...more];
      const world = await createChangedWorld(way, changes);
      const { payload } = await world.send('store', DATED);
      expect(payload.droppedEdits).toMatchObject([{ originalDate: '2027-02-16T10:00:00Z', skipped: true }]);
    },
  );

  test('names a skip that a client made and a postponement moved, on its new day', async () => {
    const world = await createChangedWorld(way, [skip(6), postpone(FIRST, '2026-12-16'), CHOSEN]);
    expect((await world.send('store', DATED)).payload).toEqual({
      droppedEdits: [
        { originalDate: '2027-02-16T10:00:00Z', skipped: true, reasonCode: 'NO_ORDER_THAT_DAY' },
      ],
      userErrors: [],
    });
  });
});

test('names a move that finds no order by the day on which the order stood, and by its day before', async () => {
  const move = `mutation { subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: 7, billingDate: "2027-03-03") { userErrors { code } } }`;
  const world = await createChangedWorld(
    ['kept', 'AFTER_CURRENT_CYCLE'],
    [skip(6), move, postpone(FIRST, '2026-12-16')],
  );
  const change = TWO_WEEKS.replace('WEEK', 'MONTH').replace('originalDate', 'originalDate movedTo');
  expect((await world.send('store', change)).payload.droppedEdits).toEqual([
    {
      originalDate: '2027-03-16T10:00:00Z',
      movedTo: '2027-03-10T10:00:00Z',
      skipped: false,
      reasonCode: 'OUTSIDE_ORDER',
    },
  ]);
});

describe.each(WAYS)('a skip whose day has an order (%s, %s)', (...way) => {
  const WEEKLY = TWO_WEEKS.replace('intervalCount: 2', 'intervalCount: 1');
  const SKIPPED = ['2026-12-16', '2026-12-30', '-2027-01-13', '2027-01-27', '2027-02-10'];
  const SKIPPED_WEEKLY = ['2026-12-16', '2026-12-23', '2026-12-30', '2027-01-06', '-2027-01-13'];

  async function skippedWorld() {
    const world = await createChangedWorld(way, [postpone(FIRST, '2026-12-16'), TWO_WEEKS]);
    const { payload } = await world.send('store', ORDERS);
    const index = payload.billingCycles.nodes.findIndex(
      ({ orderDate }: { readonly orderDate: string | null }) => orderDate?.startsWith('2027-01-13'),
    );
    await world.send('store', skip(payload.billingCycles.nodes[index].cycleIndex));
    // No order is due within 48 hours then.
    world.at('2026-11-25T12:00:00Z', []);
    expect(await world.orders()).toEqual(SKIPPED);
    return world;
  }

  test('stays', async () => {
    const world = await skippedWorld();
    expect((await world.send('store', WEEKLY)).payload).toEqual({ droppedEdits: [], userErrors: [] });
    expect(await world.orders()).toEqual(SKIPPED_WEEKLY);
  });

  test('stays when the change was interrupted', async () => {
    const world = await skippedWorld();
    failDocument(world, 1, { kind: 'lost before' });
    expect((await world.send('store', WEEKLY)).code).toBe('OUTCOME_UNKNOWN');
    world.clearFaults();
    await world.runWork();
    expect(await world.orders()).toEqual(SKIPPED_WEEKLY);
  });
});

describe.each(WAYS)(
  'a new interval after an order was sent now in place of a skipped one (%s, %s)',
  (...way) => {
    const DAY = '2026-12-23T10:00:00Z';
    const MOVE = `mutation { subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: 5, billingDate: "${DAY}") { userErrors { code } } }`;

    async function sentWorld() {
      const world = await createChangedWorld(way, [skip(4), MOVE, sendNow(DAY)]);
      world.at('2026-11-21T12:30:00Z', [4]);
      return world;
    }

    type World = Awaited<ReturnType<typeof sentWorld>>;
    const rowsOf = async (world: World) => {
      const { nodes } = (await world.send('store', ORDERS)).payload.billingCycles;
      type Row = {
        readonly cycleIndex: number;
        readonly orderDate: string | null;
        readonly skipped: boolean;
      };
      return (nodes as Row[]).filter(({ cycleIndex, orderDate }) => cycleIndex > 4 && orderDate);
    };

    test('keeps the date of the next order, skips no order, and names no skip', async () => {
      const world = await sentWorld();
      expect((await world.send('store', TWO_WEEKS)).payload).toEqual({ droppedEdits: [], userErrors: [] });
      const rows = await rowsOf(world);
      expect(rows[0]?.orderDate).toBe('2027-02-09T10:00:00Z');
      expect(rows.filter(({ skipped }) => skipped)).toEqual([]);
    });

    test('leaves each order to be skipped and restored, also when the change was interrupted', async () => {
      const world = await sentWorld();
      failDocument(world, 1, { kind: 'lost before' });
      await world.send('store', TWO_WEEKS);
      world.clearFaults();
      await world.runWork();
      for (const { cycleIndex: index } of (await rowsOf(world)).slice(0, 2)) {
        const skipped = await world.send('customer', skip(index));
        const restored = await world.send('customer', skip(index).replace(') {', ', skip: false) {'));
        expect([skipped.payload.userErrors, restored.payload.userErrors]).toEqual([[], []]);
      }
    });
  },
);

test.each(RESCHEDULING_KINDS)(
  'no day before the next order is shown as skipped (%s)',
  async (rescheduling) => {
    const world = await createChangedWorld(['kept', rescheduling], [postpone(FIRST, '2026-12-16')]);
    const { payload } = await world.send('store', TWO_WEEKS.replace('intervalCount: 2', 'intervalCount: 1'));
    expect(payload.userErrors).toEqual([]);
    const { nodes } = (await world.send('store', ORDERS)).payload.billingCycles;
    const days = (nodes as { orderDate: string | null }[]).flatMap(({ orderDate }) => orderDate ?? []);
    expect(days.slice(0, 3)).toEqual([
      '2026-12-16T10:00:00Z',
      '2026-12-23T10:00:00Z',
      '2026-12-30T10:00:00Z',
    ]);
  },
);

test.each([
  ['of an active subscription', [], '2026-12-16T10:00:00Z'],
  ['of a paused subscription, which has no next order', [PAUSE], null],
])('a dry run names the date that the next order keeps %s', async (_case, changes, date) => {
  const world = createPostponementWorld();
  for (const change of [postpone(FIRST, '2026-12-16'), ...changes]) await world.send('store', change);
  const { payload } = await world.send(
    'store',
    `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: WEEK, intervalCount: 2 }, dryRun: true) {
      preview { date } userErrors { code } } }`,
  );
  expect(payload).toEqual({ preview: { date }, userErrors: [] });
});

describe('within 48 hours of the day from which an order was postponed', () => {
  const CHANGE = TWO_WEEKS.replace(
    'userErrors { code }',
    'userErrors { code message details { date earliest } }',
  );

  test('a new interval is refused with the reason, and is possible from the date that the error names', async () => {
    const world = createPostponementWorld();
    await world.send('store', postpone(FIRST, '2026-12-16'));
    world.at('2026-12-08T12:00:00Z', []);
    const { payload } = await world.send('store', CHANGE);
    const earliest = '2026-12-09T10:00:01Z';
    expect(payload.userErrors).toEqual([
      {
        code: 'ORDER_TOO_CLOSE',
        message:
          'The order for December 9, 2026 was skipped or postponed, but could still be charged if the interval changed now. You can change the interval after December 9, 2026.',
        details: { date: FIRST, earliest },
      },
    ]);
    world.at(earliest, []);
    expect((await world.send('store', CHANGE)).payload.userErrors).toEqual([]);
  });

  test('the error names the date after the postponed order if that one comes within 48 hours of it', async () => {
    const world = createPostponementWorld();
    await world.send('store', postpone(FIRST, '2026-12-11'));
    world.at('2026-12-08T12:00:00Z', []);
    const { payload } = await world.send('store', CHANGE);
    expect(payload.userErrors).toMatchObject([
      { details: { date: FIRST, earliest: '2026-12-11T10:00:01Z' } },
    ]);
  });
});

describe.each(WAYS)(
  'after an order that was sent now in place of a skipped one is paid (%s, %s)',
  (...way) => {
    const TWO_MONTHS = TWO_WEEKS.replace('WEEK', 'MONTH');
    const NOTED = ['2027-02-09T10:00:00Z', '2026-12-09T10:00:00Z', null];

    /** `noted`: the platform's note of the next order after a charge, which not every store keeps. */
    async function paidWorld(noted: string | null) {
      const world = await createChangedWorld(way, [skip(4), sendNow('2027-01-09T10:00:00Z')]);
      world.at('2026-12-09T12:00:00Z', [4]);
      world.contract.content.nextBillingDate = noted;
      return world;
    }
    type World = Awaited<ReturnType<typeof paidWorld>>;
    const rowsOf = async (world: World) => {
      const { nodes } = (await world.send('store', ORDERS)).payload.billingCycles;
      return (nodes as { orderDate: string | null; skipped: boolean }[]).filter(({ orderDate }) => orderDate);
    };
    const EXPECTED = ['2027-02-09T10:00:00Z', '2027-04-09T10:00:00Z', '2027-06-09T10:00:00Z'];

    test.each(NOTED)(
      'a new interval begins with the next order, and does not offer the sent one again (noted: %s)',
      async (noted) => {
        const world = await paidWorld(noted);
        expect((await world.send('store', TWO_MONTHS)).payload).toEqual({ droppedEdits: [], userErrors: [] });
        const rows = await rowsOf(world);
        expect(rows.slice(0, 3)).toEqual(
          EXPECTED.map((orderDate) => ({ orderDate, skipped: false, cycleIndex: expect.anything() })),
        );
      },
    );

    test.each(NOTED)('a new interval that was interrupted leads to the same (noted: %s)', async (noted) => {
      const world = await paidWorld(noted);
      failDocument(world, 1, { kind: 'lost before' });
      await world.send('store', TWO_MONTHS);
      world.clearFaults();
      await world.runWork();
      expect((await rowsOf(world)).slice(0, 3).map(({ orderDate }) => orderDate)).toEqual(EXPECTED);
    });
  },
);
