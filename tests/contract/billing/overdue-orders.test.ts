/** An order that is brought back after the run of its day: customers see it until it is paid, with the run that charges it. */
import { beforeEach, describe, expect, it, test } from '@jest/globals';
import { composeBillingCharges } from '../../../functions/compose/compose-billing-charges.ts';
import type { BillingCharge } from '../../../lib/billing/records/charge-record.ts';
import { createBillingRuns } from '../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import type { BillingSettings } from '../../../lib/billing/records/settings-record.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { createIntervalWorld, current } from '../../world/interval-world.ts';
import { HOUR_MS, WEEKLY } from '../../world/store-world.ts';
import { gid } from '../world/operation-world.ts';

const ID = gid('SubscriptionContract', WEEKLY);
const ORDERS = 'billingCycles(first: 2) { nodes { cycleIndex status isWithinPause overdue { nextRunAt } } }';
const LISTS = {
  subscriptionContractDetails: `{ subscriptionContractDetails(contractId: "${ID}") { ${ORDERS} } }`,
  'SubscriptionContract.billingCycles': `{ subscriptionContract(id: "${ID}") { ${ORDERS} } }`,
  subscriptionBillingCycles: `{ subscriptionBillingCycles(contractId: "${ID}", ${ORDERS.slice('billingCycles('.length)} }`,
};
const mutation = (name: string, args: string) =>
  `mutation ($contractId: ID!) { change: ${name}(${args}) { userErrors { code } } }`;
const SKIP = mutation('subscriptionBillingCycleSkip', 'contractId: $contractId, billingCycleIndex: 7');
const UNSKIP = mutation(
  'subscriptionBillingCycleSkip',
  'contractId: $contractId, billingCycleIndex: 7, skip: false',
);
const PAUSE = mutation('subscriptionContractPause', 'subscriptionContractId: $contractId');
const RESUME = mutation('subscriptionContractActivate', 'subscriptionContractId: $contractId');
const POSTPONE = mutation(
  'subscriptionOrderPostpone',
  'contractId: $contractId, expectedDate: "2026-11-25T08:00:00Z", to: "2026-11-28"',
);
const REVERT = mutation('subscriptionOrderPostponementRevert', 'contractId: $contractId');

/** The order of cycle 7 is due at its cycle's end. The store's zone is UTC, and its runs begin at five o'clock. */
const DUE_MS = Date.parse('2026-11-25T08:00:00Z');
const TODAY = '2026-11-25';
const NEXT_RUN = /^2026-11-26T05:/;

let table: ReturnType<typeof createMemoryTable>;
let world: ReturnType<typeof createIntervalWorld>;

beforeEach(async () => {
  table = createMemoryTable();
  world = createIntervalWorld({ table });
  await changeBilling({ enabled: true, startsOn: '2026-11-22', hour: 5 });
  goTo(-2 * HOUR_MS);
});

/** Moves the clock to this many milliseconds after the order's date. */
function goTo(afterDueMs: number): void {
  world.platform.holder.nowMs = DUE_MS + afterDueMs;
}

async function changeBilling(change: Partial<BillingSettings>): Promise<void> {
  const settings = createBillingSettings({ table, now: world.now });
  const before = await settings.read(store.shopId);
  await settings.write(store.shopId, before, { ...before, ...change });
}

/** Stores the run of the order's day, which found no order, as the order was skipped or its contract paused. */
async function endRunOfToday(): Promise<void> {
  const runs = createBillingRuns({ table, now: world.now });
  const startedAtMs = DUE_MS - 3 * HOUR_MS;
  await runs.create({ shopId: store.shopId, date: TODAY, status: 'DONE', startedAtMs, foundCount: 0 });
}

async function change(query: string): Promise<void> {
  const { payload, code } = await world.ask(query, {});
  expect([code, payload?.userErrors]).toEqual([undefined, []]);
}

const putCharge = (charge: Partial<BillingCharge>) =>
  composeBillingCharges({ table, now: world.now }).create({
    ...{ shopId: store.shopId, contractNumber: `${WEEKLY}` as ContractNumber, cycleIndex: 7 },
    ...{ state: 'DUE', failedTryCount: 0, runDate: TODAY, expectedAtMs: DUE_MS, ...charge },
  });

async function read(list: keyof typeof LISTS = 'subscriptionContractDetails') {
  const { payload, code } = await world.ask(LISTS[list], {});
  expect(code).toBeUndefined();
  return (payload.billingCycles ?? payload).nodes;
}

describe('an order that is brought back after the run of its day', () => {
  it.each([
    ['an undone postponement', POSTPONE, REVERT],
    ['an undone skip', SKIP, UNSKIP],
    ['the end of a pause', PAUSE, RESUME],
  ])(
    'stays the first of each list after %s, with the run that charges it, until it is paid',
    async (_by, removal, return_) => {
      await change(removal);
      await endRunOfToday();
      await change(return_);
      expect(await read()).toMatchObject([{ cycleIndex: 7, overdue: null }, { cycleIndex: 8 }]);
      goTo(HOUR_MS);
      for (const list of Object.keys(LISTS) as (keyof typeof LISTS)[])
        expect(await read(list)).toMatchObject([
          { cycleIndex: 7, isWithinPause: false, overdue: { nextRunAt: expect.stringMatching(NEXT_RUN) } },
          { cycleIndex: 8, overdue: null },
        ]);
      world.contract.billedCycles.push(7);
      expect(await read()).toMatchObject([{ cycleIndex: 8 }, { cycleIndex: 9 }]);
    },
  );

  it('waits for the reminder of a charge that the run found and put off', async () => {
    await endRunOfToday();
    await putCharge({ remindAtMs: Date.parse('2026-11-26T05:10:00Z') });
    goTo(HOUR_MS);
    expect(await read()).toMatchObject([
      { cycleIndex: 7, overdue: { nextRunAt: '2026-11-26T05:10:00Z' } },
      { cycleIndex: 8 },
    ]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['where the service does not bill', () => changeBilling({ enabled: false })],
    ['while billing is stopped', () => changeBilling({ stoppedByStoreAtMs: DUE_MS })],
    ['from before the first day of billing', () => changeBilling({ startsOn: '2026-11-26' })],
    ['that is being charged', () => putCharge({ state: 'WAITING' })],
    ['that is tried again', () => putCharge({ state: 'RETRYING', failedTryCount: 1, nextTryAtMs: DUE_MS })],
  ])('names no run for an order %s', async (_when, arrange) => {
    await endRunOfToday();
    await arrange();
    goTo(HOUR_MS);
    expect(await read()).toMatchObject([{ cycleIndex: 7, overdue: { nextRunAt: null } }, { cycleIndex: 8 }]);
  });

  test.each<[string, () => unknown, number?]>([
    ['skipped', () => world.edit(current(world.contract).index - 7, { skipped: true })],
    [
      'due during a pause',
      () =>
        change(PAUSE)
          .then(() => goTo(0.5 * HOUR_MS))
          .then(() => change(RESUME)),
    ],
    ['given up', () => putCharge({ state: 'ENDED', reason: 'TRIES_OVER' })],
    ['reported', () => putCharge({ state: 'REPORTED', reason: 'OVERDUE' })],
    ['older than a week', () => undefined, 7 * 24 * HOUR_MS + 1000],
  ])('is not listed if it is %s', async (_how, arrange, afterDueMs = HOUR_MS) => {
    await endRunOfToday();
    await arrange();
    goTo(afterDueMs);
    const [first] = await read();
    expect(first).toMatchObject({ cycleIndex: 8 });
  });
});

holdsRights();
