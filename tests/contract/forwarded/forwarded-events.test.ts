/** The payload's `event` of the platform's mutations: the timeline entry, for each mutation that writes one. */
import { describe, expect } from '@jest/globals';
import { isObjectType } from 'graphql';
import { findMutation } from '../../../graphql/mutations/mutations.ts';
import { getAdminSchema } from '../../../graphql/schema/schema.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createStoreWorld, type StoreWorld } from '../../world/store-world.ts';
import { test } from '../world/contract-test.ts';
import { type Acting, gid } from '../world/operation-world.ts';
import {
  type Call,
  call,
  contract,
  cycle,
  DAY_MS,
  dateOf,
  draftWith,
  newContract,
  scheduleEdit,
  status,
} from './forwarded-calls.ts';

/** Their entries are on several contracts, or in the store's timeline. */
const WITHOUT_EVENT = [
  'customerAddressCreate',
  'customerAddressUpdate',
  'customerPaymentMethodRevoke',
  'customerPaymentMethodSendUpdateEmail',
  'subscriptionBillingCycleBulkCharge',
];
const ENTRY = `id contractId action message outcome actor { kind customer { id firstName } } changes { field before after }`;
const WEEKLY = 9_101_001;

const CALLS: Readonly<Record<string, (world: StoreWorld) => Call | Promise<Call>>> = {
  subscriptionBillingCycleContractDraftCommit: async (world) => {
    const edit: Call = [
      'subscriptionBillingCycleContractEdit',
      'billingCycleInput: $cycle',
      CYCLE,
      { cycle: cycle(9) },
    ];
    const { payload } = await call(world, edit, { selection: 'draft { id }' });
    return [
      'subscriptionBillingCycleContractDraftCommit',
      'draftId: $id',
      '$id: ID!',
      { id: payload.draft.id },
    ];
  },
  subscriptionContractAtomicCreate: newContract,
  subscriptionContractExpire: () => status('Expire', WEEKLY),
  subscriptionContractFail: () => status('Fail', WEEKLY),
  subscriptionContractSetNextBillingDate: (world) => [
    'subscriptionContractSetNextBillingDate',
    'contractId: $id, date: $date',
    '$id: ID!, $date: DateTime!',
    { id: contract, date: new Date(world.now() + 30 * DAY_MS).toISOString() },
  ],
  subscriptionContractProductChange: (world) => [
    'subscriptionContractProductChange',
    'subscriptionContractId: $id, lineId: $line, input: { currentPrice: "8.50" }',
    '$id: ID!, $line: ID!',
    { id: contract, line: gid('SubscriptionLine', world.contract(WEEKLY).content.lines[0]?.id ?? '') },
  ],
  subscriptionDraftCommit: (world) => draftWith(world, { note: 'Ring twice' }),
  subscriptionBillingCycleScheduleEdit: () => scheduleEdit({ skip: true }),
  subscriptionBillingCycleUnskip: (world) => {
    world.contract(WEEKLY).cycleEdits[9] = { skipped: true, billingDate: null, contract: null };
    return ['subscriptionBillingCycleUnskip', 'billingCycleInput: $cycle', CYCLE, { cycle: cycle(9) }];
  },
  subscriptionBillingCycleEditDelete: async (world) => {
    world.contract(WEEKLY).cycleEdits[9] = {
      ...{ skipped: false, contract: null },
      billingDate: new Date((await dateOf(world, 9)) - DAY_MS).toISOString(),
    };
    return ['subscriptionBillingCycleEditDelete', 'billingCycleInput: $cycle', CYCLE, { cycle: cycle(9) }];
  },
  subscriptionBillingCycleEditsDelete: (world) => {
    world.contract(WEEKLY).cycleEdits[9] = { skipped: true, billingDate: null, contract: null };
    return [
      'subscriptionBillingCycleEditsDelete',
      'contractId: $id, targetSelection: ALL',
      '$id: ID!',
      { id: contract },
    ];
  },
};
const CYCLE = '$cycle: SubscriptionBillingCycleInput!';
const CHARGE = 'subscriptionBillingAttemptCreate';

