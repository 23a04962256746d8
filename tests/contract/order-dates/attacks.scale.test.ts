/**
 * What a customer can try with the dates of orders and with dry runs, over HTTP and each to its end: postponing for ever,
 * sending an order twice, dodging a price step or a minimum of orders, a flood of dry runs, and guessing codes.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isFullSize } from '../../full-size.ts';
import { createHands } from '../../operator/operator-hands.ts';
import { startTestStack, type TestStack } from '../../stack.ts';
import { MANY_POINTS } from '../../stack-control.ts';
import { again, askOnce, signIn } from '../world/service-client.ts';

const DAY_MS = 86_400_000;
const HOUSE_BLEND = 8_101_001;
const HOUSE_BLEND_250 = 810_100_101;
const GROUP = 8_309_001;
/** The plan's minimum of orders. The price steps after one order less. */
const MINIMUM = 4;

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
type Json = any;
type Query = { readonly query: string; readonly as?: 'customer' | 'store' };

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ contracts: 0 });
  const prices = [
    ['PERCENTAGE', 30],
    ['PERCENTAGE', 10, MINIMUM - 1],
  ] as const;
  const limits = { minCycles: MINIMUM, maxCycles: null };
  const plans = [
    { name: 'Every month', billing: ['MONTH', 1], prices, limits },
    { name: 'Every 2 months', billing: ['MONTH', 2], prices, limits },
  ];
  const group = { id: GROUP, name: 'Coffee club', productIds: [HOUSE_BLEND], plans };
  await stack.control.seed({ sellingPlanGroups: [group] });
  await createHands(stack).command(['store', 'update', stack.shop, '--send-now', 'MOVE']);
});
afterAll(() => stack?.stop());
beforeEach(() => stack.control.throttle(stack.shop, MANY_POINTS));

/** In `npm test`, these are not run over HTTP: the clock passes months. */
const longTest = isFullSize ? test : test.skip;
const nowMs = async () => Date.parse(await stack.control.now());
const storeDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
const dayOf = (ms: number) => storeDay.format(ms);
let nextContract = 9_960_001;

/** A customer of two monthly subscriptions, each with two paid orders and the next one in twelve days. */
async function createAttacker() {
  const [customer] = (await stack.control.seed({ customers: 1 })).customers;
  if (customer === undefined) throw new Error('no customer');
  const created = new Date((await nowMs()) + 12 * DAY_MS);
  created.setUTCMonth(created.getUTCMonth() - 3);
  const ids = [nextContract++, nextContract++] as const;
  const subscriptions = ids.map((id) => ({
    ...{ id, customerId: customer.id, planId: GROUP * 100 + 1, createdMs: created.getTime() },
    ...{ lines: [[HOUSE_BLEND_250, 1]], history: true },
  }));
  await stack.control.seed({ subscriptions });
  const [id, other] = ids.map((one) => `gid://platform/SubscriptionContract/${one}`);
  const signInAgain = async () => (await signIn(stack, customer.email)).accessToken;
  const bearers = [await signInAgain(), await signInAgain()];

  /** Sends a request with one of the customer's sign-ins, or with the store's key. */
  function send({ query, as = 'customer' }: Query, sender = 0) {
    const endpoint = as === 'store' ? 'admin' : 'customer';
    const bearer = as === 'store' ? stack.adminKey : (bearers[sender % bearers.length] ?? '');
    return again(() => askOnce(stack, endpoint, { bearer, query }), [503]);
  }
  async function ask(query: Query, sender = 0): Promise<Json> {
    const { status, body, text } = await send(query, sender);
    expect([status, text]).toEqual([200, expect.not.stringContaining('"errors"')]);
    return Object.values((body as Json).data)[0];
  }
  /** The orders from some days ago on that are not skipped, like those that the store's job lists. */
  const orders = async (): Promise<Json[]> => {
    const now = await nowMs();
    const [startDate, endDate] = [now - 4 * DAY_MS, now + 370 * DAY_MS].map((ms) =>
      new Date(ms).toISOString(),
    );
    const query = `{ subscriptionBillingCycles(contractId: "${id}", first: 30, billingCyclesDateRangeSelector: { startDate: "${startDate}", endDate: "${endDate}" }) {
      nodes { cycleIndex billingAttemptExpectedDate skipped status } } }`;
    const { nodes } = await ask({ query, as: 'store' });
    return nodes.filter(({ skipped }: Json) => !skipped);
  };
  const nextOrderDate = async (): Promise<string> =>
    (await ask({ query: `{ subscriptionContract(id: "${id}") { nextOrder { date } } }` })).nextOrder.date;

  return {
    ...{ id, other, send, ask, orders, nextOrderDate },
    /** Days and months later, the sign-ins have expired. */
    async moveClock(ms: number): Promise<void> {
      await stack.control.clock({ now: new Date(ms).toISOString() });
      bearers.fill(await signInAgain());
    },
    /** Charges all orders that are due, like the store's job. Returns how many were charged. */
    async runJob(): Promise<number> {
      const now = await nowMs();
      const isDue = ({ status, billingAttemptExpectedDate: date }: Json) =>
        status !== 'BILLED' && Date.parse(date) <= now;
      const due = (await orders()).filter(isDue);
      for (const { cycleIndex: index } of due) {
        const query = `mutation { subscriptionBillingCycleCharge(subscriptionContractId: "${id}", billingCycleSelector: { index: ${index} }) {
          userErrors { code } } }`;
        expect(await ask({ query, as: 'store' })).toEqual({ userErrors: [] });
      }
      await stack.control.clock({ advance: 120 });
      return due.length;
    },
    postpone: (date: string, to: string) =>
      ask({
        query: `mutation { subscriptionOrderPostpone(contractId: "${id}", expectedDate: "${date}", to: "${to}") {
          contract { nextOrder { date } } userErrors { code details { latest } } } }`,
      }),
    sendNow: (date: string, sender = 0) =>
      ask(
        {
          query: `mutation { subscriptionOrderSendNow(contractId: "${id}", expectedDate: "${date}") {
            contract { nextOrder { date } } userErrors { code details { earliest } } } }`,
        },
        sender,
      ),
  };
}
type Attacker = Awaited<ReturnType<typeof createAttacker>>;

