/** A contract whose interval is changed, its orders as the platform has them, and the scheduled work behind it. */

import type { StoreRecord } from '../../lib/storage/stores.ts';
import type { Table } from '../../lib/storage/table.ts';
import {
  type BillingCycle,
  findCycleAt,
  listCyclesBetween,
  type ReschedulingRule,
} from '../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../sandbox/platform/state/contract-records.ts';
import { formatIsoInstant } from '../../sandbox/platform/state/instant.ts';
import { gid } from '../contract/world/operation-world.ts';
import { NOW_MS, type PlanRequest, store } from '../graphql/world/harness.ts';
import { createStoreWorld, MINUTE_MS, runScheduledWork, WEEKLY } from './store-world.ts';

export const MONTHLY = 9_101_002;
/** Every two weeks; and one that the weekly contract's product is not sold under. */
export const PLAN = gid('SellingPlan', 830_100_102);
export const PREPAID_PLAN = gid('SellingPlan', 830_100_201);

export const INTERVAL = `mutation ($contractId: ID!, $interval: SubscriptionIntervalInput, $plan: ID, $date: DateTime) {
  subscriptionContractIntervalUpdate(contractId: $contractId, interval: $interval, sellingPlanId: $plan, nextBillingDate: $date) {
    contract { billingPolicy { interval intervalCount } deliveryPolicy { interval intervalCount } }
    droppedEdits { cycleIndex originalDate skipped movedTo reason reasonCode }
    userErrors { field message code }
  }
}`;

/** The cycle that runs now. */
export function current(contract: ContractRecord): BillingCycle {
  const cycle = findCycleAt(contract, NOW_MS);
  if (cycle === null) throw new Error('no cycle');
  return cycle;
}

/** Returns this many cycles from the current one on. */
export function cyclesOf(contract: ContractRecord, count: number): BillingCycle[] {
  const { index } = current(contract);
  return listCyclesBetween(contract, index, index + count - 1);
}

/** The coming orders as a customer sees them: their dates, `-` before one that is skipped, `>` before one that is moved. */
export function orders(contract: ContractRecord, count = 6): string[] {
  return cyclesOf(contract, count).map(({ skipped, edited, expectedMs }) => {
    const symbol = skipped ? '-' : edited ? '>' : '';
    return `${symbol}${formatIsoInstant(expectedMs).slice(0, 10)}`;
  });
}

/** `2 WEEK` for billing, and for delivery. */
export function policiesOf({ content: { billingPolicy, deliveryPolicy } }: ContractRecord): string[] {
  return [billingPolicy, deliveryPolicy].map(({ interval, intervalCount }) => `${intervalCount} ${interval}`);
}

type World = {
  readonly table: Table;
  readonly contract?: number;
  readonly rescheduling?: ReschedulingRule;
};

export function createIntervalWorld({ table, contract: id = WEEKLY, rescheduling }: World) {
  const world = createStoreWorld(table);
  const { store: shop } = world.platform;
  if (rescheduling !== undefined) shop().rescheduling = rescheduling;
  const contract = world.contract(id);

  /** The store's own facts; a test may change its settings. */
  const settings: StoreRecord = { ...store };
  /** A mutation with the contract's id as `$contractId`, recorded in the timeline. */
  const ask = (query: string, variables: object, as: PlanRequest['as'] = 'customer') =>
    world.send(as, query, {
      now: world.now,
      store: settings,
      variables: { contractId: gid('SubscriptionContract', id), ...variables },
    });
  const change = (variables: object, as?: PlanRequest['as']) => ask(INTERVAL, variables, as);

  /** Adds a manual edit, this many cycles after the current one. */
  function edit(offset: number, to: { skipped?: boolean; date?: string }): void {
    const { index } = current(contract);
    const billingDate = to.date === undefined ? null : `${to.date}T08:00:00Z`;
    contract.cycleEdits[index + offset] = { skipped: to.skipped ?? false, billingDate, contract: null };
  }

  const entries = () => world.entries(id);

  return {
    ...world,
    contract,
    shop,
    settings,
    ask,
    change,
    edit,
    /** A skip and a move through the service. */
    skip: (offset: number) =>
      ask(
        'mutation ($contractId: ID!, $index: Int!) { subscriptionBillingCycleSkip(contractId: $contractId, billingCycleIndex: $index) { userErrors { code } } }',
        { index: current(contract).index + offset },
      ),
    move: (offset: number, date: string) =>
      ask(
        'mutation ($contractId: ID!, $index: Int!, $date: DateTime!) { subscriptionBillingCycleReschedule(contractId: $contractId, billingCycleIndex: $index, billingDate: $date) { userErrors { code } } }',
        { index: current(contract).index + offset, date: `${date}T08:00:00Z` },
      ),
    entries,
    /** Returns the timeline's entries, oldest first. */
    timeline: async () => (await entries()).map(({ action, outcome }) => `${action} ${outcome}`),
    /** Runs the scheduled work, a quarter of an hour later. Returns the number of settled intents. */
    async settle() {
      world.later(15 * MINUTE_MS);
      return (await runScheduledWork(world.process().deps)).settled;
    },
  };
}
