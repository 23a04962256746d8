/** Forwarded mutations with an idempotency key: the payload of a retry is read again, for any kind of object. */
import { describe, expect } from '@jest/globals';
import { findFieldPolicy } from '../../../../graphql/schema/field-policy.ts';
import { getSchema } from '../../../../graphql/schema/schema.ts';
import type { CardRecord } from '../../../../sandbox/platform/state/customer-records.ts';
import { status } from '../../../contract/forwarded/forwarded-calls.ts';
import { test, testInOwnOrder } from '../../../contract/world/contract-test.ts';
import { FOREIGN } from '../../../contract/world/operation-cases.ts';
import { type Acting, gid } from '../../../contract/world/operation-world.ts';
import { createIdempotencyWorld, type IdempotencyWorld, type Request } from './idempotency-world.ts';

type Case = {
  readonly field: string;
  readonly args: string;
  readonly declared: string;
  readonly variables: (world: IdempotencyWorld) => Readonly<Record<string, unknown>>;
  readonly payload: string;
  readonly as?: Acting;
};

const CONTRACT = gid('SubscriptionContract', 9_101_001);
const [expire, args, declared, expired] = status('Expire', 9_101_001);

const cases: readonly Case[] = [
  {
    field: 'customerAddressCreate',
    args: 'customerId: $customer, address: { address1: "1 Main Street", city: "Bath", countryCode: GB, zip: "BA1" }',
    declared: '$customer: ID!',
    variables: () => ({ customer: gid('Customer', 7_001_001) }),
    payload: 'address { id city }',
    as: 'customer',
  },
  {
    field: 'customerAddressUpdate',
    args: 'customerId: $customer, addressId: $id, address: { city: "Bath" }',
    declared: '$customer: ID!, $id: ID!',
    variables: ({ platform }) => {
      const { id } = [...platform.store().addresses.values()].find(
        ({ customerId, model }) => customerId === 7_001_001 && model === 'CustomerAddress',
      ) ?? { id: 0 };
      return {
        customer: gid('Customer', 7_001_001),
        id: gid('MailingAddress', `${id}?model_name=CustomerAddress`),
      };
    },
    payload: 'address { id city }',
    as: 'customer',
  },
  {
    field: 'customerPaymentMethodSendUpdateEmail',
    args: 'customerPaymentMethodId: $id',
    declared: '$id: ID!',
    variables: ({ contract }) => ({
      id: gid('CustomerPaymentMethod', contract.content.paymentMethodId ?? ''),
    }),
    payload: 'customer { id firstName }',
    as: 'customer',
  },
  {
    field: 'subscriptionBillingCycleScheduleEdit',
    args: 'billingCycleInput: $cycle, input: { reason: MERCHANT_INITIATED, skip: true }',
    declared: '$cycle: SubscriptionBillingCycleInput!',
    variables: () => ({ cycle: { contractId: CONTRACT, selector: { index: 9 } } }),
    payload: 'billingCycle { cycleIndex skipped }',
  },
  {
    field: 'subscriptionBillingCycleBulkCharge',
    args: 'billingAttemptExpectedDateRange: $range',
    declared: '$range: SubscriptionBillingCyclesDateRangeSelector!',
    variables: () => ({ range: { startDate: '2026-11-01T00:00:00Z', endDate: '2026-11-02T00:00:00Z' } }),
    payload: 'job { id }',
  },
  { field: expire, args, declared, variables: () => expired, payload: 'contract { id status }' },
];

test.each(cases)('$field is sent once, and a repeat shows the same', async (one) => {
  const world = createIdempotencyWorld();
  const { asFunction } = world.process();
  const query = `mutation(${one.declared}) { ${one.field}(${one.args}) @idempotent(key: "k") { ${one.payload} userErrors { message } } }`;
  const variables = one.variables(world);
  const ask = () => world.run({ ...asFunction, as: one.as ?? 'store', query, variables, now: world.now });
  const first = await ask();
  expect([first.code, first.payload?.userErrors]).toEqual([undefined, []]);
  expect(first.documents.join('')).not.toContain('@idempotent');
  const again = await ask();
  expect(again.payload).toEqual(first.payload);
  expect(again.sent.flat()).not.toContain(one.field);
});