/** Postpones the next order as far as possible, again and again until that is refused. */
async function postponeAsFarAsPossible({ postpone, nextOrderDate }: Attacker): Promise<string> {
  for (let date = await nextOrderDate(), count = 0; count < 40; count += 1) {
    const beyond = await postpone(date, dayOf(Date.parse(date) + 40 * DAY_MS));
    const [{ code, details }] = beyond.userErrors;
    if (code === 'DATE_TOO_FAR') return date;
    expect(code).toBe('OUT_OF_BOUNDS');
    const { contract, userErrors } = await postpone(date, dayOf(Date.parse(details.latest)));
    expect(userErrors).toEqual([]);
    date = contract.nextOrder.date;
  }
  throw new Error('never refused');
}

longTest(
  'an order that is postponed again and again comes within a year, is charged once, and none comes before it',
  async () => {
    const attacker = await createAttacker();
    const date = await postponeAsFarAsPossible(attacker);
    const startedMs = await nowMs();
    expect(Date.parse(date)).toBeGreaterThan(startedMs + 300 * DAY_MS);
    expect(Date.parse(date)).toBeLessThan(startedMs + 365 * DAY_MS);
    const [first] = await attacker.orders();
    expect(first.billingAttemptExpectedDate).toBe(date);
    for (const ms of [startedMs + 100 * DAY_MS, Date.parse(date) - 3_600_000]) {
      await attacker.moveClock(ms);
      expect(await attacker.runJob()).toBe(0);
    }
    await attacker.moveClock(Date.parse(date) + 3_600_000);
    expect([await attacker.runJob(), await attacker.runJob()]).toEqual([1, 0]);
  },
);

test('an order that is sent now is charged once, however often, from wherever and by whatever date it is sent', async () => {
  const attacker = await createAttacker();
  const date = await attacker.nextOrderDate();
  const answers = await Promise.all([0, 1, 0, 1, 0, 1].map((sender) => attacker.sendNow(date, sender)));
  const codes = answers.map(({ userErrors }) => userErrors[0]?.code);
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  for (const code of codes.filter(Boolean))
    expect(['CYCLE_DATE_MISMATCH', 'CONCURRENT_UPDATE']).toContain(code);
  const sentDate = await attacker.nextOrderDate();
  const before = await attacker.orders();
  expect((await attacker.sendNow(sentDate)).userErrors).toEqual([]);
  expect((await attacker.sendNow(date)).userErrors).toMatchObject([{ code: 'CYCLE_DATE_MISMATCH' }]);
  expect(await attacker.orders()).toEqual(before);
  await stack.control.clock({ advance: 6 * 60 });
  const following = await attacker.nextOrderDate();
  expect((await attacker.sendNow(following)).userErrors).toMatchObject([
    { code: 'INCOMPLETE_BILLING_ATTEMPTS' },
  ]);
  expect([await attacker.runJob(), await attacker.runJob()]).toEqual([1, 0]);
  const [{ code, details }] = (await attacker.sendNow(following)).userErrors;
  expect([code, Date.parse(details.earliest) > (await nowMs())]).toEqual(['OUT_OF_BOUNDS', true]);
  expect(await attacker.runJob()).toBe(0);
});

