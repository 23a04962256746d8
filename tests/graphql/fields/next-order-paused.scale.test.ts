/** `nextOrder` and `isWithinPause` of paused contracts: orders before the end of the pause are not charged. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import {
  createPauseRecordRepository,
  type PauseRecord,
} from '../../../lib/subscriptions/pause/pause-record.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { findCycleByIndex } from '../../../sandbox/platform/state/billing-cycles.ts';
import { propertyRuns } from '../../full-size.ts';
import { ADA, NOW_MS, store } from '../world/harness.ts';
import { createResolveWorld, type WorldResult } from '../world/resolve-world.ts';

const DAY_MS = 86_400_000;
const PAUSED = 9101003;
const WEEKLY = 9101001;
const NEXT = 'nextOrder { date cycleIndex isSkippable }';
const gid = (number: number) => `gid://platform/SubscriptionContract/${number}`;
const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

let world = createResolveWorld();
beforeEach(() => {
  world = createResolveWorld();
});

async function storePause(number: number, resumesAtMs: number | undefined): Promise<void> {
  const pause: PauseRecord = {
    shopId: store.shopId as ShopId,
    contractNumber: String(number) as ContractNumber,
    pauseId: `pause-${number}`,
    pausedAtMs: NOW_MS - 60_000,
    pausedBy: { kind: 'CUSTOMER', customerId: ADA },
    resumesAtMs,
    reason: undefined,
    setBy: { kind: 'CUSTOMER', customerId: ADA },
    setAtMs: NOW_MS - 60_000,
  };
  const pauses = createPauseRecordRepository(world);
  await pauses.replace(await pauses.read(pause), pause, NOW_MS);
}

function contract(number = PAUSED) {
  const found = world.platform.store().contracts.get(number);
  if (found === undefined) throw new Error(`The seed has no contract ${number}.`);
  return found;
}

/** The cycles of a contract that are due within the next 365 days, as the emulated platform has them. */
function upcomingCycles(number: number) {
  const cycles = Array.from({ length: 120 }, (_, offset) => findCycleByIndex(contract(number), offset + 1));
  return cycles.filter(
    (cycle) => cycle !== null && cycle.endMs >= NOW_MS && cycle.startMs <= NOW_MS + 365 * DAY_MS,
  );
}

const one = `{ subscriptionContract(id: "${gid(PAUSED)}") { ${NEXT} } }`;
const details = `{ subscriptionContractDetails(contractId: "${gid(PAUSED)}") {
  contract { ${NEXT} } billingCycles(first: 20) { nodes { cycleIndex billingAttemptExpectedDate isWithinPause } } } }`;
const nextOf = ({ data }: WorldResult) =>
  (data.subscriptionContract ?? data.subscriptionContractDetails.contract).nextOrder;

describe('the next order of a paused contract', () => {
  test('is the first order at or after the end of the pause', async () => {
    const second = upcomingCycles(PAUSED)[1];
    if (second === undefined || second === null) throw new Error('The seed has no second order.');
    for (const [endMs, isSecond] of [
      [second.expectedMs, true],
      [second.expectedMs + 1000, false],
    ] as const) {
      await storePause(PAUSED, endMs);
      const { data, errors, sent, reads } = await world.ask({ as: 'customer', query: one });
      expect([errors, sent.length, reads]).toEqual([[], 2, ['batchGet']]);
      const { nextOrder } = data.subscriptionContract;
      expect(nextOrder.cycleIndex).toBe(isSecond ? second.index : second.index + 1);
      expect(nextOrder.isSkippable).toBe(true);
    }
  });

  test('is null when the pause has no end, and takes no request', async () => {
    for (const end of [undefined, 'no record'] as const) {
      if (end === undefined) await storePause(PAUSED, undefined);
      for (const query of [one, details]) {
        const answer = await world.ask({ as: 'customer', query });
        expect([nextOf(answer), answer.errors, answer.sent.length]).toEqual([null, [], 1]);
      }
    }
  });

  test('is null when the pause ends after the next 365 days', async () => {
    await storePause(PAUSED, NOW_MS + 366 * DAY_MS);
    for (const query of [one, details]) {
      const answer = await world.ask({ as: 'customer', query });
      expect([nextOf(answer), answer.errors, answer.sent.length]).toEqual([null, [], 1]);
    }
  });

  test('comes with the one request of the details', async () => {
    await storePause(PAUSED, NOW_MS + 200 * DAY_MS);
    const { data, errors, sent } = await world.ask({ as: 'customer', query: details });
    expect([errors, sent.length]).toEqual([[], 1]);
    const { contract: found, billingCycles } = data.subscriptionContractDetails;
    expect(Date.parse(found.nextOrder.date)).toBeGreaterThanOrEqual(NOW_MS + 200 * DAY_MS);
    const charged = billingCycles.nodes.find((cycle: { isWithinPause: boolean }) => !cycle.isWithinPause);
    expect(charged.cycleIndex).toBe(found.nextOrder.cycleIndex);
  });

  test('does not trust a record whose pause was ended outside the service', async () => {
    await storePause(WEEKLY, NOW_MS + 100 * DAY_MS);
    const query = `{ subscriptionContractDetails(contractId: "${gid(WEEKLY)}") { contract { status ${NEXT} }
      billingCycles(first: 1) { nodes { cycleIndex isWithinPause } } } }`;
    const { data, errors } = await world.ask({ as: 'customer', query });
    expect(errors).toEqual([]);
    expect(data.subscriptionContractDetails).toEqual({
      contract: { status: 'ACTIVE', nextOrder: expect.objectContaining({ cycleIndex: 7 }) },
      billingCycles: { nodes: [{ cycleIndex: 7, isWithinPause: false }] },
    });
  });

  test('is read for all contracts of a list in one request', async () => {
    await storePause(PAUSED, NOW_MS + 60 * DAY_MS);
    const query = `{ customer(id: "gid://platform/Customer/${ADA}") { subscriptionContracts(first: 10) { nodes { status ${NEXT} } } } }`;
    for (const as of ['customer', 'store for a customer', 'store'] as const) {
      const { data, errors, sent, reads } = await world.ask({ as, query });
      expect([errors, sent.length, reads]).toEqual([[], 2, ['batchGet']]);
      const { nodes } = data.customer.subscriptionContracts;
      const paused = nodes.filter(({ status }: { status: string }) => status === 'PAUSED');
      expect(paused.map(({ nextOrder }: { nextOrder: unknown }) => nextOrder)).toEqual([
        expect.objectContaining({ isSkippable: true }),
      ]);
    }
  });
});

