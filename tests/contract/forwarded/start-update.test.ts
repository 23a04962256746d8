/** A customer starts the update of a payment method: by the platform's URL where it has one, else by its e-mail. */
import { describe, expect } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { test } from '../world/contract-test.ts';
import { type Acting, createOperationWorld, gid } from '../world/operation-world.ts';
import { WEEKLY } from './forwarded-calls.ts';

const START = 'customerPaymentMethodStartUpdate';
const EMAIL = 'customerPaymentMethodSendUpdateEmail';
const GET_URL = 'customerPaymentMethodGetUpdateUrl';
const READ = 'customerPaymentMethod';
const SELECTION = 'updateUrl emailSent userErrors { code field message }';
const BENS = 9_101_004;
const MINUTE_MS = 60_000;
const ACTING: readonly Acting[] = ['customer', 'store for a customer'];
const MAILED = { updateUrl: null, emailSent: true, userErrors: [] };
const recently = (minutes: string) => ({
  ...{ updateUrl: null, emailSent: false },
  userErrors: [
    {
      code: 'EMAIL_SENT_RECENTLY',
      field: ['customerPaymentMethodId'],
      message: `An email about this payment method was sent recently. Try again in ${minutes}.`,
    },
  ],
});

function createUpdateWorld() {
  const world = createOperationWorld();
  const { platform } = world;
  const table = createMemoryTable();
  const now = () => platform.holder.nowMs;
  const methodOf = (contract: number) => {
    const id = world.contract(contract).content.paymentMethodId ?? '';
    const found = platform.store().paymentMethods.get(id);
    if (found === undefined) throw new Error(`no payment method ${id}`);
    return found;
  };
  const own = methodOf(WEEKLY);
  return {
    ...world,
    table,
    own,
    methodOf,
    wait: (ms: number) => {
      platform.holder.nowMs += ms;
    },
    mails: () => platform.holder.state.mails.length,
    /** Makes the method one of Shop Pay, which has an update URL. */
    useShopPay() {
      const card = { expiryMonth: 9, expiryYear: 2031, lastDigits: '4242', name: 'Ada Brewer' };
      own.instrument = {
        ...{ __typename: 'CustomerShopPayAgreement', billingAddress: null, declines: null, inactive: false },
        ...card,
      };
    },
    start: (as: Acting, { id = own.id, name = START, selection = SELECTION } = {}) =>
      world.run({
        ...{ as, table, now },
        query: `mutation($id: ID!) { ${name}(customerPaymentMethodId: $id) { ${selection} } }`,
        variables: { id: gid('CustomerPaymentMethod', id) },
      }),
  };
}

describe.each(ACTING)('requested by a %s', (as) => {
  test('returns the URL of a Shop Pay method, and records and sends nothing', async () => {
    const world = createUpdateWorld();
    world.useShopPay();
    for (let again = 0; again < 2; again++) {
      const { payload, code, sent, recorded } = await world.start(as);
      expect(payload).toEqual({
        ...{ updateUrl: expect.stringMatching(/^https:/), emailSent: false, userErrors: [] },
      });
      expect([code, sent, recorded]).toEqual([undefined, [[READ], [GET_URL]], []]);
      world.wait(1);
    }
    expect(world.mails()).toBe(0);
  });

  test('sends the e-mail for a card, without a request for a URL, and records it', async () => {
    const world = createUpdateWorld();
    const { payload, sent, recorded } = await world.start(as);
    expect([payload, sent]).toEqual([MAILED, [[READ], [EMAIL]]]);
    expect(recorded).toContainEqual(
      expect.objectContaining({ action: 'payment_method_update_email_sent', outcome: 'done' }),
    );
    expect(world.mails()).toBe(1);
  });

  test.each([
    ['an unknown instrument', { code: 'INVALID_INSTRUMENT' }],
    ['too many requests', { code: 'TOO_MANY_REQUESTS' }],
  ])('sends the e-mail when the platform gives no URL: %s', async (_name, refusal) => {
    const world = createUpdateWorld();
    world.useShopPay();
    world.fail({ kind: 'refused', at: GET_URL, refusal: { field: null, message: 'No', ...refusal } });
    const { payload, sent } = await world.start(as);
    expect([payload, sent]).toEqual([MAILED, [[READ], [GET_URL], [EMAIL]]]);
    expect(world.mails()).toBe(1);
  });

  test('sends one e-mail in five minutes, together with the mutation that only sends it', async () => {
    const world = createUpdateWorld();
    const answers = await Promise.all(Array.from({ length: 6 }, () => world.start(as)));
    expect(answers.filter(({ payload }) => payload.emailSent)).toHaveLength(1);
    const only = { name: EMAIL, selection: 'userErrors { code field message }' };
    const { userErrors } = recently('5 minutes');
    expect((await world.start(as, only)).payload).toEqual({ userErrors });
    world.wait(4 * MINUTE_MS);
    expect((await world.start(as)).payload).toEqual(recently('1 minute'));
    world.wait(MINUTE_MS);
    expect((await world.start(as, only)).payload).toEqual({ userErrors: [] });
    expect((await world.start(as)).payload).toEqual(recently('5 minutes'));
    expect(world.mails()).toBe(2);
  });

  test.each([
    ['another customer’s', (world: ReturnType<typeof createUpdateWorld>) => world.methodOf(BENS).id],
    ['an absent', () => 'absent'],
  ])('is refused for %s method, with nothing sent', async (_name, idOf) => {
    const world = createUpdateWorld();
    const { code, sent, recorded } = await world.start(as, { id: idOf(world) });
    expect([code, sent, recorded]).toEqual(['FORBIDDEN', [[READ]], []]);
    expect(world.mails()).toBe(0);
  });

  test('is refused for a revoked method', async () => {
    const world = createUpdateWorld();
    Object.assign(world.own, { revokedAt: '2026-11-01T00:00:00Z', revokedReason: 'MANUALLY_REVOKED' });
    const { payload, sent } = await world.start(as);
    expect(payload).toMatchObject({ emailSent: false, userErrors: [{ code: 'INVALID' }] });
    expect(sent).toEqual([[READ]]);
  });

  test('sends no second e-mail after a lost response', async () => {
    const world = createUpdateWorld();
    world.fail({ kind: 'lost after', at: EMAIL });
    expect((await world.start(as)).code).toBe('OUTCOME_UNKNOWN');
    expect((await world.start(as)).payload).toEqual(recently('5 minutes'));
    expect(world.mails()).toBe(1);
  });

  test('can be requested again at once when the platform refused the e-mail', async () => {
    const world = createUpdateWorld();
    world.fail({ kind: 'refused', at: EMAIL, refusal: { field: null, message: 'Not now' } });
    expect((await world.start(as)).payload).toMatchObject({
      emailSent: false,
      userErrors: [{ field: null }],
    });
    expect((await world.start(as)).payload).toEqual(MAILED);
  });
});

test('needs a customer', async () => {
  const world = createUpdateWorld();
  const { code, sent } = await world.start('store');
  expect([code, sent]).toEqual(['CUSTOMER_REQUIRED', []]);
});

test('sends no e-mail while the table does not respond', async () => {
  const world = createUpdateWorld();
  world.table.put = () => Promise.reject(new ServiceError('TEMPORARILY_UNAVAILABLE'));
  expect((await world.start('customer')).code).toBe('TEMPORARILY_UNAVAILABLE');
  expect(world.mails()).toBe(0);
});
