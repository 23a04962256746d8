/** The platform revokes a payment method after too many declined payments in a row. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { CONTRACT, CONTRACT_ID, createChargeSteps } from './charge-steps.ts';
import { harbor, startTestPlatform, type TestPlatform } from './running-platform.ts';

const ADA = 'gid://shopify/Customer/7001001';

let platform: TestPlatform;
const steps = createChargeSteps(() => platform);
const { ask, chargeForCode, set } = steps;

beforeAll(async () => {
  platform = await startTestPlatform();
});
beforeEach(async () => {
  await steps.reset();
  await set('settings', { failuresUntilRevoked: 3 });
});
afterAll(() => platform.close());

const decline = (answer: string) => set('outcomes', { contractId: CONTRACT, steps: [{ answer }] });
const chargeTimes = async (times: number) => {
  const codes = [];
  for (let count = 0; count < times; count++) codes.push(await chargeForCode());
  return codes;
};
const readMethod = async () => {
  const { customerPaymentMethod } = await ask(
    `{ subscriptionContract(id: "${CONTRACT_ID}") { customerPaymentMethod(showRevoked: true) { id revokedAt revokedReason } } }`,
  );
  return customerPaymentMethod;
};

test('revokes it at the failure that is one too many, with a webhook; later charges do not find it', async () => {
  await decline('INSUFFICIENT_FUNDS');
  const { id } = await readMethod();
  await chargeTimes(2);
  expect((await readMethod()).revokedAt).toBeNull();
  await chargeTimes(1);
  expect(await readMethod()).toMatchObject({ id, revokedReason: 'TOO_MANY_CONSECUTIVE_FAILURES' });
  const sent = await steps.webhooks('customer_payment_methods/');
  expect(sent.map(({ topic, body }) => [topic, body.admin_graphql_api_id])).toEqual([['revoke', id]]);
  expect(await chargeTimes(2)).toEqual(['PAYMENT_METHOD_NOT_FOUND', 'PAYMENT_METHOD_NOT_FOUND']);
  expect(
    await ask(`{ subscriptionContract(id: "${CONTRACT_ID}") { customerPaymentMethod { id } } }`),
  ).toEqual({ customerPaymentMethod: null });
});

test('counts only failures in a row: a payment starts the count again', async () => {
  await set('outcomes', {
    contractId: CONTRACT,
    steps: [{ answer: 'DO_NOT_HONOR', count: 2 }, { answer: 'PAYS', count: 1 }, { answer: 'DO_NOT_HONOR' }],
  });
  await chargeTimes(3);
  await steps.wait(7 * 86_400);
  const next = (key: string) =>
    ask(`mutation { subscriptionBillingAttemptCreate(subscriptionContractId: "${CONTRACT_ID}",
      subscriptionBillingAttemptInput: { idempotencyKey: "${key}", billingCycleSelector: { index: 8 } }) { userErrors { code } } }`);
  for (const key of ['a', 'b']) expect(await next(key)).toEqual({ userErrors: [] });
  expect((await readMethod()).revokedAt).toBeNull();
  await next('c');
  expect((await readMethod()).revokedReason).toBe('TOO_MANY_CONSECUTIVE_FAILURES');
});

test.each(['INSUFFICIENT_INVENTORY', 'MERCHANT_ACCOUNT_ERROR', 'CUSTOMER_INVALID'])(
  'does not count a failure that is not the payment method’s: %s',
  async (code) => {
    await decline(code);
    expect(await chargeTimes(4)).toEqual([code, code, code, code]);
    expect((await readMethod()).revokedAt).toBeNull();
  },
);

test('does not count the failures of the card before', async () => {
  await decline('INSUFFICIENT_FUNDS');
  await chargeTimes(2);
  const { id } = await readMethod();
  await ask(
    `mutation { customerPaymentMethodCreditCardUpdate(id: "${id}", sessionId: "card-visa-1881-09-2041", billingAddress: { city: "Portland", countryCode: US }) { userErrors { message } } }`,
  );
  await chargeTimes(2);
  expect((await readMethod()).revokedAt).toBeNull();
});

test('a new payment method pays after the old one is revoked', async () => {
  await decline('INSUFFICIENT_FUNDS');
  await chargeTimes(3);
  const { customerPaymentMethod: added } = await ask(
    `mutation { customerPaymentMethodCreditCardCreate(customerId: "${ADA}", sessionId: "card-visa-1881-09-2041", billingAddress: { city: "Portland", countryCode: US }) { customerPaymentMethod { id } userErrors { message } } }`,
  );
  const { draft } = await ask(
    `mutation { subscriptionContractUpdate(contractId: "${CONTRACT_ID}") { draft { id } } }`,
  );
  await ask(
    `mutation { subscriptionDraftUpdate(draftId: "${draft.id}", input: { paymentMethodId: "${added.id}" }) { userErrors { message } } }`,
  );
  await ask(`mutation { subscriptionDraftCommit(draftId: "${draft.id}") { userErrors { message } } }`);
  await set('outcomes', { contractId: CONTRACT, steps: [] });
  expect(await chargeTimes(1)).toEqual([undefined]);
  expect(await readMethod()).toMatchObject({ id: added.id, revokedAt: null });
});

test('does not revoke a payment method without the setting', async () => {
  await set('settings', { failuresUntilRevoked: null });
  await decline('INSUFFICIENT_FUNDS');
  await chargeTimes(20);
  expect((await readMethod()).revokedAt).toBeNull();
});

test.each([0, 1.5, 'three'])(
  'refuses a number of failures that is none: %s',
  async (failuresUntilRevoked) => {
    const { status } = await platform.control('POST', 'settings', { shop: harbor, failuresUntilRevoked });
    expect(status).toBe(400);
  },
);
