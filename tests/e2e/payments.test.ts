/**
 * Billing by the service, over a whole stack with its webhooks: what a merchant's server does with the client, and what a
 * customer sees and does on the phone page.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createMerchantClient,
  isServiceError,
  type MerchantClient,
} from '../../clients/typescript/src/client.ts';
import { startTestStack, type TestStack } from '../stack.ts';
import { MANY_POINTS } from '../stack-control.ts';

const WEEK_MS = 7 * 86_400_000;
const WEEKLY_PLAN = 830_100_101;
const COFFEE = 810_100_101;

let stack: TestStack;
let merchant: MerchantClient;
/** The day of the orders, and of the run that charges them. */
let today: string;

beforeAll(async () => {
  stack = await startTestStack({ webhooks: true });
  await stack.control.throttle(stack.shop, MANY_POINTS);
  merchant = createMerchantClient({ serviceUrl: stack.baseUrl, adminKey: stack.adminKey });
  // Tomorrow morning in New York, after the night in which the service reads all contracts.
  today = new Date(Date.parse(await stack.control.now()) + WEEK_MS / 7).toISOString().slice(0, 10);
  await stack.control.clock({ now: `${today}T12:30:00Z` });
  await stack.control.clock({ advance: 120 });
});
afterAll(() => stack?.stop());

type Subscription = { readonly contractId: string; readonly customerId: number; readonly email: string };
let nextContract = 9_950_001;

/** Adds a customer with a weekly subscription whose order was due today at noon, and the bank's answers to its charges. */
async function seedOrder(...answers: string[]): Promise<Subscription> {
  const { shop } = stack;
  const [customer] = (await stack.control.seed({ customers: 1 })).customers;
  if (customer === undefined) throw new Error('no customer');
  const id = nextContract++;
  const createdMs = Date.parse(`${today}T12:00:00Z`) - WEEK_MS;
  const subscription = { id, createdMs, customerId: customer.id, planId: WEEKLY_PLAN, lines: [[COFFEE, 1]] };
  await stack.control.seed({ subscriptions: [subscription] });
  await stack.control.card({ shop, contractId: id, answers });
  return {
    contractId: `gid://platform/SubscriptionContract/${id}`,
    customerId: customer.id,
    email: customer.email,
  };
}

/** Moves the clock minute by minute, so that the workers act on what happened, until the value is as expected. */
async function until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (let minutes = 0; minutes < 40; minutes++) {
    const value = await read();
    if (isDone(value)) return value;
    await stack.control.clock({ advance: 60 });
  }
  throw new Error(`It stays ${JSON.stringify(await read())}.`);
}

test('a merchant’s server switches billing on, confirms the first run, stops and resumes, and learns what became of each order', async () => {
  const { billing } = merchant;
  const [paid, declined, withoutPayment] = [
    await seedOrder('PAYS'),
    await seedOrder('INSUFFICIENT_FUNDS'),
    await seedOrder('INVOICE_ALREADY_PAID'),
  ];
  expect(await billing.settings()).toMatchObject({ status: 'OFF', obstacles: [] });
  const { settings } = await billing.update({ enabled: true, startsOn: today, hour: 9 });
  expect(settings).toMatchObject({ status: 'ON', startsOn: today, hour: 9 });
  await stack.control.clock({ now: `${settings?.nextRunAt}` });
  const newestRun = async () => (await billing.runs({ first: 1 })).nodes[0];
  const runOnHold = await until(newestRun, (run) => run?.status === 'ON_HOLD');
  expect(runOnHold).toMatchObject({ date: today, holdReason: 'PREVIEW_MISSING', chargedCount: 0 });
  const id = runOnHold?.id ?? '';
  expect(await billing.stop()).toMatchObject({ settings: { status: 'STOPPED_BY_STORE' } });
  expect(await billing.resume()).toMatchObject({ settings: { status: 'ON' } });
  expect(await billing.confirm({ id })).toMatchObject({ run: { id, holdReason: null } });
  const second = await billing.confirm({ id }).catch((error) => error);
  expect(isServiceError(second, 'billingConfirm') && second.code).toBe('RUN_NOT_ON_HOLD');
  const listCharges = () => Array.fromAsync(billing.run.all({ id, first: 2 }));
  const charges = await until(
    listCharges,
    (all) => all.length > 0 && all.every(({ state }) => state !== 'DUE' && state !== 'WAITING'),
  );
  const chargeOf = ({ contractId }: Subscription) =>
    charges.find((charge) => charge.contractId === contractId);
  expect(chargeOf(paid)).toMatchObject({ state: 'CHARGED', reason: null, amount: { currencyCode: 'USD' } });
  expect(chargeOf(declined)).toMatchObject({
    state: 'RETRYING',
    lastErrorCode: 'INSUFFICIENT_FUNDS',
    tryCount: 1,
  });
  expect(chargeOf(withoutPayment)).toMatchObject({ state: 'REPORTED', reason: 'PAID_ELSEWHERE' });
  const reported = await Array.fromAsync(billing.run.all({ id, state: 'REPORTED' }));
  expect(reported.map(({ contractId }) => contractId)).toEqual([withoutPayment.contractId]);
  expect(await billing.run({ id })).toMatchObject({ id, date: today, foundCount: charges.length });
  const dunning = await Array.fromAsync(billing.charges.all());
  expect(dunning.map(({ contractId }) => contractId)).toContain(declined.contractId);
  await expect(billing.preview({ date: today })).rejects.toMatchObject({ code: 'ABSENT' });
});
