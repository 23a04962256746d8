/** Platform mutations that change contracts, on both endpoints: what the timeline is told of each. */
import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { Timeline } from '../../lib/timeline/timeline.ts';
import { type Acting, createOperationWorld, gid, type OperationWorld } from './operation-world.ts';

const WEEKLY = 9_101_001;
const PAUSED = 9_101_003;
const ABSENT = 1;
const DAY_MS = 86_400_000;
const MERCHANT: Acting = 'store';
const contract = gid('SubscriptionContract', WEEKLY);
const cycle = (index: number) => ({ contractId: contract, selector: { index } });
const ERRORS = 'userErrors { field message }';

type Call = readonly [field: string, args: string, declared: string, variables: Record<string, unknown>];

/** The mutation of one field, as a client that looks at nothing writes it. */
function call(
  world: OperationWorld,
  [field, args, declared, variables]: Call,
  {
    as = MERCHANT,
    selection = '__typename',
    timeline,
  }: { as?: Acting; selection?: string; timeline?: Timeline } = {},
) {
  const query = `mutation(${declared}) { ${field}(${args}) { ${selection} } }`;
  return world.run({ as, query, variables, ...(timeline && { timeline }) });
}

const status = (name: string, id: number): Call => [
  `subscriptionContract${name}`,
  'subscriptionContractId: $id',
  '$id: ID!',
  { id: gid('SubscriptionContract', id) },
];
const scheduleEdit = (input: object, index = 9): Call => [
  'subscriptionBillingCycleScheduleEdit',
  'billingCycleInput: $cycle, input: $input',
  '$cycle: SubscriptionBillingCycleInput!, $input: SubscriptionBillingCycleScheduleEditInput!',
  { cycle: cycle(index), input: { reason: 'MERCHANT_INITIATED', ...input } },
];

/** When a cycle of the weekly contract is due, epoch milliseconds. */
async function dateOf(world: OperationWorld, index: number): Promise<number> {
  const { data } = await world.platform.ask(
    `query($id: ID!) { subscriptionBillingCycle(billingCycleInput: { contractId: $id, selector: { index: ${index} } }) {
      billingAttemptExpectedDate } }`,
    { id: contract.replace('platform', 'shopify') },
  );
  return Date.parse(data.subscriptionBillingCycle.billingAttemptExpectedDate);
}

/** Opens a draft of the weekly contract and changes it. */
async function draftWith(world: OperationWorld, input: object): Promise<Call> {
  const opened = await call(
    world,
    ['subscriptionContractUpdate', 'contractId: $id', '$id: ID!', { id: contract }],
    { selection: 'draft { id }' },
  );
  const id = opened.payload.draft.id as string;
  const changed = await call(
    world,
    [
      'subscriptionDraftUpdate',
      'draftId: $id, input: $input',
      '$id: ID!, $input: SubscriptionDraftInput!',
      { id, input },
    ],
    { selection: ERRORS },
  );
  expect([opened.recorded, changed.recorded, changed.payload.userErrors]).toEqual([[], [], []]);
  return ['subscriptionDraftCommit', 'draftId: $id', '$id: ID!', { id }];
}

