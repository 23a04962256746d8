/** The timeline through GraphQL: `events` of contracts, and its entries by their ids. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import {
  type ContractNumber,
  type EventActor,
  type EventNumber,
  type EventRecord,
  formatEventNumber,
  toEventItem,
} from '../../../lib/timeline/event-record.ts';
import { createFact, type FactChange } from '../../../lib/timeline/facts.ts';
import { ADA, NOW_MS, neverCalled, store } from '../world/harness.ts';
import { createResolveWorld } from '../world/resolve-world.ts';

const BEN = 7001002 as CustomerId;
const [ADAS, ADAS_OTHER, BENS, CARLAS] = ['9101001', '9101002', '9101004', '9102000'] as const;
const ABSENT = '9199999';
const ADA_ACTS: EventActor = { kind: 'CUSTOMER', customerId: ADA };
const gid = (type: string, tail: string | number) => `gid://platform/${type}/${tail}`;
const contractGid = (number: string) => gid('SubscriptionContract', number);
const eventGid = (number: string) => gid('SubscriptionEvent', number);

const world = createResolveWorld();

let seconds = 0;

/** Writes an entry, a second after the one before. */
async function entry(
  contractNumber: string | undefined,
  changes: Partial<Pick<EventRecord, 'action' | 'actor' | 'details' | 'changes' | 'outcome' | 'shopId'>> = {},
): Promise<EventNumber> {
  seconds += 1;
  const createdAtMs = NOW_MS - 3_600_000 + seconds * 1000;
  const contract = contractNumber as ContractNumber | undefined;
  const number = formatEventNumber({ createdAtMs, sequence: 0, contract });
  const record: EventRecord = {
    number,
    shopId: store.shopId as ShopId,
    contract,
    action: 'subscription_paused',
    actor: ADA_ACTS,
    id: 'entry-1',
    requestId: 'request-1',
    details: {},
    changes: [],
    createdAtMs,
    outcome: 'DONE',
    ...changes,
  };
  await world.table.put(toEventItem(record));
  return number;
}

const paused: FactChange[] = [
  createFact('status', { before: 'ACTIVE', after: 'PAUSED' }),
  createFact('note', { before: null, after: 'rude on the phone' }),
];
const inContract = (number: string, selection: string) =>
  `subscriptionContract(id: "${contractGid(number)}") { ${selection} }`;

