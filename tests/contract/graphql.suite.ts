/** The specification's rules of the two GraphQL endpoints, over HTTP; what reaches the platform is counted. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Answer, ask, send, signIn, type Tokens } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

type Body = {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { message: string; path?: unknown; extensions: Record<string, unknown> }[];
};

let ada: Tokens;
describe('GraphQL', () => {
  beforeAll(async () => {
    ada = await signIn(stack, 'ada@example.com');
  });
  beforeEach(() => stack.control.clearRequests());

  const CUSTOMER = '/api/storefront/unstable/graphql.json';
  const ADMIN = '/api/admin/unstable/graphql.json';
  const bodyOf = (answer: Answer) => answer.body as Body;
  const platformRequests = async () =>
    (await stack.control.requests()).filter(({ kind }) => kind === 'admin');
  const gid = (type: string, id: number | string) => `gid://platform/${type}/${id}`;
  const LIST = `query ($id: ID!) {
  customer(id: $id) { id subscriptionContracts(first: 10, reverse: true) { edges { cursor node { id status nextBillingDate } }
    pageInfo { hasNextPage } } } }`;

  /** Checks the properties that all responses to rejected credentials share. */
  async function expectUnauthenticated(path: string, authorization: string | undefined): Promise<string> {
    const answer = await send(stack, path, {
      body: 'not even JSON',
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(answer.body).toEqual({
      errors: [
        {
          message: 'Authentication required',
          extensions: expect.objectContaining({ code: 'UNAUTHENTICATED', details: expect.any(String) }),
        },
      ],
    });
    return String(bodyOf(answer).errors?.[0]?.extensions.details);
  }

  describe.each([
    ['customer', CUSTOMER],
    ['admin', ADMIN],
  ] as const)('the %s endpoint', (name, path) => {
    test('refuses every credential that is not its own, before anything is read', async () => {
      const others = name === 'customer' ? stack.adminKey : ada.accessToken;
      for (const credential of [
        undefined,
        '',
        'Basic abc',
        'Bearer',
        'Bearer junk',
        `Bearer ${ada.refreshToken}`,
        `Bearer ${others}`,
      ]) {
        const details = await expectUnauthenticated(path, credential);
        expect(details).not.toContain('SVC_RT_');
      }
      expect(await platformRequests()).toEqual([]);
    });

    test('takes POST alone', async () => {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await send(stack, path, { method });
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      }
    });

    test('takes one JSON object with a query, no form and no batch', async () => {
      const bearer = name === 'customer' ? ada.accessToken : stack.adminKey;
      const post = (body: unknown, headers = {}) =>
        send(stack, path, { body, headers: { authorization: `Bearer ${bearer}`, ...headers } });
      expect(
        (await post('query={__typename}', { 'content-type': 'application/x-www-form-urlencoded' })).status,
      ).toBe(415);
      expect((await post([{ query: '{__typename}' }])).status).toBe(400);
      expect((await post({})).status).toBe(400);
      expect((await post({ query: 1 })).status).toBe(400);
      expect((await post({ query: '{__typename}', variables: 'x' })).status).toBe(400);
      expect((await post({ query: 'x'.repeat(300_000) })).status).toBe(413);
      expect(await platformRequests()).toEqual([]);
    });
  });

  describe('a customer', () => {
    const customer = (query: string, variables = {}) =>
      ask(stack, 'customer', { bearer: ada.accessToken, query, variables });

    test('lists the own subscriptions in one platform request', async () => {
      const answer = await customer(LIST, { id: gid('Customer', ada.customerId) });
      expect(answer.status).toBe(200);
      const { data, errors } = answer.body as {
        data: { customer: { id: string; subscriptionContracts: { edges: { node: { id: string } }[] } } };
        errors?: unknown;
      };
      expect(errors).toBeUndefined();
      expect(data.customer.id).toBe(gid('Customer', ada.customerId));
      const ids = data.customer.subscriptionContracts.edges.map(({ node }) => node.id);
      expect([...ids].sort()).toEqual(stack.contracts.slice(0, 3));
      expect(answer.body).not.toHaveProperty('extensions');
      expect(await platformRequests()).toHaveLength(1);
    });

    test('with 250 subscriptions lists them all, their pauses included, in one platform request', async () => {
      const carla = await signIn(stack, 'carla@example.com');
      const query = `query ($id: ID!) { customer(id: $id) { subscriptionContracts(first: 250) {
        nodes { id status currentPause { resumesAt } } } } }`;
      await stack.control.clearRequests();
      const variables = { id: gid('Customer', carla.customerId) };
      const answer = bodyOf(await ask(stack, 'customer', { bearer: carla.accessToken, query, variables }));
      expect(answer.errors).toBeUndefined();
      const { customer: listed } = answer.data as {
        customer: { subscriptionContracts: { nodes: { status: string; currentPause: unknown }[] } };
      };
      const { nodes } = listed.subscriptionContracts;
      expect(nodes).toHaveLength(250);
      expect(nodes.filter(({ currentPause }) => currentPause !== null).map(({ status }) => status)).toEqual(
        nodes.map(({ status }) => status).filter((status) => status === 'PAUSED'),
      );
      expect(await platformRequests()).toHaveLength(1);
    });

    test('reads one subscription and its billing cycles, each in one platform request', async () => {
      const id = stack.contracts[0];
      const one = await customer(
        'query ($id: ID!) { subscriptionContract(id: $id) { id status lines(first: 5) { nodes { id title } } } }',
        { id },
      );
      expect(bodyOf(one)).toMatchObject({ data: { subscriptionContract: { id } } });
      expect(await platformRequests()).toHaveLength(1);
      const cycles = await customer(
        'query ($id: ID) { subscriptionBillingCycles(contractId: $id, first: 3) { nodes { cycleIndex skipped } } }',
        { id },
      );
      expect(bodyOf(cycles).errors).toBeUndefined();
      expect(await platformRequests()).toHaveLength(2);
    });

    test('returns the same error for another customer, her subscription and an absent one', async () => {
      const carla = stack.customers[2]?.id ?? 0;
      const { data } = bodyOf(
        await ask(stack, 'admin', {
          bearer: stack.adminKey,
          query: `{ customer(id: "${gid('Customer', carla)}") { subscriptionContracts(first: 1) { nodes { id } } } }`,
        }),
      ) as { data: { customer: { subscriptionContracts: { nodes: { id: string }[] } } } };
      const hers = data.customer.subscriptionContracts.nodes[0]?.id;
      const contract = 'query ($id: ID!) { subscriptionContract(id: $id) { id status } }';
      const answers = [
        await customer(contract, { id: hers }),
        await customer(contract, { id: gid('SubscriptionContract', 999_999_999) }),
      ];
      const [foreign, absent] = answers.map(bodyOf);
      expect(foreign).toMatchObject({
        data: { subscriptionContract: null },
        errors: [{ extensions: { code: 'FORBIDDEN' } }],
      });
      const messagesOf = (body: Body | undefined) =>
        body?.errors?.map(({ message, path }) => ({ message, path }));
      expect(messagesOf(foreign)).toEqual(messagesOf(absent));
      await stack.control.clearRequests();
      const other = await customer(LIST, { id: gid('Customer', carla) });
      expect(bodyOf(other)).toMatchObject({
        data: { customer: null },
        errors: [{ extensions: { code: 'FORBIDDEN' } }],
      });
      expect(await platformRequests()).toEqual([]);
    });

    test.each([
      ['{ shop { name } }', 'shop'],
      ['query ($id: ID!) { customer(id: $id) { note } }', 'note'],
      ['query ($id: ID!) { customer(id: $id) { ...on Customer { alias: tags } } }', 'tags'],
      ['{ nothingOfTheKind }', 'nothingOfTheKind'],
      ['{ __schema { types { name } } }', '__schema'],
      ['{ __type(name: "Customer") { name } }', '__type'],
      [
        'mutation { subscriptionDraftCommit(draftId: "gid://platform/SubscriptionDraft/1") { userErrors { message } } }',
        'subscriptionDraftCommit',
      ],
    ])('may not ask %j', async (query, name) => {
      const answer = await customer(query, { id: gid('Customer', ada.customerId) });
      expect(answer.status).toBe(200);
      expect(bodyOf(answer).errors?.map(({ message }) => message)).toContain(
        `Field "${name}" is not available to customer accounts`,
      );
      expect(bodyOf(answer).errors?.[0]?.extensions.code).toBe('FIELD_NOT_AVAILABLE');
      expect(answer.text).not.toContain('Did you mean');
      expect(await platformRequests()).toEqual([]);
    });

    test('skips an order and restores it, and changes nothing on a retry', async () => {
      const contractId = stack.contracts[0];
      const now = new Date();
      const { data } = bodyOf(
        await customer(
          `query ($id: ID, $start: DateTime!, $end: DateTime!) { subscriptionBillingCycles(contractId: $id, first: 5,
          billingCyclesDateRangeSelector: { startDate: $start, endDate: $end }) { nodes { cycleIndex skipped } } }`,
          {
            id: contractId,
            start: now.toISOString(),
            end: new Date(now.getTime() + 60 * 864e5).toISOString(),
          },
        ),
      ) as { data: { subscriptionBillingCycles: { nodes: { cycleIndex: number; skipped: boolean }[] } } };
      const billingCycleIndex = data.subscriptionBillingCycles.nodes[1]?.cycleIndex;
      const skip = (value: boolean) =>
        customer(
          `mutation ($contractId: ID!, $billingCycleIndex: Int!, $skip: Boolean) {
          subscriptionBillingCycleSkip(contractId: $contractId, billingCycleIndex: $billingCycleIndex, skip: $skip) {
            billingCycle { cycleIndex skipped billingAttemptExpectedDate } userErrors { field message } } }`,
          { contractId, billingCycleIndex, skip: value },
        );
      for (const value of [true, true, false, false]) {
        expect(bodyOf(await skip(value))).toEqual({
          data: {
            subscriptionBillingCycleSkip: {
              billingCycle: {
                cycleIndex: billingCycleIndex,
                skipped: value,
                billingAttemptExpectedDate: expect.any(String),
              },
              userErrors: [],
            },
          },
        });
      }
    });

    test('variables of any name may be used below the answer of a skip', async () => {
      const answer = await customer(
        `mutation ($id: ID!, $cycle: Int!, $index: Int!, $skip: Boolean!, $reason: Int!) {
        subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: $cycle, skip: false) {
          billingCycle { billingAttempts(first: $index, reverse: $skip) { nodes { id } } more: billingAttempts(first: $reason) { nodes { id } } }
          userErrors { message } } }`,
        { id: stack.contracts[1], cycle: 7, index: 2, skip: true, reason: 3 },
      );
      expect(bodyOf(answer)).toMatchObject({ data: { subscriptionBillingCycleSkip: { userErrors: [] } } });
      expect(bodyOf(answer).errors).toBeUndefined();
    });

    test('returns a userError with HTTP 200 for skipping an unknown order', async () => {
      const answer = await customer(
        `mutation { subscriptionBillingCycleSkip(contractId: "${stack.contracts[0]}", billingCycleIndex: 9999, skip: true) {
        billingCycle { cycleIndex } userErrors { field message } } }`,
      );
      expect(answer.status).toBe(200);
      const payload = bodyOf(answer).data?.subscriptionBillingCycleSkip as {
        billingCycle: unknown;
        userErrors: { field: string[] }[];
      };
      expect(payload.billingCycle).toBeNull();
      expect(payload.userErrors[0]?.field).toEqual(['billingCycleIndex']);
    });

    test('returns different messages for an expired and a malformed token', async () => {
      const malformed = await expectUnauthenticated(CUSTOMER, 'Bearer SVC_CT_junk');
      await stack.control.clock({ advance: 2 * 3600 });
      const expired = await expectUnauthenticated(CUSTOMER, `Bearer ${ada.accessToken}`);
      expect(expired).toContain('expired');
      expect(malformed).not.toBe(expired);
      ada = await signIn(stack, 'ada@example.com');
    });
  });

  describe("a merchant's server", () => {
    const admin = (query: string, more: { variables?: object; headers?: Record<string, string> } = {}) =>
      ask(stack, 'admin', {
        bearer: stack.adminKey,
        query,
        variables: { ...more.variables },
        ...(more.headers && { headers: more.headers }),
      });
    const acting = (id: number | undefined) => ({ 'x-platform-customer-gid': gid('Customer', id ?? 0) });

    test('reads any customer of its store and returns the cost', async () => {
      const answer = await admin(LIST, { variables: { id: gid('Customer', stack.customers[1]?.id ?? 0) } });
      expect(bodyOf(answer).errors).toBeUndefined();
      expect(answer.body).toHaveProperty('extensions.cost.throttleStatus');
      expect(await platformRequests()).toHaveLength(1);
    });

    test('acting for a customer, reaches that customer alone', async () => {
      const query = 'query ($id: ID!) { subscriptionContract(id: $id) { id } }';
      const variables = { id: stack.contracts[0] };
      const own = await admin(query, { variables, headers: acting(stack.customers[0]?.id) });
      expect(bodyOf(own)).toMatchObject({ data: { subscriptionContract: { id: stack.contracts[0] } } });
      const others = await admin(query, { variables, headers: acting(stack.customers[1]?.id) });
      expect(bodyOf(others)).toMatchObject({
        data: { subscriptionContract: null },
        errors: [{ extensions: { code: 'FORBIDDEN' } }],
      });
      expect(others.text).not.toContain('status');
    });

    test.each([
      'x',
      '7001001',
      'gid://shopify/Customer/7001001',
      'gid://platform/Order/1',
      'gid://platform/Customer/0',
    ])('the header %j is malformed', async (value) => {
      const answer = await admin('{ __typename }', { headers: { 'x-platform-customer-gid': value } });
      expect([answer.status, bodyOf(answer).errors?.[0]?.extensions.code]).toEqual([
        400,
        'INVALID_CUSTOMER_GID',
      ]);
      expect(await platformRequests()).toEqual([]);
    });

    test.each([
      [
        'customerAddressUpdate',
        'addressId: "gid://platform/MailingAddress/1?model_name=CustomerAddress", customerId: "gid://platform/Customer/7001001", address: {}',
      ],
      [
        'customerPaymentMethodSendUpdateEmail',
        'customerPaymentMethodId: "gid://platform/CustomerPaymentMethod/abc"',
      ],
    ])('%s needs the header', async (name, args) => {
      const answer = await admin(`mutation { ${name}(${args}) { userErrors { message } } }`);
      expect(bodyOf(answer)).toMatchObject({
        data: { [name]: null },
        errors: [{ extensions: { code: 'CUSTOMER_REQUIRED' } }],
      });
      expect(await platformRequests()).toEqual([]);
    });

    test('may introspect', async () => {
      const answer = await admin('{ __schema { queryType { name } mutationType { name } } }');
      expect(bodyOf(answer)).toMatchObject({
        data: { __schema: { queryType: { name: 'QueryRoot' }, mutationType: { name: 'Mutation' } } },
      });
      expect(await platformRequests()).toEqual([]);
    });

    test("another store's key does not reach this store's customers", async () => {
      const other = stack.stores[1]?.adminKey ?? '';
      const answer = await ask(stack, 'admin', {
        bearer: other,
        query: LIST,
        variables: { id: gid('Customer', ada.customerId) },
      });
      expect(bodyOf(answer).data).toEqual({ customer: null });
    });
  });

  // Last, because it moves the clock.
  test("a customer's pause ends by itself, and the timeline says that the service did it", async () => {
    const id = stack.contracts[0] ?? '';
    const untilMs = Date.parse(await stack.control.now()) + 3_600_000;
    const query = `mutation ($id: ID!, $until: DateTime) {
    subscriptionContractPause(subscriptionContractId: $id, until: $until, reason: "away") {
      contract { status currentPause { resumesAt reason } } userErrors { code }
    }
  }`;
    const until = new Date(untilMs).toISOString().replace(/\.\d+Z/, 'Z');
    const paused = await ask(stack, 'customer', { bearer: ada.accessToken, query, variables: { id, until } });
    expect(bodyOf(paused).data).toEqual({
      subscriptionContractPause: {
        contract: { status: 'PAUSED', currentPause: { resumesAt: until, reason: 'away' } },
        userErrors: [],
      },
    });
    const isOwn = ({ message, shopId }: Readonly<Record<string, unknown>>) =>
      message === 'request' && shopId === stack.shopId;
    const last = stack.logs().findLast(isOwn);
    expect(last).toMatchObject({ action: 'pause', actions: 1 });
    await stack.control.clock({ advance: 2 * 3600 });
    const read = `{ subscriptionContract(id: "${id}") { status currentPause { resumesAt }
    events(last: 2) { nodes { action attributeToApp ... on SubscriptionEvent { actor { kind label } } } } } }`;
    const { subscriptionContract } = bodyOf(
      await ask(stack, 'admin', { bearer: stack.adminKey, query: read }),
    ).data as { subscriptionContract: unknown };
    expect(subscriptionContract).toEqual({
      status: 'ACTIVE',
      currentPause: null,
      events: {
        nodes: [
          { action: 'subscription_paused', attributeToApp: false, actor: { kind: 'CUSTOMER', label: null } },
          { action: 'subscription_resumed', attributeToApp: true, actor: { kind: 'SERVICE', label: null } },
        ],
      },
    });
  });
});
