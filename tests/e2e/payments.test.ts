/**
 * Billing by the service, over a whole stack with its webhooks: what a merchant's server does with the client, and what a
 * customer sees and does on the phone page.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  type ActingClient,
  createMerchantClient,
  isServiceError,
  type MerchantClient,
  paymentState,
  retryPayment,
} from '../../clients/typescript/src/client.ts';
import { startTestStack, type TestStack } from '../stack.ts';
import { MANY_POINTS } from '../stack-control.ts';
import { expectAccessible } from './accessible.ts';
import { launchBrowser } from './browser.ts';
import { openSignedInPhone } from './web-app.ts';

const DEMO = join(import.meta.dirname, '../../sandbox/demo/demo.ts');
const WEEK_MS = 7 * 86_400_000;
const WEEKLY_PLAN = 830_100_101;
const COFFEE = 810_100_101;

let stack: TestStack;
let browser: Browser;
let merchant: MerchantClient;
/** The day of the orders, and of the run that charges them. */
let today: string;
let paid: Subscription;
let declined: Subscription;
let declinedEarly: Subscription;
let restored: Subscription;
let expired: Subscription;
let toConfirm: Subscription;
let withoutPayment: Subscription;

beforeAll(async () => {
  stack = await startTestStack({ webhooks: true, contracts: 0 });
  browser = await launchBrowser();
  await stack.control.throttle(stack.shop, MANY_POINTS);
  merchant = createMerchantClient({ serviceUrl: stack.baseUrl, adminKey: stack.adminKey });
  // Tomorrow morning in New York, after the night in which the service reads all contracts.
  today = new Date(Date.parse(await stack.control.now()) + WEEK_MS / 7).toISOString().slice(0, 10);
  await stack.control.clock({ now: `${today}T12:30:00Z` });
  await stack.control.clock({ advance: 120 });
  paid = await seedOrder('PAYS');
  declined = await seedOrder('INSUFFICIENT_FUNDS');
  declinedEarly = await seedOrder('INSUFFICIENT_FUNDS', { dueTime: '22:00' });
  restored = await seedOrder('PAYS', { dueTime: '22:00' });
  expired = await seedOrder('EXPIRED_CARD');
  toConfirm = await seedOrder('ACTION_REQUIRED');
  withoutPayment = await seedOrder('INVOICE_ALREADY_PAID');
  await merchant
    .forCustomer(`gid://platform/Customer/${restored.customerId}`)
    .subscriptions.skip({ contractId: restored.contractId, cycleIndex: 1 });
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

type Subscription = { readonly contractId: string; readonly customerId: number; readonly email: string };
let nextContract = 9_950_001;

/** Adds a customer with a weekly subscription whose order is due today, by default at noon, and the bank's answer to its charges. */
async function seedOrder(answer: string, { dueTime = '12:00' } = {}): Promise<Subscription> {
  const { shop } = stack;
  const [customer] = (await stack.control.seed({ customers: 1 })).customers;
  if (customer === undefined) throw new Error('no customer');
  const id = nextContract++;
  const createdMs = Date.parse(`${today}T${dueTime}:00Z`) - WEEK_MS;
  const subscription = { id, createdMs, customerId: customer.id, planId: WEEKLY_PLAN, lines: [[COFFEE, 1]] };
  await stack.control.seed({ subscriptions: [subscription] });
  await stack.control.card({ shop, contractId: id, answers: [answer] });
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

describe('billing by the service', () => {
  it('lets a merchant switch it on, confirm the first run, stop, resume, and see what became of each order', async () => {
    const { billing } = merchant;
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
    expect(isServiceError(second, 'confirmBilling') && second.code).toBe('RUN_NOT_ON_HOLD');
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

  it('shows a customer why a payment failed, tries again once an hour, and charges a new card at once', async () => {
    const page = await openPayment(expired);
    const problem = page.locator('main > .problem');
    await problem.getByRole('heading', { name: 'Your last payment did not go through' }).waitFor();
    await problem.getByText('the payment method or its billing address needs to be updated').waitFor();
    await problem.getByRole('button', { name: 'Email me a link to update this card' }).waitFor();
    await expectAccessible(page);
    const tryAgain = problem.getByRole('button', { name: 'Try again' });
    // Another device of the customer asks for a try, which this page does not know yet.
    const customer = merchant.forCustomer(`gid://platform/Customer/${expired.customerId}`);
    const { contractId } = expired;
    expect(await retryPayment(customer, { contractId })).toMatchObject({
      subscription: { id: contractId, payment: { status: 'RETRYING', canRetry: false } },
    });
    await tryAgain.focus();
    await page.keyboard.press('Enter');
    await problem.getByRole('alert').getByText('less than an hour ago').waitFor();
    await expectAccessible(page);
    const status = async () => (await paymentState(customer, { contractId })).payment?.status;
    await until(status, (value) => value === 'METHOD_NEEDED');
    await updateCard(customer);
    await until(status, (value) => value === 'PAID');
    await page.clock.fastForward('00:15');
    await problem.waitFor({ state: 'detached' });
    await page.reload();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('The subscription service charged the order').waitFor();
    expect(await problem.count()).toBe(0);
    await page.getByRole('link', { name: 'All subscriptions' }).click();
    await page.getByRole('list').getByRole('link').first().waitFor();
    expect(await page.getByText('Payment failed').count()).toBe(0);
  });

  it('shows a customer when a declined payment is tried next', async () => {
    const page = await openPayment(declined);
    const problem = page.locator('main > .problem');
    await problem.getByText(/it can be tried again later\. It is tried again on \w+ \d+, \d{4}\./).waitFor();
    await problem.getByRole('button', { name: 'Try again' }).click();
    await problem.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
    await problem.getByRole('button', { name: 'Choose another payment method' }).click();
    await page.getByRole('dialog', { name: 'Payment method' }).waitFor();
  });

  it('shows at a declined order that is due later today only when it is tried again', async () => {
    const page = await openPayment(declinedEarly);
    const nextTry = /It is tried again on \w+, \w+ \d+\./;
    const row = page
      .getByRole('region', { name: 'Next orders' })
      .getByRole('listitem')
      .filter({ hasText: nextTry });
    await row.waitFor();
    expect(await row.getByText('Not paid').count()).toBe(1);
    expect(await page.getByText('with its next run').count()).toBe(0);
  });

  it('leads a customer to the bank’s page, and shows the payment as paid after the confirmation', async () => {
    const customer = merchant.forCustomer(`gid://platform/Customer/${toConfirm.customerId}`);
    const payment = async () => (await paymentState(customer, toConfirm)).payment;
    const open = await until(payment, (value) => value?.status === 'CONFIRMATION_NEEDED');
    expect(open).toMatchObject({
      canRetry: false,
      confirmationUrl: expect.stringContaining(stack.platformUrl),
    });
    const page = await openPayment(toConfirm);
    const confirm = page.getByRole('button', { name: 'Confirm the payment' });
    await confirm.waitFor();
    await expectAccessible(page);
    const subscription = page.url();
    await confirm.click();
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('heading', { name: 'The payment is confirmed' }).waitFor();
    await until(payment, (value) => value?.status === 'PAID');
    await page.goto(subscription);
    await page.getByRole('region', { name: 'History' }).getByText('charged the order').first().waitFor();
    expect(await confirm.count()).toBe(0);
    const secret = open?.confirmationUrl?.split('/').at(-1) ?? 'none';
    expect(stack.rawLog()).not.toContain(secret);
  });

  it('shows an order that was restored after the run of its day, with the next run, until it is paid', async () => {
    const page = await openPayment(restored);
    const orders = page.getByRole('region', { name: 'Next orders' });
    await orders.getByRole('button', { name: /^Undo skip / }).click();
    await page.locator('.toast', { hasText: /^You restored / }).waitFor();
    await stack.control.clock({ now: `${today}T22:05:00Z` });
    await page.clock.setFixedTime(await stack.control.now());
    await page.reload();
    const row = orders.getByRole('listitem').filter({ hasText: /Not paid.*The store charges it on / });
    await row.waitFor();
    await expectAccessible(page);
    const tomorrow = new Date(Date.parse(`${today}T12:00:00Z`) + WEEK_MS / 7);
    const dayName = tomorrow.toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });
    await row.getByText(`The store charges it on ${dayName}, `).waitFor();
    await merchant.orders.charge({ contractId: restored.contractId, cycleIndex: 1 });
    await stack.control.clock({ advance: 360 });
    await page.clock.setFixedTime(await stack.control.now());
    await page.reload();
    await orders.locator('.next').waitFor();
    expect(await orders.getByText('Not paid').count()).toBe(0);
  });

  it('charges the orders of a day in the demo, which tells in plain words what became of each', async () => {
    const environment = { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' };
    const demo = promisify(execFile)(process.execPath, [DEMO, '--state', stack.stateFile], {
      env: environment,
    });
    const { stdout } = await demo.catch((error) => error);
    expect(stdout).toMatch(/← 4 orders would be charged, for [\d.]+ GBP together\./);
    expect(stdout).toMatch(/← Order 1, [\d.]+ GBP is paid\./);
    expect(stdout).toContain('← Order 2 is declined, because the card has expired.');
    expect(stdout).toContain('← Order 3 waits until the customer confirms it at the bank.');
    expect(stdout).toContain('← Order 4 is reported: ');
    expect(stdout).toContain('← The service has seen the new card, and the order is paid.');
    expect(stdout).toMatch(/All \d+ steps succeeded\./);
  });
});

/** Opens the subscription of a customer who is signed in, with a clock that a test may move: the page polls a payment. */
async function openPayment({ contractId, email }: Subscription): Promise<Page> {
  const page = await openSignedInPhone(browser, stack, email);
  await page.getByRole('heading', { name: 'Your subscriptions' }).waitFor();
  await page.clock.install();
  await page.evaluate(`location.hash = '#/subscriptions/${encodeURIComponent(contractId)}'`);
  await page.getByRole('heading', { name: 'History' }).waitFor();
  return page;
}

/** Enters another card, as the customer does on the platform's page behind the link of the e-mail. The card pays. */
async function updateCard({ account }: ActingClient): Promise<void> {
  const [method] = (await account.paymentMethods()).nodes;
  const address = {
    address1: '1 Main Street',
    city: 'Bangor',
    countryCode: 'US',
    provinceCode: 'ME',
    zip: '04401',
  };
  const { data } = await merchant.request(
    `mutation ($id: ID!, $sessionId: String!, $address: MailingAddressInput!) {
      change: customerPaymentMethodCreditCardUpdate(id: $id, sessionId: $sessionId, billingAddress: $address) { userErrors { message } } }`,
    { id: method?.id, sessionId: 'card-visa-1881-09-2031', address },
  );
  expect(data).toEqual({ change: { userErrors: [] } });
}