describe('the events of a contract', () => {
  let numbers: EventNumber[];
  beforeAll(async () => {
    numbers = [
      await entry(ADAS, { changes: paused, details: { reason: 'On holiday' } }),
      await entry(ADAS, { action: 'subscription_resumed', actor: { kind: 'SERVICE' } }),
      await entry(ADAS, { actor: { kind: 'MERCHANT', label: 'Helpdesk' }, outcome: 'UNKNOWN' }),
    ];
  });

  test.each(['customer', 'store'] as const)('have 25 entries for a %s without a size', async (as) => {
    const shopId = 4711 as ShopId;
    const many: EventNumber[] = [];
    for (let left = 30; left > 0; left -= 1) many.push(await entry(ADAS, { shopId }));
    const list = async (args: string) => {
      const query = `{ ${inContract(ADAS, `events${args} { edges { cursor } nodes { id } }`)} }`;
      const { data, errors } = await world.ask({ as, query, store: { ...store, shopId } });
      expect(errors).toEqual([]);
      return data.subscriptionContract.events as { edges: { cursor: string }[]; nodes: { id: string }[] };
    };
    const idsOf = async (args: string) => (await list(args)).nodes.map(({ id }) => id);
    const ids = many.map(eventGid);
    const { edges } = await list('(last: 30)');
    expect(await idsOf('')).toEqual((await idsOf('(last: 250)')).slice(0, 25));
    expect(await idsOf('(reverse: true)')).toEqual(ids.toReversed().slice(0, 25));
    expect(await idsOf(`(after: "${edges[2]?.cursor}")`)).toEqual(ids.slice(3, 28));
    expect(await idsOf(`(before: "${edges[28]?.cursor}")`)).toEqual(ids.slice(3, 28));
  });

  test.each([
    ['query: "by:me"', 'GRAPHQL_VALIDATION_FAILED at subscriptionContract.events'],
    ['after: "junk"', 'GRAPHQL_VALIDATION_FAILED at subscriptionContract.events'],
    ['last: 1', 'GRAPHQL_VALIDATION_FAILED at subscriptionContract.events'],
  ])('do not take %s', async (argument, error) => {
    const query = `{ ${inContract(ADAS, `events(first: 1, ${argument}) { nodes { id } }`)} }`;
    expect((await world.ask({ as: 'store', query })).errors).toEqual([error]);
  });

  test('are shown to the customer as far as they are open, in one request to the platform', async () => {
    const all = `action appTitle attributeToApp attributeToUser createdAt criticalAlert id message
      ... on SubscriptionEvent { actor { kind label customer { id email } } contractId outcome changes { field before after } }`;
    const query = `{ ${inContract(ADAS, `events(first: 1) { nodes { ${all} } }`)} }`;
    const { data, errors, sent, reads } = await world.ask({ as: 'customer', query });
    expect(errors).toEqual([]);
    expect([sent.length, reads]).toEqual([1, ['query']]);
    expect(data.subscriptionContract.events.nodes).toEqual([
      {
        action: 'subscription_paused',
        appTitle: null,
        attributeToApp: false,
        attributeToUser: false,
        createdAt: '2026-11-21T11:00:01Z',
        criticalAlert: false,
        id: eventGid(numbers[0] ?? ''),
        message: 'You paused the subscription. <em>On holiday</em>',
        actor: {
          kind: 'CUSTOMER',
          label: null,
          customer: { id: gid('Customer', ADA), email: 'ada@example.com' },
        },
        contractId: contractGid(ADAS),
        outcome: 'DONE',
        changes: [{ field: 'status', before: 'ACTIVE', after: 'PAUSED' }],
      },
    ]);
  });

  test('are shown to the merchant whole', async () => {
    const query = `{ ${inContract(ADAS, 'events(last: 3) { nodes { ... on SubscriptionEvent { actor { kind label } changes { field } outcome } } }')} }`;
    const { data } = await world.ask({ as: 'store', query });
    expect(data.subscriptionContract.events.nodes).toEqual([
      {
        actor: { kind: 'CUSTOMER', label: null },
        changes: [{ field: 'status' }, { field: 'note' }],
        outcome: 'DONE',
      },
      { actor: { kind: 'SERVICE', label: null }, changes: [], outcome: 'DONE' },
      { actor: { kind: 'MERCHANT', label: 'Helpdesk' }, changes: [], outcome: 'UNKNOWN' },
    ]);
  });

  test('returns pages both ways, with aliases, fragments, variables and conditions', async () => {
    const query = `query ($n: Int, $after: String, $reverse: Boolean, $shows: Boolean!) {
      ${inContract(
        ADAS,
        `
        page: events(first: $n, after: $after, reverse: $reverse) {
          edges { at: cursor node { ...E } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } __typename }
        resumed: events(first: 5, query: "action:subscription_resumed", sortKey: CREATED_AT) { nodes { ...E } }`,
      )}
    }
    fragment E on Event { __typename number: id ... on Node @include(if: $shows) { again: id } ... on SubscriptionEvent @skip(if: $shows) { outcome } }`;
    const ids = numbers.map((number) => ({ __typename: 'SubscriptionEvent', number: eventGid(number) }));
    const ask = async (variables: Record<string, unknown>) => {
      const reported = await world.ask({ as: 'store', query, variables });
      expect(reported.errors).toEqual([]);
      return reported.data.subscriptionContract;
    };
    const first = await ask({ n: 2, shows: true });
    const { edges, pageInfo } = first.page;
    const viewOf = edges.map(({ node }: { node: unknown }) => node);
    expect(viewOf).toEqual([ids[0], ids[1]].map((one) => ({ ...one, again: one?.number })));
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: edges[0].at,
      endCursor: edges[1].at,
    });
    expect(first.page.__typename).toBe('EventConnection');
    const second = await ask({ n: 2, after: pageInfo.endCursor, shows: false });
    expect(second.page.edges.map(({ node }: { node: unknown }) => node)).toEqual([
      { ...ids[2], outcome: 'UNKNOWN' },
    ]);
    expect(second.page.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const newest = await ask({ n: 1, reverse: true, shows: false });
    expect(newest.page.edges[0].node.number).toBe(ids[2]?.number);
    expect(newest.resumed.nodes).toEqual([{ ...ids[1], outcome: 'DONE' }]);
  });

  test('refuses another customer’s events without reading the table', async () => {
    await entry(BENS);
    const query = `{ ${inContract(BENS, 'events(first: 1) { nodes { id } }')} }`;
    const { data, errors, reads } = await world.ask({ as: 'customer', query });
    expect([data, errors, reads]).toEqual([
      { subscriptionContract: null },
      ['FORBIDDEN at subscriptionContract'],
      [],
    ]);
  });
});

