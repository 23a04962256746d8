/** A shorter interval in the middle of a cycle: no order comes on a day that passed before the change. */
import { describe, expect } from '@jest/globals';
import {
  listCyclesBetween,
  RESCHEDULING_KINDS,
  type ReschedulingRule,
} from '../../../sandbox/platform/state/billing-cycles.ts';
import { addSellingPlanGroup } from '../../../sandbox/platform/state/seed/seed-plans.ts';
import { createPostponementWorld, failDocument, ID } from '../postponement/postponement-world.ts';
import { test } from '../world/contract-test.ts';
import { gid } from '../world/operation-world.ts';

type World = ReturnType<typeof createPostponementWorld>;

const NEXT_ORDER = `{ subscriptionContractDetails(contractId: "${ID}") { contract { nextOrder { date } } } }`;
const WEEK = 'interval: { interval: WEEK, intervalCount: 1 }';

/** A contract of the 9th of each month, at noon of `day`. */
function createWorld(day: string, rescheduling: ReschedulingRule, billed: readonly number[] = [4]): World {
  const world = createPostponementWorld();
  Object.assign(world.platform.store(), { rescheduling });
  world.at(`${day}T12:00:00Z`, billed);
  return world;
}

async function changeInterval({ send }: World, interval: string, own?: Parameters<World['send']>[2]) {
  const { payload, code } = await send(
    'store',
    `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", ${interval}) { droppedEdits { cycleIndex } userErrors { code } } }`,
    own,
  );
  return code ?? payload;
}

/** The days of the orders that jobs may still find and charge: unpaid, not skipped, and due in the last 35 days. */
function chargeableDays({ contract, now }: World): string[] {
  return listCyclesBetween(contract, 1, 60)
    .filter(({ skipped, billed }) => !skipped && !billed)
    .map(({ expectedMs }) => expectedMs)
    .filter((ms) => now() - 35 * 86_400_000 < ms && ms < now())
    .map((ms) => new Date(ms).toISOString().slice(0, 10));
}

async function nextDay({ send }: World): Promise<string> {
  const { payload } = await send('customer', NEXT_ORDER);
  return payload.contract.nextOrder.date.slice(0, 10);
}

const DONE = { droppedEdits: [], userErrors: [] };

describe('a platform that counts the current cycle again', () => {
  test.each([
    ['every week', WEEK, '2027-01-06'],
    ['every two days', 'interval: { interval: DAY, intervalCount: 2 }', '2027-01-02'],
    ['every week with a date', `${WEEK}, nextBillingDate: "2027-01-20T10:00:00Z"`, '2027-01-20'],
  ])('charges no order of a past day after a change to %s', async (_which, interval, day) => {
    const world = createWorld('2026-12-31', 'FROM_CURRENT_CYCLE');
    expect(await changeInterval(world, interval)).toEqual(DONE);
    expect([chargeableDays(world), await nextDay(world)]).toEqual([[], day]);
  });

  test('charges none after a process that ended between the two steps', async () => {
    const world = createWorld('2026-12-31', 'FROM_CURRENT_CYCLE');
    failDocument(world, 1, { kind: 'lost before' });
    expect(await changeInterval(world, WEEK)).toBe('OUTCOME_UNKNOWN');
    expect(chargeableDays(world)).toEqual(['2026-12-16', '2026-12-23', '2026-12-30']);
    await world.runWork();
    expect([chargeableDays(world), await nextDay(world)]).toEqual([[], '2027-01-06']);
  });

  test.each([
    ['another interval', 'interval: { interval: WEEK, intervalCount: 2 }', '2027-01-13'],
    ['the interval of before', 'interval: { interval: MONTH, intervalCount: 1 }', '2027-01-30'],
  ])('charges none after an interrupted change and a change to %s', async (_which, interval, day) => {
    const world = createWorld('2026-12-31', 'FROM_CURRENT_CYCLE');
    failDocument(world, 1, { kind: 'lost before' });
    expect(await changeInterval(world, WEEK)).toBe('OUTCOME_UNKNOWN');
    expect(await changeInterval(world, interval)).toEqual(DONE);
    expect([chargeableDays(world), await nextDay(world)]).toEqual([[], day]);
    await world.runWork();
    expect([chargeableDays(world), await nextDay(world)]).toEqual([[], day]);
  });

  test('charges none after a change that was interrupted while another one was about to be committed', async () => {
    const world = createWorld('2026-12-31', 'FROM_CURRENT_CYCLE');
    let interrupted: unknown;
    const table: typeof world.table = {
      ...world.table,
      async put(item, condition) {
        if (item.pk.startsWith('INTERVAL#') && interrupted === undefined) {
          failDocument(world, 1, { kind: 'lost before' });
          interrupted = await changeInterval(world, WEEK);
        }
        return world.table.put(item, condition);
      },
    };
    const other = await changeInterval(world, 'interval: { interval: MONTH, intervalCount: 2 }', { table });
    expect([interrupted, other]).toEqual(['OUTCOME_UNKNOWN', DONE]);
    await world.runWork();
    await world.runWork();
    expect(chargeableDays(world)).toEqual([]);
  });

  test('charges none, and restores a skip, after an interrupted change and another plan of that interval', async () => {
    const world = createWorld('2026-12-31', 'FROM_CURRENT_CYCLE');
    const fortnightly = [...world.platform.store().sellingPlans.values()].find(
      ({ billingPolicy: { interval, intervalCount } }) => interval === 'WEEK' && intervalCount === 2,
    );
    const plans = [{ name: 'For friends', billing: ['WEEK', 2], prices: [['PERCENTAGE', 40]] }] as const;
    const group = { id: 8_301_009, name: 'Friends', productIds: [8_101_001], plans };
    addSellingPlanGroup(world.platform.store(), group, '2026-12-01T00:00:00Z');
    const friends = [...world.platform.store().sellingPlans.values()].at(-1);
    const planArgument = (id = 0) => `sellingPlanId: "${gid('SellingPlan', id)}"`;
    const skip = `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 6) { userErrors { code } } }`;
    expect((await world.send('customer', skip)).payload.userErrors).toEqual([]);
    world.later(300_000);
    failDocument(world, 1, { kind: 'lost before' });
    expect(await changeInterval(world, planArgument(fortnightly?.id))).toBe('OUTCOME_UNKNOWN');
    world.later(300_000);
    expect(await changeInterval(world, planArgument(friends?.id))).toEqual(DONE);
    await world.runWork();
    await world.runWork();
    expect([chargeableDays(world), world.edits()]).toEqual([[], { 5: '-' }]);
  });

  test('charges the unpaid order of the cycle before', async () => {
    const world = createWorld('2026-12-14', 'FROM_CURRENT_CYCLE', []);
    expect(await changeInterval(world, 'interval: { interval: DAY, intervalCount: 2 }')).toEqual(DONE);
    expect(chargeableDays(world)).toEqual(['2026-12-09']);
  });
});

