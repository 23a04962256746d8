/** The delivery dates of an order that is charged late or early: they follow the order's date. */
import { describe, expect, it } from '@jest/globals';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../../../sandbox/platform/state/instant.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, PREPAID_PLAN } from '../../world/interval-world.ts';

const CHARGE = `mutation ($contractId: ID!, $index: Int!) {
  subscriptionBillingCycleCharge(subscriptionContractId: $contractId, billingCycleSelector: { index: $index }) {
    userErrors { field message code }
  }
}`;

/** A subscription that pays for three monthly deliveries, and its next order. */
async function begin() {
  const world = createIntervalWorld({ table: createMemoryTable(), contract: 9_101_003 });
  world.contract.content.status = 'ACTIVE';
  expect((await world.change({ plan: PREPAID_PLAN })).payload.userErrors).toEqual([]);
  const cycle = () => {
    const found = findCycleAt(world.contract, world.now());
    if (found === null) throw new Error('no cycle');
    return found;
  };
  /** Charges the present order at this time after its date. Returns when, and the due dates of its deliveries. */
  async function chargeAfter(ms: number) {
    const { index, expectedMs } = cycle();
    world.later(expectedMs + ms - world.now());
    const chargedAt = formatIsoInstant(world.now());
    const { payload } = await world.ask(CHARGE, { index }, 'store');
    expect(payload.userErrors).toEqual([]);
    await world.settle();
    const order = [...world.shop().orders.values()].findLast(
      (each) => each.contractId === world.contract.id && each.cycleIndex === index,
    );
    return { chargedAt, deliveries: order?.deliveriesDue ?? [] };
  }
  return { ...world, cycle, chargeAfter };
}

describe('the deliveries of an order for three months', () => {
  it('are due as if it had been charged on its date when it is charged nine days late', async () => {
    const [onTime, late] = [await begin(), await begin()];
    const { chargedAt, deliveries } = await onTime.chargeAfter(0);
    expect(deliveries).toHaveLength(3);
    expect(deliveries[0]).toBe(chargedAt);
    expect((await late.chargeAfter(9 * DAY_MS)).deliveries).toEqual(deliveries);
  });

  it('follow the new date when the order was moved and is charged late', async () => {
    const world = await begin();
    const { index, expectedMs } = world.cycle();
    const moved = formatIsoInstant(expectedMs - 2 * DAY_MS);
    world.contract.cycleEdits[index] = { skipped: false, billingDate: moved, contract: null };
    expect((await world.chargeAfter(HOUR_MS)).deliveries[0]).toBe(moved);
  });

  it('start with the charge when the order is charged 20 hours early', async () => {
    const world = await begin();
    const { chargedAt, deliveries } = await world.chargeAfter(-20 * HOUR_MS);
    expect(deliveries[0]).toBe(chargedAt);
  });
});
