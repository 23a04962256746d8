/** Forwarded changes that are refused, lost, or made at the same time as others; and the pauses that they end. */
import { describe, expect } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { createTimedPauseRepository } from '../../../lib/subscriptions/pause/timed-pauses.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import type { Timeline } from '../../../lib/timeline/timeline.ts';
import { ADA, NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { test } from '../world/contract-test.ts';
import { createOperationWorld, gid, type OperationWorld } from '../world/operation-world.ts';
import {
  ABSENT,
  type Call,
  call,
  contract,
  DAY_MS,
  draftWith,
  ERRORS,
  newContract,
  recorderOf,
  status,
  WEEKLY,
} from './forwarded-calls.ts';

describe('a pause with an end', () => {
  /** The weekly contract, paused by the service for a week, and the stored pause. */
  async function paused() {
    const world = createOperationWorld();
    const table = createMemoryTable();
    const pauses = createTimedPauseRepository({ table, now: () => NOW_MS });
    const until: Call = [
      'subscriptionContractPause',
      'subscriptionContractId: $id, until: $until',
      '$id: ID!, $until: DateTime!',
      { id: contract, until: new Date(NOW_MS + 7 * DAY_MS).toISOString() },
    ];
    await call(world, until, { table });
    const storedItem = () =>
      pauses.read({ shopId: world.store.shopId, contractNumber: String(WEEKLY) as ContractNumber });
    expect(await storedItem()).toBeDefined();
    return { world, table, stored: storedItem };
  }

  test('deletes the pause when the contract expires or a draft resumes it', async () => {
    const expired = await paused();
    await call(expired.world, status('Expire', WEEKLY), { table: expired.table });
    expect(await expired.stored()).toBeUndefined();
    const resumed = await paused();
    const commit = await draftWith(resumed.world, { status: 'ACTIVE' });
    await call(resumed.world, commit, { table: resumed.table });
    expect(await resumed.stored()).toBeUndefined();
  });

  test('stays when the change is refused, unknown, or of something else', async () => {
    const { world, table, stored: storedItem } = await paused();
    world.fail({ kind: 'lost before', at: 'subscriptionContractExpire' });
    await call(world, status('Expire', WEEKLY), { table });
    expect(await storedItem()).toBeDefined();
    await call(world, await draftWith(world, { note: 'Ring twice' }), { table });
    expect(await storedItem()).toBeDefined();
    const failed = await call(world, status('Fail', WEEKLY), { table });
    expect(failed.recorded).toMatchObject([{ outcome: 'not done' }]);
    expect(await storedItem()).toBeDefined();
  });
});

describe('a change without effect', () => {
  test('records that a change is not done when the platform refuses it, though the client selects no errors', async () => {
    const world = createOperationWorld();
    world.contract(WEEKLY).content.status = 'CANCELLED';
    const { recorded } = await call(world, status('Expire', WEEKLY));
    expect(recorded).toMatchObject([{ action: 'subscription_expired', outcome: 'not done' }]);
  });

  test('records nothing for a contract that the platform does not find', async () => {
    const { recorded, payload } = await call(createOperationWorld(), status('Expire', ABSENT), {
      selection: ERRORS,
    });
    expect(recorded).toEqual([]);
    expect(payload.userErrors).toHaveLength(1);
  });

  test('records that a throttled change is not done', async () => {
    const world = createOperationWorld();
    const { recorded, code } = await throttledAfterRead(world);
    expect(code).toBe('THROTTLED');
    expect(recorded.map(({ outcome }) => outcome)).toEqual(['not done']);
  });

  test.each(['customer', 'store for a customer'] as const)(
    'records nothing when a %s leaves an address as it is',
    async (as) => {
      const world = createOperationWorld();
      const customer = world.platform.store().customers.get(ADA);
      const addresses = [...world.platform.store().addresses.values()].filter(
        ({ customerId, model }) => customerId === ADA && model === 'CustomerAddress',
      );
      const [first] = addresses;
      if (customer === undefined || first === undefined) throw new Error('no address');
      const update = async (id: number, address: object, setAsDefault = false) => {
        const { recorded, payload } = await call(
          world,
          [
            'customerAddressUpdate',
            'customerId: $customer, addressId: $id, address: $address, setAsDefault: $setAsDefault',
            '$customer: ID!, $id: ID!, $address: MailingAddressInput!, $setAsDefault: Boolean',
            {
              customer: gid('Customer', ADA),
              id: gid('MailingAddress', `${id}?model_name=CustomerAddress`),
              address,
              setAsDefault,
            },
          ],
          { as, selection: `${ERRORS} address { city }` },
        );
        expect(payload).toEqual({ userErrors: [], address: { city: expect.any(String) } });
        return recorded.some(({ outcome }) => outcome !== 'not done');
      };
      const { address1, city, zip, countryCodeV2: countryCode, country, company } = first;
      customer.defaultAddressId = first.id;
      expect(await update(first.id, {})).toBe(false);
      expect(await update(first.id, { address1, city, zip, countryCode, company })).toBe(false);
      expect(await update(first.id, { city, country }, true)).toBe(false);
      expect(await update(first.id, { city: 'Bath' })).toBe(true);
      expect(await update(first.id, { city: 'Bath' })).toBe(false);
      customer.defaultAddressId = null;
      expect(await update(first.id, {}, true)).toBe(true);
      expect(await update(first.id, {}, true)).toBe(false);
    },
  );

  async function throttledAfterRead(world: OperationWorld) {
    const timeline = recorderOf(() => world.throttle(50));
    return { ...(await call(world, status('Expire', WEEKLY), { timeline })), recorded: timeline.reported };
  }
});

test('sends no change to the platform when no intent can be written', async () => {
  const world = createOperationWorld();
  const timeline = recorderOf(() => {
    throw new ServiceError('TEMPORARILY_UNAVAILABLE');
  });
  const { code, sent } = await call(world, status('Expire', WEEKLY), { timeline });
  expect([code, sent]).toEqual(['TEMPORARILY_UNAVAILABLE', [['subscriptionContract']]]);
  expect(world.contract(WEEKLY).content.status).toBe('ACTIVE');
});

test('leaves the intent open when the response is lost', async () => {
  const world = createOperationWorld();
  world.fail({ kind: 'lost after', at: 'subscriptionContractExpire' });
  const { recorded, code } = await call(world, status('Expire', WEEKLY));
  expect([code, recorded]).toMatchObject(['OUTCOME_UNKNOWN', [{ outcome: 'open' }]]);
});

test.each([
  ['store', 4],
  // And one for the proof of both.
  ['store for a customer', 5],
] as const)(
  'reads the contract before each of several mutations in one document, as a %s',
  async (as, requests) => {
    const world = createOperationWorld();
    const query = `mutation($a: ID!) {
    fail: subscriptionContractFail(subscriptionContractId: $a) { userErrors { message } }
    expire: subscriptionContractExpire(subscriptionContractId: $a) { userErrors { message } }
  }`;
    const { recorded, sent } = await world.run({ as, query, variables: { a: contract } });
    expect(recorded.map(({ changes: [fact] }) => [fact?.before, fact?.after])).toEqual([
      ['ACTIVE', 'FAILED'],
      ['FAILED', 'EXPIRED'],
    ]);
    expect(sent).toHaveLength(requests);
  },
);

test('returns the fields that the client selects and no internal ones', async () => {
  const world = createOperationWorld();
  const { payload } = await call(world, status('Fail', WEEKLY), {
    selection:
      'x: contract { id status } ...E } } fragment E on SubscriptionContractFailPayload { userErrors { message ',
  });
  expect(payload).toEqual({ x: { id: contract, status: 'FAILED' }, userErrors: [] });
});

test('records the creation of a contract under its own id', async () => {
  const world = createOperationWorld();
  const ids: unknown[] = [];
  const timeline: Timeline = {
    ...recorderOf(() => undefined),
    begin: () => async (intent) => ({
      recordAlso: async () => undefined,
      settleAsDone: async (_changes, contractId) =>
        void ids.push(intent.action, intent.contractId, contractId),
      settleAsObserved: async () => void ids.push('seen'),
      settleWithAttempt: async () => void ids.push('attempted'),
      settleAsNotDone: async () => void ids.push('not done'),
    }),
  };
  const selection = 'contract { id } userErrors { field message }';
  const { payload } = await call(world, newContract(world), { selection, timeline });
  expect(payload.userErrors).toEqual([]);
  const made = (payload.contract.id as string).replace('platform', 'shopify');
  expect(ids).toEqual(['subscription_created', null, made]);
});