testInOwnOrder(
  'sends one e-mail for concurrent requests with one idempotency key, and the others retry',
  async () => {
    const world = createIdempotencyWorld();
    const { asFunction } = world.process();
    const method = gid('CustomerPaymentMethod', world.contract.content.paymentMethodId ?? '');
    const query = `mutation { customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: "${method}")
    @idempotent(key: "expired-card") { userErrors { message } } }`;
    const ask = () => world.run({ ...asFunction, as: 'customer', query, now: world.now });
    const answers = await Promise.all([ask(), ask(), ask()]);
    const codes = answers.flatMap(({ code }) => code ?? []);
    expect(codes).toEqual(['IDEMPOTENCY_CONCURRENT_REQUEST', 'IDEMPOTENCY_CONCURRENT_REQUEST']);
    const done = { userErrors: [] };
    expect(answers.filter(({ code }) => code === undefined).map(({ payload }) => payload)).toEqual([done]);
    expect((await ask()).payload).toEqual(done);
    expect(world.platform.holder.state.mails).toHaveLength(1);
  },
);

testInOwnOrder(
  'adds one address for concurrent requests with one idempotency key, and the others retry',
  async () => {
    const world = createIdempotencyWorld();
    const { asFunction } = world.process();
    const query = `mutation($city: String!) { customerAddressCreate(customerId: "${gid('Customer', 7_001_001)}",
    address: { address1: "1 Main Street", city: $city, countryCode: GB, zip: "BA1" }) @idempotent(key: "address") {
    address { id city } userErrors { message } } }`;
    const ask = (city = 'Bath') =>
      world.run({ ...asFunction, as: 'customer', query, variables: { city }, now: world.now });
    const answers = await Promise.all([ask(), ask(), ask()]);
    const [first, ...others] = answers.filter(({ code }) => code === undefined);
    expect([first?.payload.address.city, others]).toEqual(['Bath', []]);
    const codes = answers.flatMap(({ code }) => code ?? []);
    expect(codes).toEqual(['IDEMPOTENCY_CONCURRENT_REQUEST', 'IDEMPOTENCY_CONCURRENT_REQUEST']);
    expect((await ask()).payload).toEqual(first?.payload);
    expect((await ask('Bristol')).code).toBe('IDEMPOTENCY_KEY_PARAMETER_MISMATCH');
  },
);

test('the forwarded mutations of customers are these', () => {
  const all = Object.keys(getSchema('customer').getMutationType()?.getFields() ?? {});
  const forwarded = all.filter((name) => !findFieldPolicy('Mutation', name)?.isService);
  expect(forwarded).toEqual(cases.flatMap(({ as, field }) => (as === 'customer' ? [field] : [])));
});

test.each(cases.filter(({ as }) => as === 'customer'))(
  '$field: customers hear why it was refused in their language, and so does a repeat',
  async ({ field, args, declared, variables }) => {
    for (const key of ['', '@idempotent(key: "k")'])
      for (const [part, message] of [
        [['address', 'zip'], /^Der Shop hat die Postleitzahl nicht angenommen\. /],
        [null, /^Der Shop hat diese Änderung nicht angenommen\./],
      ] as const) {
        const world = createIdempotencyWorld();
        world.fail({ kind: 'refused', at: field, refusal: { field: part, message: FOREIGN } });
        const query = `mutation(${declared}) { ${field}(${args}) ${key} { __typename why: userErrors { says: message at: field } } }`;
        const { asFunction } = world.process();
        const request = { ...asFunction, query, variables: variables(world), now: world.now };
        const ask = () => world.run({ ...request, as: 'customer', acceptLanguage: 'de' });
        const first = await ask();
        expect(first.payload).toMatchObject({ why: [{ says: expect.stringMatching(message), at: part }] });
        if (key !== '') expect((await ask()).payload).toEqual(first.payload);
      }
  },
);

