/**
 * An order whose date has passed while its cycle runs: it fell into a pause, was declined, or was sent now. It is no longer
 * the next order, and the one after it can be changed.
 */
import { describe, expect } from '@jest/globals';
import { test } from '../world/contract-test.ts';
import { createPostponementWorld, FIRST, ID, postpone, sendNow } from './postponement-world.ts';

const POSTPONED = '2026-12-16T10:00:00Z';
const NEXT = '2027-01-16T10:00:00Z';
const ANSWER = 'contract { nextOrder { date isSkippable } } userErrors { code }';
const NEXT_ORDER = `{ subscriptionContractDetails(contractId: "${ID}") { contract { nextOrder { date isSkippable } } } }`;
const skip = (index: number) =>
  `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: ${index}) { userErrors { code } } }`;
const move = (index: number, day: string) =>
  `mutation { subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: ${index}, billingDate: "${day}") { userErrors { code } } }`;
const pause = (until: string) =>
  `mutation { subscriptionContractPause(subscriptionContractId: "${ID}", until: "${until}") { ${ANSWER} } }`;
const RESUME = `mutation { subscriptionContractActivate(subscriptionContractId: "${ID}") {
  contract { nextOrder { date isSkippable } } upcomingOrders { date skipped } userErrors { code } } }`;
const CHARGE = `mutation { subscriptionBillingCycleCharge(subscriptionContractId: "${ID}", billingCycleSelector: { index: 5 }) {
  subscriptionBillingAttempt { id } userErrors { code } } }`;
const PREVIEW = `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: MONTH, intervalCount: 1 }, dryRun: true) {
  preview { date } userErrors { code } } }`;

type Change = readonly [document: string, as?: 'store'];

async function createChangedWorld(changes: readonly Change[]) {
  const world = createPostponementWorld({ sendNow: 'MOVE' });
  const change = async (query: string, as: 'customer' | 'store' = 'customer') => {
    const { payload } = await world.send(as, query);
    expect(payload.userErrors).toEqual([]);
    return payload;
  };
  for (const [document, as] of changes) await change(document, as);
  return {
    ...world,
    change,
    nextOrder: async () => (await world.send('customer', NEXT_ORDER)).payload.contract.nextOrder,
    errorsOf: async (query: string) => (await world.send('customer', query)).payload.userErrors,
  };
}

/** Postpones the next order to a day in a pause that ends without the order. */
async function createResumedWorld(resumedAt: string) {
  const world = await createChangedWorld([[postpone(FIRST, '2026-12-16')]]);
  world.at('2026-12-12T12:00:00Z', []);
  const paused = await world.change(pause('2026-12-20'));
  expect(paused.contract.nextOrder.date).toBe(NEXT);
  world.at(resumedAt, []);
  return world;
}

describe('a postponed order that fell into a pause', () => {
  test('is not the next one after the pause', async () => {
    const world = await createResumedWorld('2026-12-28T12:00:00Z');
    await world.runWork();
    expect(await world.nextOrder()).toEqual({ date: NEXT, isSkippable: true });
    expect((await world.change(PREVIEW, 'store')).preview.date).toBe(NEXT);
    await world.change(skip(6));
    expect((await world.nextOrder()).date).toBe('2027-02-16T10:00:00Z');
  });

  test('is not in the answer to resuming', async () => {
    const world = await createResumedWorld('2026-12-19T12:00:00Z');
    const { contract, upcomingOrders } = await world.change(RESUME);
    expect(contract.nextOrder.date).toBe(NEXT);
    expect(upcomingOrders[0]).toEqual({ date: NEXT, skipped: false });
  });

  test('leaves the next one to be postponed', async () => {
    const world = await createResumedWorld('2026-12-28T12:00:00Z');
    await world.runWork();
    const { contract, upcomingOrders } = await world.change(postpone(NEXT, '2027-01-20'));
    expect(contract.nextOrder.date).toBe('2027-01-20T10:00:00Z');
    expect(upcomingOrders[0]).toMatchObject({ date: '2027-01-20T10:00:00Z' });
  });

  test('leaves the next one to be sent now, because no job charges the missed one', async () => {
    const world = await createResumedWorld('2026-12-21T12:00:00Z');
    await world.runWork();
    const { upcomingOrders } = await world.change(sendNow(NEXT));
    expect(upcomingOrders[0]).toMatchObject({ cycleIndex: 5, date: '2026-12-21T12:20:00Z' });
    expect(world.edits()).toMatchObject({ 5: '2026-12-21', 6: '-', 7: '2027-02-16' });
  });
});

test('an order that was moved into a pause is not the next one after it', async () => {
  const world = await createChangedWorld([[move(4, '2026-12-01')], [pause('2026-12-05')]]);
  world.at('2026-12-05T12:00:00Z', []);
  await world.runWork();
  expect(await world.nextOrder()).toEqual({ date: '2027-01-09T10:00:00Z', isSkippable: true });
});

