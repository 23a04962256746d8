/**
 * The limits of AWS, of the platform and of the service, each with the peak of the month. docs/growth.md has the source
 * of each, and what to do.
 */
import { MAX_MS_PER_WORK_KIND as APPENDING_MS } from '../../functions/compose/webhooks/run-common-work.ts';
import { STORE_CONCURRENCY, STORE_TIME_SLICE_MS } from '../../functions/compose/webhooks/run-store-work.ts';
import { SCHEDULED_RUN_MS } from '../../functions/scheduled-work/run-due-work.ts';
import type { FunctionName } from '../../infra/definition/function-definitions.ts';
import { NEW_TABLE_THROUGHPUT } from '../../infra/definition/table-definition.ts';
import { INTERVAL_MINUTES } from '../../infra/definition/timetable.ts';
import { MAX_RENEWALS_PER_SECOND } from '../../lib/platform/grants/renew-due-grants.ts';
import { PARTITION_KEYS_PER_BUCKET } from '../../lib/storage/scheduled-tasks.ts';
import { SETTLE_INTENT_AFTER_MS } from '../../lib/timeline/intent.ts';
import type { MonthAssumptions } from './assumptions.ts';
import { createBillingRows } from './billing-limits.ts';
import {
  config,
  type LimitRow,
  listFollowingWorks,
  maxInstancesOfFunction,
  processorsOfInstance,
  sumUnits,
  type TableUnit,
} from './limit-rows.ts';
import { computeMeanChange, type MeasuredWork, measuredWorks } from './measured.ts';
import * as peak from './peaks.ts';
import { computeBusyMs, sumCosts } from './request-costs.ts';

export type LimitWithPeak = ReturnType<typeof createLimit>;
type PeakLoad = ReturnType<typeof computePeakLoad>;

const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? NEW_TABLE_THROUGHPUT;

function createLimit([name, peakValue, unit, limit, kind]: LimitRow) {
  return { name, peak: peakValue, unit, limit, kind };
}

/** Returns the share of the limit that the peak uses. */
export function computeUsedShare({ peak: peakValue, limit }: LimitWithPeak): number {
  return peakValue / limit;
}

/** Returns all limits, the nearest first. */
export function computeLimits(month: MonthAssumptions): LimitWithPeak[] {
  const peakLoad = computePeakLoad(month);
  const rowCreators = [
    createRequestRows,
    createTableRows,
    createSecretRows,
    createLargestStoreRows,
    createScheduledRows,
    createWorkerRows,
    (load: PeakLoad) => createBillingRows(load, (unit) => computeCustomerUnits(load, unit)),
  ];
  return rowCreators
    .flatMap((rowsOf) => rowsOf(peakLoad).map(createLimit))
    .toSorted((a, b) => computeUsedShare(b) - computeUsedShare(a));
}

/** Returns the load of the busiest minutes, in which customers open the notices of the first day, and of minutes without notices. */
function computePeakLoad(month: MonthAssumptions) {
  return {
    month,
    notices: peak.computeCustomerLoadOfMinute(month, month.customers, month.sameClock),
    quiet: peak.computeCustomerLoadOfMinute(month, month.customers, 0),
    servers: peak.computeServerLoadOfSecond(month, { isSpread: true, concurrency: month.serverConcurrency }),
    change: computeMeanChange(month),
    stores: peak.distributeStores(month),
  };
}

/** Returns the limits of a function's instances and of its throttle. `busy`: its concurrent requests. */
function createFunctionRows(
  name: FunctionName,
  throttle: keyof typeof config.throttling,
  { requests, busy }: { readonly requests: number; readonly busy: number },
): readonly [instances: LimitRow, throttle: LimitRow] {
  return [
    [`instances of ${name}`, busy, 'concurrently', maxInstancesOfFunction(name)],
    [`throttle of ${throttle}`, requests, 'requests/s', config.throttling[throttle].ratePerSecond],
  ];
}

