/**
 * Finds the unpaid orders whose date has passed and that can still be charged: by the service's next run, which begins at a
 * known time, or by the merchant.
 */
import { awaitAll } from '../../domain/await-all.ts';
import { isoDayIn } from '../../domain/time-zone.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { type ContractRef, parseContractRef } from '../../subscriptions/contract-ref.ts';
import { MAX_OVERDUE_MS } from '../../subscriptions/cycles/plan-order-move.ts';
import { type CycleChargeState, MAX_DUE_SEARCH_MS } from '../../subscriptions/order-content.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import {
  type BillingCharge,
  isOpenCharge,
  isReopened,
  type OrderRef,
  OVERDUE_AFTER_MS,
} from '../records/charge-record.ts';
import { createBillingCharges } from '../records/charges.ts';
import { findStatusAt, readEventsSince } from '../records/read-events-since.ts';
import { createBillingRuns } from '../records/runs.ts';
import { createBillingSettings } from '../records/settings.ts';
import { isRunOnHold, readBillingStatus, readLatestRun } from '../settings/read-billing-status.ts';
import { readNextRunAtMs } from '../settings/read-next-run.ts';

export type OverdueOrdersDeps = {
  readonly table: Table;
  readonly timeline: Pick<Timeline, 'readEvents'>;
  readonly now: () => number;
};

/** An order that is neither paid nor skipped, whose date has passed in the last 35 days. `wasTried`: whether an attempt is known. */
export type PastOrder = OrderRef & { readonly dueAtMs: number; readonly wasTried?: boolean };

/** Returns the order of a cycle; undefined when it is paid, skipped, upcoming or older than that. */
export function toPastOrder(
  contract: ContractRef | undefined,
  { cycleIndex, ...cycle }: CycleChargeState & { readonly cycleIndex: number },
  nowMs: number,
): PastOrder | undefined {
  const dueAtMs = Date.parse(cycle.billingAttemptExpectedDate);
  const isPast = nowMs - MAX_OVERDUE_MS < dueAtMs && dueAtMs < nowMs;
  if (contract === undefined || !isPast || cycle.skipped || cycle.status === 'BILLED') return undefined;
  return { ...contract, cycleIndex, dueAtMs };
}

/** `nextRunAtMs`: when the service's next run charges the order, epoch milliseconds; undefined when that is uncertain. */
export type OverdueOrder = { readonly nextRunAtMs: number | undefined };

/**
 * Returns the orders that can still be charged: without those that were due during a pause, or that billing has closed.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readOverdueOrders(
  deps: OverdueOrdersDeps,
  store: StoreRecord,
  orders: readonly PastOrder[],
): Promise<ReadonlyMap<PastOrder, OverdueOrder>> {
  if (orders.length === 0) return new Map();
  const statusByOrder = await readStatusesWhenDue(deps, orders);
  const billing = await readBilling(deps, store);
  const { find } = createBillingCharges({ ...deps, enqueueStore: async () => undefined });
  const charges = billing === undefined ? [] : await awaitAll(orders.map(find));
  const results = orders.map((order, index) => {
    const view = {
      order,
      charge: charges[index],
      nowMs: deps.now(),
      statusWhenDue: statusByOrder.get(order),
    };
    return [order, decideOverdueOrder(view, billing)] as const;
  });
  return new Map(results.flatMap(([order, result]) => (result === undefined ? [] : [[order, result]])));
}

type TriedCycle = CycleChargeState & {
  readonly cycleIndex: number;
  readonly billingAttempts?: { readonly nodes: readonly unknown[] };
};

/**
 * Returns those of an active contract's orders that are overdue.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function selectOverdueOrders<Order extends TriedCycle>(
  { store, ...deps }: OverdueOrdersDeps & { readonly store: StoreRecord },
  contractId: string,
  orders: readonly Order[],
): Promise<readonly Order[]> {
  const contract = parseContractRef(store.shopId, contractId);
  const pastOrders = orders.map((order) => {
    const pastOrder = toPastOrder(contract, order, deps.now());
    const attempts = order.billingAttempts?.nodes;
    return pastOrder && { ...pastOrder, ...(attempts && { wasTried: attempts.length > 0 }) };
  });
  const overdueOrders = await readOverdueOrders(
    deps,
    store,
    pastOrders.filter((order) => order !== undefined),
  );
  return orders.filter((_order, index) => {
    const pastOrder = pastOrders[index];
    return pastOrder !== undefined && overdueOrders.has(pastOrder);
  });
}

/**
 * Returns the status that the contract of each order had when the order was due; undefined for one that has not changed
 * since. One table read for each contract.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readStatusesWhenDue(
  deps: Pick<OverdueOrdersDeps, 'timeline'>,
  orders: readonly PastOrder[],
): Promise<ReadonlyMap<PastOrder, string | null | undefined>> {
  const statuses = await awaitAll(
    [...Map.groupBy(orders, ({ contractNumber }) => contractNumber).values()].map(
      async (ordersOfContract) => {
        const [firstOrder] = ordersOfContract.toSorted((one, other) => one.dueAtMs - other.dueAtMs);
        const events = firstOrder && (await readEventsSince(deps, firstOrder, firstOrder.dueAtMs));
        return ordersOfContract.map((order) => [order, findStatusAt(events ?? [], order.dueAtMs)] as const);
      },
    ),
  );
  return new Map(statuses.flat());
}

/** The billing of the store. `nextRunAtMs`: undefined while billing is stopped or a run is on hold, and while the next run finds its orders. */
type BillingState = {
  readonly nextRunAtMs: number | undefined;
  readonly isCovered: (order: PastOrder) => boolean;
};

