import { describe, expect, test } from '@jest/globals';
import { addRequestedSeeds } from '../../../sandbox/platform/state/seed/seed-from-request.ts';
import { dayMs, harbor, juniper, newPlatform, startMs } from '../../sandbox/platform/admin/harness.ts';
import { faultsOf, overlapsOf, readLedger, simulateSubscription } from './money-ledger.ts';
import { deliveriesNow, oracleContract } from './oracle-view.ts';
import { nextPrice } from './price-oracle.ts';

const yearMs = 365 * dayMs;
const prepaid = 9201004;

describe('a year of a prepaid contract that nobody touches', () => {
  test('four payments bring twelve deliveries, one a month, each a third of its payment', async () => {
    const platform = newPlatform();
    const ledger = await simulateSubscription(platform, {
      shop: juniper,
      contractId: prepaid,
      untilMs: startMs + yearMs,
    });
    expect(faultsOf(ledger)).toEqual([]);
    expect(overlapsOf(ledger)).toEqual([]);
    expect(ledger.payments.map(({ linesMinor, deliveryMinor }) => [linesMinor, deliveryMinor])).toEqual(
      Array(4).fill([40_800, 490]),
    );
    expect(ledger.deliveries.map(({ dueAt }) => dueAt.slice(0, 10))).toEqual([
      ...Array.from({ length: 12 }, (_, month) => `2027-${String(month + 1).padStart(2, '0')}-12`),
    ]);
    expect(ledger.deliveries.every(({ share }) => share.minor === 41_290 && share.deliveries === 3)).toBe(
      true,
    );
  });

  test('pays what the oracle says, where the app raises the price before it charges', async () => {
    const platform = newPlatform();
    const store = platform.store(juniper);
    const ledger = await simulateSubscription(platform, {
      shop: juniper,
      contractId: prepaid,
      untilMs: startMs + yearMs,
      before: ({ contract }) => {
        const { ordersMade, lines } = oracleContract(store, prepaid);
        const [line] = lines;
        const d = deliveriesNow(store, prepaid);
        const { base = 0, steps = [] } = line?.pricing ?? {};
        for (const record of contract.content.lines)
          record.currentPriceMinor = nextPrice(steps, { base, d, ordersMade }) ?? 0;
      },
    });
    expect(ledger.payments.map(({ linesMinor }) => linesMinor)).toEqual([40_800, 40_800, 45_900, 45_900]);
    expect(faultsOf(ledger)).toEqual([]);
  });
});

test.each([
  ['JPY', 1400, 3, 1_120 * 3],
  ['EUR', 1295, 2, 1_036 * 2],
  ['KWD', 1003, 6, 4_814],
])('charges each payment at the discounted price in %s', async (currency, baseMinor, d, expected) => {
  const platform = newPlatform();
  const store = platform.store();
  store.currencyCode = currency;
  const plans = [
    {
      name: 'Ahead',
      billing: ['WEEK', d] as const,
      delivery: ['WEEK', 1] as const,
      prices: [['PERCENTAGE', 20] as const],
    },
  ];
  const lines = [{ variantId: 810100401, quantity: 2, baseMinor }];
  addRequestedSeeds(
    store,
    {
      sellingPlanGroups: [{ id: 8309001, name: 'Ahead', productIds: [8101004], plans }],
      subscriptions: [
        {
          id: 9109001,
          customerId: 7001001,
          createdMs: startMs,
          planId: 830900101,
          lines,
          deliveryPriceMinor: 0,
        },
      ],
    },
    startMs,
  );
  const ledger = await simulateSubscription(platform, { contractId: 9109001, untilMs: startMs + 90 * dayMs });
  expect(ledger.payments.map(({ linesMinor }) => linesMinor)).toEqual(
    Array(Math.floor(90 / (7 * d))).fill(2 * expected),
  );
  expect(ledger.payments[0]?.lines).toEqual([{ variantId: 810100401, pieces: 2, minor: 2 * expected }]);
  expect(faultsOf(ledger)).toEqual([]);
});

test('a skipped order is neither paid nor delivered', async () => {
  const platform = newPlatform();
  const contract = platform.store(juniper).contracts.get(prepaid);
  if (contract !== undefined) contract.cycleEdits[2] = { skipped: true, billingDate: null, contract: null };
  const ledger = await simulateSubscription(platform, {
    shop: juniper,
    contractId: prepaid,
    untilMs: startMs + yearMs,
  });
  expect(ledger.payments.map(({ cycleIndex }) => cycleIndex)).toEqual([1, 3, 4]);
  expect(ledger.deliveries).toHaveLength(9);
});

test('reports a free delivery, an unpaid one and a double payment', async () => {
  const platform = newPlatform();
  const store = platform.store(juniper);
  await simulateSubscription(platform, { shop: juniper, contractId: prepaid, untilMs: startMs + yearMs });
  const [one, two, three] = [...store.orders.values()].filter(
    ({ contractId, cycleIndex }) => contractId === prepaid && cycleIndex !== null,
  );
  if (one === undefined || two === undefined || three === undefined) throw new Error('three orders');
  two.cycleIndex = one.cycleIndex;
  two.deliveriesDue = one.deliveriesDue;
  three.paid = false;
  for (const line of one.lines) line.priceMinor = 0;
  const ledger = readLedger(store, prepaid, startMs);
  expect(faultsOf(ledger)).toEqual([
    `Order ${one.id} is free.`,
    'Cycle 1 was paid twice.',
    `Order ${three.id} is delivered and not paid.`,
    ...['01', '02', '03'].map((month) => `On 2027-${month}-12 orders ${one.id} and ${two.id} are delivered.`),
  ]);
  expect(overlapsOf(ledger)).toHaveLength(1);
});

test('the first store pays for each delivery', async () => {
  const platform = newPlatform();
  const ledger = await simulateSubscription(platform, {
    shop: harbor,
    contractId: 9101001,
    untilMs: startMs + 60 * dayMs,
  });
  expect(ledger.payments).toHaveLength(9);
  expect(ledger.deliveries.map(({ share }) => share)).toEqual(Array(9).fill({ minor: 1680, deliveries: 1 }));
  expect(faultsOf(ledger)).toEqual([]);
});
