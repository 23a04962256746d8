/**
 * Days of the store's zone as dates, over zones and times: the order comes on the requested day, and the dates that an error
 * names are accepted, as an instant and as a day.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoDayIn, localTimeIn, type TimeZone } from '../../../lib/domain/time-zone.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { findCycleAt, listCyclesBetween } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { propertyRuns } from '../../full-size.ts';
import { NOW_MS, store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createOperationWorld, gid } from '../world/operation-world.ts';

const WEEKLY = 9_101_001;
const ID = gid('SubscriptionContract', WEEKLY);
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Pacific/Pago_Pago',
  'Australia/Lord_Howe',
] as TimeZone[];

const ERRORS = 'userErrors { code field message details { earliest latest date } }';
const MUTATIONS = {
  reschedule: `subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: $index, billingDate: $date) {
    billingCycle { billingAttemptExpectedDate } ${ERRORS} }`,
  activate: `subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: $date) {
    contract { nextBillingDate nextOrder { date } } ${ERRORS} }`,
  interval: `subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: MONTH, intervalCount: 2 }, nextBillingDate: $date) {
    contract { nextBillingDate nextOrder { date } } ${ERRORS} }`,
  daily: `subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: DAY, intervalCount: 1 }, nextBillingDate: $date) {
    contract { nextBillingDate nextOrder { date } } ${ERRORS} }`,
  pause: `subscriptionContractPause(subscriptionContractId: "${ID}", until: $date) {
    contract { currentPause { resumesAt } } ${ERRORS} }`,
} as const;
type Name = keyof typeof MUTATIONS;

const scenarios = fc.record({
  name: fc.constantFrom<Name>('reschedule', 'activate', 'interval', 'daily', 'pause'),
  timeZone: fc.constantFrom(...ZONES),
  policy: fc.constantFrom(['WEEK', 1], ['MONTH', 1], ['DAY', 1], ['DAY', 10], ['YEAR', 2]),
  /** Anywhere, or around the end of a cycle. */
  clock: fc.oneof(
    fc.record({ seconds: fc.integer({ min: 0, max: 200 * 86_400 }) }),
    fc.record({ cycle: fc.nat(9), seconds: fc.integer({ min: -400, max: 400 }) }),
  ),
  /** Cycles after the present one, for a move. */
  ahead: fc.nat(4),
  billed: fc.boolean(),
});
type Scenario = typeof scenarios extends fc.Arbitrary<infer One> ? One : never;

/** A store in the zone, with the clock and the contract of the scenario. */
function worldOf({ timeZone, policy: [interval, intervalCount], clock, billed }: Scenario) {
  const world = createOperationWorld();
  const contract = world.contract(WEEKLY);
  const policy = { ...contract.content.billingPolicy, interval, intervalCount, anchors: [] };
  Object.assign(contract.content, { billingPolicy: policy, deliveryPolicy: policy });
  const end =
    'cycle' in clock ? listCyclesBetween(contract, clock.cycle + 7, clock.cycle + 7)[0]?.endMs : NOW_MS;
  world.platform.holder.nowMs = Math.max(NOW_MS, (end ?? NOW_MS) + clock.seconds * 1000);
  const current = findCycleAt(contract, world.platform.holder.nowMs)?.index ?? 1;
  // A merchant can charge an order within a day before its date.
  contract.billedCycles = Array.from({ length: billed ? current : current - 1 }, (_, index) => index + 1);
  const table = createMemoryTable();
  return {
    ...world,
    current,
    nowMs: () => world.platform.holder.nowMs,
    async ask(name: Name, date: string, index: number) {
      const declared = name === 'reschedule' ? '$date: DateTime!, $index: Int!' : '$date: DateTime!';
      return world.run({
        as: name === 'interval' || name === 'daily' ? 'store' : 'customer',
        query: `mutation (${declared}) { ${MUTATIONS[name]} }`,
        variables: { date, ...(name === 'reschedule' && { index }) },
        now: () => world.platform.holder.nowMs,
        table,
        store: { ...store, timeZone } as StoreRecord,
      });
    },
  };
}

