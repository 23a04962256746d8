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
import { assumedOfRequests, type MeasuredWork, meanChange, measured } from './measured.ts';
import * as peak from './peaks.ts';
import { busyMs } from './request-costs.ts';

export type Limit = {
  readonly name: string;
  readonly unit: string;
  readonly peak: number;
  readonly limit: number;
  /** A part of a delay exists without any load, so it does not grow with the load. */
  readonly isDelay?: true;
  /** The service keeps a rate at any load. */
  readonly isRate?: true;
};

/** The load from which the limits are computed. */
type Load = {
  readonly month: Month;
  /** Requests of all customers while they open the notices of the first day, and without notices. */
  readonly notices: peak.CustomersMinute;
  readonly quiet: peak.CustomersMinute;
  readonly servers: peak.ServersSecond;
  readonly change: MeasuredWork;
};
type Peak = readonly [value: number, unit: string];

const { config } = readEnvironmentConfig('prod');

function row(name: string, [value, unit]: Peak, limit: number): Limit {
  return { name, unit, peak: value, limit };
}

/** Returns the share of the limit that the peak uses. */
export function shareOf({ peak: value, limit }: Limit): number {
  return value / limit;
}

/** Returns all limits, the nearest first. */
export function limitsOf(month: Month): Limit[] {
  const load: Load = {
    month,
    notices: peak.customersMinute(month, month.customers, month.sameClock),
    quiet: peak.customersMinute(month, month.customers, 0),
    servers: peak.serversSecond(month, { isSpread: true, concurrency: month.serverConcurrency }),
    change: meanChange(month),
  };
  const all = [
    ...customerLimits(load),
    ...adminLimits(load.servers),
    ...webhookLimits(load),
    ...tableLimits(load),
    ...secretLimits(load),
    ...largestStoreLimits(load),
    ...scheduledLimits(load),
    ...workerLimits(load),
  ];
  return all.toSorted((a, b) => shareOf(b) - shareOf(a));
}

function instancesOf(name: FunctionName): number {
  return config.reservedConcurrency[name] ?? config.accountConcurrency;
}

/** Returns the limits of a function's instances and of its throttle. `busy`: its concurrent requests. */
function functionLimits(
  name: FunctionName,
  throttle: keyof typeof config.throttling,
  { requests, busy }: { readonly requests: number; readonly busy: number },
): readonly [instances: Limit, throttle: Limit] {
  return [
    row(`instances of ${name}`, [busy, 'concurrently'], instancesOf(name)),
    row(`throttle of ${throttle}`, [requests, 'requests/s'], config.throttling[throttle].ratePerSecond),
  ];
}

/** Returns the requests a second to the two functions of customers. */
function requestsOf({ openings, signIns, queries, changes }: peak.CustomersMinute) {
  const { refresh, signIn } = measured;
  const auth = (openings * refresh.requests + signIns * signIn.requests) / 60;
  return { auth, customer: (queries + changes) / 60 };
}

function customerLimits({ notices, change }: Load): Limit[] {
  const { openings, signIns, queries, changes } = notices;
  const { auth, customer } = requestsOf(notices);
  const seconds = (count: number, work: MeasuredWork) => ((count / 60) * busyMs(work)) / 1000;
  const authBusy = seconds(openings, measured.refresh) + seconds(signIns, measured.signIn);
  const customerBusy = seconds(queries, measured.customerQuery) + seconds(changes, change);
  const second = (requests: number, busy: number) => ({
    ...{ requests: peak.secondOf(requests), busy: peak.secondOf(busy) },
  });
  return [
    // Nearly all requests of the sign-in are refreshes.
    ...functionLimits('headless-auth', 'refresh', second(auth, authBusy)),
    ...functionLimits('customer-graphql', 'customer-graphql', second(customer, customerBusy)),
    row('API Gateway, all routes', [peak.secondOf(auth + customer), 'requests/s'], 10_000),
  ];
}

function adminLimits({
  requests,
  underWay,
}: peak.ServersSecond): readonly [instances: Limit, throttle: Limit] {
  return functionLimits('admin-graphql', 'admin-graphql', { requests, busy: underWay });
}

/** Returns the limits of servers with another load profile. */
export function adminLimitsOf(month: Month, profile: peak.LoadProfile) {
  return adminLimits(peak.serversSecond(month, profile));
}