function createAdminRows({ requests, underWay }: peak.ServerLoadOfSecond) {
  return createFunctionRows('admin-graphql', 'admin-graphql', { requests, busy: underWay });
}

/** Returns the limits of the function and the throttle that servers with another load profile use. */
export function computeAdminLimits(
  month: MonthAssumptions,
  profile: peak.LoadProfile,
): [instances: LimitWithPeak, throttle: LimitWithPeak] {
  const [instances, throttle] = createAdminRows(peak.computeServerLoadOfSecond(month, profile));
  return [createLimit(instances), createLimit(throttle)];
}

/** Returns the requests a second to the two functions of customers. */
function computeRequestsPerSecond({ openings, signIns, queries, changes }: peak.CustomerLoadOfMinute) {
  const auth = openings * measuredWorks.refresh.requests + signIns * measuredWorks.signIn.requests;
  return { auth: auth / 60, customer: (queries + changes) / 60 };
}

function createRequestRows({ month, notices, quiet, servers, change }: PeakLoad): LimitRow[] {
  const { refresh, signIn, customerQuery, webhookIn } = measuredWorks;
  const { openings, signIns, queries, changes } = notices;
  const { auth, customer } = computeRequestsPerSecond(notices);
  const webhooksOfChanges = peak.computePeakOfSecond((quiet.changes / 60) * month.webhooksPerChange);
  const webhooksPerSecond = servers.charges * month.webhooksPerCharge + webhooksOfChanges;
  /** Returns how many requests run concurrently, on average, if `count` arrive in a minute. */
  const concurrencyOf = (count: number, work: MeasuredWork) => (count * computeBusyMs(work)) / 60_000;
  const authBusy = concurrencyOf(openings, refresh) + concurrencyOf(signIns, signIn);
  const customerBusy = concurrencyOf(queries, customerQuery) + concurrencyOf(changes, change);
  const peakLoadOf = (requests: number, busy: number) => ({
    ...{ requests: peak.computePeakOfSecond(requests), busy: peak.computePeakOfSecond(busy) },
  });
  const busyWithWebhooks = peak.computePeakOfSecond((webhooksPerSecond * computeBusyMs(webhookIn)) / 1000);
  return [
    // Nearly all requests of the sign-in are refreshes.
    ...createFunctionRows('headless-auth', 'refresh', peakLoadOf(auth, authBusy)),
    ...createFunctionRows('customer-graphql', 'customer-graphql', peakLoadOf(customer, customerBusy)),
    ...createAdminRows(servers),
    ...createFunctionRows('platform-webhooks', 'platform-webhooks', {
      requests: webhooksPerSecond,
      busy: busyWithWebhooks,
    }),
    ['API Gateway, all routes', peak.computePeakOfSecond(auth + customer), 'requests/s', 10_000],
  ];
}

/** Returns the units a second while servers charge and charges are recorded, with all work that follows from them. */
function computeTableUnits(load: PeakLoad, unit: TableUnit): number {
  const { month, servers } = load;
  const serverUnits = sumUnits(unit, [
    [servers.charges, measuredWorks.charge],
    [servers.charges / month.duePageSize, measuredWorks.dueOrders],
    [1 / peak.computeSecondsPerRecordedCharge(month), measuredWorks.recordedCharge],
    ...listFollowingWorks(month, servers.charges, month.webhooksPerCharge),
  ]);
  return serverUnits + computeCustomerUnits(load, unit);
}

/** Returns the units a second of customers who open no notice. */
function computeCustomerUnits({ month, quiet, change }: PeakLoad, unit: TableUnit): number {
  const customerUnits = sumUnits(unit, [
    [quiet.openings, measuredWorks.refresh],
    [quiet.signIns, measuredWorks.signIn],
    [quiet.queries, measuredWorks.customerQuery],
    [quiet.changes, change],
    ...listFollowingWorks(month, quiet.changes, month.webhooksPerChange),
  ]);
  return peak.computePeakOfSecond(customerUnits / 60);
}

