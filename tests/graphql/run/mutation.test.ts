/** Mutations through the plan: proved before they run, one after another, never blindly twice. */
import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { AdminResponse } from '../../../lib/platform/admin-api/admin-response.ts';
import { createMemoryTable } from '../../memory-table.ts';
import {
  neverCalled,
  type PlanRequest,
  runPlan as runPlanOver,
  type StandIn,
  store,
} from '../world/harness.ts';

const ADA = 'gid://shopify/Customer/7001001';
const BEN = 'gid://shopify/Customer/7001002';
const CONTRACT = 'gid://platform/SubscriptionContract/11';
const SHOPIFYS = 'gid://shopify/SubscriptionContract/11';
const SKIP = `mutation ($c: ID!, $i: Int!, $s: Boolean, $d: DateTime) {
  subscriptionBillingCycleSkip(contractId: $c, billingCycleIndex: $i, skip: $s, expectedDate: $d) {
    billingCycle { cycleIndex skipped } userErrors { field message code }
  }
}`;

const runPlan = (request: PlanRequest) => runPlanOver({ table: createMemoryTable(), ...request });

/** Answers one after another; more are an error. */
function inTurn(...answers: readonly Partial<AdminResponse>[]): StandIn {
  const left = [...answers];
  return ({ document }) => {
    const next = left.shift();
    if (next === undefined) throw new Error(`One request too many: ${document}`);
    return next;
  };
}

const state = (cycle: Record<string, unknown> | null, contract: Record<string, unknown> | null = {}) => ({
  data: {
    _svcContract: contract && { id: SHOPIFYS, status: 'ACTIVE', customer: { id: ADA }, ...contract },
    _svcCycle: cycle && {
      cycleIndex: 9,
      skipped: false,
      status: 'UNBILLED',
      billingAttemptExpectedDate: '2026-12-09T09:00:00Z',
      ...cycle,
    },
  },
});
const edited = (skipped: boolean) => ({
  data: { edit: { billingCycle: { cycleIndex: 9, skipped }, _svcErrors: [] } },
});
const codeOf = (result: { data?: unknown }) => {
  const data = result.data as {
    subscriptionBillingCycleSkip: { userErrors: { field: string[]; code: string }[] };
  };
  const [error] = data.subscriptionBillingCycleSkip.userErrors;
  return [error?.code, error?.field];
};

