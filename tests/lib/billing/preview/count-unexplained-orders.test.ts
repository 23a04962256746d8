import { expect, test } from '@jest/globals';
import {
  countUnexplainedOrders,
  type UnexplainedDeps,
} from '../../../../lib/billing/preview/count-unexplained-orders.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';

const run = { shopId: 1 as ShopId, date: '2026-12-01' };
const preparedAtMs = 1000;
const status = [{ field: 'status', before: 'PAUSED', after: 'ACTIVE' }];

/** The entries of each contract that has an order of the run. */
const ENTRIES = {
  '1': [{ actor: { kind: 'CUSTOMER' }, createdAtMs: 2000, changes: [] }],
  '2': [{ actor: { kind: 'SERVICE' }, createdAtMs: 2000, changes: status }],
  '3': [{ actor: { kind: 'SERVICE' }, createdAtMs: 2000, changes: [] }],
  '4': [{ actor: { kind: 'CUSTOMER' }, createdAtMs: 500, changes: [] }],
  '5': [{ actor: { kind: 'MERCHANT', label: 'Help desk' }, createdAtMs: 2000, changes: status }],
  '6': [{ actor: { kind: 'UNKNOWN' }, createdAtMs: 2000, changes: status }],
  '7': [],
  '8': [{ actor: { kind: 'CUSTOMER' }, createdAtMs: 2000, changes: [] }],
};

test('counts all orders but those that customers have brought to the day since its preview', async () => {
  const lines = Object.keys(ENTRIES).map((contractNumber) => ({ ...run, contractNumber, cycleIndex: 3 }));
  const deps = {
    previews: {
      find: async () => ({ preparedAtMs }),
      // The customer has changed an order that was in the preview.
      listEntries: async () => [{ contractNumber: '8', cycleIndex: 3 }],
    },
    runs: {
      async *listLines() {
        yield* lines;
      },
    },
    timeline: {
      readEvents: async ({ contracts }: { contracts: readonly (keyof typeof ENTRIES)[] }) =>
        contracts.map((contract) => ({ edges: ENTRIES[contract].map((record) => ({ record })) })),
    },
  } as unknown as UnexplainedDeps;
  expect(await countUnexplainedOrders(deps, run, () => false)).toBe(6);
});
