/** A rehearsal sets the answers of a card: every code of the platform, 3-D Secure, sequences, no answer. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isEnumType } from 'graphql';
import { schema } from '../../../../../sandbox/platform/admin/endpoint/schema.ts';
import { CONTRACT, createChargeSteps, kindOf } from '../../charge-steps.ts';
import { harbor, type Json, startTestPlatform, type TestPlatform } from '../../running-platform.ts';

const CODES = namesOf('SubscriptionBillingAttemptErrorCode');

const CODES_OF_2026_10 = [
  'INCORRECT_CVC',
  'INCORRECT_PIN',
  'INVALID_AMOUNT',
  'INVALID_CVC',
  'INVALID_REQUEST',
];

let platform: TestPlatform;
const { charge, read, reset, webhooks } = createChargeSteps(() => platform);

beforeAll(async () => {
  platform = await startTestPlatform();
});
beforeEach(reset);
afterAll(() => platform.close());

function namesOf(name: string): string[] {
  const type = schema.getType(name);
  return isEnumType(type) ? type.getValues().map((value) => value.name) : [];
}

function answers(...given: readonly string[]) {
  return platform.control('POST', 'card', { shop: harbor, contractId: CONTRACT, answers: given });
}

test('a card declines with each code of the platform, in the kind of error that has the code', async () => {
  expect(CODES.length).toBeGreaterThan(50);
  expect(CODES).toEqual(expect.arrayContaining(CODES_OF_2026_10));
  await answers(...CODES);
  for (const code of CODES) {
    const attempt = await read(await charge());
    const kind = ['General', 'Inventory', 'Payment'].find((one) =>
      namesOf(`SubscriptionBillingAttempt${one}ErrorCode`).includes(code),
    );
    const { __typename, ...error } = attempt.state.error;
    expect([code, attempt.errorCode, __typename]).toEqual([
      ...[code, code, `SubscriptionBillingAttempt${kind ?? 'Unexpected'}Error`],
    ]);
    expect(error).toMatchObject(
      kind === undefined ? { message: expect.any(String) } : { [kind.toLowerCase()]: code },
    );
  }
  const failures = await webhooks('subscription_billing_attempts/failure');
  expect(failures.map(({ body }) => body.error_code)).toEqual(CODES.map((code) => code.toLowerCase()));
});

test('a card declines twice, then pays', async () => {
  await answers('INSUFFICIENT_FUNDS', 'DO_NOT_HONOR', 'PAYS');
  expect((await read(await charge())).errorCode).toBe('INSUFFICIENT_FUNDS');
  expect((await read(await charge())).errorCode).toBe('DO_NOT_HONOR');
  const paid = await read(await charge());
  expect([kindOf(paid), paid.state.order.name]).toEqual(['Success', expect.stringMatching(/^#/)]);
});

test('a charge stays pending until the card answers otherwise', async () => {
  await answers('PENDING');
  const id = await charge();
  expect(kindOf(await read(id))).toBe('Pending');
  await platform.control('POST', 'clock', { advance: 3 * 86_400 });
  expect(kindOf(await read(id))).toBe('Pending');
  await answers('EXPIRED_CARD');
  const ended = await read(id);
  expect(ended.errorCode).toBe('EXPIRED_CARD');
  const hours = (Date.parse(ended.completedAt) - Date.parse(ended.createdAt)) / 3_600_000;
  expect(hours).toBeCloseTo(72, 0);
});

describe('3-D Secure', () => {
  const press = async (id: string, answer: string) => {
    const { state } = await read(id);
    expect(state.action.status).toBe('OFF_SESSION_REJECTED');
    const url = state.action.nextActionUrl;
    const page = await (await fetch(url)).text();
    expect(page).toContain('Harbor Coffee');
    expect(page).toContain(`value="${answer}"`);
    const done = await fetch(url, { method: 'POST', body: new URLSearchParams({ answer }) });
    return { status: done.status, again: (await fetch(url)).status };
  };

  test('the customer confirms the payment at the link, days later, and it is paid then', async () => {
    await answers('ACTION_REQUIRED', 'PAYS');
    const id = await charge();
    await platform.control('POST', 'clock', { advance: 2 * 86_400 });
    expect(kindOf(await read(id))).toBe('ActionRequired');
    expect(await press(id, 'confirm')).toEqual({ status: 200, again: 410 });
    const paid = await read(id);
    expect(kindOf(paid)).toBe('Success');
    expect(Date.parse(paid.completedAt) - Date.parse(paid.createdAt)).toBeGreaterThanOrEqual(2 * 86_400_000);
  });

  test('the customer refuses it, and the next attempt takes the next answer', async () => {
    await answers('ACTION_REQUIRED', 'PAYS');
    const id = await charge();
    expect(await press(id, 'refuse')).toEqual({ status: 200, again: 410 });
    expect((await read(id)).errorCode).toBe('AUTHENTICATION_FAILED');
    expect(kindOf(await read(await charge()))).toBe('Success');
  });

  test('the attempt ends when no one opens the link', async () => {
    await answers('ACTION_REQUIRED');
    const id = await charge();
    expect(kindOf(await read(id))).toBe('ActionRequired');
    await answers('EXPIRED_BUYER_ACTION');
    expect((await read(id)).errorCode).toBe('EXPIRED_BUYER_ACTION');
  });

  test('an unknown link and an unknown answer change nothing', async () => {
    await answers('ACTION_REQUIRED');
    const id = await charge();
    const { nextActionUrl } = (await read(id)).state.action;
    expect((await fetch(`${nextActionUrl}0`)).status).toBe(410);
    expect((await fetch(nextActionUrl, { method: 'POST', body: 'answer=maybe' })).status).toBe(400);
    expect((await fetch(nextActionUrl, { method: 'PUT' })).status).toBe(405);
    expect(kindOf(await read(id))).toBe('ActionRequired');
  });
});

describe('refuses an unknown answer with the list of all answers', () => {
  test.each([
    [{ answers: ['NO_SUCH_CODE'] }, 'NO_SUCH_CODE'],
    [{ answers: ['insufficient_funds'] }, 'insufficient_funds'],
    [{ answers: ['PAYS', 7] }, '7'],
  ])('%j', async (body, wrong) => {
    const { status, json } = await platform.control('POST', 'card', {
      shop: harbor,
      contractId: CONTRACT,
      ...body,
    });
    expect(status).toBe(400);
    expect(json.error).toContain(`not ${wrong}`);
    for (const taken of ['PAYS', 'ACTION_REQUIRED', 'PENDING', ...CODES]) expect(json.error).toContain(taken);
  });

  test.each([
    [{ answers: [] }, '"answers" is a list'],
    [{}, '"answers" is a list'],
    [{ answers: 'PAYS' }, '"answers" is a list'],
    [{ answers: ['PAYS'], shop: 'nobody' }, '"shop" is one of'],
    [{ answers: ['PAYS'], contractId: 1 }, '"contractId" is the number of a subscription'],
    [{ answers: ['PAYS'], customerId: 7001001 }, 'Give one of'],
    [{ answers: ['PAYS'], contractId: undefined }, 'Give one of'],
    [{ answers: ['PAYS'], contractId: undefined, customerId: 1 }, '"customerId" is the number of a customer'],
    [{ answers: ['PAYS'], card: 1 }, '"card" is not known here'],
  ])('%j', async (change, part) => {
    const { status, json } = await platform.control('POST', 'card', {
      shop: harbor,
      contractId: CONTRACT,
      ...change,
    });
    expect([status, json.error]).toEqual([400, expect.stringContaining(part)]);
  });
});

test('an answer of a card is no change of the card and sends no webhook', async () => {
  const uri = 'http://127.0.0.1:9/webhooks';
  await platform.control('POST', 'app-webhooks', { shop: harbor, uri });
  await answers('CALL_ISSUER', 'PAYS');
  await charge();
  const { deliveries } = (await platform.control('GET', 'webhooks')).json;
  const topics = deliveries.map(({ topic }: Json) => topic);
  expect(topics).not.toContain('customer_payment_methods/update');
});

test('a customer’s cards are set together, and another customer’s are left as they are', async () => {
  await platform.control('POST', 'card', { shop: harbor, customerId: 7001001, answers: ['CALL_ISSUER'] });
  expect((await read(await charge())).errorCode).toBe('CALL_ISSUER');
  await platform.control('POST', 'card', { shop: harbor, customerId: 7001002, answers: ['PAYS'] });
  expect((await read(await charge())).errorCode).toBe('CALL_ISSUER');
});