describe('who acted', () => {
  test('shows merchants the id alone of an actor when the contract belongs to another customer by now', async () => {
    const number = await entry(ADAS_OTHER, {
      actor: { kind: 'CUSTOMER', customerId: BEN, label: 'Helpdesk' },
    });
    const query = `{ ${inContract(ADAS_OTHER, 'events(last: 1) { nodes { id ... on SubscriptionEvent { actor { label customer { id email } } } } }')} }`;
    const viewOf = (actor: unknown) => ({
      subscriptionContract: { events: { nodes: [{ id: eventGid(number), actor }] } },
    });
    expect((await world.ask({ as: 'store', query })).data).toEqual(
      viewOf({ label: 'Helpdesk', customer: { id: gid('Customer', BEN), email: null } }),
    );
    expect((await world.ask({ as: 'customer', query })).data).toEqual(
      viewOf({ label: null, customer: null }),
    );
    expect((await world.ask({ as: 'store for a customer', query })).data).toEqual(
      viewOf({ label: 'Helpdesk', customer: null }),
    );
  });

  test('does not call the previous customer “you”, and hides their reason, after a transfer of the contract', async () => {
    await entry(ADAS_OTHER, {
      actor: { kind: 'CUSTOMER', customerId: BEN },
      details: { reason: 'Private trouble' },
    });
    const query = `{ ${inContract(ADAS_OTHER, 'events(last: 1) { nodes { message } }')} }`;
    const messageFor = async (as: 'customer' | 'store') =>
      (await world.ask({ as, query })).data.subscriptionContract.events.nodes[0].message;
    expect(await messageFor('customer')).toBe('A customer paused the subscription.');
    expect(await messageFor('store')).toBe('The customer paused the subscription. <em>Private trouble</em>');
  });

  test('selects what belongs to the customer who acted, events included', async () => {
    await entry(CARLAS, { actor: { kind: 'CUSTOMER', customerId: 7001003 as CustomerId } });
    const query = `{ ${inContract(
      CARLAS,
      `events(first: 1) { nodes { ... on SubscriptionEvent { actor { customer {
      portalUrl subscriptionContracts(first: 2) { nodes { id events(first: 1) { nodes { action } } } } } } } } }`,
    )} }`;
    const { data, errors, sent, reads } = await world.ask({ as: 'store', query });
    expect(errors).toEqual([]);
    expect([sent.length, reads]).toEqual([1, ['query', 'query', 'query']]);
    const [{ actor }] = data.subscriptionContract.events.nodes;
    expect(actor.customer.portalUrl).toBe('https://harbor-coffee.example/account/pages/90210001');
    const events = actor.customer.subscriptionContracts.nodes.map((one: { events: unknown }) => one.events);
    expect(events).toEqual(expect.arrayContaining([{ nodes: [] }]));
  });
});

