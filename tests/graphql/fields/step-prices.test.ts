/** Totals of coming orders where the service bills: those of the price step that each order will have. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_BILLING_SETTINGS } from '../../../lib/billing/records/settings-record.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { discountByHand } from '../../contract/world/discount-by-hand.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { dayMs, newPlatform, type Platform } from '../../sandbox/platform/admin/harness.ts';
import { NOW_MS, runPlan, store } from '../world/harness.ts';

const ID = 'gid://platform/SubscriptionContract/9101001';
const QUERY = `{ subscriptionContractDetails(contractId: "${ID}") {
  contract { nextOrder { cycleIndex total { amount } } }
  billingCycles(first: 6) { nodes { cycleIndex total { amount } } } } }`;
/** The weekly contract's next order. */
const NEXT_INDEX = 7;
/** The orders that were paid so far: the checkout's and those of the six cycles. */
const PAID_COUNT = 7;

let platform: Platform;
let table: ReturnType<typeof createMemoryTable>;
beforeEach(async () => {
  platform = newPlatform();
  table = createMemoryTable();
  await setBilling({ enabled: true, startsOn: '2026-01-01' });
  const { content, billedCycles, originOrderId } = contract();
  expect([billedCycles.length + 1, originOrderId === null]).toEqual([PAID_COUNT, false]);
  content.deliveryPriceMinor = 0;
});

function contract(): ContractRecord {
  const found = platform.store().contracts.get(9101001);
  if (found === undefined) throw new Error('The seed has no weekly contract.');
  return found;
}

async function setBilling(settings: object): Promise<void> {
  const stored = { ...DEFAULT_BILLING_SETTINGS, version: 1, updatedAtMs: NOW_MS, ...settings };
  await table.put({ pk: `BILLING#${store.shopId}`, sk: 'SETTINGS', shopId: store.shopId, ...stored });
}

async function putCharge(cycleIndex: number, state: string): Promise<void> {
  const ref = { shopId: store.shopId, contractNumber: '9101001', cycleIndex };
  const sk = String(cycleIndex).padStart(10, '0');
  await table.put({ pk: `LEDGER#${store.shopId}#9101001`, sk, ...ref, version: 1, state });
}

/** Two pieces cost 20.00, and 17.00 after `afterCycle` paid orders. */
function setSteps(afterCycle: number): void {
  const [line] = contract().content.lines;
  if (line === undefined) throw new Error('The contract has no line.');
  const step = { adjustmentType: 'PERCENTAGE', adjustmentValue: 10 } as const;
  const cycleDiscounts = [
    { ...step, afterCycle: 0, computedPriceMinor: 1000 },
    { ...step, afterCycle, computedPriceMinor: 850 },
  ];
  Object.assign(line, {
    quantity: 2,
    currentPriceMinor: 1000,
    pricingPolicy: { basePriceMinor: 1200, cycleDiscounts },
  });
  contract().content.lines.splice(1);
}

type Total = { readonly amount: string } | null;
type Order = { readonly cycleIndex: number; readonly total: Total };

/** Returns the totals of the next order and of the first orders of the list, and how many requests they took. */
async function readTotals() {
  const { result, sent } = await runPlan({
    ...{ as: 'customer', query: QUERY, now: () => platform.holder.nowMs, table },
    standIn: async ({ document, variables }) => {
      platform.api.reset();
      const { data = null, errors = [] } = await platform.ask(document, variables);
      return { data, errors };
    },
  });
  expect(result.errors).toBeUndefined();
  const { contract: read, billingCycles } = (result.data as Record<string, unknown>)
    .subscriptionContractDetails as {
    readonly contract: { readonly nextOrder: Order | null };
    readonly billingCycles: { readonly nodes: readonly Order[] };
  };
  const orders = billingCycles.nodes.filter(({ cycleIndex }) => cycleIndex >= NEXT_INDEX).slice(0, 4);
  const amounts = orders.map(({ total }) => total && Number(total.amount));
  return { next: read.nextOrder && Number(read.nextOrder.total?.amount), amounts, requests: sent.length };
}

describe('the total of a coming order', () => {
  test('is that of the step which the order will have', async () => {
    setSteps(PAID_COUNT + 2);
    expect(await readTotals()).toMatchObject({ next: 20, amounts: [20, 20, 17, 17] });
    setSteps(PAID_COUNT);
    expect(await readTotals()).toMatchObject({ next: 17, amounts: [17, 17, 17, 17] });
  });

  test('counts no skipped order', async () => {
    setSteps(PAID_COUNT + 1);
    contract().cycleEdits[NEXT_INDEX] = { skipped: true, billingDate: null, contract: null };
    expect(await readTotals()).toMatchObject({ next: 20, amounts: [20, 20, 17, 17] });
  });

  test('counts no order that does not come because of a pause', async () => {
    setSteps(PAID_COUNT + 1);
    contract().content.status = 'PAUSED';
    expect((await readTotals()).amounts).toEqual([20, 20, 20, 20]);
  });

  test('is unknown while it depends on an order whose payment is open', async () => {
    setSteps(PAID_COUNT + 1);
    platform.holder.nowMs += 7 * dayMs;
    await putCharge(NEXT_INDEX, 'RETRYING');
    expect(await readTotals()).toMatchObject({ next: Number.NaN, amounts: [20, null, 17, 17] });
    await putCharge(NEXT_INDEX, 'REPORTED');
    expect(await readTotals()).toMatchObject({ next: 20, amounts: [20, 20, 17, 17] });
  });

  test('is unknown if a discount on goods applies to the new price', async () => {
    setSteps(PAID_COUNT + 1);
    contract().content.discounts.push(discountByHand());
    expect(await readTotals()).toMatchObject({ next: 18, amounts: [18, null, null, null] });
  });

  test('stays at the prices of an order that was edited by itself', async () => {
    setSteps(PAID_COUNT);
    const { content, createdAt } = contract();
    contract().cycleEdits[NEXT_INDEX] = {
      ...{ skipped: false, billingDate: null },
      contract: { content: structuredClone(content), createdAt, updatedAt: createdAt, concatenated: [] },
    };
    expect(await readTotals()).toMatchObject({ next: 20, amounts: [20, 17, 17, 17] });
  });

  test('stays at a price that the store set by hand', async () => {
    setSteps(PAID_COUNT);
    Object.assign(contract().content.lines[0] ?? {}, { currentPriceMinor: 999 });
    expect(await readTotals()).toMatchObject({ next: 19.98, amounts: [19.98, 19.98, 19.98, 19.98] });
  });

  test('is at the present prices for orders that the merchant’s server charges, without a further request', async () => {
    setSteps(PAID_COUNT);
    const { requests } = await readTotals();
    await setBilling({ enabled: false });
    const whenOff = await readTotals();
    expect(whenOff).toMatchObject({ next: 20, amounts: [20, 20, 20, 20] });
    expect(whenOff.requests).toBeLessThan(requests);
    await setBilling({ enabled: true, startsOn: new Date(NOW_MS + 14 * dayMs).toISOString().slice(0, 10) });
    expect(await readTotals()).toMatchObject({ next: 20, amounts: [20, 20, 17, 17] });
  });

  test('takes no further request for lines without steps', async () => {
    setSteps(PAID_COUNT);
    const { requests } = await readTotals();
    Object.assign(contract().content.lines[0] ?? {}, { pricingPolicy: null });
    expect((await readTotals()).requests).toBeLessThan(requests);
  });
});