function createTableRows(load: PeakLoad): LimitRow[] {
  const { month, servers, quiet } = load;
  const taskWrites =
    month.chargeDueWrites * servers.charges +
    1 / peak.computeSecondsPerRecordedCharge(month) +
    peak.computePeakOfSecond((month.changeDueWrites * quiet.changes) / 60);
  // Stores are distributed evenly over the keys.
  const writesPerKey = peak.computePeakOfSecond(taskWrites / PARTITION_KEYS_PER_BUCKET);
  return [
    ['reads of the whole table', computeTableUnits(load, 'readUnits'), 'read units/s', readUnitsPerSecond],
    [
      'writes of the whole table',
      computeTableUnits(load, 'writeUnits'),
      'write units/s',
      writeUnitsPerSecond,
    ],
    ["a key of the day's scheduled tasks", writesPerKey, 'writes/s', 1000],
  ];
}

function createSecretRows({ servers, quiet }: PeakLoad): LimitRow[] {
  // If all instances are new: a customer's request reads the grant, a server's request the grant and the keys.
  const secretReads = peak.computePeakOfSecond(
    computeRequestsPerSecond(quiet).customer + 2 * servers.requests,
  );
  // A new version and its label, at the rate of all runs together.
  const secretWrites = measuredWorks.renewedGrant.secretWrites * MAX_RENEWALS_PER_SECOND;
  return [
    ['reads of secrets', secretReads, 'calls/s', 10_000],
    ['writes of secrets (renewed grants)', secretWrites, 'calls/s', 50, 'rate'],
  ];
}

/** The bucket holds the points of twenty seconds, so its peak is the mean of a minute. */
function createLargestStoreRows({ month, change, stores: [largestStore] }: PeakLoad): LimitRow[] {
  const minuteLoad = peak.computeCustomerLoadOfMinute(month, largestStore.customers, 1);
  const points =
    (minuteLoad.queries * measuredWorks.customerQuery.points + minuteLoad.changes * change.points) / 60;
  const { auth, customer } = computeRequestsPerSecond(minuteLoad);
  return [
    ["the platform's bucket of the largest store", points, 'points/s', largestStore.pointsPerSecond],
    ['item of the largest store', peak.computePeakOfSecond(auth + customer), 'reads/s', 3000],
  ];
}

/** Returns the limits of each kind of scheduled work in its worst run, for the part with the largest store. */
function createScheduledRows({ month, servers, stores }: PeakLoad): LimitRow[] {
  const [runMinutes, runSeconds] = [INTERVAL_MINUTES['scheduled-work'], SCHEDULED_RUN_MS / 1000];
  const countResumeRequests = ({ customers }: peak.StoreSize) =>
    Math.ceil((customers * month.pausedUntilFirst) / month.resumeContracts);
  const [largestStore, ...otherStores] = stores;
  const otherResumes = (month.sameClock * sumCosts(otherStores.map(countResumeRequests))) / month.storeParts;
  const resumeSeconds =
    ((countResumeRequests(largestStore) + otherResumes) * month.resumeSeconds) / month.scheduledStores;
  // Each store's server charges at the same rate.
  const recordingSeconds =
    (servers.charges / month.storeParts) * 60 * runMinutes * peak.computeSecondsPerRecordedCharge(month);
  // In the worst case all grants are due in one run.
  const renewalSeconds = month.stores / MAX_RENEWALS_PER_SECOND;
  /** Returns the time of a kind: its equal share of the run, and the unused shares of the others. */
  const timeLeftFor = (...secondsOfOtherKinds: readonly number[]) =>
    runSeconds -
    sumCosts(secondsOfOtherKinds.map((kindSeconds) => Math.min(kindSeconds, runSeconds / month.kindsOfWork)));
  // The bank responds, the next run starts, and records earlier charges first.
  const settleMinutes = runMinutes + SETTLE_INTENT_AFTER_MS / 60_000 + recordingSeconds / 60;
  return [
    ['recording charges, in a run', recordingSeconds, 's', timeLeftFor(resumeSeconds, renewalSeconds)],
    ['ending pauses, in a run', resumeSeconds, 's', timeLeftFor(recordingSeconds, renewalSeconds)],
    ['renewing grants, in a run', renewalSeconds, 's', timeLeftFor(recordingSeconds, resumeSeconds)],
    // Pauses end at midnight, when no server charges.
    ['a whole run of the scheduled work', recordingSeconds + renewalSeconds, 's', runSeconds],
    ['from a charge to its entry', settleMinutes, 'minutes', month.targetMinutes, 'delay'],
  ];
}