describe('each is told with what it changes', () => {
  test('a contract that is ended', async () => {
    const world = createOperationWorld();
    const { recorded, sent, payload } = await call(world, status('Expire', WEEKLY));
    expect(payload).toEqual({ __typename: 'SubscriptionContractExpirePayload' });
    expect(sent).toEqual([['subscriptionContract'], ['subscriptionContractExpire']]);
    expect(recorded).toEqual([
      {
        action: 'subscription_expired',
        contractId: `gid://shopify/SubscriptionContract/${WEEKLY}`,
        details: {},
        changes: [
          { coordinate: 'SubscriptionContract.status', field: 'status', before: 'ACTIVE', after: 'EXPIRED' },
        ],
        outcome: 'done',
      },
    ]);
  });

  test('a date, a skip and an unskip, each once', async () => {
    const world = createOperationWorld();
    const billingDate = new Date((await dateOf(world, 10)) - DAY_MS).toISOString();
    const moved = await call(world, scheduleEdit({ billingDate }, 10));
    const skipped = await call(world, scheduleEdit({ skip: true }));
    const again = await call(world, scheduleEdit({ skip: true }));
    const unskip: Call = [
      'subscriptionBillingCycleUnskip',
      'billingCycleInput: $cycle',
      '$cycle: SubscriptionBillingCycleInput!',
      { cycle: cycle(9) },
    ];
    const unskipped = await call(world, unskip);
    expect(moved.recorded).toMatchObject([
      {
        action: 'billing_cycle_rescheduled',
        details: { billingCycleIndex: 10, billingDate },
        changes: [{ field: 'billingCycles.10.billingAttemptExpectedDate', after: billingDate }],
        outcome: 'done',
      },
    ]);
    expect(skipped.recorded).toMatchObject([
      {
        action: 'billing_cycle_skipped',
        changes: [{ field: 'billingCycles.9.skipped', before: 'false', after: 'true' }],
        outcome: 'done',
      },
    ]);
    expect(again.recorded).toEqual([]);
    expect(unskipped.recorded).toMatchObject([{ action: 'billing_cycle_unskipped', outcome: 'done' }]);
  });

  test('a next billing date, a charge, and edits that are deleted', async () => {
    const world = createOperationWorld();
    const dated = await call(world, [
      'subscriptionContractSetNextBillingDate',
      'contractId: $id, date: $date',
      '$id: ID!, $date: DateTime!',
      { id: contract, date: '2026-12-24T09:00:00Z' },
    ]);
    expect(dated.recorded).toMatchObject([
      {
        action: 'subscription_next_billing_date_updated',
        changes: [{ field: 'nextBillingDate', after: '2026-12-24T09:00:00Z' }],
        outcome: 'done',
      },
    ]);
    world.platform.holder.nowMs = await dateOf(world, 7);
    const charged = await call(world, [
      'subscriptionBillingAttemptCreate',
      'subscriptionContractId: $id, subscriptionBillingAttemptInput: $input',
      '$id: ID!, $input: SubscriptionBillingAttemptInput!',
      { id: contract, input: { idempotencyKey: 'one', billingCycleSelector: { index: 7 } } },
    ]);
    expect(charged.recorded).toMatchObject([
      { action: 'billing_cycle_charged', details: { billingCycleIndex: 7 }, outcome: 'done' },
    ]);
    await call(world, scheduleEdit({ skip: true }));
    const deleted = await call(world, [
      'subscriptionBillingCycleEditsDelete',
      'contractId: $id, targetSelection: ALL',
      '$id: ID!',
      { id: contract },
    ]);
    expect(deleted.recorded).toMatchObject([{ action: 'billing_cycle_edits_deleted', outcome: 'done' }]);
  });

  test("a draft's commit is one entry with all that it changes, its steps are none", async () => {
    const world = createOperationWorld();
    const input = { note: 'Ring twice', status: 'PAUSED', deliveryPrice: '1.50' };
    const { recorded, sent } = await call(world, await draftWith(world, input));
    expect(sent).toEqual([['node'], ['subscriptionDraftCommit']]);
    expect(recorded).toMatchObject([{ action: 'subscription_updated', outcome: 'done' }]);
    expect(recorded[0]?.changes.map(({ field, after }) => [field, after])).toEqual([
      ['status', 'PAUSED'],
      ['note', 'Ring twice'],
      ['deliveryPrice', '1.5 USD'],
    ]);
  });

  test('an address in a draft is told as changed, without values', async () => {
    const world = createOperationWorld();
    const address = {
      address1: '9 Hidden Lane',
      city: 'Portland',
      countryCode: 'US',
      firstName: 'Ada',
      lastName: 'Lind',
      provinceCode: 'ME',
      zip: '04101',
    };
    const commit = await draftWith(world, { deliveryMethod: { shipping: { address } } });
    const { recorded } = await call(world, commit);
    expect(recorded[0]?.changes).toContainEqual({
      coordinate: 'SubscriptionContract.deliveryMethod',
      field: 'deliveryMethod',
      before: null,
      after: null,
    });
    expect(JSON.stringify(recorded)).not.toContain('Hidden');
  });

  test('an e-mail and an address, on each contract that they are for', async () => {
    for (const as of ['customer', 'store for a customer'] as const) {
      const world = createOperationWorld();
      const records = [...world.platform.store().contracts.values()];
      const own = records.filter(({ content }) => content.customerId === 7001001);
      const method = own[0]?.content.paymentMethodId;
      const email = await call(
        world,
        [
          'customerPaymentMethodSendUpdateEmail',
          'customerPaymentMethodId: $id',
          '$id: ID!',
          { id: gid('CustomerPaymentMethod', method ?? '') },
        ],
        { as },
      );
      const users = own.filter(({ content }) => content.paymentMethodId === method).map(({ id }) => id);
      expect(email.sent).toHaveLength(2);
      expect(email.recorded.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
        users.map(() => 'payment_method_update_email_sent done'),
      );
      const cancelled = own.find(({ id }) => id === PAUSED);
      if (cancelled) cancelled.content.status = 'CANCELLED';
      const { id } = [...world.platform.store().addresses.values()].find(
        ({ customerId, model }) => customerId === 7001001 && model === 'CustomerAddress',
      ) ?? { id: 0 };
      const moved = await call(
        world,
        [
          'customerAddressUpdate',
          'customerId: $customer, addressId: $id, address: $address',
          '$customer: ID!, $id: ID!, $address: MailingAddressInput!',
          {
            customer: gid('Customer', 7001001),
            id: gid('MailingAddress', `${id}?model_name=CustomerAddress`),
            address: { city: 'Bath' },
          },
        ],
        { as, selection: ERRORS },
      );
      expect(moved.payload).toEqual({ userErrors: [] });
      expect(moved.sent).toHaveLength(2);
      const live = own.filter((one) => one !== cancelled).map((one) => one.id);
      expect(moved.recorded.map((one) => Number(one.contractId?.split('/').at(-1))).sort()).toEqual(live);
      expect(JSON.stringify(moved.recorded)).not.toContain('Bath');
    }
  });

  test('a charge of many orders, on the store', async () => {
    const range = { startDate: '2026-11-01T00:00:00Z', endDate: '2026-11-20T00:00:00Z' };
    const { recorded, sent } = await call(createOperationWorld(), [
      'subscriptionBillingCycleBulkCharge',
      'billingAttemptExpectedDateRange: $range',
      '$range: SubscriptionBillingCyclesDateRangeSelector!',
      { range },
    ]);
    expect(sent).toEqual([['subscriptionBillingCycleBulkCharge']]);
    expect(recorded).toMatchObject([
      { action: 'billing_cycles_charged', contractId: null, details: range, outcome: 'done' },
    ]);
  });
});

