/** Resuming with a date moves the next order itself: what the platform keeps as `nextBillingDate` moves nothing. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { cycleByIndex } from '../../../infra/emulators/platform/state/billing-cycles.ts';
import { dayMs, isoInstant } from '../../../infra/emulators/platform/state/instant.ts';
import { NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, current, cyclesOf, PLAN } from '../world/interval-world.ts';

const ACTIVATE = `mutation ($contractId: ID!, $date: DateTime) {
  subscriptionContractActivate(subscriptionContractId: $contractId, nextBillingDate: $date) {
    contract { status nextBillingDate nextOrder { date cycleIndex } } userErrors { code field }
  }
}`;
const date = (days: number) => isoInstant(NOW_MS + days * dayMs);

let world: ReturnType<typeof createIntervalWorld>;
beforeEach(() => {
  world = createIntervalWorld({ table: createMemoryTable() });
  world.contract.content.status = 'PAUSED';
});
const activate = (days: number) => world.ask(ACTIVATE, { date: date(days) });

/** The date of the first order that is neither skipped nor paid. */
function nextOrder() {
  const next = cyclesOf(world.contract, 60).find(({ skipped, billed }) => !skipped && !billed);
  return next && isoInstant(next.expectedMs);
}

describe('the order is on the date', () => {
  test.each([1, 20, 55])('%i days ahead: orders before it are skipped, those after it stay', async (days) => {
    const { payload } = await activate(days);
    expect(payload).toMatchObject({
      contract: { status: 'ACTIVE', nextBillingDate: date(days), nextOrder: { date: date(days) } },
      userErrors: [],
    });
    expect([nextOrder(), world.contract.content.nextBillingDate]).toEqual([date(days), date(days)]);
    const after = cycleByIndex(world.contract, payload.contract.nextOrder.cycleIndex + 1);
    expect([after?.edited, after?.skipped]).toEqual([false, false]);
    await activate(days);
    // The second one found all as it asked.
    expect(await world.story()).toEqual(['subscription_resumed DONE']);
  });

  test('of a skipped order, which is restored', async () => {
    world.edit(2, { skipped: true });
    await activate(20);
    expect(nextOrder()).toBe(date(20));
  });

  test('that is paid already: refused before anything is changed', async () => {
    world.contract.billedCycles.push(current(world.contract).index);
    const { payload } = await activate(1);
    expect(payload.userErrors).toEqual([{ code: 'OUT_OF_BOUNDS', field: ['nextBillingDate'] }]);
    expect([await world.story(), world.contract.content.status]).toEqual([[], 'PAUSED']);
  });
});

/** What an entry tells of the orders, as they were and are: nothing else of them has changed. */
function toldOfOrders(before: ReturnType<typeof ordersNow>) {
  const now = ordersNow();
  return Object.keys(now).flatMap((field) =>
    now[field] === before[field] ? [] : [`${field} ${before[field]} → ${now[field]}`],
  );
}
function ordersNow(): Record<string, string> {
  const facts = cyclesOf(world.contract, 20).flatMap(({ index, skipped, expectedMs }) => [
    [`billingCycles.${index}.skipped`, `${skipped}`],
    [`billingCycles.${index}.billingAttemptExpectedDate`, isoInstant(expectedMs)],
  ]);
  return Object.fromEntries(facts);
}
async function toldByEntries(): Promise<string[]> {
  const facts = (await world.entries()).flatMap(({ changes }) => changes);
  return facts
    .filter(({ field }) => field.startsWith('billingCycles.'))
    .map(({ field, before, after }) => `${field} ${before} → ${after}`);
}

describe('each order that changes is told with the change, and none that does not', () => {
  const changes = {
    'a contract is resumed': (days: number) => activate(days),
    'an active one gets a date': (days: number) => {
      world.contract.content.status = 'ACTIVE';
      return activate(days);
    },
    'its interval is set with a date': (days: number) => {
      world.contract.content.status = 'ACTIVE';
      return world.change({ interval: { interval: 'WEEK', intervalCount: 1 }, date: date(days) });
    },
  };
  /** Days ahead: the date is another than an order has, or is its own, so that only those before it change. */
  const ownDate = () => (cyclesOf(world.contract, 4)[3]?.expectedMs ?? 0) - NOW_MS;
  const cases = Object.keys(changes).flatMap((name) =>
    ['another date', 'its own date', 'its own, and it was skipped'].map((which) => [name, which] as const),
  );
  const play = async (name: string, which: string) => {
    const days = which === 'another date' ? 20 : ownDate() / dayMs;
    if (which.endsWith('skipped')) world.edit(3, { skipped: true });
    const before = ordersNow();
    const { code } = await changes[name as keyof typeof changes](days);
    return { before, code };
  };

  test.each(cases)('%s, %s', async (name, which) => {
    const { before } = await play(name, which);
    const told = await toldByEntries();
    expect(told.length).toBeGreaterThan(0);
    expect(told.sort()).toEqual(toldOfOrders(before).sort());
  });

  test.each(cases)('%s, %s, and it breaks off before or after the move', async (name, which) => {
    for (const kind of ['lost before', 'lost after'] as const) {
      world = createIntervalWorld({ table: createMemoryTable() });
      world.contract.content.status = 'PAUSED';
      world.fail({ kind, at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
      world.fail({ kind: 'lost before', at: '_svcUpToDate', times: 9 });
      const { before } = await play(name, which);
      world.forgetFaults();
      await world.settle();
      expect((await toldByEntries()).sort()).toEqual(toldOfOrders(before).sort());
      expect((await world.story()).map((one) => one.split(' ')[1])).toEqual(['DONE']);
    }
  });
});

describe('a move that breaks off after the commit', () => {
  test.each(['lost before', 'lost after'] as const)('%s: sent again', async (kind) => {
    world.fail({ kind, at: 'subscriptionBillingCycleScheduleEdit' });
    const { payload } = await activate(20);
    expect([payload.userErrors, nextOrder()]).toEqual([[], date(20)]);
  });

  test('is finished by the scheduled work, once', async () => {
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
    expect((await activate(20)).code).toBe('OUTCOME_UNKNOWN');
    expect(nextOrder()).not.toBe(date(20));
    world.forgetFaults();
    await world.settle();
    expect(nextOrder()).toBe(date(20));
    expect(await world.story()).toEqual(['subscription_resumed DONE']);
  });

  test('but not over a later date', async () => {
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
    await activate(20);
    world.forgetFaults();
    await activate(26);
    await world.settle();
    expect(nextOrder()).toBe(date(26));
  });

  test('of a new interval, too', async () => {
    world.contract.content.status = 'ACTIVE';
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
    expect((await world.change({ plan: PLAN, date: date(20) })).code).toBe('OUTCOME_UNKNOWN');
    expect(nextOrder()).not.toBe(date(20));
    world.forgetFaults();
    await world.settle();
    expect(nextOrder()).toBe(date(20));
    expect(await world.story()).toEqual(['subscription_interval_updated DONE']);
    const skipped = cyclesOf(world.contract, 20).filter((cycle) => cycle.skipped);
    expect((await toldByEntries()).filter((told) => told.includes('skipped'))).toEqual(
      skipped.map(({ index }) => `billingCycles.${index}.skipped false → true`),
    );
  });
});