describe('the events of many contracts', () => {
  const list = (first: number) => `{ customer(id: "${gid('Customer', 7001003)}") { id
    subscriptionContracts(first: ${first}) { nodes { id events(first: 1) { nodes { id } } } } } }`;

  test('reads the events of 25 contracts in one request to the platform and one to the table for each', async () => {
    const { data, errors, sent, reads } = await world.ask({ as: 'store', query: list(25) });
    expect([errors, sent.length, reads.length]).toEqual([[], 1, 25]);
    expect(data.customer.subscriptionContracts.nodes[0].events.nodes).toHaveLength(1);
  });

  test('returns QUERY_TOO_COMPLEX for the events of more than 25 contracts, and reads nothing', async () => {
    const { data, result, errors, reads } = await world.ask({ as: 'store', query: list(26) });
    expect(data).toEqual({ customer: null });
    expect(errors).toHaveLength(26);
    expect(new Set(errors.map((error) => error.split(' ')[0]))).toEqual(new Set(['QUERY_TOO_COMPLEX']));
    expect(errors[0]).toBe('QUERY_TOO_COMPLEX at customer.subscriptionContracts.nodes.0.events');
    expect(result.errors?.[0]?.message).toContain(
      'The response has 26 lists of "events", but the limit is 25',
    );
    expect(reads).toEqual([]);
  });
});

test('does not read what is removed from the response, nor report its errors', async () => {
  const query = `{ ${inContract(
    ADAS,
    `billingAttempts(first: 2) { nodes { id
      a: subscriptionContract { events(first: 1, after: "junk") { nodes { id } } } b: subscriptionContract { id } } }`,
  )} }`;
  const attempt = (owner: number) => {
    const contract = {
      _svcContract: `gid://shopify/SubscriptionContract/${ADAS}`,
      _svcStatus: 'ACTIVE',
      _svcOwner: { id: `gid://shopify/Customer/${ADA}` },
    };
    const id = `gid://shopify/SubscriptionContract/${ADAS}`;
    const b = { id, _svcOwner: { id: `gid://shopify/Customer/${owner}` } };
    return { id: 'gid://shopify/SubscriptionBillingAttempt/1', a: contract, b };
  };
  const reported = await world.ask({ as: 'customer', query }, () => ({
    data: {
      subscriptionContract: { billingAttempts: { nodes: [attempt(BEN), attempt(BEN)] } },
      _svcOwned: [{ _svcSubscriptionContract: { id: `gid://shopify/Customer/${ADA}` } }],
    },
  }));
  expect(reported.result).toEqual({ data: { subscriptionContract: { billingAttempts: { nodes: [] } } } });
  expect(reported.reads).toEqual([]);
});

describe('in the answer to a mutation', () => {
  test('the change that was just made is there, with who made it', async () => {
    const query = `mutation ($id: ID!) { subscriptionContractPause(subscriptionContractId: $id, reason: "Away") {
      contract { status currentPause { reason pausedBy { kind customer { email } } }
        events(last: 1) { nodes { action message ... on SubscriptionEvent { actor { customer { id } } changes { field after } } } } }
      userErrors { message } } }`;
    const variables = { id: contractGid(ADAS_OTHER) };
    const { data, errors } = await world.ask({ as: 'customer', query, variables });
    expect(errors).toEqual([]);
    expect(data.subscriptionContractPause).toEqual({
      contract: {
        status: 'PAUSED',
        currentPause: {
          reason: 'Away',
          pausedBy: { kind: 'CUSTOMER', customer: { email: 'ada@example.com' } },
        },
        events: {
          nodes: [
            {
              action: 'subscription_paused',
              message: 'You paused the subscription. <em>Away</em>',
              actor: { customer: { id: gid('Customer', ADA) } },
              changes: expect.arrayContaining([{ field: 'status', after: 'PAUSED' }]),
            },
          ],
        },
      },
      userErrors: [],
    });
  });
});