describe('an order within the pause', () => {
  const cycles = `{ subscriptionBillingCycles(contractId: "${gid(PAUSED)}", first: 20) {
    nodes { cycleIndex date: billingAttemptExpectedDate isWithinPause } } }`;

  test('is one that is due before the end, or any that is ahead when the pause has no end', async () => {
    await storePause(PAUSED, NOW_MS + 60 * DAY_MS);
    const { data, errors, sent } = await world.ask({ as: 'customer', query: cycles });
    expect([errors, sent.length]).toEqual([[], 1]);
    const { nodes } = data.subscriptionBillingCycles;
    const expected = (node: { date: string }) => node.date < iso(NOW_MS + 60 * DAY_MS);
    expect(nodes.map((node: { isWithinPause: boolean }) => node.isWithinPause)).toEqual(nodes.map(expected));
    expect(new Set(nodes.map(expected)).size).toBe(2);

    await storePause(PAUSED, undefined);
    const open = await world.ask({ as: 'store', query: cycles });
    const all = open.data.subscriptionBillingCycles.nodes;
    expect(all.every(({ isWithinPause }: { isWithinPause: boolean }) => isWithinPause)).toBe(true);
  });

  test('is not one that was due before the pause began', async () => {
    await storePause(PAUSED, undefined);
    const past = cycles.replace(
      'first: 20',
      'billingCyclesIndexRangeSelector: { startIndex: 1, endIndex: 2 }, first: 20',
    );
    const { data } = await world.ask({ as: 'store', query: past });
    const { nodes } = data.subscriptionBillingCycles;
    expect(nodes[0]).toMatchObject({ cycleIndex: 1, isWithinPause: false });
    expect(nodes[0].date < iso(NOW_MS - 60_000)).toBe(true);
  });
});

test('the first order that is not within the pause and not skipped is the next one', async () => {
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 364 * 24 }),
    fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 10 }),
    fc.array(
      fc.record({ at: fc.integer({ min: 0, max: 12 }), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
      {
        maxLength: 4,
      },
    ),
    async (hours, skips, moves) => {
      world = createResolveWorld();
      const record = contract();
      const ahead = upcomingCycles(PAUSED);
      for (const { at, part } of moves) {
        const cycle = ahead[at];
        if (!cycle) continue;
        const billingDate = iso(
          Math.round((cycle.startMs + part * (cycle.endMs - cycle.startMs)) / 1000) * 1000,
        );
        record.cycleEdits[cycle.index] = { skipped: false, billingDate, contract: null };
      }
      for (const at of skips) {
        const index = ahead[at]?.index;
        if (index) record.cycleEdits[index] = { skipped: true, billingDate: null, contract: null };
      }
      const endMs = NOW_MS + hours * 3_600_000;
      await storePause(PAUSED, endMs);
      const expected = upcomingCycles(PAUSED).find(
        (cycle) => cycle && !cycle.skipped && cycle.expectedMs >= endMs,
      );
      const found = await Promise.all([one, details].map((query) => world.ask({ as: 'customer', query })));
      expect(found.map(nextOf).map((order) => order?.cycleIndex)).toEqual([expected?.index, expected?.index]);
    },
  );
  await fc.assert(property, propertyRuns(2000));
});
