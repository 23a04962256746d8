/** Undocumented behaviour of cycles, attempts and searches: each store setting, as a client sees it. */
import { describe, expect, test } from '@jest/globals';
import { addRequestedSeeds } from '../../../../../../sandbox/platform/state/seed/seed-from-request.ts';
import type { BehaviourSettings } from '../../../../../../sandbox/platform/state/unpublished-behaviour.ts';
import { dayMs, type Json, monthly, newPlatform, type Platform, weekly } from '../../harness.ts';

function platformWith(behaviour: Partial<BehaviourSettings>, nowMs?: number): Platform {
  const platform = newPlatform();
  Object.assign(platform.store().unpublished, behaviour);
  if (nowMs !== undefined) platform.holder.nowMs = nowMs;
  return platform;
}

describe('the cycles of a contract with several anchors', () => {
  const CONTRACT = 'gid://shopify/SubscriptionContract/9900001';

  async function cyclesOf(behaviour: Partial<BehaviourSettings>): Promise<Json[]> {
    const platform = platformWith(behaviour);
    const store = platform.store();
    const plan = [...store.sellingPlans.values()].find(
      ({ billingPolicy }) => billingPolicy.interval === 'WEEK',
    );
    if (plan === undefined) throw new Error('no weekly plan');
    const onDay = (day: number) => ({ type: 'WEEKDAY' as const, day, month: null, cutoffDay: null });
    plan.billingPolicy = { ...plan.billingPolicy, intervalCount: 1, anchors: [onDay(1), onDay(4)] };
    // 21 November 2026 is a Saturday.
    const createdMs = Date.parse('2026-11-21T06:20:00Z');
    const subscription = { id: 9900001, customerId: 7001001, createdMs, planId: plan.id };
    const [variantId = 0] = store.variants.keys();
    addRequestedSeeds(store, { subscriptions: [{ ...subscription, lines: [[variantId, 1]] }] }, createdMs);
    const { subscriptionBillingCycles } = await platform.data(
      `{ subscriptionBillingCycles(contractId: "${CONTRACT}", first: 4) { nodes { cycleStartAt cycleEndAt billingAttemptExpectedDate } } }`,
    );
    return subscriptionBillingCycles.nodes.map((cycle: Json) => Object.values(cycle));
  }

  test('are not empty when they end at one anchor after the other', async () => {
    expect(await cyclesOf({})).toEqual([
      ['2026-11-21T06:20:00Z', '2026-11-23T06:00:00Z', '2026-11-23T06:00:00Z'],
      ['2026-11-23T06:00:01Z', '2026-11-26T06:00:00Z', '2026-11-26T06:00:00Z'],
      ['2026-11-26T06:00:01Z', '2026-11-30T06:00:00Z', '2026-11-30T06:00:00Z'],
      ['2026-11-30T06:00:01Z', '2026-12-03T06:00:00Z', '2026-12-03T06:00:00Z'],
    ]);
  });

  test('have an empty second cycle when the store’s platform makes one', async () => {
    expect(await cyclesOf({ severalAnchors: 'emptyCycle' })).toEqual([
      ['2026-11-21T06:20:00Z', '2026-11-23T06:00:00Z', '2026-11-23T06:00:00Z'],
      ['2026-11-23T06:00:01Z', '2026-11-23T06:00:01Z', '2026-11-23T06:00:01Z'],
      ['2026-11-23T06:00:02Z', '2026-11-26T06:00:00Z', '2026-11-26T06:00:00Z'],
      ['2026-11-26T06:00:01Z', '2026-11-30T06:00:00Z', '2026-11-30T06:00:00Z'],
    ]);
  });
});

describe('an attempt without an index', () => {
  /** An hour after the weekly contract's seventh order was due: the current cycle is the eighth. */
  const LATE_MS = Date.parse('2026-11-25T09:30:00Z');

  async function attempt(behaviour: Partial<BehaviourSettings>, originTime?: string) {
    const platform = platformWith(behaviour, LATE_MS);
    const origin = originTime === undefined ? '' : `, originTime: "${originTime}"`;
    const { userErrors } = await platform.run(
      `{ subscriptionBillingAttemptCreate(subscriptionContractId: "${weekly}", subscriptionBillingAttemptInput: { idempotencyKey: "k"${origin} }) { userErrors { code } } }`,
    );
    platform.holder.nowMs += 1000;
    const { subscriptionBillingCycles: cycles } = await platform.data(
      `{ subscriptionBillingCycles(contractId: "${weekly}", first: 2, billingCyclesIndexRangeSelector: { startIndex: 7, endIndex: 8 }) { nodes { cycleIndex status } } }`,
    );
    const billed = cycles.nodes.filter(({ status }: Json) => status === 'BILLED');
    return {
      codes: userErrors.map(({ code }: Json) => code),
      billed: billed.map(({ cycleIndex }: Json) => cycleIndex),
    };
  }

  const IN_SEVENTH = '2026-11-25T06:00:00Z';

  test('is refused more than a day before the current cycle’s order is due', async () => {
    expect(await attempt({})).toEqual({ codes: ['BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE'], billed: [] });
  });

  test('pays the next order when the store’s platform accepts it early', async () => {
    expect(await attempt({ earlyWithoutIndex: 'charged' })).toEqual({ codes: [], billed: [8] });
  });

  test('pays the order at its origin time', async () => {
    expect(await attempt({}, IN_SEVENTH)).toEqual({ codes: [], billed: [7] });
  });

  test('is refused for an origin time in another cycle when it always means the current one', async () => {
    const behaviour = { attemptsWithoutIndex: 'now', earlyWithoutIndex: 'charged' } as const;
    expect(await attempt(behaviour, IN_SEVENTH)).toEqual({ codes: ['ORIGIN_TIME_OUT_OF_RANGE'], billed: [] });
    expect(await attempt(behaviour)).toEqual({ codes: [], billed: [8] });
  });
});