describe('a quarter of postponements', () => {
  async function postponeThreeMonths(attacker: Attacker): Promise<void> {
    for (let month = 0; month < 3; month += 1) {
      const date = await attacker.nextOrderDate();
      await attacker.moveClock(Date.parse(date) - DAY_MS);
      const beyond = await attacker.postpone(date, dayOf(Date.parse(date) + 40 * DAY_MS));
      const { latest } = beyond.userErrors[0].details;
      expect((await attacker.postpone(date, dayOf(Date.parse(latest)))).userErrors).toEqual([]);
      expect(await attacker.runJob()).toBe(0);
    }
  }
  async function payNextOrder(attacker: Attacker): Promise<void> {
    await attacker.moveClock(Date.parse(await attacker.nextOrderDate()) + 3_600_000);
    expect(await attacker.runJob()).toBe(1);
  }

  longTest(
    'leaves the minimum of orders and the step of the price where they are, until orders are paid',
    async () => {
      const attacker = await createAttacker();
      const { ask, id } = attacker;
      const cancel = () =>
        ask({
          query: `mutation { subscriptionContractCancel(subscriptionContractId: "${id}") { userErrors { code details { limit actual } } } }`,
        });
      /** The price of the next order under the plan's other interval. */
      const price = async () => {
        const { preview, userErrors } = await ask({
          query: `mutation { subscriptionContractIntervalUpdate(contractId: "${id}", sellingPlanId: "gid://platform/SellingPlan/${GROUP * 100 + 2}", dryRun: true) {
          preview { lines { price { amount } } } userErrors { code } } }`,
        });
        expect(userErrors).toEqual([]);
        return Number(preview.lines[0].price.amount);
      };
      const refused = (actual: number) => ({
        userErrors: [{ code: 'MINIMUM_NOT_REACHED', details: { limit: MINIMUM, actual } }],
      });
      expect([await cancel(), await price()]).toEqual([refused(2), 9.8]);
      await postponeThreeMonths(attacker);
      await attacker.moveClock(Date.parse(await attacker.nextOrderDate()) - 5 * DAY_MS);
      expect([await cancel(), await price()]).toEqual([refused(2), 9.8]);
      await payNextOrder(attacker);
      expect([await cancel(), await price()]).toEqual([refused(3), 12.6]);
      await payNextOrder(attacker);
      expect(await cancel()).toEqual({ userErrors: [] });
    },
  );
});

describe('dry runs', () => {
  test.each([
    ['the customer’s share of points', { maximumAvailable: 2000, restoreRate: 100 }],
    ['the limit of an hour', { maximumAvailable: 200_000, restoreRate: 2000 }],
  ])('a flood of them ends at %s, and nothing else waits for it', async (_limit, points) => {
    const [attacker, other] = [await createAttacker(), await createAttacker()];
    await stack.control.throttle(stack.shop, points);
    const change = (plan: number, dryRun: boolean) => ({
      query: `mutation { subscriptionContractIntervalUpdate(contractId: "${attacker.id}", sellingPlanId: "gid://platform/SellingPlan/${GROUP * 100 + plan}", dryRun: ${dryRun}) { userErrors { code } } }`,
    });
    const sent: number[] = [];
    const served: number[] = [];
    const flooding = [0, 1, 2, 3].map(async (sender) => {
      for (let count = 0; count < 10; count += 1)
        sent.push((await attacker.send(change(2, true), sender)).status);
    });
    const serving = (['customer', 'store'] as const).map(async (as) => {
      const query = `{ subscriptionContract(id: "${other.id}") { id nextOrder { date } } }`;
      while (sent.length < 40) served.push((await other.send({ query, as })).status);
    });
    await Promise.all([...flooding, ...serving]);
    expect(new Set(sent)).toEqual(new Set([200, 429]));
    expect(sent.filter((status) => status === 200).length).toBeLessThanOrEqual(30);
    expect(new Set(served)).toEqual(new Set([200]));
    await stack.control.clock({ advance: 60 });
    expect(await attacker.ask(change(2, false))).toEqual({ userErrors: [] });
    await stack.control.clock({ advance: 60 });
    const { status, headers } = await attacker.send(change(1, true));
    if (status === 429) await attacker.moveClock((await nowMs()) + Number(headers.get('retry-after')) * 1000);
    expect(await attacker.ask(change(1, true))).toEqual({ userErrors: [] });
  });

  test('ten wrong codes in an hour use up the tries of a customer, and then no answer tells a right code from a wrong one', async () => {
    const attacker = await createAttacker();
    const apply = (code: string, count: number) =>
      attacker.ask(
        {
          query: `mutation { subscriptionContractDiscountCodeApply(contractId: "${count % 2 ? attacker.id : attacker.other}", redeemCode: "${code}", dryRun: ${count % 3 > 0}) {
            preview { discountsTotal { amount } } userErrors { code message } } }`,
        },
        count,
      );
    const guesses = await Promise.all(
      Array.from({ length: 14 }, (_, count) => apply(`GUESS${count}`, count)),
    );
    const codes = guesses.map(({ userErrors }) => userErrors[0].code);
    expect(codes.filter((code) => code === 'DISCOUNT_REJECTED').length).toBeLessThanOrEqual(10);
    expect(new Set(codes)).toEqual(new Set(['DISCOUNT_REJECTED', 'INVALID']));
    const wrong = await apply('GUESS0', 1);
    for (const count of [1, 2, 3, 4]) expect(await apply('WELCOME10', count)).toEqual(wrong);
    expect(wrong).toMatchObject({ preview: null, userErrors: [{ code: 'INVALID' }] });
    await attacker.moveClock((await nowMs()) + 3_700_000);
    const { preview, userErrors } = await apply('WELCOME10', 1);
    expect([userErrors, Number(preview.discountsTotal.amount) > 0]).toEqual([[], true]);
  });
});
