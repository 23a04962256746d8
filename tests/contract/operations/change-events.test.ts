/** The payload's `event`: the timeline entry of the change, for every mutation of the service that records changes. */
import { describe, expect, test } from '@jest/globals';
import { isObjectType, parse, print, visit } from 'graphql';
import { SubscriptionDetailsText } from '../../../clients/typescript/src/operations/generated/shared/fragments.ts';
import { findMutation } from '../../../graphql/mutations/mutations.ts';
import { getAdminSchema, getSchema } from '../../../graphql/schema/schema.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { examples, prepare } from '../../docs/operations-page.ts';
import { store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createStoreWorld, MINUTE_MS } from '../../world/store-world.ts';
import type { Acting } from '../world/operation-world.ts';

const settings: StoreRecord = { ...store, sendNow: 'MOVE' };
const EVENT = `... on SubscriptionEvent { id action message createdAt contractId outcome
  actor { kind label customer { id firstName } } changes { field before after } reason }`;
const PAYLOAD = `after: contract { events(last: 1) { nodes { ${EVENT} } } } userErrors { message }`;
const WITH_EVENT = `event { ${EVENT} } ${PAYLOAD}`;
const CHARGE = 'subscriptionBillingCycleCharge';

/** The mutations that record changes, from the records. */
const recording = Object.keys(getAdminSchema().getMutationType()?.getFields() ?? {}).filter((name) => {
  const record = findMutation(name);
  return record?.kind === 'service' && record.recordsChanges === true;
});

type Form = { readonly key?: string; readonly payload?: string };

/** Returns the page's example with this payload, and an idempotency key if there is one. */
function documentOf(name: string, { key, payload = WITH_EVENT }: Form = {}): string {
  const example = examples.find((one) => one.name === name);
  if (example === undefined) throw new Error(`no example of ${name}`);
  const document = print(
    visit(parse(example.query), {
      Field: (node) => (node.name.value === name ? { ...node, selectionSet: undefined } : undefined),
    }),
  );
  const directive = key === undefined ? '' : `@idempotent(key: "${key}")`;
  return document.replace(/\)\s*\}\s*$/, `) ${directive} { ${payload} } }`);
}

/** A store on which the example of this mutation makes a change. */
async function createEventWorld(name: string) {
  const world = createStoreWorld(createMemoryTable());
  prepare(world, name);
  const ask = (as: Acting, query: string, acceptLanguage?: string) =>
    world.run({
      ...world.process().asFunction,
      ...{ as, query, store: settings, now: world.now, ...(acceptLanguage && { acceptLanguage }) },
    });
  if (name === 'subscriptionOrderPostponementRevert') {
    await ask('store', documentOf('subscriptionOrderPostpone'));
  }
  return { ...world, ask };
}

const isCustomers = (name: string) =>
  Object.hasOwn(getSchema('customer').getMutationType()?.getFields() ?? {}, name);
const cases = recording.flatMap((name): [string, Acting][] =>
  isCustomers(name)
    ? [
        [name, 'customer'],
        [name, 'store for a customer'],
        [name, 'store'],
      ]
    : [[name, 'store']],
);

test('every mutation that records changes has an event and a contract in its payload', () => {
  expect(recording).toHaveLength(16);
  const fields = getAdminSchema().getMutationType()?.getFields() ?? {};
  for (const name of recording) {
    const payload = getAdminSchema().getType(String(fields[name]?.type));
    const types = isObjectType(payload) ? payload.getFields() : {};
    expect([name, String(types.event?.type), String(types.contract?.type)]).toEqual([
      name,
      'SubscriptionEvent',
      'SubscriptionContract',
    ]);
  }
});

describe.each(cases.filter(([name]) => name !== CHARGE))('the event of %s as a %s', (name, as) => {
  test('is the entry that the timeline shows, without another request to the platform', async () => {
    const world = await createEventWorld(name);
    const { payload, code, sent } = await world.ask(as, documentOf(name));
    expect([code, payload.userErrors]).toEqual([undefined, []]);
    const [entry] = payload.after.events.nodes;
    expect(payload.event).toEqual(entry);
    const customer = as === 'store' ? null : { id: 'gid://platform/Customer/7001001', firstName: 'Ada' };
    expect(payload.event).toMatchObject({ outcome: 'DONE', actor: { customer } });
    expect(payload.event.message).not.toBe('');
    const without = await createEventWorld(name);
    const plain = await without.ask(as, documentOf(name, { payload: PAYLOAD }));
    expect(sent).toHaveLength(plain.sent.length);
  });

  test('is the same for a retry with the same idempotency key, in the language of the retry', async () => {
    const world = await createEventWorld(name);
    const document = documentOf(name, { key: 'key-1' });
    const first = await world.ask(as, document);
    expect(first.payload.event).not.toBeNull();
    const again = await world.ask(as, document);
    expect(again.payload.event).toEqual(first.payload.event);
    const german = await world.ask(as, document.replace('mutation', 'mutation @inContext(language: DE)'));
    const { message, ...others } = german.payload.event;
    expect(first.payload.event).toMatchObject(others);
    expect(message).not.toBe(first.payload.event.message);
    expect(message).toBe(german.payload.after.events.nodes[0].message);
  });
});

