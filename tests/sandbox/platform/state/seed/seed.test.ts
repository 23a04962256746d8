import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { restoreState, serializeState } from '../../../../../sandbox/platform/snapshot.ts';
import { orderGroupOfCustomer } from '../../../../../sandbox/platform/state/add-order.ts';
import { findCycleAt } from '../../../../../sandbox/platform/state/billing-cycles.ts';
import { addSeededRecords, createSeededState } from '../../../../../sandbox/platform/state/seed/seed.ts';
import {
  ASSETS_DIRECTORY,
  formatAssetUrl,
  type PlatformState,
  type StoreState,
} from '../../../../../sandbox/platform/state/state.ts';

const nowMs = Date.parse('2026-11-21T08:30:00Z');
const dayMs = 86_400_000;

function stores(state: PlatformState): [StoreState, StoreState] {
  const [first, second] = [...state.stores.values()];
  if (first === undefined || second === undefined) throw new Error('two stores');
  return [first, second];
}

describe('the seed', () => {
  test('is the same every time, and no address or card is missing for a contract', () => {
    expect(serializeState(createSeededState({ nowMs }))).toEqual(
      serializeState(createSeededState({ nowMs: nowMs + 60_000 })),
    );
  });

  test('has the four customers, in order', () => {
    const [harbor] = stores(createSeededState({ nowMs }));
    const customers = [...harbor.customers.values()].map(({ id, email }) => [id, email]);
    expect(customers).toEqual([
      [7001001, 'ada@example.com'],
      [7001002, 'ben@example.com'],
      [7001003, 'carla@example.com'],
      [7001004, 'dan@example.com'],
    ]);
    const counts = customers.map(
      ([id]) => [...harbor.contracts.values()].filter(({ content }) => content.customerId === id).length,
    );
    expect(counts).toEqual([3, 1, 250, 0]);
  });

  test('has one order of Ada that belongs to Ben', () => {
    const [harbor] = stores(createSeededState({ nowMs }));
    const given = [...harbor.orders.values()].filter(
      ({ contractId, customerId }) =>
        harbor.contracts.get(contractId ?? 0)?.content.customerId !== customerId,
    );
    expect(given).toMatchObject([{ contractId: 9101001, customerId: 7001002 }]);
  });

  test('lists each order under the customer to whom it belongs', () => {
    for (const { customers, orders } of stores(createSeededState({ nowMs })))
      for (const id of customers.keys()) {
        const customerOrders = [...orders.values()].filter(({ customerId }) => customerId === id);
        expect(orders.inGroup(orderGroupOfCustomer(id))).toEqual(customerOrders);
      }
  });

  test("Ben's last charge failed, and its cycle is unbilled", () => {
    const [harbor] = stores(createSeededState({ nowMs }));
    const contract = harbor.contracts.get(9101004);
    expect(contract).toMatchObject({
      lastPaymentStatus: 'FAILED',
      lastBillingAttemptErrorType: 'PAYMENT_ERROR',
    });
    const failures = [...harbor.attempts.values()].filter(({ errorCode }) => errorCode !== null);
    expect(failures).toMatchObject([{ contractId: 9101004, errorCode: 'CARD_DECLINED', orderId: null }]);
    expect(contract?.billedCycles).not.toContain(failures[0]?.cycleIndex);
  });

  // Short months and leap days move monthly cycles.
  test.each([
    '2026-01-15',
    '2026-01-31',
    '2027-02-13',
    '2028-02-13',
    '2028-02-29',
    '2026-06-14',
    '2026-12-31',
  ])('started on %s the monthly order is at least 10 days ahead', (day) => {
    const startMs = Date.parse(`${day}T13:20:00Z`);
    const [harbor] = stores(createSeededState({ nowMs: startMs, contracts: 0 }));
    const contract = harbor.contracts.get(9101002);
    const next = contract === undefined ? null : findCycleAt(contract, startMs);
    expect((next?.expectedMs ?? 0) - startMs).toBeGreaterThan(10 * dayMs);
    expect(contract?.billedCycles).toEqual([1, 2, 3]);
  });

  test('a contract from a checkout has an order that is no cycle; one that was brought along has none', () => {
    const [harbor, juniper] = stores(createSeededState({ nowMs }));
    const origin = (store: StoreState, id: number) =>
      store.orders.get(store.contracts.get(id)?.originOrderId ?? 0);
    expect(origin(harbor, 9101001)).toMatchObject({ cycleIndex: null, contractId: 9101001, paid: true });
    expect(origin(juniper, 9201004)?.deliveriesDue).toHaveLength(3);
    expect(origin(harbor, 9101004)).toBeUndefined();
    expect(origin(harbor, 9102000)).toBeUndefined();
    expect(harbor.contracts.get(9101004)?.billedCycles).toEqual([1]);
  });

  test('every option of the monthly contract is sold under all intervals of its group', () => {
    const [harbor] = stores(createSeededState({ nowMs }));
    const lines = harbor.contracts.get(9101002)?.content.lines ?? [];
    expect(lines).toHaveLength(2);
    for (const { productId } of lines) {
      const groups = [...harbor.sellingPlanGroups.values()].filter(({ productIds }) =>
        productIds.includes(productId ?? 0),
      );
      expect(groups.map(({ name }) => name)).toEqual(['Subscribe and save']);
    }
  });

  test('no id occurs in both stores', () => {
    const ids = stores(createSeededState({ nowMs })).map((store) => {
      const maps = Object.values(store).filter((value) => value instanceof Map);
      return new Set(
        maps.flatMap((map) =>
          [...map.keys()].filter(
            (key) => !['WELCOME10', 'SPRING20', 'GONE50', 'TWICE20'].includes(String(key)),
          ),
        ),
      );
    });
    expect([...(ids[0] ?? [])].filter((id) => ids[1]?.has(id))).toEqual([]);
  });

  test('every picture is a file', () => {
    for (const store of stores(createSeededState({ nowMs }))) {
      for (const { asset } of [...store.products.values(), ...store.variants.values()]) {
        expect(existsSync(new URL(`${asset}.svg`, ASSETS_DIRECTORY))).toBe(true);
        expect(new URL(formatAssetUrl('http://127.0.0.1:4000', asset)).pathname).toBe(
          `/_assets/${asset}.svg`,
        );
      }
    }
  });
});

describe('addSeededRecords', () => {
  test('adds contracts to Carla and customers without any', () => {
    const state = createSeededState({ nowMs, contracts: 5 });
    addSeededRecords(state, { contracts: 3, customers: 2 });
    const [harbor] = stores(state);
    expect(
      [...harbor.contracts.values()].filter(({ content }) => content.customerId === 7001003),
    ).toHaveLength(8);
    expect(harbor.customers.size).toBe(6);
  });

  test('a small and a large seed name the same contracts alike', () => {
    const grown = createSeededState({ nowMs, contracts: 5 });
    addSeededRecords(grown, { contracts: 1 });
    const [a] = stores(grown);
    const [b] = stores(createSeededState({ nowMs, contracts: 6 }));
    expect([...a.contracts.keys()]).toEqual([...b.contracts.keys()]);
  });
});

describe('a snapshot', () => {
  test('comes back whole through JSON', () => {
    const state = createSeededState({ nowMs, contracts: 10 });
    const stored = JSON.parse(JSON.stringify(serializeState(state)));
    expect(restoreState(stored)).toEqual(state);
  });

  test.each([null, {}, { stores: [] }, 'text'])('%j is refused with what to do', (json) => {
    expect(() => restoreState(json)).toThrow(/remove the data folder/);
  });
});