describe('an order that another contract’s order contains', () => {
  const DUE_MS = Date.parse('2026-12-08T00:00:00Z');

  async function concatenate(behaviour: Partial<BehaviourSettings>): Promise<Platform> {
    const platform = platformWith(behaviour);
    const { draft } = await platform.run(
      `{ subscriptionBillingCycleContractEdit(billingCycleInput: { contractId: "${weekly}", selector: { index: 8 } }) { draft { id } } }`,
    );
    await platform.run(
      `{ subscriptionBillingCycleContractDraftConcatenate(draftId: "${draft.id}", concatenatedBillingCycleContracts: [{ contractId: "${monthly}", selector: { index: 4 } }]) { userErrors { code } } }`,
    );
    const { userErrors } = await platform.run(
      `{ subscriptionBillingCycleContractDraftCommit(draftId: "${draft.id}") { userErrors { code } } }`,
    );
    expect(userErrors).toEqual([]);
    platform.holder.nowMs = DUE_MS;
    return platform;
  }

  const charge = (platform: Platform, contractId: string, index: number) =>
    platform.run(
      `{ subscriptionBillingCycleCharge(subscriptionContractId: "${contractId}", billingCycleSelector: { index: ${index} }) { userErrors { code message } } }`,
    );

  async function statuses(platform: Platform) {
    platform.holder.nowMs += 1000;
    const cycle = (name: string, contractId: string, index: number) =>
      `${name}: subscriptionBillingCycle(billingCycleInput: { contractId: "${contractId}", selector: { index: ${index} } }) { status billingAttempts(first: 5) { nodes { id } } }`;
    const data = await platform.data(`{ ${cycle('joining', weekly, 8)} ${cycle('joined', monthly, 4)} }`);
    return Object.fromEntries(
      Object.entries<Json>(data).map(([name, { status, billingAttempts }]) => [
        name,
        `${status}, ${billingAttempts.nodes.length}`,
      ]),
    );
  }

  test('is billed without an attempt of its own when the other order is paid', async () => {
    const platform = await concatenate({});
    expect((await charge(platform, weekly, 8)).userErrors).toEqual([]);
    expect(await statuses(platform)).toEqual({ joining: 'BILLED, 1', joined: 'BILLED, 0' });
    expect((await charge(platform, monthly, 4)).userErrors).toMatchObject([{ code: 'INVALID' }]);
  });

  test('can be charged by itself, and the other order then pays for its lines again', async () => {
    const platform = await concatenate({});
    expect((await charge(platform, monthly, 4)).userErrors).toEqual([]);
    expect(await statuses(platform)).toEqual({ joining: 'UNBILLED, 0', joined: 'BILLED, 1' });
    expect((await charge(platform, weekly, 8)).userErrors).toEqual([]);
  });

  test('is not charged by itself when the store’s platform refuses that', async () => {
    const platform = await concatenate({ concatenatedOrders: 'refused' });
    expect((await charge(platform, monthly, 4)).userErrors).toEqual([
      { code: 'INVALID', message: 'Billing cycle is concatenated with another contract' },
    ]);
  });
});

describe('the results of a bulk search', () => {
  /** The weekly contract's seventh order is due within 24 hours after this time. */
  const SEARCHED_AT_MS = Date.parse('2026-11-24T09:00:00Z');
  const RANGE = '{ startDate: "2026-11-20T00:00:00Z", endDate: "2026-11-25T08:30:00Z" }';

  const search = (platform: Platform) =>
    platform.run(
      `{ subscriptionBillingCycleBulkSearch(billingAttemptExpectedDateRange: ${RANGE}, filters: { billingCycleStatus: [UNBILLED] }) { job { id } } }`,
    );

  async function read(platform: Platform, { job }: Json): Promise<string[]> {
    const { subscriptionBillingCycleBulkResults: results } = await platform.data(
      `{ subscriptionBillingCycleBulkResults(jobId: "${job.id}", first: 50) { nodes { cycleIndex status skipped sourceContract { id } } } }`,
    );
    const own = results.nodes.filter(({ sourceContract }: Json) => sourceContract.id === weekly);
    return own.map((cycle: Json) => `${cycle.cycleIndex} ${cycle.status}${cycle.skipped ? ' skipped' : ''}`);
  }

  const skip = (platform: Platform) =>
    platform.run(
      `{ subscriptionBillingCycleSkip(billingCycleInput: { contractId: "${weekly}", selector: { index: 7 } }) { userErrors { message } } }`,
    );

  test.each([
    ['atSearch', ['7 BILLED']],
    ['atRead', []],
  ] as const)('with %s are %j after the order was billed', async (searchResults, expected) => {
    const platform = platformWith({ searchResults }, SEARCHED_AT_MS);
    const job = await search(platform);
    expect(await read(platform, job)).toEqual(['7 UNBILLED']);
    await platform.run(
      `{ subscriptionBillingCycleCharge(subscriptionContractId: "${weekly}", billingCycleSelector: { index: 7 }) { userErrors { code } } }`,
    );
    platform.holder.nowMs += dayMs;
    expect(await read(platform, job)).toEqual(expected);
  });

  test('omit skipped orders when the store’s platform does so', async () => {
    const platform = platformWith({ skippedInSearch: 'omitted' }, SEARCHED_AT_MS);
    expect(await read(platform, await search(platform))).toEqual(['7 UNBILLED']);
    await skip(platform);
    expect(await read(platform, await search(platform))).toEqual([]);
  });
});
