/**
 * The limits of AWS, of the platform and of the service, each with the peak of the month. docs/growth.md has the source
 * of each, and what to do.
 */
import { MAX_MS_PER_KIND as APPENDING_MS } from '../../functions/compose/webhooks/run-common-work.ts';
import { STORE_CONCURRENCY, STORE_TIME_SLICE_MS } from '../../functions/compose/webhooks/run-store-work.ts';
import { SCHEDULED_RUN_MS } from '../../functions/scheduled-work/run-due-work.ts';
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { type FunctionName, functionDefinitions } from '../../infra/definition/function-definitions.ts';
import { newTable } from '../../infra/definition/table-definition.ts';
import { everyMinutes } from '../../infra/definition/timetable.ts';
import { MAX_RENEWALS_PER_SECOND } from '../../lib/platform/grants/renew-due-grants.ts';
import { PARTITION_KEYS_PER_BUCKET } from '../../lib/storage/due-items.ts';
import { SETTLE_AFTER_MS } from '../../lib/timeline/intent.ts';
import type { Month } from './assumptions.ts';
import { assumedOfRequests, type MeasuredWork, meanChange, measuredWorks } from './measured.ts';
import * as peak from './peaks.ts';
import { busyMs, sumCosts } from './request-costs.ts';

/**
 * A peak and its limit. A part of a delay exists without any load, and the service keeps a rate at any load: neither
 * grows with the load.
 */
type LimitRow = readonly [name: string, peak: number, unit: string, limit: number, kind?: 'delay' | 'rate'];
export type Limit = ReturnType<typeof toLimit>;
type PeakLoad = ReturnType<typeof computePeakLoad>;
/** How often each kind of work is done. */
type CountedWorks = readonly (readonly [count: number, work: MeasuredWork])[];

const { config } = readEnvironmentConfig('prod');
const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? newTable;

function toLimit([name, peakValue, unit, limit, kind]: LimitRow) {
  return { name, peak: peakValue, unit, limit, kind };
}

/** Returns the share of the limit that the peak uses. */
export function shareOf({ peak: value, limit }: Limit): number {
  return value / limit;
}

/** Returns all limits, the nearest first. */
export function limitsOf(month: Month): Limit[] {
  const load = computePeakLoad(month);
  const rows = [requestRows, tableRows, secretRows, largestStoreRows, scheduledRows, workerRows];
  return rows.flatMap((rowsOf) => rowsOf(load).map(toLimit)).toSorted((a, b) => shareOf(b) - shareOf(a));
}

/** Returns the load of the busiest minutes, in which customers open the notices of the first day, and of minutes without notices. */
function computePeakLoad(month: Month) {
  return {
    month,
    notices: peak.customersMinute(month, month.customers, month.sameClock),
    quiet: peak.customersMinute(month, month.customers, 0),
    servers: peak.serversSecond(month, { isSpread: true, concurrency: month.serverConcurrency }),
    change: meanChange(month),
    stores: peak.storesOf(month),
  };
}

function maxInstancesOf(name: FunctionName): number {
  return config.reservedConcurrency[name] ?? config.accountConcurrency;
}

/** Returns the limits of a function's instances and of its throttle. `busy`: its concurrent requests. */
function functionRows(
  name: FunctionName,
  throttle: keyof typeof config.throttling,
  { requests, busy }: { readonly requests: number; readonly busy: number },
): readonly [instances: LimitRow, throttle: LimitRow] {
  return [
    [`instances of ${name}`, busy, 'concurrently', maxInstancesOf(name)],
    [`throttle of ${throttle}`, requests, 'requests/s', config.throttling[throttle].ratePerSecond],
  ];
}

function adminRows({ requests, underWay }: peak.ServersSecond) {
  return functionRows('admin-graphql', 'admin-graphql', { requests, busy: underWay });
}

/** Returns the limits of the function and the throttle that servers with another load profile use. */
export function adminLimitsOf(month: Month, profile: peak.LoadProfile): [instances: Limit, throttle: Limit] {
  const [instances, throttle] = adminRows(peak.serversSecond(month, profile));
  return [toLimit(instances), toLimit(throttle)];
}

/** Returns the requests a second to the two functions of customers. */
function requestsPerSecond({ openings, signIns, queries, changes }: peak.CustomersMinute) {
  const auth = openings * measuredWorks.refresh.requests + signIns * measuredWorks.signIn.requests;
  return { auth: auth / 60, customer: (queries + changes) / 60 };
}