/** The dates that an error offers, each as an instant and as a day. */
async function checkNamedDates(scenario: Scenario, requested: string): Promise<void> {
  const { name, timeZone, ahead } = scenario;
  const world = worldOf(scenario);
  const index = world.current + ahead;
  const { payload } = await world.ask(name, requested, index);
  const [error] = payload?.userErrors ?? [];
  // Its `earliest` is when the change is possible, whatever the date.
  if (error?.code === 'ORDER_TOO_CLOSE') return;
  const named = [error?.details?.earliest, error?.details?.latest].filter((date) => typeof date === 'string');
  if (error !== undefined && named.length > 0) {
    expect(Date.parse(error.details.earliest)).toBeGreaterThanOrEqual(worldOf(scenario).nowMs() + 300_000);
  }
  for (const date of named.flatMap((text) => [text, isoDayIn(timeZone, Date.parse(text))])) {
    const accepted = await worldOf(scenario).ask(name, date, index);
    const found = [requested, date, accepted.code, accepted.payload?.userErrors];
    // An order within 48 hours blocks another interval, whatever the date.
    if (accepted.payload?.userErrors[0]?.code === 'ORDER_TOO_CLOSE') continue;
    expect(found).toEqual([requested, date, undefined, []]);
  }
}

test('the earliest and the latest date that an error names are accepted', async () => {
  const requests = fc.oneof(
    fc.integer({ min: -400, max: 800 }).map((days) => ({ days })),
    fc.constantFrom('0001-01-01', '2026-02-28', '2999-12-31', '9999-12-31').map((day) => ({ day })),
  );
  const property = fc.asyncProperty(scenarios, requests, fc.boolean(), async (scenario, request, isDay) => {
    const atMs =
      'days' in request ? worldOf(scenario).nowMs() + request.days * DAY_MS : Date.parse(request.day);
    const day = 'day' in request ? request.day : isoDayIn(scenario.timeZone, atMs);
    await checkNamedDates(scenario, isDay ? day : formatIsoInstant(atMs));
  });
  await fc.assert(property, propertyRuns(2500));
});

test('an accepted day is the day of the order in the store’s zone, at its own time where that is possible', async () => {
  const property = fc.asyncProperty(scenarios, fc.integer({ min: 0, max: 200 }), async (scenario, days) => {
    const { name, timeZone, ahead } = scenario;
    const world = worldOf(scenario);
    const contract = world.contract(WEEKLY);
    const [cycle] = listCyclesBetween(contract, world.current + ahead, world.current + ahead);
    const startMs = name === 'reschedule' ? (cycle?.startMs ?? 0) : world.nowMs();
    const day = isoDayIn(timeZone, startMs + days * DAY_MS * (name === 'reschedule' ? 0.1 : 1));
    const { payload, code } = await world.ask(name, day, world.current + ahead);
    expect([undefined, 'OUTCOME_UNKNOWN']).toContain(code);
    if (payload === null || payload.userErrors.length > 0) return;
    const { billingCycle, contract: after } = payload;
    const date =
      billingCycle?.billingAttemptExpectedDate ?? after.currentPause?.resumesAt ?? after.nextBillingDate;
    expect([day, isoDayIn(timeZone, Date.parse(date))]).toEqual([day, day]);
    if (after?.nextOrder) expect(after.nextOrder.date).toBe(date);
    const isLimited = Date.parse(date) === cycle?.startMs || Date.parse(date) - world.nowMs() <= 301_000;
    if (name !== 'reschedule' || isLimited || cycle === undefined) return;
    const [own, found] = [cycle.endMs, Date.parse(date)].map((ms) => localTimeIn(timeZone, ms).secondOfDay);
    // A time that the clocks skip on that day is the next one that they show.
    if (found !== own) expect(Math.abs((found ?? 0) - (own ?? 0))).toBeLessThanOrEqual(3600);
  });
  await fc.assert(property, propertyRuns(2500));
});

test('today is five minutes from now, and the same request again changes nothing', async () => {
  const timeZone = 'America/New_York' as TimeZone;
  for (const name of ['reschedule', 'activate', 'pause'] as const) {
    const world = worldOf({
      name,
      timeZone,
      policy: ['WEEK', 1],
      ahead: 0,
      billed: false,
      clock: { seconds: 3600 },
    });
    const today = isoDayIn(timeZone, world.nowMs());
    const first = await world.ask(name, today, world.current);
    expect([name, first.payload.userErrors, first.recorded.length]).toEqual([name, [], 1]);
    world.platform.holder.nowMs += 60_000;
    const second = await world.ask(name, today, world.current);
    expect([name, second.payload.userErrors, second.recorded.length]).toEqual([name, [], 0]);
    const { billingCycle, contract } = second.payload;
    const date =
      billingCycle?.billingAttemptExpectedDate ??
      contract.currentPause?.resumesAt ??
      contract.nextBillingDate;
    expect(date).toBe(formatIsoInstant(world.nowMs() + 4 * 60_000));
  }
});
