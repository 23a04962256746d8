/** The log line of a request has the codes of its user errors, so that an operator sees why a change was refused. */
import { describe, expect, test } from '@jest/globals';
import { addUserErrorCodes } from '../../../graphql/endpoint/user-error-codes.ts';
import { createEndpoints, type Endpoint, type Endpoints } from '../../functions/hostile/endpoints.ts';

const CONTRACT = 'gid://platform/SubscriptionContract/9101001';
const ADA = 'gid://platform/Customer/7001001';
const ERRORS = '{ userErrors { message } }';
const SKIP = `subscriptionBillingCycleSkip(contractId: "${CONTRACT}", billingCycleIndex: 900, skip: true) ${ERRORS}`;
const MOVE = `subscriptionBillingCycleReschedule(contractId: "${CONTRACT}", billingCycleIndex: 8, billingDate: "2020-01-01T12:00:00Z") ${ERRORS}`;
const EMAIL = `customerUpdate(input: { id: "${ADA}", email: "Ada’s secret" }) ${ERRORS}`;
const ATTEMPT = `subscriptionBillingAttemptCreate(subscriptionContractId: "${CONTRACT}", subscriptionBillingAttemptInput: { idempotencyKey: "a", billingCycleSelector: { index: 900 } }) ${ERRORS}`;
const KEY = '@idempotent(key: "0b8f7c1e-5d0b-4a39-9a8e-2f0d4f1c2b3a")';

/** Sends the document to a new store, `times` times. Returns the last log line and response. */
async function ask(
  endpoint: Endpoint,
  query: string,
  { times = 1, endpoints = createEndpoints() }: { times?: number; endpoints?: Endpoints } = {},
) {
  let body = '';
  for (let left = times; left > 0; left -= 1) {
    const json = { 'content-type': 'application/json' };
    body = (await endpoints.ask(endpoint, json, JSON.stringify({ query }))).body ?? '';
  }
  return { line: endpoints.requestLines.at(-1) ?? {}, body };
}

describe('the log line of a request', () => {
  test.each<[Endpoint, codes: string, root: string]>([
    ['customer', 'CYCLE_NOT_FOUND', SKIP],
    ['customer', 'DATE_IN_PAST', MOVE],
    ['admin', 'CYCLE_NOT_FOUND', SKIP],
    ['admin', 'DATE_IN_PAST', MOVE],
    ['admin', 'NO_CODE', EMAIL],
    ['admin', 'UPCOMING_CYCLE_LIMIT_EXCEEDED', ATTEMPT],
  ])('at the %s endpoint has %s of a change that selects no code', async (endpoint, codes, root) => {
    const { line, body } = await ask(endpoint, `mutation { ${root} }`);
    expect(body).toMatch(/"userErrors":\[\{"message"/);
    expect(line).toMatchObject({ userErrors: codes, outcome: 'ok' });
    expect(line).not.toHaveProperty('errorCode');
  });

  test('has the codes of all roots of the document, each once', async () => {
    const { line } = await ask('admin', `mutation { a: ${SKIP} b: ${SKIP} c: ${MOVE} }`);
    expect(line.userErrors).toBe('CYCLE_NOT_FOUND DATE_IN_PAST');
  });

  test.each<Endpoint>(['customer', 'admin'])(
    'at the %s endpoint has the codes of a retry',
    async (endpoint) => {
      const { line } = await ask(endpoint, `mutation { ${SKIP.replace(ERRORS, `${KEY} ${ERRORS}`)} }`, {
        times: 2,
      });
      expect(line.userErrors).toBe('CYCLE_NOT_FOUND');
    },
  );

  test('has the refusal of a forwarded change that reaches a person too often', async () => {
    const endpoints = createEndpoints();
    const method = endpoints.world.contract(9_101_001).content.paymentMethodId;
    const id = `gid://platform/CustomerPaymentMethod/${method}`;
    const query = `mutation { customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: "${id}") ${ERRORS} }`;
    const { line } = await ask('customer', query, { times: 2, endpoints });
    expect(endpoints.requestLines[0]).not.toHaveProperty('userErrors');
    expect(line).toMatchObject({ userErrors: 'EMAIL_SENT_RECENTLY', outcome: 'ok' });
  });

  test('has no URL for the update of a payment method, and neither has any other line', async () => {
    const endpoints = createEndpoints();
    const { contract, platform } = endpoints.world;
    const method = platform.store().paymentMethods.get(contract(9_101_001).content.paymentMethodId ?? '');
    if (method?.instrument.__typename !== 'CustomerCreditCard') throw new Error('no card');
    const { brand: _brand, firstDigits: _digits, ...card } = method.instrument;
    method.instrument = { ...card, __typename: 'CustomerShopPayAgreement', inactive: false };
    const id = `gid://platform/CustomerPaymentMethod/${method.id}`;
    const query = `mutation { customerPaymentMethodStartUpdate(customerPaymentMethodId: "${id}") ${KEY} { updateUrl } }`;
    const { body } = await ask('customer', query, { endpoints });
    const { updateUrl } = JSON.parse(body).data.customerPaymentMethodStartUpdate;
    expect(updateUrl).toMatch(/^https:.*payment_methods/);
    expect(endpoints.logged.length).toBeGreaterThan(0);
    expect(endpoints.logged.join()).not.toContain('payment_methods');
  });

  test('has no message, no input and no id of a refused change', async () => {
    const { line, body } = await ask('admin', `mutation { ${EMAIL} }`);
    const [{ message }] = JSON.parse(body).data.customerUpdate.userErrors;
    for (const text of [message, 'secret', '7001001']) expect(JSON.stringify(line)).not.toContain(text);
  });

  test.each<Endpoint>(['customer', 'admin'])(
    'at the %s endpoint has no codes for a query or a successful change',
    async (endpoint) => {
      const read = `{ subscriptionContract(id: "${CONTRACT}") { id } }`;
      const pause = `mutation { subscriptionContractPause(subscriptionContractId: "${CONTRACT}") ${ERRORS} }`;
      for (const query of [read, pause]) {
        const { line } = await ask(endpoint, query);
        expect(line).toMatchObject({ outcome: 'ok' });
        expect(line).not.toHaveProperty('userErrors');
      }
    },
  );
});

describe('addUserErrorCodes', () => {
  test('lists ten codes, and shows that there were more', () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ code: `CODE_${index}` }));
    const once = addUserErrorCodes(undefined, many);
    expect(once.split(' ')).toHaveLength(11);
    expect(once.endsWith(' CODE_9 MORE')).toBe(true);
    expect(addUserErrorCodes(once, [{ code: 'LATE' }])).toBe(once);
  });

  test.each([
    [undefined, 'NO_CODE'],
    [null, 'NO_CODE'],
    ['A'.repeat(64), 'A'.repeat(64)],
    ['A'.repeat(65), 'OTHER'],
    ['Ada’s order', 'OTHER'],
    [{ id: 7 }, 'OTHER'],
  ])('writes the code %j as %s', (code, written) => {
    expect(addUserErrorCodes(undefined, [{ code }])).toBe(written);
  });
});
