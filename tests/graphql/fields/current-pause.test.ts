/** `currentPause`: the platform's status, with the service's stored pause. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import {
  createPauseRecordRepository,
  type PauseRecord,
} from '../../../lib/subscriptions/pause/pause-record.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { ADA, NOW_MS, store } from '../world/harness.ts';
import { createResolveWorld } from '../world/resolve-world.ts';

const BEN = 7001002 as CustomerId;
const CARLA = 'gid://platform/Customer/7001003';
const PAUSED = 'gid://platform/SubscriptionContract/9101003';
const ACTIVE = 'gid://platform/SubscriptionContract/9101001';
const CARLAS_PAUSED = 9102009;
const ALL = 'pausedAt resumesAt reason pausedBy { kind label customer { id displayName } }';

const world = createResolveWorld();

/** Stores a pause of a contract, and replaces an earlier one. */
async function storePause(contractNumber: string, changes: Partial<PauseRecord>): Promise<void> {
  const pause: PauseRecord = {
    shopId: store.shopId as ShopId,
    contractNumber: contractNumber as ContractNumber,
    pauseId: 'pause-1',
    pausedAtMs: NOW_MS - 60_000,
    pausedBy: { kind: 'CUSTOMER', customerId: ADA },
    resumesAtMs: NOW_MS + 86_400_000,
    reason: 'We are on holiday.',
    setBy: { kind: 'CUSTOMER', customerId: ADA },
    setAtMs: NOW_MS - 60_000,
    ...changes,
  };
  const pauses = createPauseRecordRepository(world);
  await pauses.replace(await pauses.read(pause), pause, NOW_MS);
}

const contract = (id: string, selection: string) => `{ subscriptionContract(id: "${id}") { ${selection} } }`;

describe('a contract', () => {
  test('has no current pause while it is not paused, whatever is stored', async () => {
    await storePause('9101001', {});
    const query = contract(ACTIVE, `status currentPause { ${ALL} }`);
    const { data, sent, reads } = await world.ask({ as: 'customer', query });
    expect(data).toEqual({ subscriptionContract: { status: 'ACTIVE', currentPause: null } });
    expect([sent.length, reads]).toEqual([1, []]);
  });

  test('has a pause with unknown fields when it was paused externally', async () => {
    const query = `{ customer(id: "${CARLA}") { subscriptionContracts(first: 10) { nodes { currentPause { ${ALL} } } } } }`;
    const { data } = await world.ask({ as: 'store', query });
    const pauses = data.customer.subscriptionContracts.nodes.map(
      (one: { currentPause: unknown }) => one.currentPause,
    );
    expect(pauses[9]).toEqual({ pausedAt: null, resumesAt: null, reason: null, pausedBy: null });
  });

  test('shows who paused it, from when until when and why', async () => {
    await storePause('9101003', {});
    const query = `query ($id: ID!, $all: Boolean!) {
      subscriptionContractDetails(contractId: $id) { status: __typename currentPause { ...P by: pausedBy { who: kind @include(if: $all) label } } }
      subscriptionContract(id: $id) { p: currentPause { __typename pausedBy { customer { name: displayName } } ...P } }
    }
    fragment P on SubscriptionPauseInfo { pausedAt resumesAt why: reason pausedBy { __typename customer { id } } }`;
    const request = { query, variables: { id: PAUSED, all: false } };
    const { data, errors, sent, reads } = await world.ask({ as: 'customer', ...request });
    expect(errors).toEqual([]);
    const known = {
      pausedAt: '2026-11-21T11:59:00Z',
      resumesAt: '2026-11-22T12:00:00Z',
      why: 'We are on holiday.',
    };
    const customer = { id: `gid://platform/Customer/${ADA}` };
    expect(data).toEqual({
      subscriptionContractDetails: {
        status: 'SubscriptionContractDetails',
        currentPause: {
          ...known,
          pausedBy: { __typename: 'SubscriptionEventActor', customer },
          by: { label: null },
        },
      },
      subscriptionContract: {
        p: {
          __typename: 'SubscriptionPauseInfo',
          pausedBy: {
            customer: { name: 'Ada Brewer', ...customer },
            __typename: 'SubscriptionEventActor',
          },
          ...known,
        },
      },
    });
    expect(sent).toHaveLength(1);
    expect(reads).toEqual(['batchGet']);
    expect((await world.ask({ as: 'store', ...request })).data).toEqual(data);
    expect((await world.ask({ as: 'store for a customer', ...request })).data).toEqual(data);
  });
});