function requestRows({ month, notices, quiet, servers, change }: PeakLoad): LimitRow[] {
  const { refresh, signIn, customerQuery, webhookIn } = measuredWorks;
  const { openings, signIns, queries, changes } = notices;
  const { auth, customer } = requestsPerSecond(notices);
  const ofChanges = peak.secondOf((quiet.changes / 60) * month.webhooksPerChange);
  const webhooks = servers.charges * month.webhooksPerCharge + ofChanges;
  /** Returns how many requests run concurrently, on average, if there are so many in a minute. */
  const concurrent = (count: number, work: MeasuredWork) => (count * busyMs(work)) / 60_000;
  const authBusy = concurrent(openings, refresh) + concurrent(signIns, signIn);
  const customerBusy = concurrent(queries, customerQuery) + concurrent(changes, change);
  const second = (requests: number, busy: number) => ({
    ...{ requests: peak.secondOf(requests), busy: peak.secondOf(busy) },
  });
  const busyWithWebhooks = peak.secondOf((webhooks * busyMs(webhookIn)) / 1000);
  return [
    // Nearly all requests of the sign-in are refreshes.
    ...functionRows('headless-auth', 'refresh', second(auth, authBusy)),
    ...functionRows('customer-graphql', 'customer-graphql', second(customer, customerBusy)),
    ...adminRows(servers),
    ...functionRows('platform-webhooks', 'platform-webhooks', { requests: webhooks, busy: busyWithWebhooks }),
    ['API Gateway, all routes', peak.secondOf(auth + customer), 'requests/s', 10_000],
  ];
}

/** Returns the units a second while servers charge and charges are recorded, with all work that follows from them. */
function tableUnits({ month, servers, quiet, change }: PeakLoad, unit: 'readUnits' | 'writeUnits'): number {
  const following = (count: number, webhooks: number): CountedWorks => [
    [count * webhooks, measuredWorks.webhookIn],
    [count * webhooks, measuredWorks.actedMark],
    [count, measuredWorks.placedEntry],
    [count * month.endpoints, measuredWorks.delivery],
  ];
  const units = (works: CountedWorks) => sumCosts(works.map(([count, work]) => count * work[unit]));
  const ofServers = units([
    [servers.charges, measuredWorks.charge],
    [servers.charges / month.duePageSize, measuredWorks.dueOrders],
    [1 / peak.recordingSeconds(month), measuredWorks.recordedCharge],
    ...following(servers.charges, month.webhooksPerCharge),
  ]);
  const ofCustomers = units([
    [quiet.openings, measuredWorks.refresh],
    [quiet.signIns, measuredWorks.signIn],
    [quiet.queries, measuredWorks.customerQuery],
    [quiet.changes, change],
    ...following(quiet.changes, month.webhooksPerChange),
  ]);
  return ofServers + peak.secondOf(ofCustomers / 60);
}

function tableRows(load: PeakLoad): LimitRow[] {
  const { month, servers, quiet } = load;
  const dueWrites =
    month.chargeDueWrites * servers.charges +
    1 / peak.recordingSeconds(month) +
    peak.secondOf((month.changeDueWrites * quiet.changes) / 60);
  // Stores are distributed evenly over the keys.
  const ofKey = peak.secondOf(dueWrites / PARTITION_KEYS_PER_BUCKET);
  return [
    ['reads of the whole table', tableUnits(load, 'readUnits'), 'read units/s', readUnitsPerSecond],
    ['writes of the whole table', tableUnits(load, 'writeUnits'), 'write units/s', writeUnitsPerSecond],
    ["a key of the day's scheduled tasks", ofKey, 'writes/s', 1000],
  ];
}

function secretRows({ servers, quiet }: PeakLoad): LimitRow[] {
  // If all instances are new: a customer's request reads the grant, a server's request the grant and the keys.
  const reads = peak.secondOf(requestsPerSecond(quiet).customer + 2 * servers.requests);
  // A new version and its label, at the rate of all runs together.
  const writes = measuredWorks.renewedGrant.secretWrites * MAX_RENEWALS_PER_SECOND;
  return [
    ['reads of secrets', reads, 'calls/s', 10_000],
    ['writes of secrets (renewed grants)', writes, 'calls/s', 50, 'rate'],
  ];
}

/** The bucket holds the points of twenty seconds, so its peak is the mean of a minute. */
function largestStoreRows({ month, change, stores: [largest] }: PeakLoad): LimitRow[] {
  const minute = peak.customersMinute(month, largest.customers, 1);
  const points = (minute.queries * measuredWorks.customerQuery.points + minute.changes * change.points) / 60;
  const { auth, customer } = requestsPerSecond(minute);
  return [
    ["the platform's bucket of the largest store", points, 'points/s', largest.pointsPerSecond],
    ['item of the largest store', peak.secondOf(auth + customer), 'reads/s', 3000],
  ];
}