describe('an entry by its id', () => {
  const one = (
    field: string,
    id: string,
    selection = 'id ... on SubscriptionEvent { actor { customer { email } } }',
  ) => `{ entry: ${field}(id: "${id}") { ${selection} } }`;
  const forbidden = [{ entry: null }, ['FORBIDDEN at entry']];

  test.each(['event', 'node'])(
    '%s finds an entry, and queries the platform only for its actor',
    async (field) => {
      const number = await entry(ADAS);
      const id = eventGid(number);
      const plain = await world.ask({ as: 'store', query: one(field, id, 'id __typename') }, neverCalled);
      expect(plain.data).toEqual({ entry: { id, __typename: 'SubscriptionEvent' } });
      for (const as of ['store', 'store for a customer'] as const) {
        const { data, errors, sent, reads } = await world.ask({ as, query: one(field, id) });
        expect([data, errors]).toEqual([
          { entry: { id, actor: { customer: { email: 'ada@example.com' } } } },
          [],
        ]);
        expect([sent.length, reads]).toEqual([1, ['batchGet']]);
        expect(sent[0]?.document).not.toContain('SubscriptionEvent');
      }
    },
  );

  test.each(['event', 'node'])(
    '%s returns the same for another customer’s entry, an absent and an impossible one',
    async (field) => {
      const foreign = await entry(BENS);
      const absent = formatEventNumber({
        createdAtMs: NOW_MS,
        sequence: 9,
        contract: ADAS as ContractNumber,
      });
      const noContract = formatEventNumber({
        createdAtMs: NOW_MS,
        sequence: 9,
        contract: ABSENT as ContractNumber,
      });
      const ofStore = await entry(undefined);
      for (const number of [foreign, absent, noContract, ofStore, '12', 'x']) {
        const query = one(field, eventGid(number));
        const { data, errors, result } = await world.ask({ as: 'store for a customer', query });
        expect([data, errors]).toEqual(forbidden);
        expect(result.errors?.[0]?.message).toBe('This is not available.');
      }
      for (const number of [absent, noContract, '12', 'x']) {
        const { data, errors } = await world.ask({ as: 'store', query: one(field, eventGid(number)) });
        expect([data, errors]).toEqual([{ entry: null }, []]);
      }
      expect((await world.ask({ as: 'store', query: one(field, eventGid(ofStore), 'id') })).data).toEqual({
        entry: { id: eventGid(ofStore) },
      });
    },
  );

  test('returns no event of another store', async () => {
    const number = await entry(ADAS, { shopId: 81234567002 as ShopId });
    expect((await world.ask({ as: 'store', query: one('event', eventGid(number), 'id') })).data).toEqual({
      entry: null,
    });
    const acting = await world.ask({
      as: 'store for a customer',
      query: one('event', eventGid(number), 'id'),
    });
    expect([acting.data, acting.errors]).toEqual(forbidden);
  });

  test('customers have neither field', async () => {
    const { errors } = await world.ask(
      { as: 'customer', query: one('node', eventGid('1'), 'id') },
      neverCalled,
    );
    expect(errors).toEqual(['FIELD_NOT_AVAILABLE at undefined']);
  });
});

