/** 3-D Secure: the customer gets an e-mail, opens the page of its link, and confirms or refuses the payment, or not. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CONTRACT, createChargeSteps, kindOf } from '../charge-steps.ts';
import { type Json, startTestPlatform, type TestPlatform } from '../running-platform.ts';

const HOUR_SECONDS = 3600;

let platform: TestPlatform;
const steps = createChargeSteps(() => platform);
const { charge, read, readCycle, set, tryCharge, wait } = steps;

beforeAll(async () => {
  platform = await startTestPlatform();
});
beforeEach(async () => {
  await steps.reset();
  await set('card', { contractId: CONTRACT, answers: ['ACTION_REQUIRED'] });
});
afterAll(() => platform.close());

const actionOf = async (id: string) => (await read(id)).state.action;
const topics = async () => (await steps.webhooks('subscription_billing_attempts/')).map(({ topic }) => topic);
const press = (url: string, answer: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ answer }) });

/** Returns the links of the e-mails to the customer, the newest first, as the mailbox page has them. */
async function linksOfMails(): Promise<string[]> {
  const page = await (await fetch(`${platform.url}/_mailbox/list`)).text();
  const mails = page.split('<li>').filter((mail) => mail.includes('Confirm your payment for Harbor Coffee'));
  return mails.map((mail) => /To ada@example.com.*href="([^"]+\/_bank\/\d+)"/s.exec(mail)?.[1] ?? '');
}

test('the link of the e-mail lets the customer confirm the payment', async () => {
  const id = await charge();
  const { nextActionUrl, state } = await read(id);
  expect([nextActionUrl, await linksOfMails()]).toEqual([
    state.action.nextActionUrl,
    [state.action.nextActionUrl],
  ]);
  await wait(HOUR_SECONDS);
  expect(await linksOfMails()).toHaveLength(1);
  const [link = ''] = await linksOfMails();
  expect(await (await fetch(link)).text()).toContain('Harbor Coffee');
  expect((await press(link, 'confirm')).status).toBe(200);
  const paid = await read(id);
  expect([kindOf(paid), paid.nextActionUrl]).toEqual(['Success', null]);
});

test('the webhook `challenged` is sent when the customer opens the link, and not before', async () => {
  const id = await charge();
  const { nextActionUrl, status } = await actionOf(id);
  await wait(24 * HOUR_SECONDS);
  await platform.control('POST', 'webhooks', {});
  expect([status, await topics()]).toEqual(['OFF_SESSION_REJECTED', []]);
  for (let times = 0; times < 2; times++) await fetch(nextActionUrl);
  expect((await actionOf(id)).status).toBe('ON_SESSION_CHALLENGED');
  expect(await topics()).toEqual(['challenged']);
  await press(nextActionUrl, 'confirm');
  expect(await topics()).toEqual(['challenged', 'success']);
});

describe('a payment that is not confirmed in time', () => {
  beforeEach(() => set('settings', { confirmSeconds: HOUR_SECONDS }));

  test('expires, and its webhook is sent', async () => {
    const id = await charge();
    await wait(HOUR_SECONDS - 60);
    expect(kindOf(await read(id))).toBe('ActionRequired');
    await wait(120);
    expect(await topics()).toEqual(['failure']);
    const { errorCode, createdAt, completedAt } = await read(id);
    expect([errorCode, Date.parse(completedAt) - Date.parse(createdAt)]).toEqual([
      'EXPIRED_BUYER_ACTION',
      HOUR_SECONDS * 1000,
    ]);
  });

  test('expires when the customer has opened the page, too, which then says that it is over', async () => {
    const id = await charge();
    const { nextActionUrl } = await actionOf(id);
    await fetch(nextActionUrl);
    await wait(HOUR_SECONDS);
    expect((await press(nextActionUrl, 'confirm')).status).toBe(410);
    expect((await read(id)).errorCode).toBe('EXPIRED_BUYER_ACTION');
    expect(await topics()).toEqual(['challenged', 'failure']);
  });

  test('expires after the time of its script', async () => {
    await set('outcomes', {
      contractId: CONTRACT,
      steps: [{ answer: 'ACTION_REQUIRED', delaySeconds: 120, confirmSeconds: 600 }],
    });
    const id = await charge();
    await wait(2 * HOUR_SECONDS);
    const { errorCode, createdAt, completedAt } = await read(id);
    expect([errorCode, Date.parse(completedAt) - Date.parse(createdAt)]).toEqual([
      'EXPIRED_BUYER_ACTION',
      720_000,
    ]);
  });
});

describe('a second attempt while the first waits for the customer', () => {
  test('is refused if the store’s setting says so', async () => {
    await charge();
    expect((await tryCharge()).userErrors).toMatchObject([{ code: 'INVALID' }]);
  });

  test('is taken if the store’s setting says so, and one of both pays the order', async () => {
    await set('settings', { openAttempts: 'several' });
    const first = await charge();
    await read(first);
    await set('outcomes', { contractId: CONTRACT, steps: [{ answer: 'PAYS' }] });
    expect(kindOf(await read(await charge()))).toBe('Success');
    const { nextActionUrl } = await actionOf(first);
    await press(nextActionUrl, 'confirm');
    expect((await read(first)).errorCode).toBe('INVOICE_ALREADY_PAID');
    const { billingAttempts } = await readCycle();
    expect(billingAttempts.nodes.filter(({ errorCode }: Json) => errorCode === null)).toHaveLength(1);
  });
});