describe('skipping an order', () => {
  test.each([
    ['customer', 'BUYER_INITIATED'],
    ['store for a customer', 'BUYER_INITIATED'],
    ['store', 'MERCHANT_INITIATED'],
  ] as const)('reads ownership and state as a %s, then sends the edit with the actor', async (as, reason) => {
    const variables = { c: CONTRACT, i: 9, s: true };
    const { result, sent } = await runPlan({
      as,
      query: SKIP,
      variables,
      standIn: inTurn(state({}), edited(true)),
    });
    expect(result).toEqual({
      data: {
        subscriptionBillingCycleSkip: { billingCycle: { cycleIndex: 9, skipped: true }, userErrors: [] },
      },
    });
    expect(sent.map(({ mutates }) => mutates)).toEqual([false, true]);
    expect(sent[1]?.variables).toMatchObject({
      _svcContractId: SHOPIFYS,
      _svcIndex: 9,
      _svcInput: { skip: true, reason },
    });
  });

  test('without "skip" it is true, as the default is', async () => {
    const standIn = inTurn(state({}), edited(true));
    const { sent } = await runPlan({
      as: 'customer',
      query: SKIP,
      variables: { c: CONTRACT, i: 9 },
      standIn,
    });
    expect(sent[1]?.variables._svcInput).toMatchObject({ skip: true });
  });

  test('rejects "skip: null" and sends nothing', async () => {
    const variables = { c: CONTRACT, i: 9, s: null };
    const { result, sent } = await runPlan({ as: 'customer', query: SKIP, variables, standIn: neverCalled });
    expect(sent).toEqual([]);
    expect(JSON.stringify(result.data)).toContain('true to skip the order, or to false to restore it');
  });

  test('changes nothing for a retry, and returns no error', async () => {
    const read = { data: { billingCycle: { cycleIndex: 9, skipped: true } } };
    const standIn = inTurn(state({ skipped: true }), read);
    const { result, sent } = await runPlan({
      as: 'customer',
      query: SKIP,
      variables: { c: CONTRACT, i: 9 },
      standIn,
    });
    expect(sent.every(({ mutates }) => !mutates)).toBe(true);
    expect(result.data).toEqual({
      subscriptionBillingCycleSkip: { billingCycle: { cycleIndex: 9, skipped: true }, userErrors: [] },
    });
  });

  test.each([
    ['a billed cycle', state({ status: 'BILLED' }), {}, 'CYCLE_ALREADY_BILLED', 'billingCycleIndex'],
    [
      'a past cycle',
      state({ billingAttemptExpectedDate: '2026-11-01T09:00:00Z' }),
      {},
      'DATE_IN_PAST',
      'billingCycleIndex',
    ],
    ['no such cycle', state(null), {}, 'CYCLE_NOT_FOUND', 'billingCycleIndex'],
    ['an ended contract', state({}, { status: 'CANCELLED' }), {}, 'CONTRACT_TERMINATED', 'contractId'],
    ['another date', state({}), { d: '2026-12-10T09:00:00Z' }, 'CYCLE_DATE_MISMATCH', 'expectedDate'],
  ] as const)('%s is refused, nothing is sent', async (_name, answer, more, code, field) => {
    const variables = { c: CONTRACT, i: 9, ...more };
    const { result } = await runPlan({ as: 'customer', query: SKIP, variables, standIn: inTurn(answer) });
    expect(codeOf(result)).toEqual([code, [field]]);
  });

  test('the expected date is an instant, however it is written', async () => {
    const variables = { c: CONTRACT, i: 9, d: '2026-12-09T10:00:00+01:00' };
    const standIn = inTurn(state({}), edited(true));
    expect((await runPlan({ as: 'customer', query: SKIP, variables, standIn })).sent).toHaveLength(2);
  });

  test.each([
    ['foreign', state({}, { customer: { id: BEN } })],
    ['absent', state(null, null)],
  ])('returns FORBIDDEN for a %s contract, and sends no edit', async (_name, answer) => {
    const variables = { c: CONTRACT, i: 9 };
    const { result } = await runPlan({ as: 'customer', query: SKIP, variables, standIn: inTurn(answer) });
    expect(result).toEqual({
      data: { subscriptionBillingCycleSkip: null },
      errors: [
        {
          message: 'This is not available.',
          path: ['subscriptionBillingCycleSkip'],
          extensions: { code: 'FORBIDDEN' },
        },
      ],
    });
  });

  test('returns the platform’s refusal at the service’s own arguments', async () => {
    const refused = {
      field: ['billingCycleInput', 'selector', 'index'],
      message: 'no',
      code: 'INVALID_CYCLE_INDEX',
    };
    const edit = { data: { edit: { billingCycle: null, _svcErrors: [refused] } } };
    const variables = { c: CONTRACT, i: 9 };
    const { result } = await runPlan({
      as: 'customer',
      query: SKIP,
      variables,
      standIn: inTurn(state({}), edit),
    });
    expect(codeOf(result)).toEqual(['INVALID_CYCLE_INDEX', ['billingCycleIndex']]);
  });

  test('is counted as something that customers do, if it was done and for one', async () => {
    const variables = { c: CONTRACT, i: 9 };
    const ask = (as: 'customer' | 'store' | 'store for a customer', answer: Partial<AdminResponse>) =>
      runPlan({ as, query: SKIP, variables, standIn: inTurn(state({}), answer) });
    const refused = { data: { edit: { _svcErrors: [{ field: null, message: 'no', code: 'INVALID' }] } } };
    expect((await ask('customer', edited(true))).actions).toEqual(['skip']);
    expect((await ask('store for a customer', edited(true))).actions).toEqual(['skip']);
    expect((await ask('store', edited(true))).actions).toEqual([]);
    expect((await ask('customer', refused)).actions).toEqual([]);
  });

  test('returns OUTCOME_UNKNOWN when the response is lost', async () => {
    const lost: StandIn = ({ mutates }) => {
      if (mutates) throw new ServiceError('OUTCOME_UNKNOWN');
      return state({});
    };
    const { result } = await runPlan({
      as: 'customer',
      query: SKIP,
      variables: { c: CONTRACT, i: 9 },
      standIn: lost,
    });
    expect(result.errors?.[0]?.extensions?.code).toBe('OUTCOME_UNKNOWN');
  });
});

