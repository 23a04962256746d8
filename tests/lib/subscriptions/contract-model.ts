/** Random contracts of the emulated platform, with random edits, and its own answers to a new interval. */

import fc from 'fast-check';
import type { TimeZone } from '../../../lib/domain/time-zone.ts';
import type { BillingCycle } from '../../../lib/subscriptions/cycles/billing-cycle.ts';
import type { ScheduleEdit } from '../../../lib/subscriptions/cycles/plan-restored-edits.ts';
import type { AdminContext } from '../../../sandbox/platform/admin/context.ts';
import {
  findChargeProblem,
  findEarlyProblem,
} from '../../../sandbox/platform/admin/resolvers/billing/charges.ts';
import {
  cycleEditResolvers,
  retainEditsAfterNewPolicy,
} from '../../../sandbox/platform/admin/resolvers/billing/cycle-edits.ts';
import { AttemptTable } from '../../../sandbox/platform/state/attempt-table.ts';
import {
  createNextSegment,
  findCycleAt,
  findCycleByIndex,
  lastSelectableIndex,
  listCyclesBetween,
  type BillingCycle as PlatformCycle,
  RESCHEDULING_KINDS,
  type ReschedulingRule,
} from '../../../sandbox/platform/state/billing-cycles.ts';
import type { BillingAnchor, FrequencyPolicy } from '../../../sandbox/platform/state/catalogue-records.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { createSeededState } from '../../../sandbox/platform/state/seed/seed.ts';
import type { StoreState } from '../../../sandbox/platform/state/state.ts';
import { TouchedMap } from '../../../sandbox/platform/state/tables/touched-map.ts';
import {
  type BehaviourSettings,
  UNPUBLISHED_BEHAVIOURS,
} from '../../../sandbox/platform/state/unpublished-behaviour.ts';

const [store] = createSeededState({
  nowMs: Date.parse('2026-11-21T08:00:00Z'),
  contracts: 0,
}).stores.values();
const gid = 'gid://shopify/SubscriptionContract/9101001';

export type Case = {
  readonly createdMs: number;
  readonly ageDays: number;
  readonly before: FrequencyPolicy;
  readonly after: FrequencyPolicy;
  readonly maxCycles: number | null;
  readonly rescheduling: ReschedulingRule;
  readonly timeZone: TimeZone;
  /** Offset from the current cycle, whether skipped, and where in the cycle it is moved to (0 to 1). */
  readonly edits: readonly { readonly offset: number; readonly skip: boolean; readonly at: number | null }[];
  /** Whether the platform leaves moved dates where they still fit. */
  readonly keepsMoves: boolean;
  readonly unpublished: Partial<BehaviourSettings>;
};

const anchors: Record<FrequencyPolicy['interval'], fc.Arbitrary<BillingAnchor[]>> = {
  DAY: fc.constant([]),
  WEEK: fc.constantFrom([], [{ type: 'WEEKDAY', day: 1, month: null, cutoffDay: null }]),
  MONTH: fc.constantFrom([], [{ type: 'MONTHDAY', day: 31, month: null, cutoffDay: null }]),
  YEAR: fc.constantFrom([], [{ type: 'YEARDAY', day: 29, month: 2, cutoffDay: null }]),
};

const policy: fc.Arbitrary<FrequencyPolicy> = fc
  .constantFrom('DAY' as const, 'WEEK' as const, 'MONTH' as const, 'YEAR' as const)
  .chain((interval) =>
    fc.record({
      interval: fc.constant(interval),
      intervalCount: fc.integer({ min: 1, max: interval === 'DAY' ? 40 : 8 }),
      anchors: anchors[interval],
    }),
  );