test("nodes answers entries and the platform's objects by position", async () => {
  const [own, foreign] = [await entry(ADAS), await entry(BENS)];
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename
    ... on SubscriptionContract { status } ... on SubscriptionEvent { action actor { customer { email } } } } }`;
  const ids = [
    eventGid(foreign),
    contractGid(BENS),
    eventGid(own),
    contractGid(ADAS),
    eventGid('12'),
    eventGid(own),
  ];
  const event = {
    id: eventGid(own),
    __typename: 'SubscriptionEvent',
    action: 'subscription_paused',
    actor: { customer: { email: 'ada@example.com' } },
  };
  const contract = { id: contractGid(ADAS), __typename: 'SubscriptionContract', status: 'ACTIVE' };
  const acting = await world.ask({ as: 'store for a customer', query, variables: { ids } });
  expect(acting.data).toEqual({ nodes: [null, null, event, contract, null, event] });
  expect(acting.errors).toEqual([0, 1, 4].map((position) => `FORBIDDEN at nodes.${position}`));
  expect([acting.sent.length, acting.reads]).toEqual([1, ['batchGet']]);
  const merchant = await world.ask({ as: 'store', query, variables: { ids } });
  expect(merchant.errors).toEqual([]);
  expect(merchant.data.nodes.map((one: { id: string } | null) => one?.id)).toEqual([
    ids[0],
    ids[1],
    ids[2],
    ids[3],
    undefined,
    ids[5],
  ]);
  expect([merchant.sent.length, merchant.reads]).toEqual([1, ['batchGet']]);
});

test('an error of the platform stands at its position among entries', async () => {
  const number = await entry(ADAS);
  const query = `{ nodes(ids: ["${eventGid(number)}", "${contractGid(ADAS)}"]) { id ... on SubscriptionContract { note } } }`;
  const { result } = await world.ask({ as: 'store', query }, () => ({
    data: { nodes: [{ id: 'gid://shopify/SubscriptionContract/9101001', note: null }] },
    errors: [{ message: 'No note.', path: ['nodes', 0, 'note'] }],
  }));
  expect(result.errors).toEqual([{ message: 'No note.', path: ['nodes', 1, 'note'] }]);
});

describe('the cancellation of a contract', () => {
  const CANCELLED = '9101003';
  const SELECTION = 'status cancellation { cancelledAt reason cancelledBy { kind label customer { id } } }';
  const ask = async (as: 'customer' | 'store', number: string = CANCELLED) => {
    const { data, errors } = await world.ask({ as, query: `{ ${inContract(number, SELECTION)} }` });
    expect(errors).toEqual([]);
    return data.subscriptionContract;
  };
  const changes = [createFact('status', { before: 'PAUSED', after: 'CANCELLED' })];

  beforeAll(() => {
    const contract = world.platform.store().contracts.get(Number(CANCELLED));
    if (contract !== undefined) contract.content.status = 'CANCELLED';
  });

  test('is null while the contract is not cancelled', async () => {
    expect(await ask('customer', ADAS)).toEqual({ status: 'ACTIVE', cancellation: null });
  });

  test('has no fields when its entry is not known', async () => {
    const cancellation = { cancelledAt: null, reason: null, cancelledBy: null };
    expect(await ask('store')).toEqual({ status: 'CANCELLED', cancellation });
  });

  test('names time, reason and actor, also behind later entries', async () => {
    const details = { reasonCode: 'TOO_EXPENSIVE', comment: 'too dear' };
    await entry(CANCELLED, { action: 'subscription_cancelled', changes, details });
    await entry(CANCELLED, { action: 'subscription_note_updated' });
    const cancellation = {
      cancelledAt: new Date(NOW_MS - 3_600_000 + (seconds - 1) * 1000).toISOString().replace('.000Z', 'Z'),
      reason: 'TOO_EXPENSIVE',
      cancelledBy: { kind: 'CUSTOMER', label: null, customer: { id: gid('Customer', ADA) } },
    };
    expect((await ask('customer')).cancellation).toEqual(cancellation);
    expect((await ask('store')).cancellation).toEqual(cancellation);
    const query = `{ ${inContract(CANCELLED, 'events(last: 2) { nodes { ... on SubscriptionEvent { reason } } }')} }`;
    const { data } = await world.ask({ as: 'customer', query });
    expect(data.subscriptionContract.events.nodes).toEqual([{ reason: 'TOO_EXPENSIVE' }, { reason: null }]);
  });

  test('hides the reason that the store chose from the customer', async () => {
    const details = { reasonCode: 'OTHER', comment: null };
    const actor: EventActor = { kind: 'MERCHANT', label: 'Helpdesk' };
    await entry(CANCELLED, { action: 'subscription_cancelled', changes, details, actor });
    const ofStore = { kind: 'MERCHANT', label: 'Helpdesk', customer: null };
    expect((await ask('store')).cancellation).toMatchObject({ reason: 'OTHER', cancelledBy: ofStore });
    expect((await ask('customer')).cancellation).toMatchObject({
      reason: null,
      cancelledBy: { ...ofStore, label: null },
    });
  });
});
