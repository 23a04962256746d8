/**
 * The limits while the service bills all stores at the same hour of the first day, in place of the merchants' servers: each
 * store begins at its own minute of the first half hour.
 */
import {
  BILLING_STORE_CONCURRENCY,
  STORE_CONCURRENCY,
  STORE_TIME_SLICE_MS,
} from '../../functions/compose/webhooks/run-store-work.ts';
import { NEW_TABLE_THROUGHPUT } from '../../infra/definition/table-definition.ts';
import type { MonthAssumptions } from './assumptions.ts';
import {
  config,
  type LimitRow,
  listFollowingWorks,
  maxInstancesOfFunction,
  processorsOfInstance,
  sumUnits,
  type TableUnit,
} from './limit-rows.ts';
import { measuredWorks } from './measured.ts';
import * as peak from './peaks.ts';
import { sumCosts } from './request-costs.ts';

type BillingLoad = {
  readonly month: MonthAssumptions;
  /** The stores, the largest first. */
  readonly stores: ReturnType<typeof peak.distributeStores>;
};

/** The time within which all stores of a time zone begin their runs (lib/billing/settings/run-times.ts). */
const START_SPREAD_SECONDS = 1800;
/** The longest run that is promised. */
const MAX_RUN_MINUTES = 60;
/** The seconds of an order without want of points: 100,000 took 34.1 minutes (tests/billing/speed/speed.scale.test.ts). */
const SECONDS_PER_ORDER = (34.1 * 60) / 100_000;
const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? NEW_TABLE_THROUGHPUT;

/** Returns how many orders a store has on the first day, and the seconds of its run. Its customers' points come first. */
function computeBillingRun(month: MonthAssumptions, { customers, pointsPerSecond }: peak.StoreSize) {
  const dueOrderCount = customers * month.ordersPerCustomer * peak.computeDueShares(month).first;
  const { billedOrder, settledOrder, customerQuery, customerChange } = measuredWorks;
  const minuteLoad = peak.computeCustomerLoadOfMinute(month, customers, 1);
  const customerPointsPerSecond =
    (minuteLoad.queries * customerQuery.points + minuteLoad.changes * customerChange.points) / 60;
  const runPoints = dueOrderCount * (billedOrder.points + settledOrder.points);
  // Half of the bucket is left to customers.
  const secondsByPoints =
    runPoints / Math.max(pointsPerSecond / 2, pointsPerSecond - customerPointsPerSecond);
  return { orders: dueOrderCount, seconds: Math.max(secondsByPoints, dueOrderCount * SECONDS_PER_ORDER) };
}

/** Returns the rows. `customerUnits`: the table's units a second of customers at that time. */
export function createBillingRows(
  { month, stores }: BillingLoad,
  customerUnits: (unit: TableUnit) => number,
): LimitRow[] {
  const { billedOrder, settledOrder } = measuredWorks;
  const storeRuns = stores.map((store) => computeBillingRun(month, store));
  const [largestRun = { orders: 0, seconds: 1 }, ...otherRuns] = storeRuns;
  // The largest store is one of those with the same local time, and the others are spread over the half hour.
  const otherOrdersPerSecond =
    (month.sameClock * sumCosts(otherRuns.map(({ orders }) => orders))) / START_SPREAD_SECONDS;
  const ordersPerSecond = otherOrdersPerSecond + largestRun.orders / largestRun.seconds;
  const runningStoreCount =
    1 + month.sameClock * sumCosts(otherRuns.map(({ seconds }) => seconds / START_SPREAD_SECONDS));
  const storeSlotCount = maxInstancesOfFunction('billing') * BILLING_STORE_CONCURRENCY;
  const processorsOf = (name: 'billing' | 'store-events') =>
    maxInstancesOfFunction(name) * processorsOfInstance(name);
  const settleSeconds = settledOrder.cpuMs / 1000 / processorsOfInstance('store-events');
  const backlogSeconds = Math.max(0, largestRun.orders * settleSeconds - largestRun.seconds);
  const turnsPerStore = runningStoreCount / (maxInstancesOfFunction('store-events') * STORE_CONCURRENCY);
  const entryMinutes = 1 + (STORE_TIME_SLICE_MS / 60_000) * (1 + turnsPerStore) + backlogSeconds / 60;
  const unitsOf = (unit: TableUnit) =>
    customerUnits(unit) +
    sumUnits(unit, [
      [ordersPerSecond, billedOrder],
      [ordersPerSecond, settledOrder],
      // One webhook per charge, for the attempt: a charge does not change the contract, so the platform sends none for it.
      ...listFollowingWorks(month, ordersPerSecond, 1),
    ]);
  const longestMinutes = Math.max(...storeRuns.map(({ seconds }) => seconds)) / 60;
  const computeProcessorShare = (perSecond: number, cpuMs: number) => (perSecond * cpuMs) / 1000;
  return [
    ['the longest run of billing', 1 + longestMinutes, 'minutes', MAX_RUN_MINUTES, 'delay'],
    [
      'stores that are billed at the same time',
      peak.computePeakOfSecond(runningStoreCount),
      'stores',
      storeSlotCount,
    ],
    [
      'processors of billing',
      computeProcessorShare(ordersPerSecond, billedOrder.cpuMs),
      'processors',
      processorsOf('billing'),
    ],
    [
      'processors of store-events while the service bills',
      computeProcessorShare(ordersPerSecond, settledOrder.cpuMs),
      'processors',
      processorsOf('store-events'),
    ],
    ['from a charge of the service to its entry', entryMinutes, 'minutes', month.targetMinutes, 'delay'],
    ['reads of the table while the service bills', unitsOf('readUnits'), 'read units/s', readUnitsPerSecond],
    [
      'writes of the table while the service bills',
      unitsOf('writeUnits'),
      'write units/s',
      writeUnitsPerSecond,
    ],
  ];
}