function webhookLimits({ month, servers, quiet }: Load): readonly Limit[] {
  const webhooks = servers.charges * month.webhooksPerCharge;
  const requests = webhooks + peak.secondOf((quiet.changes / 60) * month.webhooksPerChange);
  const busy = peak.secondOf((requests * busyMs(measured.webhookIn)) / 1000);
  return functionLimits('platform-webhooks', 'platform-webhooks', { requests, busy });
}

/** Returns the units a second while servers charge and charges are recorded, with all work that follows from them. */
function tableUnits({ month, servers, quiet, change }: Load, unit: 'readUnits' | 'writeUnits'): number {
  const { charge, dueOrders, webhookIn, actedMark, placedEntry, delivery, recordedCharge } = measured;
  const { signIn, refresh, customerQuery } = measured;
  const webhook = webhookIn[unit] + actedMark[unit];
  const entry = placedEntry[unit] + month.endpoints * delivery[unit];
  const ofCharge =
    charge[unit] + dueOrders[unit] / month.duePageSize + month.webhooksPerCharge * webhook + entry;
  const ofChange = change[unit] + month.webhooksPerChange * webhook + entry;
  const ofCustomers =
    quiet.openings * refresh[unit] +
    quiet.signIns * signIn[unit] +
    quiet.queries * customerQuery[unit] +
    quiet.changes * ofChange;
  const recording = recordedCharge[unit] / peak.recordingSeconds(month);
  return servers.charges * ofCharge + recording + peak.secondOf(ofCustomers / 60);
}

function tableLimits(load: Load): Limit[] {
  const { month, servers, quiet } = load;
  const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? newTable;
  const dueWrites =
    month.chargeDueWrites * servers.charges +
    1 / peak.recordingSeconds(month) +
    peak.secondOf((month.changeDueWrites * quiet.changes) / 60);
  return [
    row('reads of the whole table', [tableUnits(load, 'readUnits'), 'read units/s'], readUnitsPerSecond),
    row('writes of the whole table', [tableUnits(load, 'writeUnits'), 'write units/s'], writeUnitsPerSecond),
    // Stores are distributed evenly over the keys.
    row(
      "a key of the day's scheduled tasks",
      [peak.secondOf(dueWrites / PARTITION_KEYS_PER_BUCKET), 'writes/s'],
      1000,
    ),
  ];
}

function secretLimits({ servers, quiet }: Load): Limit[] {
  // If all instances are new: a customer's request reads the grant, a server's request the grant and the keys.
  const reads = peak.secondOf(requestsOf(quiet).customer + 2 * servers.requests);
  // A new version and its label, at the rate of all runs together.
  const writes = measured.renewedGrant.secretWrites * MAX_RENEWALS_PER_SECOND;
  return [
    row('reads of secrets', [reads, 'calls/s'], 10_000),
    { ...row('writes of secrets (renewed grants)', [writes, 'calls/s'], 50), isRate: true },
  ];
}

/** The bucket holds the points of twenty seconds, so its peak is the mean of a minute. */
function largestStoreLimits({ month, change }: Load): Limit[] {
  const [largest = { customers: 0, pointsPerSecond: 1 }] = peak.storesOf(month);
  const minute = peak.customersMinute(month, largest.customers, 1);
  const points = (minute.queries * measured.customerQuery.points + minute.changes * change.points) / 60;
  const { auth, customer } = requestsOf(minute);
  return [
    row("the platform's bucket of the largest store", [points, 'points/s'], largest.pointsPerSecond),
    row('item of the largest store', [peak.secondOf(auth + customer), 'reads/s'], 3000),
  ];
}

/** Returns the seconds of each kind of scheduled work in its worst run, for the part with the largest store. */
function scheduledNeeds({ month, servers }: Load) {
  const seconds = 60 * everyMinutes['scheduled-work'];
  const requests = peak
    .storesOf(month)
    .map(({ customers }) => Math.ceil((customers * month.pausedUntilFirst) / month.resumeContracts));
  const [largest = 0, ...others] = requests;
  const ofOthers = others.reduce((sum, count) => sum + count, 0);
  const resumes = largest + (month.sameClock * ofOthers) / month.storeParts;
  return {
    // Each store's server charges at the same rate.
    recording: (servers.charges / month.storeParts) * seconds * peak.recordingSeconds(month),
    resume: (resumes * month.resumeSeconds) / month.scheduledStores,
    // In the worst case all grants are due in one run.
    renew: month.stores / MAX_RENEWALS_PER_SECOND,
  };
}

