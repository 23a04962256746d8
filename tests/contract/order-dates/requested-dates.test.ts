/**
 * Dates that a client requests, in any spelling, on contracts in any state: afterwards the platform's own cycles have
 * the next order on the date, also when the second step fails and the scheduled work finishes it.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  listCyclesBetween,
  RESCHEDULING_KINDS,
  type ReschedulingRule,
} from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, current, cyclesOf, MONTHLY } from '../../world/interval-world.ts';
import { WEEKLY } from '../../world/store-world.ts';

const ANSWER = '{ contract { status nextBillingDate nextOrder { date } } userErrors { code field message } }';
const MUTATIONS = {
  activate: `mutation ($contractId: ID!, $date: DateTime) {
    subscriptionContractActivate(subscriptionContractId: $contractId, nextBillingDate: $date) ${ANSWER}
  }`,
  interval: `mutation ($contractId: ID!, $interval: SubscriptionIntervalInput, $date: DateTime) {
    subscriptionContractIntervalUpdate(contractId: $contractId, interval: $interval, nextBillingDate: $date) ${ANSWER}
  }`,
};

/** The same second, as clients write it: with an offset or in UTC without one, and with a fraction that the platform drops. */
const spelling = fc.record({
  fraction: fc.constantFrom('', '.0', '.000', '.4', '.676', '.999', '.000000001', '.999999999'),
  offsetMinutes: fc.constantFrom('none' as const, null, 0, 120, -300, 345, -690, 840),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer One> ? One : never;

function spelt(ms: number, { fraction, offsetMinutes }: Spelling): string {
  if (offsetMinutes === 'none') return `${formatIsoInstant(ms).slice(0, -1)}${fraction}`;
  const minutes = offsetMinutes ?? 0;
  const digits = (count: number) => String(Math.floor(count)).padStart(2, '0');
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${digits(size / 60)}:${digits(size % 60)}`;
  const local = formatIsoInstant(ms + minutes * 60_000).slice(0, -1);
  return `${local}${fraction}${offsetMinutes === null ? 'Z' : offset}`;
}

const INTERVALS = [
  { interval: 'WEEK', intervalCount: 1 },
  { interval: 'WEEK', intervalCount: 2 },
  { interval: 'WEEK', intervalCount: 5 },
  { interval: 'MONTH', intervalCount: 1 },
  { interval: 'DAY', intervalCount: 3 },
] as const;

/** Around an order that is there already, the end of summer time in the store's zone, or anywhere. */
const request = fc.oneof(
  fc.record({ order: fc.nat(8), seconds: fc.constantFrom(0, 1, -1, -3600, 3600, -86_399) }),
  fc.record({
    ms: fc.constantFrom('2027-03-14T06:59:59Z', '2027-03-14T07:00:00Z').map((text) => Date.parse(text)),
  }),
  fc.record({ ms: fc.integer({ min: 3600, max: 170 * 86_400 }).map((seconds) => NOW_MS + seconds * 1000) }),
);

const requestArbitrary = fc.record({
  name: fc.constantFrom('activate' as const, 'interval' as const, 'interval' as const),
  as: fc.constantFrom('customer' as const, 'store' as const),
  contract: fc.constantFrom(WEEKLY, MONTHLY),
  rescheduling: fc.constantFrom<ReschedulingRule>(...RESCHEDULING_KINDS),
  status: fc.constantFrom('ACTIVE' as const, 'ACTIVE' as const, 'PAUSED' as const, 'FAILED' as const),
  isPaid: fc.nat(9).map((one) => one === 0),
  edits: fc.dictionary(fc.nat(5).map(String), fc.record({ skipped: fc.boolean(), daysEarlier: fc.nat(5) }), {
    maxKeys: 3,
  }),
  /** The `nextBillingDate` that the platform stores. */
  note: fc.constantFrom('its own' as const, 'none' as const, 'the asked' as const, 'an hour off' as const),
  request,
  interval: fc.constantFrom(...INTERVALS),
  first: spelling,
  again: spelling,
  breaks: fc.constantFrom(undefined, undefined, 'lost after' as const, 'lost before' as const),
  /** Another interval afterwards, perhaps while the contract is paused. */
  next: fc.record({
    interval: fc.constantFrom(...INTERVALS),
    isPaused: fc.nat(3).map((one) => one === 0),
    breaks: fc.constantFrom(undefined, undefined, 'lost after' as const, 'lost before' as const),
  }),
});
type DateRequest = typeof requestArbitrary extends fc.Arbitrary<infer One> ? One : never;

type World = ReturnType<typeof createIntervalWorld>;

function worldOf(given: DateRequest) {
  const world = createIntervalWorld({
    table: createMemoryTable(),
    contract: given.contract,
    rescheduling: given.rescheduling,
  });
  const { contract } = world;
  contract.content.status = given.status;
  const { index } = current(contract);
  if (given.isPaid) contract.billedCycles.push(index);
  for (const [offset, { skipped, daysEarlier }] of Object.entries(given.edits)) {
    const cycle = cyclesOf(contract, 6)[Number(offset)];
    if (cycle === undefined) continue;
    const billingDate =
      skipped || daysEarlier === 0 ? null : formatIsoInstant(cycle.endMs - daysEarlier * DAY_MS);
    if (skipped || billingDate !== null)
      contract.cycleEdits[cycle.index] = { skipped, billingDate, contract: null };
  }
  const dateMs = dateOf(world, given.request);
  const note = { none: null, 'the asked': dateMs, 'an hour off': dateMs + 3_600_000 };
  if (given.note !== 'its own') {
    const ms = note[given.note];
    contract.content.nextBillingDate = ms === null ? null : formatIsoInstant(ms);
  }
  return { world, dateMs };
}

function dateOf({ contract }: World, where: DateRequest['request']): number {
  if ('ms' in where) return where.ms;
  const order = cyclesOf(contract, 9)[where.order];
  return (order?.expectedMs ?? 0) + where.seconds * 1000;
}

/** Returns the date of the first order that is neither skipped nor paid, which is charged next. */
function nextOrder({ contract }: World): string | undefined {
  const next = cyclesOf(contract, 130).find(({ skipped, billed }) => !skipped && !billed);
  return next && formatIsoInstant(next.expectedMs);
}

/** Whether the order of that time is paid. */
function isPaid({ contract }: World, dateMs: number): boolean {
  const containingCycle = cyclesOf(contract, 60).find(
    ({ startMs, endMs }) => startMs <= dateMs && dateMs <= endMs,
  );
  return containingCycle?.billed === true;
}

function viewOf({ contract: { content, cycleEdits, schedule } }: World): string {
  return JSON.stringify({ content, cycleEdits, schedule });
}

test('the next order is on the date that was asked for, however it was written', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(requestArbitrary, async (given) => {
      const { world, dateMs } = worldOf(given);
      const { contract } = world;
      const before = viewOf(world);
      const wasPaid = isPaid(world, dateMs);
      const ask = (how: Spelling) =>
        world.ask(
          MUTATIONS[given.name],
          { date: spelt(dateMs, how), ...(given.name === 'interval' && { interval: given.interval }) },
          given.as,
        );
      if (given.breaks === 'lost before') {
        world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
      } else if (given.breaks) world.fail({ kind: given.breaks, at: 'subscriptionBillingCycleScheduleEdit' });
      const { payload, code } = await ask(given.first);
      world.clearFaults();
      seen.add(code ?? payload.userErrors[0]?.code ?? 'DONE');
      if (payload?.userErrors.length > 0) {
        expect(viewOf(world)).toBe(before);
        const codes = ['ORDER_TOO_CLOSE', 'INTERVAL_NOT_OFFERED'];
        // More than sixty orders of every third day.
        const isFar = given.interval.interval === 'DAY' && dateMs > NOW_MS + 180 * DAY_MS;
        // A new interval can stretch a paid cycle beyond the date.
        const isStretched = given.name === 'interval' && given.isPaid;
        if (wasPaid || isFar || isStretched) codes.push('OUT_OF_BOUNDS');
        if (dateMs <= NOW_MS) codes.push('DATE_IN_PAST');
        if (given.name === 'interval' && given.status !== 'ACTIVE') codes.push('CONTRACT_NOT_ACTIVE');
        expect(codes).toContain(payload.userErrors[0].code);
        return;
      }
      if (code !== undefined) {
        expect(code).toBe('OUTCOME_UNKNOWN');
        expect(given.breaks).toBe('lost before');
        await world.settle();
      }
      const date = formatIsoInstant(dateMs);
      expect(contract.content.nextBillingDate).toBe(date);
      expect(nextOrder(world)).toBe(date);
      if (payload !== null) expect(payload.contract.nextOrder.date).toBe(date);
      const [after, timeline] = [viewOf(world), await world.timeline()];
      expect(timeline.filter((entry) => !entry.endsWith(' DONE'))).toEqual([]);
      expect(timeline.length).toBeLessThanOrEqual(1);
      const again = await ask(given.again);
      expect([again.code, again.payload.userErrors]).toEqual([undefined, []]);
      expect([viewOf(world), await world.timeline()]).toEqual([after, timeline]);
      seen.add(await changeOnceMore(world, { ...given.next, dateMs, as: given.as }));
    }),
    { seed: 141, numRuns: 40 },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['DONE', 'OUTCOME_UNKNOWN', 'next: DONE', 'next: OUTCOME_UNKNOWN']),
  );
});

type Next = DateRequest['next'] & Pick<DateRequest, 'as'> & { readonly dateMs: number };

/**
 * Checks that the next order keeps its date after another change of the interval. If it cannot, the change reports it,
 * and no order is due earlier.
 */
async function changeOnceMore(world: World, { interval, isPaused, breaks, dateMs, as }: Next) {
  const { contract } = world;
  const { index } = current(contract);
  const overdue = new Set(early(world, index, dateMs));
  if (isPaused) contract.content.status = 'PAUSED';
  const at = 'subscriptionBillingCycleScheduleEdit';
  if (breaks) world.fail({ kind: breaks, at, times: breaks === 'lost before' ? 9 : 1 });
  const before = viewOf(world);
  const { payload, code } = await world.change({ interval }, as);
  world.clearFaults();
  const refusal = payload?.userErrors[0]?.code;
  if (refusal !== undefined) {
    const codes = ['ORDER_TOO_CLOSE', 'INTERVAL_NOT_OFFERED'];
    if (interval.interval === 'DAY' && dateMs > NOW_MS + 180 * DAY_MS) codes.push('OUT_OF_BOUNDS');
    expect(codes).toContain(refusal);
    expect(viewOf(world).replace('PAUSED', 'ACTIVE')).toBe(before.replace('PAUSED', 'ACTIVE'));
  }
  if (code !== undefined) {
    expect([code, breaks]).toEqual(['OUTCOME_UNKNOWN', 'lost before']);
    await world.settle();
  }
  expect(early(world, index, dateMs).filter((one) => !overdue.has(one))).toEqual([]);
  const date = formatIsoInstant(dateMs);
  const isReported = payload?.droppedEdits.some(
    ({ movedTo }: { movedTo: string | null }) => movedTo === date,
  );
  // A paid order that the new interval stretches over the date leaves no order there.
  if (isReported !== true && !isPaid(world, dateMs)) expect(nextOrder(world)).toBe(date);
  return `next: ${code ?? refusal ?? 'DONE'}`;
}

/** Orders from that one on that can be charged before the date, also those that a new interval counts into the past. */
function early({ contract }: World, fromIndex: number, dateMs: number): number[] {
  return listCyclesBetween(contract, fromIndex, fromIndex + 130)
    .filter(({ skipped, billed, expectedMs }) => !skipped && !billed && expectedMs < dateMs)
    .map(({ index }) => index);
}

test('the other dates that a client writes are moments too: another spelling changes nothing', async () => {
  const contractArgument = 'contractId: $contractId';
  const operations: Record<string, string> = {
    subscriptionContractPause: 'subscriptionContractId: $contractId, until: $date',
    subscriptionBillingCycleReschedule: `${contractArgument}, billingCycleIndex: $index, billingDate: $date`,
    subscriptionBillingCycleSkip: `${contractArgument}, billingCycleIndex: $index, expectedDate: $date`,
    subscriptionContractSetNextBillingDate: `${contractArgument}, date: $date`,
    subscriptionBillingCycleScheduleEdit:
      'billingCycleInput: { contractId: $contractId, selector: { index: $index } }, input: { billingDate: $date, reason: DEV_INITIATED }',
  };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(operations)),
      spelling,
      spelling,
      async (name, one, other) => {
        const world = createIntervalWorld({ table: createMemoryTable() });
        const { index, endMs } = current(world.contract);
        const dateMs = name === 'subscriptionBillingCycleSkip' ? endMs : endMs - 2 * DAY_MS;
        const ask = (how: Spelling) => {
          const isOrder = operations[name]?.includes('$index') === true;
          const query = `mutation ($contractId: ID!, $date: DateTime!${isOrder ? ', $index: Int!' : ''}) { ${name}(${operations[name]}) { userErrors { message } } }`;
          return world.ask(query, { ...(isOrder && { index }), date: spelt(dateMs, how) }, 'store');
        };
        expect((await ask(one)).payload).toEqual({ userErrors: [] });
        const after = viewOf(world);
        expect((await ask(other)).payload).toEqual({ userErrors: [] });
        expect([viewOf(world), (await world.timeline()).length]).toEqual([after, 1]);
      },
    ),
    { seed: 141, numRuns: 25 },
  );
});

test('an order alone is moved, and the move breaks off: the scheduled work makes and tells it', async () => {
  for (const name of ['activate', 'interval'] as const) {
    const world = createIntervalWorld({ table: createMemoryTable() });
    const date = formatIsoInstant(NOW_MS + 20 * DAY_MS);
    world.contract.content.nextBillingDate = date;
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
    const variables = { date, ...(name === 'interval' && { interval: INTERVALS[0] }) };
    expect((await world.ask(MUTATIONS[name], variables)).code).toBe('OUTCOME_UNKNOWN');
    world.clearFaults();
    await world.settle();
    expect(nextOrder(world)).toBe(date);
    expect(await world.timeline()).toEqual([expect.stringMatching(/ DONE$/)]);
  }
});
