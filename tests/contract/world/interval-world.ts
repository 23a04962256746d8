/** A contract whose interval is changed, its orders as the platform has them, and the scheduled work behind it. */

import { createStoreBudget } from '../../../lib/platform/admin-api/store-budget.ts';
import { createDueItems } from '../../../lib/storage/due-items.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { finishers } from '../../../lib/subscriptions/interval/finish-interval-change.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { settleOpenCharges } from '../../../lib/timeline/settle/settle-open-charges.ts';
import { settleOpenIntents } from '../../../lib/timeline/settle/settle-open-intents.ts';
import { createTimeline } from '../../../lib/timeline/timeline.ts';
import {
  type BillingCycle,
  cycleAt,
  cyclesBetween,
  type Rescheduling,
} from '../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { isoInstant } from '../../../sandbox/platform/state/instant.ts';
import { NOW_MS, type PlanRequest, store } from '../../graphql/world/harness.ts';
import { tableOf } from '../../rights/guarded-table.ts';
import { createOperationWorld, gid } from './operation-world.ts';

export const WEEKLY = 9_101_001;
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
  const cycle = cycleAt(contract, NOW_MS);
  if (cycle === null) throw new Error('no cycle');
  return cycle;
}

/** Returns this many cycles from the current one on. */
export function cyclesOf(contract: ContractRecord, count: number): BillingCycle[] {
  const { index } = current(contract);
  return cyclesBetween(contract, index, index + count - 1);
}

/** The coming orders as a customer sees them: their dates, `-` before one that is skipped, `>` before one that is moved. */
export function orders(contract: ContractRecord, count = 6): string[] {
  return cyclesOf(contract, count).map(({ skipped, edited, expectedMs }) => {
    const symbol = skipped ? '-' : edited ? '>' : '';
    return `${symbol}${isoInstant(expectedMs).slice(0, 10)}`;
  });
}

/** `2 WEEK` for billing, and for delivery. */
export function policiesOf({ content: { billingPolicy, deliveryPolicy } }: ContractRecord): string[] {
  return [billingPolicy, deliveryPolicy].map(({ interval, intervalCount }) => `${intervalCount} ${interval}`);
}

type World = {
  readonly table: Table;
  readonly contract?: number;
  readonly rescheduling?: Rescheduling;
};

export function createIntervalWorld({ table, contract: id = WEEKLY, rescheduling }: World) {
  const world = createOperationWorld();
  const { holder, store: shop } = world.platform;
  if (rescheduling !== undefined) shop().rescheduling = rescheduling;
  const contract = world.contract(id);
  const now = () => holder.nowMs;
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const newId = () => crypto.randomUUID();
  const timelineOver = (own: Table) =>
    createTimeline({
      ...{ table: own, dueItems: createDueItems({ table: own, now }), logger, now, newId },
    });
  const timeline = timelineOver(table);

  /** A mutation with the contract's id as `$contractId`, recorded in the timeline. */
  const ask = (query: string, variables: object, as: PlanRequest['as'] = 'customer') =>
    world.run({
      as,
      table,
      timeline: timelineOver,
      now,
      query,
      variables: { contractId: gid('SubscriptionContract', id), ...variables },
    });
  const change = (variables: object, as?: PlanRequest['as']) => ask(INTERVAL, variables, as);

  /** Adds a manual edit, this many cycles after the current one. */
  function edit(offset: number, to: { skipped?: boolean; date?: string }): void {
    const { index } = current(contract);
    const billingDate = to.date === undefined ? null : `${to.date}T08:00:00Z`;
    contract.cycleEdits[index + offset] = { skipped: to.skipped ?? false, billingDate, contract: null };
  }

  async function entries() {
    const contracts = [String(id) as ContractNumber];
    const [page] = await timeline.readEvents({ shopId: store.shopId, contracts, args: { first: 50 } });
    return (page?.edges ?? []).map(({ record }) => record);
  }

  return {
    ...world,
    contract,
    shop,
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
    later: (ms: number) => {
      holder.nowMs += ms;
    },
    /** Runs the scheduled work, a quarter of an hour later. */
    async settle() {
      holder.nowMs += 15 * 60_000;
      const wait = async (ms: number) => {
        holder.nowMs += ms;
      };
      const ofWork = tableOf('scheduled-work', table);
      const deps = {
        table: ofWork,
        dueItems: createDueItems({ table: ofWork, now }),
        stores: { find: async () => store },
        sendWithinBudget: createStoreBudget({ send: world.client, now, wait }),
        platformGidNamespace: 'shopify',
        logger,
        now,
      };
      await settleOpenCharges(deps, now() + 600_000);
      const readPauseEnd = async () => null;
      return settleOpenIntents({ ...deps, finishers, readPauseEnd }, now() + 600_000);
    },
  };
}
