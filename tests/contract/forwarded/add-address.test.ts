/** A customer adds an address to the address book: at most twenty, however many requests come at the same time. */
import { describe, expect } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { Table } from '../../../lib/storage/table.ts';
import type { AddressRecord } from '../../../sandbox/platform/state/customer-records.ts';
import { ADA } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { test } from '../world/contract-test.ts';
import { type Acting, createOperationWorld, gid } from '../world/operation-world.ts';

const CREATE = 'customerAddressCreate';
const OPERATION = `mutation($customer: ID!, $address: MailingAddressInput!) {
  ${CREATE}(customerId: $customer, address: $address) { address { id city } userErrors { code field message } } }`;
const MAX = 20;
const BEN = 7_001_002;
const ACTING: readonly Acting[] = ['customer', 'store for a customer'];
const address = (city: string) => ({
  ...{ firstName: 'Ada', lastName: 'Brewer', address1: '1 Main Street', city },
  ...{ countryCode: 'US', provinceCode: 'ME', zip: '04401' },
});
const FULL = {
  code: 'ADDRESS_LIMIT_REACHED',
  field: ['address'],
  message: 'The address book can have up to 20 addresses. Change one of them instead.',
};

type Adding = { readonly customerId?: number; readonly input?: object; readonly table?: Table };

function createAddressWorld() {
  const world = createOperationWorld();
  const { platform } = world;
  const table = createMemoryTable();
  const now = () => platform.holder.nowMs;
  const isAdas = ({ customerId, model }: AddressRecord) => customerId === ADA && model === 'CustomerAddress';
  const own = () => [...platform.store().addresses.values()].filter(isAdas);
  let added = 0;
  return {
    ...world,
    table,
    count: () => own().length,
    /** Adds addresses at the platform, until there are so many. */
    fillUpTo(count: number) {
      const [pattern] = own();
      if (pattern === undefined) throw new Error('The seed has no address of the customer.');
      for (let id = 1; own().length < count; id++)
        platform.store().addresses.set(id, { ...pattern, id, city: `Filled ${id}` });
    },
    add: (as: Acting, { customerId = ADA, input = address(`City ${++added}`), ...more }: Adding = {}) =>
      world.run({
        ...{ as, query: OPERATION, table, now, ...more },
        variables: { customer: gid('Customer', customerId), address: input },
      }),
  };
}

describe.each(ACTING)('added by a %s', (as) => {
  test('is in the address book, and in the timeline of each contract that has not ended', async () => {
    const world = createAddressWorld();
    const before = world.count();
    const { payload, code, recorded, sent } = await world.add(as);
    expect([code, payload.userErrors, payload.address.city]).toEqual([undefined, [], 'City 1']);
    expect(world.count()).toBe(before + 1);
    expect(sent).toEqual([['customer'], [CREATE]]);
    const entries = recorded.filter(({ outcome }) => outcome === 'done');
    expect(entries.length).toBeGreaterThan(1);
    expect(new Set(recorded.map(({ action }) => action))).toEqual(new Set(['customer_address_added']));
    expect(JSON.stringify(recorded)).not.toContain('City 1');
  });

  test('is refused when there are twenty addresses, and nothing is sent', async () => {
    const world = createAddressWorld();
    world.fillUpTo(MAX - 1);
    expect((await world.add(as)).payload.userErrors).toEqual([]);
    for (let again = 0; again < 2; again++) {
      const { payload, sent, recorded } = await world.add(as);
      expect(payload).toEqual({ address: null, userErrors: [FULL] });
      expect([sent, recorded]).toEqual([[['customer']], []]);
    }
    expect(world.count()).toBe(MAX);
  });

  test('never makes more than twenty with concurrent requests, whose others try again', async () => {
    const world = createAddressWorld();
    world.fillUpTo(MAX - 2);
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => world.add(as)));
      const throttled = answers.filter(({ code }) => code !== undefined);
      expect(throttled.map(({ code, retryAfterSeconds }) => [code, retryAfterSeconds])).toEqual(
        throttled.map(() => ['THROTTLED', 1]),
      );
      expect(throttled.length).toBeLessThan(answers.length);
      expect(world.count()).toBeLessThanOrEqual(MAX);
    }
    expect(world.count()).toBe(MAX);
    expect((await world.add(as)).payload.userErrors).toEqual([FULL]);
  });

  test('waits after a lost response, because the platform may still add the address', async () => {
    const world = createAddressWorld();
    const before = world.count();
    world.fail({ kind: 'lost after', at: CREATE });
    expect((await world.add(as)).code).toBe('OUTCOME_UNKNOWN');
    expect((await world.add(as)).code).toBe('THROTTLED');
    world.platform.holder.nowMs += 120_000;
    expect((await world.add(as)).payload.userErrors).toEqual([]);
    expect(world.count()).toBe(before + 2);
  });

  test('can be added at once after the platform has refused another, or did not respond to the read', async () => {
    const world = createAddressWorld();
    world.fail({
      kind: 'refused',
      at: CREATE,
      refusal: { field: ['address', 'zip'], message: 'Zip is invalid' },
    });
    expect((await world.add(as)).payload.userErrors).toMatchObject([{ field: ['address', 'zip'] }]);
    world.fail({ kind: 'lost before', at: 'customer', times: 9 });
    expect((await world.add(as)).code).toBe('PLATFORM_UNAVAILABLE');
    world.clearFaults();
    expect((await world.add(as)).payload.userErrors).toEqual([]);
  });

  test('is not for another customer', async () => {
    const world = createAddressWorld();
    const { code, sent } = await world.add(as, { customerId: BEN });
    expect([code, sent]).toEqual(['FORBIDDEN', []]);
  });

  test('is not sent while the table does not respond', async () => {
    const { add, table } = createAddressWorld();
    const put = () => Promise.reject(new ServiceError('TEMPORARILY_UNAVAILABLE'));
    const { code, sent } = await add(as, { table: { ...table, put } });
    expect([code, sent]).toEqual(['TEMPORARILY_UNAVAILABLE', []]);
  });
});

test('has no limit for a merchant’s own request', async () => {
  const world = createAddressWorld();
  world.fillUpTo(MAX);
  expect((await world.add('store')).payload.userErrors).toEqual([]);
  expect(world.count()).toBe(MAX + 1);
});

test.each([
  ['firstName', 'A'.repeat(256)],
  ['address1', '\u{1F4A5}'.repeat(10_000)],
  ['zip', `${' '.repeat(255)}1`],
])('is refused by a customer’s %s that is too long, before anything is sent', async (name, text) => {
  const world = createAddressWorld();
  const { payload, sent } = await world.add('customer', { input: { ...address('Bangor'), [name]: text } });
  expect(payload).toMatchObject({
    address: null,
    userErrors: [{ code: 'INVALID', field: ['address', name] }],
  });
  expect(sent).toEqual([]);
});

test.each(['<script>alert(1)</script>', '"); DROP', '{x}', '\u202Eevil\u0000'])(
  'is stored as it is written: %j',
  async (city) => {
    const world = createAddressWorld();
    const { payload, recorded } = await world.add('customer', { input: address(city) });
    expect(payload.address?.city ?? city).toBe(city);
    expect(JSON.stringify(recorded)).not.toContain(city);
  },
);
