/** Sends the requests of a history, and checks that the answers are right and that a refused request changes nothing. */
import { expect } from '@jest/globals';
import type { BillingCycle } from '../../../sandbox/platform/state/billing-cycles.ts';
import { formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { changedCycles } from './followed-orders.ts';
import type { Command } from './history-commands.ts';
import type { createHistoryWorld, Payload } from './history-world.ts';

export function createCheckedRequests(world: ReturnType<typeof createHistoryWorld>) {
  /** How often commands were accepted and refused. */
  const counts: Record<string, number> = {};

  /** Sends a request. A refused one changes nothing. Returns the cycles before, if it was accepted. */
  async function accepted(
    { name }: Command,
    send: () => Promise<Payload>,
    refusals: readonly string[] = [],
  ): Promise<{ before: readonly BillingCycle[]; payload: Payload } | undefined> {
    world.later(1);
    const before = world.cycles();
    const payload = await send();
    const [code] = payload.userErrors.map((one) => one.code);
    counts[`${name} ${code ?? 'accepted'}`] = (counts[`${name} ${code ?? 'accepted'}`] ?? 0) + 1;
    if (code === undefined) {
      await checkAnswer(payload);
      return { before, payload };
    }
    expect([name, refusals]).toEqual([name, expect.arrayContaining([code])]);
    expect(changedCycles(before, world.cycles())).toEqual([]);
    return undefined;
  }

  /** Each order of the answer comes then; one without a date gets it with the next extension. */
  async function checkAnswer({ upcomingOrders, contract }: Payload): Promise<void> {
    const cycles = world.cycles();
    const laidThrough = (await world.postponedDates())?.laid.laidThrough ?? Number.POSITIVE_INFINITY;
    const answeredOrders = (upcomingOrders ?? []).filter(({ cycleIndex }) => cycleIndex <= laidThrough);
    const answered = answeredOrders.map(({ cycleIndex, date, skipped }) => [
      cycleIndex,
      skipped ? '-' : date,
    ]);
    const actual = answered.map(([index]) => {
      const cycle = cycles.find((one) => one.index === index);
      return [index, cycle === undefined || cycle.skipped ? '-' : formatIsoInstant(cycle.expectedMs)];
    });
    expect(answered).toEqual(actual);
    if (contract?.status !== 'ACTIVE' || contract.nextOrder === null) return;
    const next = world.nextOrder();
    expect(contract.nextOrder).toEqual(
      next && { cycleIndex: next.index, date: formatIsoInstant(next.expectedMs) },
    );
  }

  return { counts, accepted };
}