/** Moves the next billing date a number of days from now, as the store does. */
const move = (choice: number, key: string): Request => ({ as: 'store', field: 'date', choice, key });

test('what was so when it was read is not sent after another request has got the key', async () => {
  const world = createIdempotencyWorld();
  await world.ask(move(0, 'before'));
  world.later(1);
  const { get } = world.table;
  world.table.get = async (place) => {
    const found = await get(place);
    if (!place.pk.startsWith('REPEAT#')) return found;
    // The date was read, and the key was free: now another request has it, and moves the date.
    world.table.get = get;
    expect(await world.ask(move(1, 'k'))).toMatchObject({ code: undefined });
    return found;
  };
  const late = await world.ask(move(0, 'k'));
  expect([world.changes(), late?.code]).toEqual([2, 'IDEMPOTENCY_CONCURRENT_REQUEST']);
  expect(await world.ask(move(0, 'k'))).toMatchObject({ code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH' });
  expect(world.model.broken).toEqual([]);
});

test('what was so, and is refused all the same, is refused to a repeat', async () => {
  const world = createIdempotencyWorld();
  await world.ask(move(0, 'before'));
  world.contract.content.status = 'CANCELLED';
  const refused = await world.ask(move(0, 'k'));
  expect(refused?.payload.userErrors).toHaveLength(1);
  expect((await world.ask(move(0, 'k')))?.payload).toEqual(refused?.payload);
  expect(world.model.broken).toEqual([]);
});

test.each(['lost before', 'lost after'] as const)(
  'what was so, and whose answer was %s, uses its key, and changes nothing later',
  async (platform) => {
    const world = createIdempotencyWorld();
    await world.ask(move(0, 'before'));
    expect(await world.ask(move(0, 'k'), { platform })).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await world.ask(move(1, 'between'));
    const made = world.changes();
    expect(await world.ask(move(0, 'k'))).toMatchObject({ code: undefined, payload: { userErrors: [] } });
    expect(world.changes()).toBe(made);
  },
);

describe('the start of a payment method’s update', () => {
  const START = 'customerPaymentMethodStartUpdate';

  function createUpdateWorld() {
    const world = createIdempotencyWorld();
    const { asFunction } = world.process();
    const method = world.platform.store().paymentMethods.get(world.contract.content.paymentMethodId ?? '');
    if (method === undefined) throw new Error('no payment method');
    const query = `mutation { ${START}(customerPaymentMethodId: "${gid('CustomerPaymentMethod', method.id)}")
      @idempotent(key: "update") { updateUrl emailSent userErrors { message } } }`;
    return {
      ...world,
      method,
      ask: () => world.run({ ...asFunction, as: 'customer', query, now: world.now }),
    };
  }

  test('sends one e-mail, and a retry returns the same', async () => {
    const world = createUpdateWorld();
    const answers = await Promise.all([world.ask(), world.ask()]);
    const emailed = { updateUrl: null, emailSent: true, userErrors: [] };
    expect(answers.flatMap(({ payload }) => payload ?? [])).toEqual([emailed]);
    const again = await world.ask();
    expect([again.payload, again.sent]).toEqual([emailed, []]);
    expect(world.platform.holder.state.mails).toHaveLength(1);
  });

  test('returns a new URL to a retry, because the table has none', async () => {
    const world = createUpdateWorld();
    const { expiryMonth, expiryYear, lastDigits, name } = world.method.instrument as CardRecord;
    world.method.instrument = {
      ...{ __typename: 'CustomerShopPayAgreement', inactive: false, billingAddress: null, declines: null },
      ...{ expiryMonth, expiryYear, lastDigits, name },
    };
    const first = await world.ask();
    world.later(1);
    const again = await world.ask();
    expect([first, again].map(({ payload }) => payload.emailSent)).toEqual([false, false]);
    expect(again.payload.updateUrl).toMatch(/^https:/);
    expect(again.payload.updateUrl).not.toBe(first.payload.updateUrl);
    expect(world.platform.holder.state.mails).toEqual([]);
  });
});