const forwarded = Object.keys(getAdminSchema().getMutationType()?.getFields() ?? {}).filter(
  (name) => findMutation(name)?.kind === 'forwarded',
);

function payloadFields(name: string) {
  const type = getAdminSchema().getMutationType()?.getFields()[name]?.type;
  const payload = getAdminSchema().getType(String(type));
  return isObjectType(payload) ? payload.getFields() : {};
}

test('every forwarded mutation with an event is tried here', () => {
  const expected = forwarded.filter((name) => !WITHOUT_EVENT.includes(name) && name !== CHARGE);
  expect(Object.keys(CALLS).sort()).toEqual(expected);
});

test('every forwarded mutation with an entry on one contract has an event', () => {
  const withoutEvent = forwarded.filter(
    (name) => String(payloadFields(name).event?.type) !== 'SubscriptionEvent',
  );
  expect(withoutEvent).toEqual(WITHOUT_EVENT);
});

describe.each(Object.keys(CALLS))('the event of %s', (name) => {
  test.each<Acting>(['store', 'store for a customer'])(
    'is the entry of the timeline for a %s',
    async (as) => {
      const world = createStoreWorld(createMemoryTable());
      const make = CALLS[name] ?? (() => status('Expire', WEEKLY));
      const [field, args, declared, variables] = await make(world);
      const ask = (query: string, values: object = {}) =>
        world.send(as, query, { variables: values as never, now: world.now });
      const query = `mutation (${declared}) { ${field}(${args}) { event { ${ENTRY} } userErrors { message } } }`;
      const { payload, code } = await ask(query, variables);
      expect([code, payload.userErrors]).toEqual([undefined, []]);
      const events = await ask(
        `{ subscriptionContract(id: "${payload.event?.contractId}") { events(last: 1) { nodes { ... on SubscriptionEvent { ${ENTRY} } } } } }`,
      );
      expect([payload.event]).toEqual(events.payload.events.nodes);
      expect(payload.event.actor.customer).toEqual(
        as === 'store' ? null : { id: 'gid://platform/Customer/7001001', firstName: 'Ada' },
      );
    },
  );
});

describe('the event of a forwarded mutation', () => {
  test('is null for a change that is refused or changes nothing, and the same for a retry', async () => {
    const world = createStoreWorld(createMemoryTable());
    const query = `mutation ($id: ID!) { subscriptionContractExpire(subscriptionContractId: $id) @idempotent(key: "1") {
      contract { status } event { id message } userErrors { message } } }`;
    const ask = (document: string, id = contract) =>
      world.send('store', document, { variables: { id }, now: world.now });
    const first = await ask(query);
    expect(first.payload).toMatchObject({
      contract: { status: 'EXPIRED' },
      event: { id: expect.any(String) },
    });
    expect((await ask(query)).payload).toEqual(first.payload);
    const again = await ask(query.replace('@idempotent(key: "1")', ''));
    expect(again.payload.event).toBeNull();
    const absent = await ask(query.replace('"1"', '"2"'), gid('SubscriptionContract', 1));
    expect([absent.payload.userErrors.length, absent.payload.event]).toEqual([1, null]);
  });

  test('is null for a pending charge', async () => {
    const world = createStoreWorld(createMemoryTable());
    const billingDate = new Date(world.now() + DAY_MS / 2).toISOString();
    world.contract(WEEKLY).cycleEdits[7] = { skipped: false, billingDate, contract: null };
    const query = `mutation ($id: ID!) { ${CHARGE}(subscriptionContractId: $id, subscriptionBillingAttemptInput: {
      idempotencyKey: "own", billingCycleSelector: { index: 7 } }) { subscriptionBillingAttempt { id } event { ${ENTRY} } userErrors { message } } }`;
    const { payload, code } = await world.send('store for a customer', query, {
      variables: { id: contract },
      now: world.now,
    });
    expect([code, payload.userErrors, payload.event]).toEqual([undefined, [], null]);
  });
});