describe('a reason that the merchant gave, and the label of the key', () => {
  const query = contract(PAUSED, 'currentPause { reason pausedBy { kind label } }');

  test.each([
    ['customer', { reason: null, pausedBy: { kind: 'MERCHANT', label: null } }],
    ['store', { reason: 'Card trouble', pausedBy: { kind: 'MERCHANT', label: 'Helpdesk' } }],
    ['store for a customer', { reason: 'Card trouble', pausedBy: { kind: 'MERCHANT', label: 'Helpdesk' } }],
  ] as const)('are shown to a %s as far as it may see them', async (as, currentPause) => {
    const helpdesk = { kind: 'MERCHANT', label: 'Helpdesk' } as const;
    await storePause('9101003', { reason: 'Card trouble', pausedBy: helpdesk, setBy: helpdesk });
    const { data } = await world.ask({ as, query });
    expect(data).toEqual({ subscriptionContract: { currentPause } });
  });
});

describe('a pause by a customer to whom the contract does not belong any more', () => {
  const by = (selection: string) =>
    contract(PAUSED, `currentPause { pausedBy { kind customer { ${selection} } } }`);
  const viewOf = (customer: unknown) => ({
    subscriptionContract: { currentPause: { pausedBy: { kind: 'CUSTOMER', customer } } },
  });
  beforeAll(() => storePause('9101003', { pausedBy: { kind: 'CUSTOMER', customerId: BEN } }));

  test('names them by their id alone', async () => {
    const { data } = await world.ask({ as: 'store', query: by('__typename id email') });
    expect(data).toEqual(
      viewOf({ __typename: 'Customer', id: `gid://platform/Customer/${BEN}`, email: null }),
    );
  });

  test('names no customer where more than the id is selected', async () => {
    expect((await world.ask({ as: 'store', query: by('id displayName') })).data).toEqual(viewOf(null));
  });

  test('keeps the reason that they gave from who has the contract now', async () => {
    await storePause('9101003', {
      pausedBy: { kind: 'CUSTOMER', customerId: BEN },
      setBy: { kind: 'CUSTOMER', customerId: BEN },
    });
    const query = contract(PAUSED, 'currentPause { reason }');
    const reasonFor = async (as: 'customer' | 'store') =>
      (await world.ask({ as, query })).data.subscriptionContract.currentPause.reason;
    expect([await reasonFor('customer'), await reasonFor('store')]).toEqual([null, 'We are on holiday.']);
  });

  test.each(['customer', 'store for a customer'] as const)(
    'shows a %s nothing of the other customer',
    async (as) => {
      expect((await world.ask({ as, query: by('id') })).data).toEqual(viewOf(null));
    },
  );
});

test('the pause of a contract is read once for its fields and its next order', async () => {
  await storePause('9101003', {});
  const cycles = 'billingCycles(first: 1) { nodes { isWithinPause } }';
  const query = contract(PAUSED, `nextOrder { date } ${cycles} currentPause { resumesAt }`);
  const { data, errors, reads } = await world.ask({ as: 'customer', query });
  expect([errors, reads]).toEqual([[], ['batchGet']]);
  const { nextOrder, currentPause } = data.subscriptionContract;
  expect(currentPause).toEqual({ resumesAt: '2026-11-22T12:00:00Z' });
  expect(Date.parse(nextOrder.date)).toBeGreaterThanOrEqual(Date.parse('2026-11-22T12:00:00Z'));
});

test('the pauses of 250 contracts are read together', async () => {
  await storePause(`${CARLAS_PAUSED}`, { reason: 'Carla is away.' });
  const nodes = Array.from({ length: 250 }, (_, index) => ({
    _svcContract: `gid://shopify/SubscriptionContract/${CARLAS_PAUSED + (index % 240)}`,
    _svcStatus: 'PAUSED',
  }));
  const query = `{ customer(id: "${CARLA}") { subscriptionContracts(first: 250) { nodes { currentPause { reason } } } } }`;
  const { data, reads } = await world.ask({ as: 'store', query }, () => ({
    data: { customer: { subscriptionContracts: { nodes } } },
  }));
  expect(reads).toEqual(['batchGet']);
  const reasons = data.customer.subscriptionContracts.nodes.map(
    (one: { currentPause: { reason: string | null } }) => one.currentPause.reason,
  );
  expect(reasons.filter((reason: string | null) => reason !== null)).toEqual([
    'Carla is away.',
    'Carla is away.',
  ]);
});

describe('errors of the platform below the customer who paused', () => {
  test('stand at each place where the customer is shown', async () => {
    await storePause('9101003', {});
    const query = contract(PAUSED, 'a: currentPause { pausedBy { customer { email } } } b: status');
    const { result } = await world.ask({ as: 'store', query }, async (sent) => {
      const { data } = await world.standIn(sent);
      const alias = /_svcAt\d+/.exec(sent.document)?.[0] ?? '';
      const error = {
        message: 'No.',
        path: ['subscriptionContract', alias, 'email'],
        extensions: { code: 'ACCESS_DENIED' },
      };
      return { data: data ?? null, errors: [error] };
    });
    expect(result.errors).toEqual([
      {
        message: expect.stringContaining('has not granted'),
        path: ['subscriptionContract', 'a', 'pausedBy', 'customer', 'email'],
        extensions: { code: 'STORE_ACCESS_MISSING', missing: [] },
      },
    ]);
  });
});