/** Contracts of any age and interval, with up to ten edits; many around a change of the clocks. */
export const cases: fc.Arbitrary<Case> = fc.record({
  createdMs: fc
    .integer({
      min: Date.parse('2026-01-01T00:00:00Z') / 1000,
      max: Date.parse('2027-12-31T00:00:00Z') / 1000,
    })
    .map((seconds) => seconds * 1000),
  ageDays: fc.integer({ min: 0, max: 400 }),
  before: policy,
  after: policy,
  maxCycles: fc.option(fc.integer({ min: 2, max: 60 }), { freq: 3 }),
  rescheduling: fc.constantFrom(...RESCHEDULING_KINDS),
  timeZone: fc.constantFrom(
    'UTC',
    'America/New_York',
    'Europe/Berlin',
    'Pacific/Auckland',
    'Pacific/Chatham',
    'America/Los_Angeles',
    'Asia/Kolkata',
    'Antarctica/Troll',
    'Pacific/Kiritimati',
    'America/St_Johns',
  ) as fc.Arbitrary<TimeZone>,
  edits: fc.uniqueArray(
    fc.record({
      offset: fc.integer({ min: 0, max: 14 }),
      skip: fc.boolean(),
      at: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    { maxLength: 10, selector: ({ offset }) => offset },
  ),
  keepsMoves: fc.boolean(),
  unpublished: fc.record({ editReach: fc.constantFrom(...UNPUBLISHED_BEHAVIOURS.editReach) }),
});

/** The platform with this one contract, at a moment in its life. Null: its last cycle is over. */
export function newModel(given: Omit<Case, 'after' | 'rescheduling' | 'keepsMoves'> & Partial<Case>) {
  const found = store?.contracts.get(9101001);
  if (store === undefined || found === undefined) throw new Error('no contract');
  const createdAt = formatIsoInstant(given.createdMs);
  const contract: ContractRecord = {
    ...found,
    createdAt,
    content: {
      ...found.content,
      billingPolicy: { ...given.before, minCycles: null, maxCycles: given.maxCycles },
    },
    schedule: [{ fromIndex: 1, startAt: createdAt, policy: given.before }],
    billedCycles: [],
    cycleEdits: {},
  };
  const shop: StoreState = {
    ...store,
    ...{ contracts: new TouchedMap([[contract.id, contract]]), attempts: new AttemptTable() },
    unpublished: { ...store.unpublished, ...given.unpublished },
  };
  const context = { store: shop, nowMs: given.createdMs + given.ageDays * DAY_MS } as AdminContext;
  const orders: number[] = [];
  const current = () => findCycleAt(contract, context.nowMs)?.index ?? Number.POSITIVE_INFINITY;
  const scheduleEdit = cycleEditResolvers.Mutation?.subscriptionBillingCycleScheduleEdit as EditResolver;
  const editsDelete = cycleEditResolvers.Mutation?.subscriptionBillingCycleEditsDelete as EditResolver;

  /**
   * The platform's own mutation. Returns false if the order is too far ahead to be edited.
   * @throws Error when the platform refuses the edit for another reason
   */
  function tryEdit({ cycleIndex, skip, billingDate }: ScheduleEdit): boolean {
    const input = {
      reason: 'BUYER_INITIATED',
      ...(skip !== undefined && { skip }),
      ...(billingDate && { billingDate }),
    };
    const selector = { index: cycleIndex };
    const { userErrors } = scheduleEdit(
      null,
      { billingCycleInput: { contractId: gid, selector }, input },
      context,
    );
    if (userErrors === undefined || userErrors.length === 0) return true;
    if (userErrors.every(({ code }) => code === 'UPCOMING_CYCLE_LIMIT_EXCEEDED')) return false;
    throw new Error(JSON.stringify(userErrors));
  }

  /** The platform's own mutation; throws if it refuses. */
  function edit(one: ScheduleEdit): void {
    if (!tryEdit(one)) throw new Error(`the order of cycle ${one.cycleIndex} is too far ahead`);
  }

  /** Deletes the edits of the current cycle and of all after it. */
  const deleteEdits = () => void editsDelete(null, { contractId: gid }, context);

  function editAsGiven(): void {
    for (const { offset, skip, at } of given.edits) {
      const cycle = findCycleByIndex(contract, current() + offset);
      if (cycle === null) continue;
      const { startMs, endMs, index: cycleIndex } = cycle;
      if (at !== null)
        tryEdit({ cycleIndex, billingDate: formatIsoInstant(startMs + at * (endMs - startMs)) });
      if (skip) tryEdit({ cycleIndex, skip: true });
    }
  }

  /** Commits the new interval. */
  function reschedule(): void {
    const { after, rescheduling, keepsMoves } = given;
    if (after === undefined || rescheduling === undefined) throw new Error('no new interval');
    const segment = createNextSegment({ rescheduling }, contract, { policy: after, nowMs: context.nowMs });
    contract.content.billingPolicy = { ...contract.content.billingPolicy, ...after };
    if (segment === null) return;
    const edits = contract.cycleEdits;
    const { fromIndex } = segment;
    contract.schedule = [...contract.schedule.filter((each) => each.fromIndex < fromIndex), segment];
    contract.cycleEdits = retainEditsAfterNewPolicy(contract, fromIndex);
    if (!keepsMoves) return;
    for (const [index, { billingDate }] of Object.entries(edits)) {
      const cycle = findCycleByIndex(contract, Number(index));
      const dateMs = Date.parse(billingDate ?? '');
      if (cycle === null || !(dateMs >= cycle.startMs && dateMs <= cycle.endMs)) continue;
      const { skipped = false } = contract.cycleEdits[index] ?? {};
      contract.cycleEdits[index] = { skipped, billingDate, contract: null };
    }
  }

  /** The cycles that can be named, from the current one until `count` of them and the date are passed. */
  function cycles(count: number, untilMs = 0): BillingCycle[] {
    const first = current();
    const last = Number.isFinite(first) ? lastSelectableIndex(contract, context.nowMs) : 0;
    const found: BillingCycle[] = [];
    for (let index = first; index <= last; index += 1) {
      const cycle = findCycleByIndex(contract, index);
      if (cycle === null || (index > first + count && cycle.startMs > untilMs)) break;
      found.push(cycleView(cycle));
    }
    return found;
  }

  /** Cycles that can be charged now, before anything was put back. */
  const chargeable = (atMs: number): BillingCycle[] =>
    Number.isFinite(current())
      ? listCyclesBetween(contract, current(), current() + 5)
          .filter(
            (cycle) =>
              findChargeProblem(cycle, [], { ...context, nowMs: atMs } as AdminContext) === null &&
              findEarlyProblem(cycle, [], atMs) === null,
          )
          .map(cycleView)
      : [];

  /** Sets the clock. Orders that were due until then are billed. */
  function advanceTo(nowMs: number): void {
    for (let index = 1; (findCycleByIndex(contract, index)?.startMs ?? nowMs) < nowMs; index += 1) {
      const cycle = findCycleByIndex(contract, index);
      if (cycle !== null && !cycle.skipped && !cycle.billed && cycle.expectedMs <= nowMs) {
        contract.billedCycles.push(index);
        orders.push(cycle.expectedMs);
      }
    }
    context.nowMs = nowMs;
  }

  return {
    get nowMs() {
      return context.nowMs;
    },
    /** The dates of the billed orders, in epoch milliseconds. */
    orders,
    ...{ edit, tryEdit, deleteEdits, editAsGiven, reschedule, cycles, chargeable, advanceTo },
  };
}

type EditResolver = (
  parent: null,
  args: unknown,
  context: AdminContext,
) => { readonly userErrors?: readonly { readonly code: string }[] };

function cycleView(cycle: PlatformCycle): BillingCycle {
  return {
    cycleIndex: cycle.index,
    cycleStartAt: formatIsoInstant(cycle.startMs),
    cycleEndAt: formatIsoInstant(cycle.endMs),
    billingAttemptExpectedDate: formatIsoInstant(cycle.expectedMs),
    skipped: cycle.skipped,
    edited: cycle.edited,
    status: cycle.billed ? 'BILLED' : 'UNBILLED',
  };
}