describe('forwarded mutations', () => {
  const UPDATE = `mutation ($a: ID!, $b: ID!) {
    a: subscriptionContractUpdate(contractId: $a) { draft { id } userErrors { message } }
    b: subscriptionContractUpdate(contractId: $b) { draft { id } }
  }`;
  const variables = { a: CONTRACT, b: 'gid://platform/SubscriptionContract/12' };
  const owned = (number: number, customer: string) => ({
    id: `gid://shopify/SubscriptionContract/${number}`,
    _svcSubscriptionContract: { id: customer },
  });
  const draft = (key: string) => ({
    data: { [key]: { draft: { id: 'gid://shopify/SubscriptionDraft/1' } } },
  });

  test('are proved in one request, then run one after another in the name of who acts', async () => {
    const ownershipAnswer = { data: { _svcOwned: [owned(11, ADA), owned(12, ADA)] } };
    const standIn = inTurn(ownershipAnswer, draft('a'), draft('b'));
    const { result, sent } = await runPlan({ as: 'store for a customer', query: UPDATE, variables, standIn });
    expect(sent.map(({ mutates }) => mutates)).toEqual([false, true, true]);
    expect(Object.values(sent[1]?.variables ?? {})).toContain('CUSTOMER');
    expect(result.data).toEqual({
      a: { draft: { id: 'gid://platform/SubscriptionDraft/1' } },
      b: { draft: { id: 'gid://platform/SubscriptionDraft/1' } },
    });
  });

  test('none runs if one is not proved', async () => {
    const standIn = inTurn({ data: { _svcOwned: [owned(11, ADA), owned(12, BEN)] } });
    const { result } = await runPlan({ as: 'store for a customer', query: UPDATE, variables, standIn });
    expect(result.errors?.map(({ path, extensions }) => [path, extensions?.code])).toEqual([
      [['a'], 'NOT_RUN'],
      [['b'], 'FORBIDDEN'],
    ]);
  });

  test('after an unknown outcome the rest is not run', async () => {
    const lost: StandIn = () => {
      throw new ServiceError('OUTCOME_UNKNOWN');
    };
    const { result, sent } = await runPlan({ as: 'store', query: UPDATE, variables, standIn: lost });
    expect(sent).toHaveLength(1);
    expect(result.errors?.map(({ extensions }) => extensions?.code)).toEqual(['OUTCOME_UNKNOWN', 'NOT_RUN']);
    expect(result.data).toEqual({ a: null, b: null });
  });

  test.each([
    [
      'customerAddressUpdate',
      '(customerId: "gid://platform/Customer/7001001", addressId: "gid://platform/MailingAddress/1", address: {})',
    ],
    [
      'customerPaymentMethodSendUpdateEmail',
      '(customerPaymentMethodId: "gid://platform/CustomerPaymentMethod/1")',
    ],
  ])('%s needs a customer', async (name, args) => {
    const query = `mutation { ${name}${args} { userErrors { message } } }`;
    const { result } = await runPlan({ as: 'store', query, standIn: neverCalled });
    expect(result.errors?.[0]?.extensions?.code).toBe('CUSTOMER_REQUIRED');
  });

  const query = `mutation ($a: ID!) {
    customerAddressUpdate(customerId: "gid://platform/Customer/7001001", addressId: $a, address: { city: "Bern" }) {
      address { city }
    }
  }`;
  const own = 'MailingAddress/1?model_name=CustomerAddress';
  const ownershipAnswer = {
    data: { _svcAddresses: { addressesV2: { nodes: [{ id: `gid://shopify/${own}` }] } } },
  };
  const done = { data: { customerAddressUpdate: { address: { city: 'Bern' } } } };

  test.each(['customer', 'store for a customer'] as const)(
    'takes the id of an own address of a %s without its model name, and sends the id with it',
    async (as) => {
      const ask = (id: string) =>
        runPlan({
          as,
          query,
          variables: { a: `gid://platform/${id}` },
          standIn: inTurn(ownershipAnswer, done),
        });
      const { result, sent } = await ask('MailingAddress/1');
      expect([result.errors, result.data]).toEqual([undefined, done.data]);
      expect(Object.values(sent.at(-1)?.variables ?? {})).toContain(`gid://shopify/${own}`);
      for (const other of ['2', '01', '1?', '1?model_name=CompanyAddress', '1?x', 'x', '1%3F'])
        expect((await ask(`MailingAddress/${other}`)).result.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    },
  );

  test('an address has to be one of the customer', async () => {
    const ownVariables = { a: `gid://platform/${own}` };
    const yes = await runPlan({
      as: 'customer',
      query,
      variables: ownVariables,
      standIn: inTurn(ownershipAnswer, done),
    });
    expect(yes.result.errors).toBeUndefined();
    const otherVariables = { a: 'gid://platform/MailingAddress/2?model_name=CustomerAddress' };
    const no = await runPlan({
      as: 'customer',
      query,
      variables: otherVariables,
      standIn: inTurn(ownershipAnswer),
    });
    expect(no.result.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });
});

describe('the storefront token that customers’ apps have', () => {
  const own = { ...store, storefrontTokenId: 'gid://shopify/StorefrontAccessToken/77' };
  const remove = (id: string) =>
    `storefrontAccessTokenDelete(input: { id: "${id}" }) { deletedStorefrontAccessTokenId }`;
  const token = (tail: string) => `gid://platform/StorefrontAccessToken/${tail}`;

  test.each([
    ['alone', `mutation { ${remove(token('77'))} }`],
    ['beside another', `mutation { one: ${remove(token('78'))} two: ${remove(token('77'))} }`],
    ['by an alias in a fragment', `mutation { ...F } fragment F on Mutation { x: ${remove(token('77'))} }`],
  ])('is deleted by no key: %s', async (_what, query) => {
    const { result } = await runPlan({ as: 'store', query, store: own, standIn: neverCalled });
    expect(result).toEqual({
      errors: [expect.objectContaining({ message: expect.stringContaining('the service') })],
    });
    expect(result.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  test.each(['077', '77?x=1', '%37%37', '77.0', '+77', '７７'])(
    'is not deleted under another spelling: %s',
    async (tail) => {
      const query = `mutation { ${remove(token(tail))} }`;
      const { result } = await runPlan({ as: 'store', query, store: own, standIn: neverCalled });
      expect(result.errors).toHaveLength(1);
      expect(result.data).toBeUndefined();
    },
  );

  test.each([
    ['another', own, '78'],
    ['any, while the id of the own is not known', store, '77'],
  ])('%s is deleted', async (_what, one, tail) => {
    const deleted = { deletedStorefrontAccessTokenId: `gid://shopify/StorefrontAccessToken/${tail}` };
    const standIn: StandIn = () => ({ data: { storefrontAccessTokenDelete: deleted } });
    const query = `mutation { ${remove(token(tail))} }`;
    const { result } = await runPlan({ as: 'store', query, store: one, standIn });
    expect(result).toEqual({
      data: { storefrontAccessTokenDelete: { deletedStorefrontAccessTokenId: token(tail) } },
    });
  });
});
