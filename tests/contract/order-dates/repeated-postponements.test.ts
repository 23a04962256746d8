/** A customer who postpones for ever: what the service stores for that, and what a postponement never reaches or avoids. */
import { expect, test } from '@jest/globals';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { createPostponementWorld, FIRST, ID, postpone, REVERT } from '../postponement/postponement-world.ts';

type World = ReturnType<typeof createPostponementWorld>;
type UpcomingOrder = { readonly date: string; readonly skipped: boolean };

const CANCEL = `mutation { subscriptionContractCancel(subscriptionContractId: "${ID}") { userErrors { code details { limit actual } } } }`;
const dayAfter = (date: string, days: number) =>
  formatIsoInstant(Date.parse(date) + days * DAY_MS).slice(0, 10);

/** Postpones the next order by so many days each time, until that is refused. */
async function postponeForEver(world: World, days: number) {
  let date = FIRST;
  for (let count = 0; count < 400; count += 1) {
    const { payload } = await world.send('customer', postpone(date, dayAfter(date, days)));
    // The customer's share of points is full again.
    world.later(60_000);
    const [error] = payload.userErrors;
    if (error !== undefined) return { code: error.code, date, count };
    date = payload.contract.nextOrder.date;
  }
  throw new Error('never refused');
}

test.each([7, 28])(
  'an order that is postponed by %i days again and again stays within a year, in a small record',
  async (days) => {
    const world = createPostponementWorld();
    const daysToLast = 365 - (Date.parse(FIRST) - world.now()) / DAY_MS;
    const { code, date, count } = await postponeForEver(world, days);
    expect([code, count]).toEqual(['DATE_TOO_FAR', Math.floor(daysToLast / days)]);
    expect(Date.parse(date)).toBeLessThan(world.now() + 365 * DAY_MS);
    const { items } = await world.table.scan({ filter: 'attribute_exists(pk)' });
    const [record] = items.filter(({ sk }) => sk === 'POSTPONEMENT');
    expect(JSON.stringify(record).length).toBeLessThan(10_000);
    for (let times = 0; times < 4; times += 1)
      expect((await world.send('customer', REVERT)).payload.userErrors).toEqual([]);
    expect((await world.send('customer', REVERT)).payload.userErrors).toMatchObject([
      { code: 'NOTHING_TO_REVERT' },
    ]);
  },
);

/** Postpones the orders of half a year by a whole interval each, a day before they come. */
async function postponeHalfAYear(world: World): Promise<void> {
  for (let month = 0; month < 6; month += 1) {
    const { payload } = await world.send(
      'customer',
      `{ subscriptionContractDetails(contractId: "${ID}") { contract { nextOrder { date } } } }`,
    );
    const { date } = payload.contract.nextOrder;
    world.at(`${dayAfter(date, -1)}T12:00:00Z`, []);
    const latest = (await world.send('customer', postpone(date, dayAfter(date, 40)))).payload.userErrors[0];
    const postponed = await world.send('customer', postpone(date, latest.details.latest.slice(0, 10)));
    expect(postponed.payload.userErrors).toEqual([]);
    const [first] = postponed.payload.upcomingOrders as UpcomingOrder[];
    expect(first).toMatchObject({ date: latest.details.latest, skipped: false });
  }
}

test('a minimum of orders is not reached by postponing, but by the orders that are paid', async () => {
  const world = createPostponementWorld();
  const made = world.contract.billedCycles.length + 1;
  world.contract.content.billingPolicy.minCycles = made + 1;
  await postponeHalfAYear(world);
  expect((await world.send('customer', CANCEL)).payload.userErrors).toEqual([
    { code: 'MINIMUM_NOT_REACHED', details: { limit: made + 1, actual: made } },
  ]);
  world.at('2027-06-10T12:00:00Z', [10]);
  expect((await world.send('customer', CANCEL)).payload.userErrors).toEqual([]);
});

test('a price step is neither reached nor avoided by postponing', async () => {
  const world = createPostponementWorld();
  const made = world.contract.billedCycles.length + 1;
  const prepaid = world.platform.store().sellingPlans.get(830_100_201);
  const [first, step] = prepaid?.pricingPolicies ?? [];
  if (first === undefined || step === undefined) throw new Error('the plan has no step');
  step.afterCycle = made + 1;
  const price = async () => {
    const { payload } = await world.send(
      'store',
      `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", sellingPlanId: "gid://platform/SellingPlan/830100201", dryRun: true) {
        preview { lines { price { amount } } } userErrors { code } } }`,
    );
    expect(payload.userErrors).toEqual([]);
    return payload.preview.lines.map((line: { price: { amount: string } }) => line.price.amount);
  };
  const before = await price();
  await postponeHalfAYear(world);
  world.at('2027-06-01T12:00:00Z', []);
  expect(await price()).toEqual(before);
  world.at('2027-06-01T12:00:00Z', [10]);
  expect(await price()).not.toEqual(before);
});

test.each([
  ['a resumption', 'subscriptionContractActivate(subscriptionContractId'],
  [
    'a date with the interval',
    'subscriptionContractIntervalUpdate(interval: { interval: MONTH, intervalCount: 1 }, contractId',
  ],
])('%s brings no second order in a cycle whose order was postponed', async (_which, mutation) => {
  const world = createPostponementWorld();
  world.at('2026-11-25T08:00:00Z', []);
  expect((await world.send('customer', postpone(FIRST, '2026-12-16'))).payload.userErrors).toEqual([]);
  const setDate = async (date: string) => {
    const query = `mutation { ${mutation}: "${ID}", nextBillingDate: "${date}") { userErrors { field code } } }`;
    return (await world.send('customer', query)).payload.userErrors;
  };
  const editsBefore = world.edits();
  expect(await setDate('2026-12-05')).toEqual([{ field: ['nextBillingDate'], code: 'ORDER_IS_POSTPONED' }]);
  expect(world.edits()).toEqual(editsBefore);
  expect(await setDate('2026-12-20')).toEqual([]);
});

test('a resumption with a date lists no order of a cycle whose order was postponed by a whole interval', async () => {
  const world = createPostponementWorld();
  world.at('2026-11-25T08:00:00Z', []);
  const change = async (mutation: string) => {
    const { payload } = await world.send('customer', mutation);
    expect(payload.userErrors).toEqual([]);
    return payload;
  };
  await change(
    `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 4) { userErrors { code } } }`,
  );
  await change(postpone('2027-01-09T10:00:00Z', '2027-02-09'));
  const { upcomingOrders } =
    await change(`mutation { subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: "2026-12-05") {
    upcomingOrders { cycleIndex skipped } userErrors { code } } }`);
  expect(upcomingOrders).toEqual([4, 6, 7].map((cycleIndex) => ({ cycleIndex, skipped: false })));
});