/** Returns the hours of the largest store's reconciliation: its contracts sequentially, with the announced orders. */
function computeLongestReconciliationHours({ month, stores: [largestStore] }: PeakLoad): number {
  const { nightlyContract, announcedAhead, nightlyCharge } = measuredWorks;
  const { first, ordinary } = peak.computeDueShares(month);
  const stepSecondsOf = (work: MeasuredWork) =>
    peak.computeStepSeconds(work, processorsOfInstance('store-events'));
  const secondsPerOrder =
    first * stepSecondsOf(announcedAhead) + month.readsOfCharge * ordinary * stepSecondsOf(nightlyCharge);
  const secondsPerContract = stepSecondsOf(nightlyContract) + month.ordersPerCustomer * secondsPerOrder;
  const secondsByPoints = nightlyContract.points / (largestStore.pointsPerSecond * month.nightlyShare);
  return (largestStore.customers * Math.max(secondsPerContract, secondsByPoints)) / 3600;
}

function createWorkerRows(load: PeakLoad): LimitRow[] {
  const { month, servers, quiet } = load;
  const { nightlyContract, announcedAhead, delivery, placedEntry } = measuredWorks;
  /** Returns how often all instances of a function do work of this duration in a second. */
  const processorsOf = (name: FunctionName, cpuMs: number) =>
    (1000 * maxInstancesOfFunction(name) * processorsOfInstance(name)) / cpuMs;
  const ordersAhead = month.ordersPerCustomer * peak.computeDueShares(month).first;
  // During the reconciliation of many stores, processors limit how many contracts a second are read.
  const contractsPerSecond = processorsOf(
    'store-events',
    nightlyContract.cpuMs + ordersAhead * announcedAhead.cpuMs,
  );
  const turnsPerStore =
    (month.stores * month.sameClock) / (maxInstancesOfFunction('store-events') * STORE_CONCURRENCY);
  // Each store has a time slice, in which its inbox comes first. The run starts within a minute.
  const turnMinutes = 1 + (STORE_TIME_SLICE_MS / 60_000) * (1 + turnsPerStore);
  // Only the schedule's run: up to eight runs that the stream starts append concurrently with it.
  const maxEntries = (APPENDING_MS * processorsOfInstance('webhook-deliveries')) / placedEntry.cpuMs;
  const entriesPerMinute = 60 * servers.charges + quiet.changes;
  const webhooksPerSecond = contractsPerSecond * ordersAhead * month.endpoints;
  const maxWebhooks = processorsOf('webhook-deliveries', delivery.cpuMs);
  const hours = computeLongestReconciliationHours(load);
  return [
    ['the longest nightly reconciliation, of the largest store', hours, 'hours', month.nightlyHours],
    ['from a webhook of the platform to its reading', turnMinutes, 'minutes', month.targetMinutes, 'delay'],
    ['entries that a run appends', entriesPerMinute, 'a minute', maxEntries],
    ["webhooks to merchants' endpoints", webhooksPerSecond, 'webhooks/s', maxWebhooks],
  ];
}