describe('nothing is told', () => {
  test('of what the platform refuses, though the client does not ask for errors', async () => {
    const world = createOperationWorld();
    world.contract(WEEKLY).content.status = 'CANCELLED';
    const { recorded } = await call(world, status('Expire', WEEKLY));
    expect(recorded).toMatchObject([{ action: 'subscription_expired', outcome: 'not done' }]);
  });

  test('of a contract that is not there, and the platform says so', async () => {
    const { recorded, payload } = await call(createOperationWorld(), status('Expire', ABSENT), {
      selection: ERRORS,
    });
    expect(recorded).toEqual([]);
    expect(payload.userErrors).toHaveLength(1);
  });

  test('of what is throttled', async () => {
    const world = createOperationWorld();
    const { recorded, code } = await throttledAfterLook(world);
    expect(code).toBe('THROTTLED');
    expect(recorded.map(({ outcome }) => outcome)).toEqual(['not done']);
  });

  async function throttledAfterLook(world: OperationWorld) {
    const timeline = refusing(() => world.throttle(50));
    return { ...(await call(world, status('Expire', WEEKLY), { timeline })), recorded: timeline.told };
  }
});

/** A timeline that does something when it is told. */
function refusing(onIntent: () => void) {
  const told: { action: string; outcome: string }[] = [];
  const timeline: Timeline = {
    begin:
      () =>
      async ({ action }) => {
        const change = { action, outcome: 'open' };
        told.push(change);
        onIntent();
        return {
          done: async () => void Object.assign(change, { outcome: 'done' }),
          notDone: async () => void Object.assign(change, { outcome: 'not done' }),
        };
      },
    readEvents: async () => [],
    findEvents: async () => [],
  };
  return { ...timeline, told };
}