test.each(RESCHEDULING_KINDS)(
  'a skip is no choice of the next order, also after the night that sets nextBillingDate (%s)',
  async (rescheduling) => {
    const world = createWorld('2026-12-14', rescheduling);
    const skip = `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 5) { userErrors { code } } }`;
    expect((await world.send('customer', skip)).payload.userErrors).toEqual([]);
    world.later(86_400_000);
    world.contract.content.nextBillingDate = '2027-02-09T10:00:00Z';
    const { droppedEdits, userErrors } = await changeInterval(world, WEEK);
    expect(userErrors).toEqual([]);
    // Where the cycle keeps its end, the order of that day is still skipped.
    const isSameCycle = rescheduling === 'AFTER_CURRENT_CYCLE';
    expect(droppedEdits).toEqual(isSameCycle ? [] : [{ cycleIndex: 5 }]);
    expect(await nextDay(world)).toBe(isSameCycle ? '2027-01-16' : '2026-12-16');
  },
);

test.each(RESCHEDULING_KINDS)(
  'a dry run names no date when the order of the chosen day is skipped (%s)',
  async (rescheduling) => {
    const world = createWorld('2026-12-14', rescheduling);
    const change = async (mutation: string) => {
      const { payload } = await world.send('customer', `mutation { ${mutation} { userErrors { code } } }`);
      expect(payload.userErrors).toEqual([]);
    };
    await change(
      `subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: "2027-01-05T10:00:00Z")`,
    );
    await change(`subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 5)`);
    world.later(86_400_000);
    const { payload } = await world.send(
      'store',
      `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", ${WEEK}, dryRun: true) { preview { date } userErrors { code } } }`,
    );
    expect(payload).toEqual({ preview: { date: null }, userErrors: [] });
    expect((await changeInterval(world, WEEK)).userErrors).toEqual([]);
    expect(await nextDay(world)).not.toBe('2027-01-05');
  },
);

test.each(RESCHEDULING_KINDS)('the timeline has the change alone (%s)', async (rescheduling) => {
  const world = createWorld('2026-12-31', rescheduling);
  const before = (await world.timeline()).length;
  expect(await changeInterval(world, WEEK)).toEqual(DONE);
  await world.runWork();
  expect((await world.timeline()).slice(0, -before || undefined)).toHaveLength(1);
});

test.each(['PAUSED', 'FAILED'] as const)(
  'refuses a date for a subscription that is %s: its orders would not follow',
  async (status) => {
    const world = createWorld('2026-12-14', 'AFTER_CURRENT_CYCLE');
    world.contract.content.status = status;
    const { payload } = await world.send(
      'customer',
      `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", ${WEEK}, nextBillingDate: "2027-01-05") {
        userErrors { field code message details { status } } } }`,
    );
    expect(payload.userErrors).toEqual([
      {
        ...{ field: ['nextBillingDate'], code: 'CONTRACT_NOT_ACTIVE', details: { status } },
        message: 'This subscription is not active. Resume it first.',
      },
    ]);
    expect((await changeInterval(world, WEEK)).userErrors).toEqual([]);
  },
);