/** Returns undefined where the service does not bill. */
async function readBilling(
  { table, now }: Pick<OverdueOrdersDeps, 'table' | 'now'>,
  store: StoreRecord,
): Promise<BillingState | undefined> {
  const statusDeps = { settings: createBillingSettings({ table, now }), now };
  const { status, storedSettings } = await readBillingStatus(statusDeps, store);
  if (status === 'OFF') return undefined;
  const isCovered = ({ dueAtMs }: PastOrder) =>
    isoDayIn(timeZoneOf(store), dueAtMs) >= (storedSettings.startsOn ?? '');
  const runs = createBillingRuns({ table, now });
  const latestRun = await readLatestRun({ runs }, store.shopId);
  const isRunOpen = latestRun?.status === 'FINDING' || isRunOnHold(latestRun);
  if (status !== 'ON' || isRunOpen) return { isCovered, nextRunAtMs: undefined };
  return { isCovered, nextRunAtMs: await readNextRunAtMs({ runs, now }, storedSettings, store) };
}

type OverdueView = {
  readonly order: PastOrder;
  readonly charge: BillingCharge | undefined;
  readonly statusWhenDue: string | null | undefined;
  readonly nowMs: number;
};

/** `billing`: undefined where the service does not bill. Returns undefined for an order that is not charged any more. */
function decideOverdueOrder(
  { order, charge, statusWhenDue, nowMs }: OverdueView,
  billing: BillingState | undefined,
): OverdueOrder | undefined {
  const { dueAtMs, wasTried = charge !== undefined && isOpenCharge(charge) } = order;
  if (statusWhenDue === 'PAUSED' || (!wasTried && dueAtMs <= nowMs - MAX_DUE_SEARCH_MS)) return undefined;
  if (billing === undefined) return { nextRunAtMs: undefined };
  const wasActive = statusWhenDue === undefined || statusWhenDue === 'ACTIVE';
  const { nextRunAtMs, isCovered } = billing;
  if (charge !== undefined && isOpenCharge(charge)) {
    // A charge that is DUE without a reminder is charged by the run of the moment, and a declined one is tried again.
    const isPutOff = nextRunAtMs !== undefined && charge.state === 'DUE';
    return { nextRunAtMs: isPutOff ? charge.remindAtMs : undefined };
  }
  if (!wasActive || (charge !== undefined && !isReopened(charge, dueAtMs))) return undefined;
  const isInTime = nextRunAtMs !== undefined && nextRunAtMs - dueAtMs <= OVERDUE_AFTER_MS;
  return { nextRunAtMs: isInTime && isCovered(order) ? nextRunAtMs : undefined };
}
