/** Scripts of outcomes over time: what a client of the Admin API and the receiver of webhooks see. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CONTRACT, CONTRACT_ID, createChargeSteps, kindOf } from '../../charge-steps.ts';
import { harbor, type Json, startTestPlatform, type TestPlatform } from '../../running-platform.ts';

const DAY_SECONDS = 86_400;

let platform: TestPlatform;
const steps = createChargeSteps(() => platform);
const { ask, charge, chargeForCode, read, readCycle, set, tryCharge, wait, webhooks } = steps;

beforeAll(async () => {
  platform = await startTestPlatform();
});
beforeEach(() => steps.reset());
afterAll(() => platform.close());

const script = (...list: readonly object[]) => set('outcomes', { contractId: CONTRACT, steps: list });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const outcomes = async () => {
  const sent = await webhooks('subscription_billing_attempts/');
  return sent.map(({ topic, body }) => [topic, body.error_code]);
};

describe('a script over the charges of a subscription', () => {
  test('declines twice, then pays, and webhooks tell each outcome', async () => {
    await script({ answer: 'INSUFFICIENT_FUNDS', count: 2 });
    const codes = [await chargeForCode(), await chargeForCode(), await chargeForCode()];
    expect(codes).toEqual(['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS', undefined]);
    expect((await readCycle()).status).toBe('BILLED');
    expect(await outcomes()).toEqual([
      ['failure', 'insufficient_funds'],
      ['failure', 'insufficient_funds'],
      ['success', null],
    ]);
  });

  test('declines for good from the third charge on', async () => {
    await script({ answer: 'DO_NOT_HONOR', count: 2 }, { answer: 'FRAUD_SUSPECTED' });
    const codes = [];
    for (let times = 0; times < 4; times++) codes.push(await chargeForCode());
    expect(codes).toEqual(['DO_NOT_HONOR', 'DO_NOT_HONOR', 'FRAUD_SUSPECTED', 'FRAUD_SUSPECTED']);
  });

  test('names the variants without stock until a date, unless overselling is allowed', async () => {
    await script({ answer: 'INSUFFICIENT_INVENTORY', until: inSeconds(3 * DAY_SECONDS) });
    const id = await charge();
    const { lines } = await ask(
      `{ subscriptionContract(id: "${CONTRACT_ID}") { lines(first: 5) { nodes { variantId } } } }`,
    );
    const variants = { nodes: lines.nodes.map(({ variantId }: Json) => ({ id: variantId })) };
    expect((await read(id)).state.error).toEqual({
      __typename: 'SubscriptionBillingAttemptInventoryError',
      inventory: 'INSUFFICIENT_INVENTORY',
      insufficientStockProductVariants: variants,
    });
    const { processingError } =
      await ask(`{ subscriptionBillingAttempt(id: "${id}") { processingError { __typename code
      ... on SubscriptionBillingAttemptInsufficientStockProductVariantsError { insufficientStockProductVariants(first: 5) { nodes { id } } } } } }`);
    expect(processingError).toEqual({
      __typename: 'SubscriptionBillingAttemptInsufficientStockProductVariantsError',
      code: 'INSUFFICIENT_INVENTORY',
      insufficientStockProductVariants: variants,
    });
    await wait(3 * DAY_SECONDS - 60);
    expect(await chargeForCode()).toBe('INSUFFICIENT_INVENTORY');
    expect(kindOf(await read(await charge('over', 'inventoryPolicy: ALLOW_OVERSELLING')))).toBe('Success');
  });

  test('pays when the time of its step is over, and declines when it has come', async () => {
    const [from, until] = [inSeconds(3600), inSeconds(7200)];
    await script({ answer: 'CARD_DECLINED', until: from }, { answer: 'CALL_ISSUER', from, until });
    const codes = [await chargeForCode()];
    await wait(3600);
    codes.push(await chargeForCode());
    await wait(3600);
    codes.push(await chargeForCode());
    expect(codes).toEqual(['CARD_DECLINED', 'CALL_ISSUER', undefined]);
  });

  test('the subscription’s step counts before the card’s, and the card’s before the store’s', async () => {
    await set('outcomes', { steps: [{ answer: 'TRANSIENT_ERROR' }] });
    await set('outcomes', { customerId: 7001001, steps: [{ answer: 'EXPIRED_CARD', count: 1 }] });
    await script({ answer: 'RETRY_DECLINED', count: 1 });
    const codes = [await chargeForCode(), await chargeForCode(), await chargeForCode()];
    expect(codes).toEqual(['RETRY_DECLINED', 'EXPIRED_CARD', 'TRANSIENT_ERROR']);
    await set('outcomes', { steps: [] });
    expect(await chargeForCode()).toBeUndefined();
  });

  test('a new card has no script', async () => {
    await set('outcomes', { customerId: 7001001, steps: [{ answer: 'EXPIRED_CARD' }] });
    expect(await chargeForCode()).toBe('EXPIRED_CARD');
    const { customerPaymentMethod } = await ask(
      `{ subscriptionContract(id: "${CONTRACT_ID}") { customerPaymentMethod { id } } }`,
    );
    await ask(
      `mutation { customerPaymentMethodCreditCardUpdate(id: "${customerPaymentMethod.id}", sessionId: "card-visa-1881-09-2041", billingAddress: { city: "Portland", countryCode: US }) { userErrors { message } } }`,
    );
    expect(await chargeForCode()).toBeUndefined();
  });

  test('keeps its counts across a charge that is repeated with its key', async () => {
    await script({ answer: 'CALL_ISSUER', count: 1 });
    const id = await charge('once');
    expect(await charge('once')).toBe(id);
    expect(await chargeForCode()).toBeUndefined();
  });
});

test('a code of 2026-10 is unexpected to an earlier version if the store’s setting says so', async () => {
  await script({ answer: 'INCORRECT_CVC' });
  const id = await charge();
  expect((await read(id)).state.error.payment).toBe('INCORRECT_CVC');
  await set('settings', { laterCodes: 'unexpected' });
  const attempt = await read(id);
  expect([attempt.errorCode, attempt.state.error.__typename]).toEqual([
    'UNEXPECTED_ERROR',
    'SubscriptionBillingAttemptUnexpectedError',
  ]);
});

describe('an attempt that stays pending', () => {
  test('ends after five minutes, and its webhook is sent without a request', async () => {
    await script({ delaySeconds: 300, count: 1 }, { answer: 'CARD_DECLINED', delaySeconds: 60 });
    const id = await charge();
    await wait(290);
    expect([kindOf(await read(id)), await outcomes()]).toEqual(['Pending', []]);
    await wait(20);
    expect(await outcomes()).toEqual([['success', null]]);
    const { createdAt, completedAt } = await read(id);
    expect(Date.parse(completedAt) - Date.parse(createdAt)).toBe(300_000);
  });

  test.each([
    ['one', [[], ['INVALID']], 1],
    ['several', [[], []], 2],
  ])('lets the store’s setting decide about a second one: %s', async (openAttempts, errors, count) => {
    await set('settings', { openAttempts });
    await script({ delaySeconds: 300 });
    const payloads = [await tryCharge('a'), await tryCharge('b')];
    expect(payloads.map(({ userErrors }) => userErrors.map(({ code }: Json) => code))).toEqual(errors);
    await wait(301);
    const { status, billingAttempts } = await readCycle();
    expect([status, billingAttempts.nodes.length]).toEqual(['BILLED', count]);
    if (count === 2) expect(billingAttempts.nodes[1].errorCode).toBe('INVOICE_ALREADY_PAID');
  });

  test('charges an order twice if the store’s setting says so', async () => {
    await set('settings', { openAttempts: 'several', paymentsPerOrder: 'several' });
    await script({ delaySeconds: 300 });
    for (const key of ['a', 'b']) await charge(key);
    await wait(301);
    expect(await outcomes()).toEqual([
      ['success', null],
      ['success', null],
    ]);
  });
});

describe('a refused request', () => {
  const cycleCharge = () =>
    ask(`mutation { subscriptionBillingCycleCharge(subscriptionContractId: "${CONTRACT_ID}", billingCycleSelector: { index: 7 }) {
      subscriptionBillingAttempt { id } userErrors { code } } }`);

  test.each(['THROTTLED', 'PROCESSING_FAILED', 'CONTRACT_UNDER_REVIEW'])(
    'makes no attempt and uses no key: %s',
    async (code) => {
      await script({ answer: code, count: 2 });
      const refused = await tryCharge('the-key');
      expect(refused).toEqual({
        subscriptionBillingAttempt: null,
        userErrors: [{ field: ['subscriptionContractId'], message: expect.any(String), code }],
      });
      expect(await cycleCharge()).toEqual({ subscriptionBillingAttempt: null, userErrors: [{ code }] });
      expect((await readCycle()).billingAttempts.nodes).toEqual([]);
      const id = await charge('the-key');
      expect(kindOf(await read(id))).toBe('Success');
      expect(await outcomes()).toEqual([['success', null]]);
    },
  );

  test.each([
    ['answered', []],
    ['refused', [{ code: 'THROTTLED' }]],
  ])('with a known key is answered as the store’s setting says: %s', async (refusedKeys, errors) => {
    await set('settings', { refusedKeys });
    const id = await charge('known');
    await script({ answer: 'THROTTLED', count: 1 });
    const repeated = await tryCharge('known');
    expect(repeated.userErrors).toMatchObject(errors);
    expect(await tryCharge('known')).toMatchObject({ subscriptionBillingAttempt: { id }, userErrors: [] });
    expect((await readCycle()).billingAttempts.nodes).toHaveLength(1);
  });

  test('ends with the time of its step', async () => {
    await script({ answer: 'CONTRACT_UNDER_REVIEW', until: inSeconds(DAY_SECONDS) });
    expect((await tryCharge('k')).userErrors).toMatchObject([{ code: 'CONTRACT_UNDER_REVIEW' }]);
    await wait(DAY_SECONDS + 1);
    expect((await tryCharge('k')).userErrors).toEqual([]);
  });

  test('leaves the order out of a bulk charge', async () => {
    await script({ answer: 'THROTTLED', count: 1 });
    const bulk = () =>
      ask(`mutation { subscriptionBillingCycleBulkCharge(billingAttemptExpectedDateRange: {
        startDate: "${inSeconds(-3 * DAY_SECONDS)}", endDate: "${inSeconds(0)}" }) { job { id } userErrors { code } } }`);
    expect((await bulk()).userErrors).toEqual([]);
    expect((await readCycle()).billingAttempts.nodes).toEqual([]);
    await bulk();
    expect((await readCycle()).billingAttempts.nodes).toHaveLength(1);
  });
});

test.each([
  [{ steps: {} }, '"steps" is a list'],
  [{ steps: [{ answer: 'NOPE' }] }, '"steps" at 0: "answer" is one of: PAYS'],
  [{ steps: [{}, { answers: [] }] }, '"steps" at 1: "answers" is not known'],
  [{ steps: [{ count: 0 }] }, '"count" is a whole number, not below 1'],
  [{ steps: [{ delaySeconds: -1 }] }, '"delaySeconds" is a whole number, not below 0'],
  [{ steps: [{ from: 'tomorrow' }] }, '"from" is an instant'],
  [{ steps: [], contractId: 1 }, '"contractId" is the number of a subscription'],
  [{ steps: [], customerId: 1 }, '"customerId" is the number of a customer'],
  [{ steps: [], contractId: CONTRACT, customerId: 7001001 }, 'Give "contractId", "customerId", or none'],
])('refuses a script with a mistake, and says which: %j', async (body, part) => {
  const { status, json } = await platform.control('POST', 'outcomes', { shop: harbor, ...body });
  expect([status, json.error]).toEqual([400, expect.stringContaining(part)]);
});