test('where no intent can be written, the platform is not asked to change anything', async () => {
  const world = createOperationWorld();
  const timeline = refusing(() => {
    throw new ServiceError('TEMPORARILY_UNAVAILABLE');
  });
  const { code, sent } = await call(world, status('Expire', WEEKLY), { timeline });
  expect([code, sent]).toEqual(['TEMPORARILY_UNAVAILABLE', [['subscriptionContract']]]);
  expect(world.contract(WEEKLY).content.status).toBe('ACTIVE');
});

test('a lost answer leaves the intent open', async () => {
  const world = createOperationWorld();
  world.fail({ kind: 'lost after', at: 'subscriptionContractExpire' });
  const { recorded, code } = await call(world, status('Expire', WEEKLY));
  expect([code, recorded]).toMatchObject(['OUTCOME_UNKNOWN', [{ outcome: 'open' }]]);
});

test('a contract that is made has its entry, under its own id', async () => {
  const world = createOperationWorld();
  const ids: unknown[] = [];
  const timeline: Timeline = {
    ...refusing(() => undefined),
    begin: () => async (intent) => ({
      done: async (_changes, contractId) => void ids.push(intent.action, intent.contractId, contractId),
      notDone: async () => void ids.push('not done'),
    }),
  };
  const template = world.contract(WEEKLY).content;
  const { payload } = await call(
    world,
    [
      'subscriptionContractAtomicCreate',
      'input: $input',
      '$input: SubscriptionContractAtomicCreateInput!',
      {
        input: {
          customerId: gid('Customer', 7001001),
          currencyCode: 'USD',
          nextBillingDate: '2026-12-24T09:00:00Z',
          contract: {
            status: 'ACTIVE',
            paymentMethodId: gid('CustomerPaymentMethod', template.paymentMethodId ?? ''),
            billingPolicy: { interval: 'MONTH', intervalCount: 1 },
            deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
            deliveryPrice: '0',
            deliveryMethod: {
              shipping: {
                address: { address1: '1 A Street', city: 'Bath', countryCode: 'US', zip: '04530' },
              },
            },
          },
          lines: [
            {
              line: {
                productVariantId: gid('ProductVariant', template.lines[0]?.variantId ?? 0),
                quantity: 1,
                currentPrice: '9.00',
              },
            },
          ],
        },
      },
    ],
    { selection: 'contract { id } userErrors { field message }', timeline },
  );
  expect(payload.userErrors).toEqual([]);
  const made = (payload.contract.id as string).replace('platform', 'shopify');
  expect(ids).toEqual(['subscription_created', null, made]);
});

test('several in one document are each looked at right before they run', async () => {
  const world = createOperationWorld();
  const query = `mutation($a: ID!) {
    fail: subscriptionContractFail(subscriptionContractId: $a) { userErrors { message } }
    expire: subscriptionContractExpire(subscriptionContractId: $a) { userErrors { message } }
  }`;
  const { recorded, sent } = await world.run({ as: 'store', query, variables: { a: contract } });
  expect(recorded.map(({ changes: [fact] }) => [fact?.before, fact?.after])).toEqual([
    ['ACTIVE', 'FAILED'],
    ['FAILED', 'EXPIRED'],
  ]);
  expect(sent).toHaveLength(4);
});

test("a customer's own fields and nothing of ours come back", async () => {
  const world = createOperationWorld();
  const { payload } = await call(world, status('Fail', WEEKLY), {
    selection:
      'x: contract { id status } ...E } } fragment E on SubscriptionContractFailPayload { userErrors { message ',
  });
  expect(payload).toEqual({ x: { id: contract, status: 'FAILED' }, userErrors: [] });
});
