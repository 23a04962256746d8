/** Many orders that come to a day after its preview was made. */
import { expect, test } from '@jest/globals';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import type { Description } from '../oracle/description.ts';
import { at, describeExample } from '../oracle/examples/examples.ts';
import { CALM } from './fault-profile.ts';
import { simulate, type World } from './simulate.ts';

/** The least number of orders that holds a run whose preview has none. */
const ORDER_COUNT = 100;
const DAY = '2027-01-05';
const BILLING_DATE = `${DAY}T12:00:00Z`;

/** Moves an order to the day. A move over the service has an entry of its customer. */
async function moveOrder(
  { emulated, service }: World,
  contractNumber: number,
  by: 'another app' | 'its customer',
): Promise<void> {
  const { deps, store } = service;
  const contractId = `gid://shopify/SubscriptionContract/${contractNumber}`;
  const { shopId } = store();
  const readAtMs = deps.now();
  const begin = deps.timeline.begin({ shopId, actor: { kind: 'CUSTOMER' }, requestId: 'move', readAtMs });
  const intent = {
    ...{ action: 'billing_cycle_rescheduled', contractId, changes: [] },
    details: { billingCycleIndex: 1, expectedDate: BILLING_DATE },
  };
  const open = by === 'its customer' ? await begin(intent) : undefined;
  await emulated.platform.run(`{ subscriptionBillingCycleScheduleEdit(
    billingCycleInput: { contractId: "${contractId}", selector: { index: 1 } },
    input: { reason: BUYER_INITIATED, billingDate: "${BILLING_DATE}" }) { userErrors { message } } }`);
  await open?.settleAsDone();
}

/** Orders of 20 January, in a store that switches billing on two days before the day. */
function describeOrders(): Description {
  const { contracts, ...example } = describeExample({
    contract: { createdMs: at('2026-12-20T08:20Z') },
    until: '2027-01-06T00:00Z',
  });
  const [contract] = contracts;
  if (contract === undefined) throw new Error('The example has no contract.');
  const fromMs = at('2027-01-03T12:00Z');
  const switchOn = { kind: 'settings', atMs: fromMs, settings: { enabled: true, startsOn: DAY } } as const;
  return {
    ...{ ...example, fromMs, store: { ...example.store, changes: [switchOn] } },
    contracts: Array.from({ length: ORDER_COUNT }, (_, id) => ({ ...contract, id })),
  };
}

test.each([
  ['charges', 'its customer', 'CHARGED', undefined],
  ['holds', 'another app', 'DUE', 'MORE_THAN_EXPECTED'],
] as const)('%s the orders that were each moved by %s', async (...[, by, state, holdReason]) => {
  const { emulated, service } = await simulate(describeOrders(), CALM, (world) =>
    world.agenda.add(at(`${DAY}T06:00Z`), async () => {
      for (const { record } of world.emulated.contracts) await moveOrder(world, record.id, by);
    }),
  );
  const { shopId } = service.store();
  const run = await service.deps.runs.find(shopId, DAY);
  expect(run).toMatchObject({
    expectedCount: 0,
    foundCount: ORDER_COUNT,
    countByState: { [state]: ORDER_COUNT },
    foundTotals: [{ amount: '2000.0', currencyCode: 'USD' }],
  });
  expect(run?.holdReason).toBe(holdReason);
  const charges = await Promise.all(
    emulated.contracts.map(({ record }) =>
      service.deps.charges.listOfContract({ shopId, contractNumber: `${record.id}` as ContractNumber }),
    ),
  );
  expect(new Set(charges.flat().map((charge) => charge.state))).toEqual(new Set([state]));
});

holdsRights();