/** Returns the limits of each kind of scheduled work in its worst run, for the part with the largest store. */
function scheduledRows({ month, servers, stores }: PeakLoad): LimitRow[] {
  const [runMinutes, runSeconds] = [everyMinutes['scheduled-work'], SCHEDULED_RUN_MS / 1000];
  const resumesOf = ({ customers }: peak.Store) =>
    Math.ceil((customers * month.pausedUntilFirst) / month.resumeContracts);
  const [largest, ...others] = stores;
  const ofOthers = (month.sameClock * sumCosts(others.map(resumesOf))) / month.storeParts;
  const resume = ((resumesOf(largest) + ofOthers) * month.resumeSeconds) / month.scheduledStores;
  // Each store's server charges at the same rate.
  const recording = (servers.charges / month.storeParts) * 60 * runMinutes * peak.recordingSeconds(month);
  // In the worst case all grants are due in one run.
  const renew = month.stores / MAX_RENEWALS_PER_SECOND;
  /** Returns the time of a kind: its equal share of the run, and the unused shares of the others. */
  const timeWithout = (...needs: readonly number[]) =>
    runSeconds - sumCosts(needs.map((need) => Math.min(need, runSeconds / month.kindsOfWork)));
  // The bank responds, the next run starts, and records earlier charges first.
  const minutes = runMinutes + SETTLE_AFTER_MS / 60_000 + recording / 60;
  return [
    ['recording charges, in a run', recording, 's', timeWithout(resume, renew)],
    ['ending pauses, in a run', resume, 's', timeWithout(recording, renew)],
    ['renewing grants, in a run', renew, 's', timeWithout(recording, resume)],
    // Pauses end at midnight, when no server charges.
    ['a whole run of the scheduled work', recording + renew, 's', runSeconds],
    ['from a charge to its entry', minutes, 'minutes', month.targetMinutes, 'delay'],
  ];
}

/** Returns the processors of an instance. */
function processorsOf(name: FunctionName): number {
  return Math.min(1, functionDefinitions[name].memoryMb / assumedOfRequests.mbOfProcessor);
}

/** Returns the hours of the largest store's reconciliation: its contracts sequentially, with the announced orders. */
function longestReconciliationHours({ month, stores: [largest] }: PeakLoad): number {
  const { nightlyContract, announcedAhead, nightlyCharge } = measuredWorks;
  const { first, ordinary } = peak.dueOn(month);
  const each = (work: MeasuredWork) => peak.stepSeconds(work, processorsOf('store-events'));
  const ofOrder = first * each(announcedAhead) + month.readsOfCharge * ordinary * each(nightlyCharge);
  const ofContract = each(nightlyContract) + month.ordersPerCustomer * ofOrder;
  const byPoints = nightlyContract.points / (largest.pointsPerSecond * month.nightlyShare);
  return (largest.customers * Math.max(ofContract, byPoints)) / 3600;
}

function workerRows(load: PeakLoad): LimitRow[] {
  const { month, servers, quiet } = load;
  const { nightlyContract, announcedAhead, delivery, placedEntry } = measuredWorks;
  /** Returns how often all instances of a function do work of this duration in a second. */
  const perSecond = (name: FunctionName, cpuMs: number) =>
    (1000 * maxInstancesOf(name) * processorsOf(name)) / cpuMs;
  const ahead = month.ordersPerCustomer * peak.dueOn(month).first;
  // During the reconciliation of many stores, processors limit how many contracts a second are read.
  const contracts = perSecond('store-events', nightlyContract.cpuMs + ahead * announcedAhead.cpuMs);
  const turns = (month.stores * month.sameClock) / (maxInstancesOf('store-events') * STORE_CONCURRENCY);
  // Each store has a time slice, in which its inbox comes first. The run starts within a minute.
  const minutes = 1 + (STORE_TIME_SLICE_MS / 60_000) * (1 + turns);
  // Only the schedule's run: up to eight runs that the stream starts append concurrently with it.
  const maxEntries = (APPENDING_MS * processorsOf('webhook-deliveries')) / placedEntry.cpuMs;
  const entries = 60 * servers.charges + quiet.changes;
  const webhooks = contracts * ahead * month.endpoints;
  const maxWebhooks = perSecond('webhook-deliveries', delivery.cpuMs);
  const hours = longestReconciliationHours(load);
  return [
    ['the longest nightly reconciliation, of the largest store', hours, 'hours', month.nightlyHours],
    ['from a webhook of the platform to its reading', minutes, 'minutes', month.targetMinutes, 'delay'],
    ['entries that a run appends', entries, 'a minute', maxEntries],
    ["webhooks to merchants' endpoints", webhooks, 'webhooks/s', maxWebhooks],
  ];
}
