import { expect, test } from '@jest/globals';
import {
  countUnexplainedOrders,
  type UnexplainedOrdersDeps,
} from '../../../../lib/billing/preview/count-unexplained-orders.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import {
  type ContractNumber,
  type EventActor,
  type EventRecord,
  formatEventNumber,
  toEventItem,
} from '../../../../lib/timeline/event-record.ts';
import { readEvents } from '../../../../lib/timeline/read-events.ts';
import { createMemoryTable } from '../../../memory-table.ts';

const shopId = 1 as ShopId;
const run = { shopId, date: '2026-12-01' };
const PREPARED_AT_MS = Date.parse('2026-11-30T03:00:00Z');
const EARLIER_MS = PREPARED_AT_MS - 86_400_000;
const LATER_MS = PREPARED_AT_MS + 3_600_000;

const customer: EventActor = { kind: 'CUSTOMER' };
const service: EventActor = { kind: 'SERVICE' };
const merchant: EventActor = { kind: 'MERCHANT', label: 'Help desk' };
type Entry = { readonly actor: EventActor; readonly atMs: number; readonly action?: string };

const paused = (actor: EventActor): Entry => ({ actor, atMs: EARLIER_MS, action: 'subscription_paused' });
const resumedByService: Entry = { actor: service, atMs: LATER_MS, action: 'subscription_resumed' };
const move = (actor: EventActor): Entry => ({ actor, atMs: LATER_MS });
/** What another app or the platform changes, such as a new payment method. */
const replacements = Array.from(
  { length: 150 },
  (_, minute): Entry => ({
    actor: { kind: 'UNKNOWN' },
    atMs: LATER_MS + (minute + 1) * 60_000,
    action: 'payment_method_replaced',
  }),
);

/** Counts the order of a contract with these entries that has come to the day since its preview. */
async function countOrder(entries: readonly Entry[], isInPreview = false): Promise<number> {
  const table = createMemoryTable();
  const contract = '7' as ContractNumber;
  for (const [
    index,
    { actor, atMs: createdAtMs, action = 'billing_cycle_rescheduled' },
  ] of entries.entries()) {
    const number = formatEventNumber({ createdAtMs, sequence: 0, contract });
    const record = { id: `${index}`, number, shopId, contract, action, actor, createdAtMs };
    await table.put(
      toEventItem({
        ...record,
        ...{ requestId: '', details: {}, changes: [], outcome: 'DONE' },
      } as EventRecord),
    );
  }
  const line = { ...run, contractNumber: contract, cycleIndex: 3 };
  const deps = {
    previews: {
      find: async () => ({ preparedAtMs: PREPARED_AT_MS }),
      listEntries: async () => (isInPreview ? [line] : []),
    },
    runs: {
      async *listLines() {
        yield line;
      },
    },
    timeline: { readEvents: (request: Parameters<typeof readEvents>[1]) => readEvents({ table }, request) },
  } as unknown as UnexplainedOrdersDeps;
  return countUnexplainedOrders(deps, run, () => false);
}

test.each<readonly [string, readonly Entry[]]>([
  ['its customer has moved', [move(customer)]],
  ['its customer has moved before many other changes', [move(customer), ...replacements]],
  ['its customer has paused until then', [paused(customer), resumedByService]],
])('an order that %s is not unexpected', async (...[, entries]) => {
  expect(await countOrder(entries)).toBe(0);
});

test.each<readonly [string, readonly Entry[]]>([
  ['nobody has changed', []],
  ['its customer has changed before the preview', [{ actor: customer, atMs: EARLIER_MS }]],
  ['the merchant has moved', [move(merchant)]],
  ['an admin key has moved for its customer', [move({ ...customer, label: 'Help desk' })]],
  ['another app has moved', [move({ kind: 'UNKNOWN' })]],
  ['the merchant has paused until then', [paused(merchant), resumedByService]],
  [
    'an admin key has paused until then for its customer',
    [paused({ ...customer, label: 'Help desk' }), resumedByService],
  ],
  ['the service has changed', [{ actor: service, atMs: LATER_MS, action: 'subscription_paused' }]],
])('an order that %s is unexpected', async (...[, entries]) => {
  expect(await countOrder(entries)).toBe(1);
});

test('an order of the preview counts, though its customer has changed it since', async () => {
  expect(await countOrder([move(customer)], true)).toBe(1);
});