test('a declined order of a postponed contract is not the next one, and none is sent beside it', async () => {
  const world = await createChangedWorld([[postpone(FIRST, '2026-12-16')]]);
  for (const { instrument } of world.platform.store().paymentMethods.values())
    instrument.declines = 'INSUFFICIENT_FUNDS';
  world.at('2026-12-16T12:00:00Z', []);
  await world.change(CHARGE, 'store');
  world.at('2026-12-28T12:00:00Z', []);
  expect(await world.nextOrder()).toEqual({ date: NEXT, isSkippable: true });
  expect(await world.errorsOf(sendNow(NEXT))).toMatchObject([
    { code: 'INCOMPLETE_BILLING_ATTEMPTS', details: { date: POSTPONED } },
  ]);
  await world.change(postpone(NEXT, '2027-01-20'));
});

describe('an order that is being paid', () => {
  const resumeOn = (date: string) =>
    `mutation { subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: "${date}") {
      userErrors { code details { cycleIndex } } } }`;

  test.each([
    ['for another time of its day', '2026-12-09T09:50:00Z'],
    ['for a date after the next order', '2027-01-05T10:00:00Z'],
  ])('is not left behind by a request %s, which changes nothing', async (_which, date) => {
    const world = await createChangedWorld([]);
    world.at('2026-12-09T09:40:00Z', []);
    world.platform.store().chargeDelaySeconds = 7 * 86_400;
    await world.change(CHARGE.replace('index: 5', 'index: 4'), 'store');
    const state = async () => [world.contract.content.nextBillingDate, world.edits(), await world.timeline()];
    const before = await state();
    expect(await world.errorsOf(resumeOn(date))).toMatchObject([
      { code: 'INCOMPLETE_BILLING_ATTEMPTS', details: { cycleIndex: 4 } },
    ]);
    expect(await state()).toEqual(before);
  });
});

test('the answer to sending an order has the days of skipped orders, and no order in the cycle that it left', async () => {
  const world = await createChangedWorld([[postpone(FIRST, '2026-12-16')]]);
  Object.assign(world.platform.store().unpublished, { skippedDates: 'dropped' });
  await world.change(skip(6));
  const { upcomingOrders } = await world.change(sendNow(POSTPONED));
  expect(upcomingOrders).toEqual([
    { cycleIndex: 4, date: '2026-11-21T12:05:00Z', skipped: false },
    { cycleIndex: 6, date: NEXT, skipped: true },
    { cycleIndex: 7, date: '2027-02-16T10:00:00Z', skipped: false },
    { cycleIndex: 8, date: '2027-03-16T10:00:00Z', skipped: false },
  ]);
});

test('a second tap on “send now” sends no second order, also after the date of the first', async () => {
  const world = await createChangedWorld([[sendNow(FIRST)]]);
  const before = world.edits();
  world.later(6 * 60_000);
  const { date } = await world.nextOrder();
  expect(date).toBe('2027-01-09T10:00:00Z');
  expect(await world.errorsOf(sendNow(date))).toMatchObject([{ code: 'INCOMPLETE_BILLING_ATTEMPTS' }]);
  expect(await world.errorsOf(sendNow(FIRST))).toMatchObject([{ code: 'CYCLE_DATE_MISMATCH' }]);
  expect(world.edits()).toEqual(before);
});

describe('a new interval', () => {
  const TWO_WEEKS = `mutation { subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: WEEK, intervalCount: 2 }) {
    droppedEdits { cycleIndex } userErrors { code message details { date } } } }`;

  test.each([
    ['was sent now', sendNow(FIRST), '2026-11-21T12:05:00Z'],
    ['was moved to an earlier day', move(4, '2026-11-22'), '2026-11-22T10:00:00Z'],
  ])('waits until an order that %s is paid', async (_how, document, date) => {
    const world = await createChangedWorld([[document]]);
    world.at('2026-11-22T12:00:00Z', []);
    const before = world.edits();
    const day = `November ${date.slice(8, 10)}, 2026`;
    expect(await world.errorsOf(TWO_WEEKS)).toMatchObject([
      {
        code: 'INCOMPLETE_BILLING_ATTEMPTS',
        message: `Your order for ${day} has not been paid yet. You can change the interval when that order is paid.`,
        details: { date },
      },
    ]);
    expect(world.edits()).toEqual(before);
    await world.change(CHARGE.replace('index: 5', 'index: 4'), 'store');
    world.at('2026-11-22T13:00:00Z', []);
    expect(await world.errorsOf(TWO_WEEKS)).toEqual([]);
  });

  test('does not wait for an order that fell into a pause', async () => {
    const world = await createResumedWorld('2026-12-21T12:00:00Z');
    await world.runWork();
    expect(await world.errorsOf(TWO_WEEKS)).toEqual([]);
  });
});

describe('an order that was sent now in place of a skipped one', () => {
  test('can be postponed inside its cycle only, and the answer names the one day that is left', async () => {
    const world = createPostponementWorld({ sendNow: 'MOVE' });
    world.at('2026-12-08T12:00:00Z', []);
    const send = (document: string) => world.send('customer', document);
    await send(skip(4));
    const { payload } = await send(sendNow('2027-01-09T10:00:00Z'));
    expect(payload.userErrors).toEqual([]);
    const refused = await send(postpone(payload.upcomingOrders[0].date, '2026-12-20'));
    const message = 'The only possible day is December 9, 2026. For a later day, pause the subscription.';
    expect(refused.payload.userErrors).toMatchObject([{ code: 'OUT_OF_BOUNDS', message }]);
  });
});