function scheduledLimits(load: Load): Limit[] {
  const { month } = load;
  const needs = scheduledNeeds(load);
  const runSeconds = SCHEDULED_RUN_MS / 1000;
  const share = runSeconds / month.kindsOfWork;
  /** Returns the time of a kind: its equal share of the run, and the unused shares of the others. */
  const timeWithout = (...others: readonly number[]) =>
    others.reduce((left, need) => left - Math.min(need, share), runSeconds);
  const { recording, resume, renew } = needs;
  const waits = everyMinutes['scheduled-work'] + SETTLE_AFTER_MS / 60_000;
  // The bank responds, the next run starts, and records earlier charges first.
  const minutes = waits + recording / 60;
  return [
    row('recording charges, in a run', [recording, 's'], timeWithout(resume, renew)),
    row('ending pauses, in a run', [resume, 's'], timeWithout(recording, renew)),
    row('renewing grants, in a run', [renew, 's'], timeWithout(recording, resume)),
    // Pauses end at midnight, when no server charges.
    row('a whole run of the scheduled work', [recording + renew, 's'], runSeconds),
    { ...row('from a charge to its entry', [minutes, 'minutes'], month.targetMinutes), isDelay: true },
  ];
}

/** Returns the processors of an instance. */
function speedOf(name: FunctionName): number {
  return Math.min(1, functionDefinitions[name].memoryMb / assumedOfRequests.mbOfProcessor);
}

/** Returns the hours of the largest store's reconciliation: its contracts sequentially, with the announced orders. */
export function longestReconciliationHours(month: Month): number {
  const { nightlyContract, announcedAhead, nightlyCharge } = measured;
  const speed = speedOf('store-events');
  const [largest = { customers: 0, pointsPerSecond: 1 }] = peak.storesOf(month);
  const { first, ordinary } = peak.dueOn(month);
  const each = (work: MeasuredWork) => peak.stepSeconds(work, speed);
  const ofOrder = first * each(announcedAhead) + month.readsOfCharge * ordinary * each(nightlyCharge);
  const ofContract = each(nightlyContract) + month.ordersPerCustomer * ofOrder;
  const byPoints = nightlyContract.points / (largest.pointsPerSecond * month.nightlyShare);
  return (largest.customers * Math.max(ofContract, byPoints)) / 3600;
}

function workerLimits({ month, servers, quiet }: Load): Limit[] {
  const { nightlyContract, announcedAhead, delivery, placedEntry } = measured;
  const events = { instances: instancesOf('store-events'), speed: speedOf('store-events') };
  const deliveries = { instances: instancesOf('webhook-deliveries'), speed: speedOf('webhook-deliveries') };
  const ahead = month.ordersPerCustomer * peak.dueOn(month).first;
  // During the reconciliation of many stores, processors limit how many contracts a second are read.
  const contractMs = nightlyContract.cpuMs + ahead * announcedAhead.cpuMs;
  const webhooks = ((1000 * events.instances * events.speed) / contractMs) * ahead * month.endpoints;
  const maxWebhooks = (1000 * deliveries.instances * deliveries.speed) / delivery.cpuMs;
  const turns = (month.stores * month.sameClock) / (events.instances * STORE_CONCURRENCY);
  // Each store has a time slice, in which its inbox comes first. The run starts within a minute.
  const minutes = 1 + (STORE_TIME_SLICE_MS / 60_000) * (1 + turns);
  // Only the schedule's run: up to eight runs that the stream starts append concurrently with it.
  const maxEntries = (APPENDING_MS * deliveries.speed) / placedEntry.cpuMs;
  const hours = longestReconciliationHours(month);
  const reading = row(
    'from a webhook of the platform to its reading',
    [minutes, 'minutes'],
    month.targetMinutes,
  );
  return [
    row('the longest nightly reconciliation, of the largest store', [hours, 'hours'], month.nightlyHours),
    { ...reading, isDelay: true },
    row('entries that a run appends', [60 * servers.charges + quiet.changes, 'a minute'], maxEntries),
    row("webhooks to merchants' endpoints", [webhooks, 'webhooks/s'], maxWebhooks),
  ];
}
