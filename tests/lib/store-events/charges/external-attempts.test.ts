/** Attempts by other scripts of the same app: the timeline names the order that the platform has them for. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { countDocumentPoints } from '../../../../graphql/run/count-document-points.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import { readBillingCyclesOfAttempts } from '../../../../lib/store-events/charges/read-attempts.ts';
import { recordAttempts } from '../../../../lib/store-events/charges/record-attempts.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { findCycleAt, findCycleByIndex } from '../../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../../../../sandbox/platform/state/instant.ts';
import { store } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { createStoreWorld, MINUTE_MS, type StoreWorld, WEEKLY } from '../../../world/store-world.ts';

let world: StoreWorld;
let index: number;
beforeEach(() => {
  world = createStoreWorld(createMemoryTable());
  index = findCycleAt(world.contract(WEEKLY), world.now())?.index ?? 0;
});

const dueMs = () => findCycleByIndex(world.contract(WEEKLY), index)?.expectedMs ?? 0;

/** Charges the order outside the service, at this time after its date, with these fields of the input. */
async function chargeAfter(ms: number, input: string): Promise<void> {
  world.later(dueMs() + ms - world.now());
  const { userErrors } = await world.platform.run(`{ subscriptionBillingAttemptCreate(
    subscriptionContractId: "gid://shopify/SubscriptionContract/${WEEKLY}",
    subscriptionBillingAttemptInput: { idempotencyKey: "script-${ms}", ${input} }) { userErrors { message } } }`);
  expect(userErrors).toEqual([]);
  world.later(MINUTE_MS);
}

/** Runs the worker for the webhooks of all attempts of the contract. Returns the order in each entry. */
async function recordedOrders() {
  const run = { store: store as StoreRecord, endAtMs: world.now() + HOUR_MS };
  const attempts = [...world.platform.store().attempts.values()].filter(
    ({ contractId, idempotencyKey }) => contractId === WEEKLY && idempotencyKey.startsWith('script-'),
  );
  const { deps } = world.process(undefined, 'store-events');
  await recordAttempts(
    deps,
    run,
    attempts.map(({ id }) => String(id)),
  );
  return (await world.entries(WEEKLY)).map(({ details }) => [
    details.billingCycleIndex,
    details.expectedDate,
  ]);
}

describe('names the order of an attempt that another script made', () => {
  const selected = () => `billingCycleSelector: { index: ${index} }`;

  test.each([
    ['on its date', 0],
    ['an hour late', HOUR_MS],
    ['seven weeks late', 49 * DAY_MS],
    ['thirty orders late', 210 * DAY_MS],
    ['20 hours early', -20 * HOUR_MS],
  ])('%s', async (_when, ms) => {
    const expected = formatIsoInstant(dueMs());
    await chargeAfter(ms, selected());
    expect(await recordedOrders()).toEqual([[index, expected]]);
  });

  test('a day before an order that was moved to the first hour of its cycle', async () => {
    index += 1;
    const contract = world.contract(WEEKLY);
    const startMs = findCycleByIndex(contract, index)?.startMs ?? 0;
    const billingDate = formatIsoInstant(startMs + HOUR_MS);
    contract.cycleEdits[index] = { skipped: false, billingDate, contract: null };
    await chargeAfter(-23 * HOUR_MS, selected());
    expect(await recordedOrders()).toEqual([[index, billingDate]]);
  });

  test('an hour late without an index, which the platform takes for the next order', async () => {
    const next = findCycleByIndex(world.contract(WEEKLY), index + 1);
    world.contract(WEEKLY).cycleEdits[index + 1] = {
      skipped: false,
      billingDate: formatIsoInstant(dueMs() + 20 * HOUR_MS),
      contract: null,
    };
    await chargeAfter(HOUR_MS, 'inventoryPolicy: ALLOW_OVERSELLING');
    expect(await recordedOrders()).toEqual([[next?.index, formatIsoInstant(dueMs() + 20 * HOUR_MS)]]);
  });

  test('names no order when the platform does not show the attempt among the orders around it', async () => {
    await chargeAfter(420 * DAY_MS, selected());
    expect(await recordedOrders()).toEqual([[undefined, undefined]]);
  });
});

test('expects the points that the platform requests for the orders, less than half of the smallest bucket', async () => {
  const { deps } = world.process(undefined, 'store-events');
  const found: (readonly [expected: number | undefined, requested: number])[] = [];
  const sendWithinBudget: typeof deps.sendWithinBudget = (operation) => {
    const { document, variables, expectedCost } = operation;
    found.push([expectedCost, countDocumentPoints(document, variables)]);
    return deps.sendWithinBudget(operation);
  };
  const run = { store: store as StoreRecord, endAtMs: world.now() + HOUR_MS };
  const attempt = {
    contract: String(WEEKLY) as ContractNumber,
    createdAt: formatIsoInstant(world.now()),
    originTime: null,
  };
  await readBillingCyclesOfAttempts({ ...deps, sendWithinBudget }, run, Array(11).fill(attempt));
  expect(found.length).toBeGreaterThan(1);
  for (const [expected, requested] of found) {
    expect(requested).toBe(expected);
    expect(requested).toBeLessThan(500);
  }
});
