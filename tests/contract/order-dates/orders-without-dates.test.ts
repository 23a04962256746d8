/** The orders after those that a postponement has dated: lists show the days on which they come. */
import { expect, test } from '@jest/globals';
import { listCyclesBetween } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS } from '../../../sandbox/platform/state/instant.ts';
import { createPostponementWorld, ID, postpone } from '../postponement/postponement-world.ts';

const ORDERS = `{ subscriptionContractDetails(contractId: "${ID}") { contract { nextOrder { date } }
  billingCycles(first: 40) { nodes { cycleIndex orderDate skipped } } } }`;
type Row = { readonly cycleIndex: number; readonly orderDate: string | null; readonly skipped: boolean };

async function read({ send }: ReturnType<typeof createPostponementWorld>) {
  const { payload } = await send('customer', ORDERS);
  return { next: payload.contract.nextOrder.date as string, rows: payload.billingCycles.nodes as Row[] };
}

/** A contract whose next order was postponed by so many days. */
async function createPostponedWorld(interval: 'WEEK' | 'MONTH', intervalCount: number, days = 2) {
  const world = createPostponementWorld();
  const policy = { interval, intervalCount, anchors: [] };
  const { content, schedule } = world.contract;
  world.contract.schedule = schedule.map((one) => ({ ...one, policy }));
  content.billingPolicy = { ...content.billingPolicy, ...policy };
  content.deliveryPolicy = { ...content.deliveryPolicy, ...policy };
  const before = listCyclesBetween(world.contract, 1, 30).filter(({ endMs }) => endMs < world.now());
  world.contract.billedCycles = before.map(({ index }) => index);
  const { next } = await read(world);
  const to = new Date(Date.parse(next) + days * DAY_MS).toISOString().slice(0, 10);
  expect((await world.send('customer', postpone(next, to))).payload.userErrors).toEqual([]);
  return { ...world, read: () => read(world) };
}

const skip = (index: number, value: boolean, date: string) =>
  `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: ${index}, skip: ${value}, expectedDate: "${date}") {
    event { message } userErrors { code } } }`;

const daysApart = (rows: readonly Row[]) => {
  const dates = rows.flatMap(({ orderDate }) => (orderDate === null ? [] : [Date.parse(orderDate)]));
  return dates.slice(1).map((ms, order) => Math.round((ms - (dates[order] ?? 0)) / DAY_MS));
};

test('a weekly list shows all orders of the year a week apart, and they come on these days', async () => {
  const world = await createPostponedWorld('WEEK', 1);
  const { rows } = await world.read();
  expect(new Set(daysApart(rows))).toEqual(new Set([7]));
  for (const [week, { cycleIndex, orderDate }] of rows.filter((row) => row.orderDate).entries()) {
    if (week > 30) break;
    world.later(Date.parse(orderDate ?? '') - world.now() - DAY_MS);
    expect((await world.read()).next).toBe(orderDate);
    world.contract.billedCycles = [...(world.contract.billedCycles ?? []), cycleIndex];
    world.later(2 * DAY_MS);
    await world.runWork();
  }
});

test('a list of orders every three months shows none on its day before the postponement', async () => {
  const { rows } = await (await createPostponedWorld('MONTH', 3, 20)).read();
  expect(rows.map(({ orderDate }) => orderDate?.slice(0, 10))).toEqual([
    ...[undefined, '2027-03-01', '2027-06-01', '2027-09-01', '2027-12-01'],
  ]);
});

test('an order without a date is skipped and restored by the day on which it is shown', async () => {
  const world = await createPostponedWorld('WEEK', 1);
  const { rows } = await world.read();
  const row = rows[20];
  expect(daysApart(rows.slice(0, 21)).every((days) => days === 7)).toBe(true);
  const date = row?.orderDate ?? '';
  const index = row?.cycleIndex ?? 0;
  const visibleRow = async () => (await world.read()).rows.find(({ cycleIndex }) => cycleIndex === index);
  const day = new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  const skipped = (await world.send('customer', skip(index, true, date))).payload;
  expect(skipped).toEqual({ event: { message: `You skipped the order for ${day}.` }, userErrors: [] });
  expect(await visibleRow()).toEqual({ ...row, skipped: true });
  const restored = (await world.send('customer', skip(index, false, date))).payload;
  expect(restored).toEqual({ event: { message: `You restored the order for ${day}.` }, userErrors: [] });
  expect(await visibleRow()).toEqual(row);
});

test('an order without a date is moved from the day on which it is shown', async () => {
  const world = await createPostponedWorld('WEEK', 1);
  const { cycleIndex, orderDate } = (await world.read()).rows[20] ?? {};
  const [from, to] = [0, 1].map((days) => new Date(Date.parse(orderDate ?? '') + days * DAY_MS));
  const longDay = (date?: Date) => date?.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  const { payload } = await world.send(
    'customer',
    `mutation { subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: ${cycleIndex}, billingDate: "${to?.toISOString()}") {
      event { message } userErrors { code } } }`,
  );
  const message = `You moved the order for ${longDay(from)} to ${longDay(to)}.`;
  expect(payload).toEqual({ event: { message }, userErrors: [] });
});