/** What the client's `get` selects. */
const SUBSCRIPTION = SubscriptionDetailsText.replace('$firstLines', '50').replace('$firstOrders', '6');

test.each(cases.filter(([name]) => name !== CHARGE))(
  'the contract of %s has everything for a %s that a query shows after it',
  async (name, as) => {
    const world = await createEventWorld(name);
    const payload = `contract { id ${SUBSCRIPTION} } userErrors { message }`;
    const changed = await world.ask(as, documentOf(name, { payload }));
    expect([changed.code, changed.payload.userErrors]).toEqual([undefined, []]);
    const { contract } = changed.payload;
    const query = `{ subscriptionContract(id: "${contract.id}") { id ${SUBSCRIPTION} } }`;
    expect(contract).toEqual((await world.ask(as, query)).payload);
    expect(contract.billingCycles.nodes).toHaveLength(6);
  },
);

/** A second request without a key that these mutations refuse, because the order has another date by then. */
const REFUSED = [
  'subscriptionOrderSendNow',
  'subscriptionContractDiscountRemove',
  'subscriptionOrderPostponementRevert',
];

test.each(recording.filter((name) => name !== CHARGE && name !== 'subscriptionContractLinesUpdate'))(
  'the event of %s is null when nothing was changed',
  async (name) => {
    const world = await createEventWorld(name);
    await world.ask('store', documentOf(name));
    const { payload } = await world.ask('store', documentOf(name));
    expect([payload.userErrors.length > 0, payload.event]).toEqual([payload.userErrors.length > 0, null]);
    expect(payload.userErrors.length > 0).toBe(REFUSED.includes(name));
  },
);

const PAUSE = 'subscriptionContractPause';

describe('the event', () => {
  test('is null in a dry run', async () => {
    const world = await createEventWorld('subscriptionOrderPostpone');
    const dryRun = documentOf('subscriptionOrderPostpone').replace('to:', 'dryRun: true, to:');
    const { payload } = await world.ask('customer', dryRun);
    expect([payload.userErrors, payload.event, payload.after.events.nodes]).toEqual([[], null, []]);
  });

  test('is null for a pending charge, and for its retry once the attempt has ended the entry', async () => {
    const world = await createEventWorld(CHARGE);
    const document = documentOf(CHARGE, { key: 'key-1' });
    const { payload } = await world.ask('store', document);
    expect([payload.userErrors, payload.event, payload.after.events.nodes]).toEqual([[], null, []]);
    world.later(10 * MINUTE_MS);
    await world.work();
    const again = await world.ask('store', document);
    expect(again.payload.event).toMatchObject({ action: 'billing_cycle_charged' });
    expect(again.payload.event).toEqual(again.payload.after.events.nodes[0]);
  });

  test('is the entry when the response to the change was lost and a read shows the change', async () => {
    const world = await createEventWorld(PAUSE);
    world.fail({ kind: 'lost after', at: PAUSE });
    const { payload } = await world.ask('customer', documentOf(PAUSE));
    expect(payload.event).toMatchObject({ action: 'subscription_paused', outcome: 'DONE' });
    expect(payload.event).toEqual(payload.after.events.nodes[0]);
  });

  test('is null while the entry cannot be written, and the entry in a later retry', async () => {
    const world = await createEventWorld(PAUSE);
    const document = documentOf(PAUSE, { key: 'key-1' });
    const { asFunction, faults } = world.process();
    const { send } = world.platform;
    world.platform.send = (body) => {
      if (body.includes('mutation'))
        faults.plan = ({ operation }) => (operation === 'put' ? 'down' : undefined);
      return send(body);
    };
    const request = { as: 'customer', query: document, store: settings, now: world.now } as const;
    const { payload } = await world.run({ ...request, ...asFunction });
    expect([payload.userErrors, payload.event]).toEqual([[], null]);
    world.later(10 * MINUTE_MS);
    await world.work();
    const again = await world.ask('customer', document);
    expect(again.payload.event).toMatchObject({ action: 'subscription_paused' });
  });

  test('follows the conditions of the client, under any name', async () => {
    const world = await createEventWorld(PAUSE);
    const payload = `one: event @include(if: $no) { id actor { customer { id } } } two: event { ...E }
      userErrors { message } contract @skip(if: $yes) { id }`;
    const query = `${documentOf(PAUSE, { payload }).replace('mutation', 'mutation ($no: Boolean!, $yes: Boolean!)')}
      fragment E on Event { action ... on SubscriptionEvent { actor { person: customer @skip(if: $no) { email id } } } }`;
    const variables = { no: false, yes: true };
    const { asFunction } = world.process();
    const request = { as: 'customer', query, variables, store: settings, now: world.now } as const;
    const outcome = await world.run({ ...request, ...asFunction });
    const person = { email: 'ada@example.com', id: 'gid://platform/Customer/7001001' };
    expect([outcome.code, outcome.payload]).toEqual([
      undefined,
      { two: { action: 'subscription_paused', actor: { person } }, userErrors: [] },
    ]);
  });
});
