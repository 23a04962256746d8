/** Each limit of AWS, of the platform and of our own, beside the most that the month asks of it. */

import { RUN_MS as APPENDING_MS } from '../../functions/compose/webhooks/run-common-work.ts';
import { STORE_CONCURRENCY, TURN_MS } from '../../functions/compose/webhooks/run-store-work.ts';
import { RUN_MS } from '../../functions/scheduled-work/run-due-work.ts';
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { type FunctionName, functionDefinitions } from '../../infra/definition/function-definitions.ts';
import { newTable } from '../../infra/definition/table-definition.ts';
import { everyMinutes } from '../../infra/definition/timetable.ts';
import { RENEWALS_A_SECOND } from '../../lib/platform/grants/renew-due-grants.ts';
import { KEYS_OF_A_BUCKET } from '../../lib/storage/due-items.ts';
import { SETTLE_AFTER_MS } from '../../lib/timeline/intent.ts';
import type { Month } from './assumptions.ts';
import { assumedOfRequests, type MeasuredWork, meanChange, measured } from './measured.ts';
import {
  type CustomersMinute,
  customersMinute,
  dueOn,
  type LoadProfile,
  recordingSeconds,
  type ServersSecond,
  secondOf,
  serversSecond,
  stepSeconds,
  storesOf,
} from './peaks.ts';
import { busyMs } from './request-costs.ts';

export type Limit = {
  readonly name: string;
  readonly unit: string;
  readonly peak: number;
  readonly limit: number;
  readonly when: 'notices' | 'charges' | 'night' | 'any time';
  readonly source: string;
  readonly toDo: string;
  /** Set: a part of it is there without any load, so it does not grow with it. */
  readonly isDelay?: true;
  /** The service keeps to a rate, whatever the load is. */
  readonly isRate?: true;
};

const OWN = 'infra/definition/config.ts, prod';
const DYNAMO_DB = 'DynamoDB, best practices for partition keys';
const SECRETS = 'Secrets Manager, quotas; not adjustable';
const { config } = readEnvironmentConfig('prod');

export function shareOf({ peak, limit }: Limit): number {
  return peak / limit;
}

type Peaks = {
  readonly month: Month;
  /** All stores' customers while the notices of the first day are opened, and while nobody was sent one. */
  readonly notices: CustomersMinute;
  readonly quiet: CustomersMinute;
  readonly servers: ServersSecond;
  readonly change: MeasuredWork;
};

/** The nearest to its limit first. */
export function limitsOf(month: Month): Limit[] {
  const peaks: Peaks = {
    month,
    notices: customersMinute(month, month.customers, month.sameClock),
    quiet: customersMinute(month, month.customers, 0),
    servers: serversSecond(month, { isSpread: true, concurrency: month.serverConcurrency }),
    change: meanChange(month),
  };
  const all = [
    ...customerLimits(peaks),
    ...adminLimits(peaks.servers),
    ...webhookLimits(peaks),
    ...tableLimits(peaks),
    ...secretLimits(peaks),
    ...ofLargestStore(peaks),
    ...scheduledLimits(peaks),
    ...workerLimits(peaks),
  ];
  return all.toSorted((one, other) => shareOf(other) - shareOf(one));
}

function instancesOf(name: FunctionName): number {
  return config.reservedConcurrency[name] ?? config.accountConcurrency;
}

function raise(name: FunctionName): string {
  return `Raise reservedConcurrency and throttling of ${name} together, and the account's limit before them.`;
}

/** Instances and throttle of a function, from requests a second and how many are under way. */
function functionLimits(
  name: FunctionName,
  throttle: keyof typeof config.throttling,
  { requests, busy, when }: { requests: number; busy: number; when: Limit['when'] },
): readonly [instances: Limit, throttle: Limit] {
  const same = { when, source: OWN, toDo: raise(name) };
  const limit = config.throttling[throttle].ratePerSecond;
  return [
    { name: `instances of ${name}`, unit: 'at once', peak: busy, limit: instancesOf(name), ...same },
    { name: `throttle of ${throttle}`, unit: 'requests/s', peak: requests, limit, ...same },
  ];
}

/** Requests a second of the two functions that customers reach. */
function requestsOf({ openings, signIns, queries, changes }: CustomersMinute) {
  const { refresh, signIn } = measured;
  const auth = (openings * refresh.requests + signIns * signIn.requests) / 60;
  return { auth, customer: (queries + changes) / 60 };
}

function customerLimits({ notices, change }: Peaks): Limit[] {
  const { openings, signIns, queries, changes } = notices;
  const { auth, customer } = requestsOf(notices);
  const seconds = (count: number, work: MeasuredWork) => ((count / 60) * busyMs(work)) / 1000;
  const ofAuth = seconds(openings, measured.refresh) + seconds(signIns, measured.signIn);
  const ofCustomer = seconds(queries, measured.customerQuery) + seconds(changes, change);
  const load = (requests: number, busy: number) =>
    ({ requests: secondOf(requests), busy: secondOf(busy), when: 'notices' }) as const;
  return [
    // Nearly all requests of the sign-in are refreshes.
    ...functionLimits('headless-auth', 'refresh', load(auth, ofAuth)),
    ...functionLimits('customer-graphql', 'customer-graphql', load(customer, ofCustomer)),
    {
      ...{ name: 'API Gateway, all routes', unit: 'requests/s', when: 'notices' },
      ...{ peak: secondOf(auth + customer), limit: 10_000 },
      source: 'API Gateway, quota of account and region; adjustable',
      toDo: 'Ask for more in Service Quotas.',
    },
  ];
}

/** What servers ask of their function. */
function adminLimits({ requests, underWay }: ServersSecond): readonly [instances: Limit, throttle: Limit] {
  return functionLimits('admin-graphql', 'admin-graphql', { requests, busy: underWay, when: 'charges' });
}

/** The same, if servers had other habits. */
export function adminLimitsOf(
  month: Month,
  profile: LoadProfile,
): readonly [instances: Limit, throttle: Limit] {
  return adminLimits(serversSecond(month, profile));
}

function webhookLimits({ month, servers, quiet }: Peaks): Limit[] {
  const ofCharges = servers.charges * month.webhooksPerCharge;
  const requests = ofCharges + secondOf((quiet.changes / 60) * month.webhooksPerChange);
  const busy = secondOf((requests * busyMs(measured.webhookIn)) / 1000);
  const name = 'platform-webhooks';
  const toDo = `Raise reservedConcurrency and throttling of ${name}; the platform sends again what was refused, for four hours.`;
  return functionLimits(name, name, { requests, busy, when: 'charges' }).map((limit) => ({ ...limit, toDo }));
}

/** Units a second while servers charge and the scheduled work tells: each charge with all that follows from it. */
function tableUnits({ month, servers, quiet, change }: Peaks, unit: 'readUnits' | 'writeUnits'): number {
  const { charge, dueOrders, webhookIn, actedMark, placedEntry, delivery, recordedCharge } = measured;
  const { signIn, refresh, customerQuery } = measured;
  const followUp = webhookIn[unit] + actedMark[unit];
  const ofCharge =
    charge[unit] +
    dueOrders[unit] / month.duePageSize +
    month.webhooksPerCharge * followUp +
    placedEntry[unit] +
    month.endpoints * delivery[unit];
  const ofChange =
    change[unit] + month.webhooksPerChange * followUp + placedEntry[unit] + month.endpoints * delivery[unit];
  const ofCustomers =
    quiet.openings * refresh[unit] +
    quiet.signIns * signIn[unit] +
    quiet.queries * customerQuery[unit] +
    quiet.changes * ofChange;
  return (
    servers.charges * ofCharge + recordedCharge[unit] / recordingSeconds(month) + secondOf(ofCustomers / 60)
  );
}

function tableLimits(peaks: Peaks): Limit[] {
  const { month, servers, quiet } = peaks;
  const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? newTable;
  const toDo = 'It grows by itself to twice the earlier peak; before a larger leap, raise warmThroughput.';
  const due =
    month.chargeDueWrites * servers.charges +
    1 / recordingSeconds(month) +
    secondOf((month.changeDueWrites * quiet.changes) / 60);
  const same = {
    when: 'charges',
    source: config.warmThroughput ? OWN : 'DynamoDB, a new on-demand table',
    toDo,
  } as const;
  return [
    {
      ...{ name: 'reads of the whole table', unit: 'read units/s', ...same },
      ...{ peak: tableUnits(peaks, 'readUnits'), limit: readUnitsPerSecond },
    },
    {
      ...{ name: 'writes of the whole table', unit: 'write units/s', ...same },
      ...{ peak: tableUnits(peaks, 'writeUnits'), limit: writeUnitsPerSecond },
    },
    {
      ...{ name: "a key of the day's due items", unit: 'writes/s', when: 'charges', source: DYNAMO_DB },
      // Stores lie evenly over the keys.
      ...{ peak: secondOf(due / KEYS_OF_A_BUCKET), limit: 1000 },
      toDo: 'Raise KEYS_OF_A_BUCKET in lib/storage/due-items.ts.',
    },
  ];
}

function secretLimits({ servers, quiet }: Peaks): Limit[] {
  return [
    {
      ...{ name: 'reads of secrets', unit: 'calls/s', limit: 10_000, when: 'charges', source: SECRETS },
      // When every instance is new: the grant of each customer's request; the grant and the keys of each of a server's.
      peak: secondOf(requestsOf(quiet).customer + 2 * servers.requests),
      toDo: 'Fewer, larger instances would share more.',
    },
    {
      ...{
        name: 'writes of secrets (grants renewed)',
        unit: 'calls/s',
        limit: 50,
        when: 'any time',
        isRate: true,
      },
      // A new version and its label, at the rate of all runs together.
      peak: measured.renewedGrant.secretWrites * RENEWALS_A_SECOND,
      ...{ source: SECRETS, toDo: 'Lower RENEWALS_A_SECOND in lib/platform/grants/renew-due-grants.ts.' },
    },
  ];
}

/** The bucket evens out a second's chance: it holds twenty seconds. */
function ofLargestStore({ month, change }: Peaks): Limit[] {
  const [largest = { customers: 0, pointsPerSecond: 1 }] = storesOf(month);
  const minute = customersMinute(month, largest.customers, 1);
  const points = (minute.queries * measured.customerQuery.points + minute.changes * change.points) / 60;
  const { auth, customer } = requestsOf(minute);
  return [
    {
      ...{ name: "the platform's bucket of the largest store", unit: 'points/s', when: 'notices' },
      ...{ peak: points, limit: largest.pointsPerSecond, source: 'the platform, by plan' },
      toDo: `Notices bring these customers: send those of a day over more than ${month.noticeMinutes} minutes, or the merchant takes a larger plan.`,
    },
    {
      ...{
        name: 'item of the largest store',
        unit: 'reads/s',
        limit: 3000,
        when: 'notices',
        source: DYNAMO_DB,
      },
      peak: secondOf(auth + customer),
      toDo: 'Keep the store’s item for a second or two in the instance; revoking a key then takes as long.',
    },
  ];
}

/**
 * Seconds that each kind of the scheduled work needs for all that is due of a part of the stores, in the worst run of each. The
 * part of the largest store has that store's work and an equal share of the others'.
 */
function scheduledNeeds({ month, servers }: Peaks) {
  const seconds = 60 * everyMinutes['scheduled-work'];
  const stores = storesOf(month);
  const requests = stores.map(({ customers }) =>
    Math.ceil((customers * month.pausedUntilFirst) / month.resumeContracts),
  );
  const [largest = 0, ...others] = requests;
  const resumes =
    largest + (month.sameClock * others.reduce((sum, count) => sum + count, 0)) / month.storeParts;
  return {
    // Each store's server charges at the same rate.
    recording: (servers.charges / month.storeParts) * seconds * recordingSeconds(month),
    resume: (resumes * month.resumeSeconds) / month.scheduledStores,
    // At worst all grants are due in one run.
    renew: month.stores / RENEWALS_A_SECOND,
  };
}

function scheduledLimits(peaks: Peaks): Limit[] {
  const { month } = peaks;
  const needs = scheduledNeeds(peaks);
  const runSeconds = RUN_MS / 1000;
  /** What a kind has of a run: its equal part, and what the others leave of theirs. */
  const partOf = (kind: keyof typeof needs) =>
    (Object.keys(needs) as (keyof typeof needs)[])
      .filter((other) => other !== kind)
      .reduce((left, other) => left - Math.min(needs[other], runSeconds / month.kindsOfWork), runSeconds);
  const toDo =
    'Nothing is lost, the next run goes on. A run uses one processor for an eighth of the stores: raise KEYS_OF_A_BUCKET in lib/storage/due-items.ts.';
  const source = 'functions/scheduled-work/run-due-work.ts';
  const row = (name: string, when: Limit['when'], kind: keyof typeof needs): Limit => ({
    ...{ name, unit: 's', when, source, toDo, peak: needs[kind], limit: partOf(kind) },
  });
  const waits = everyMinutes['scheduled-work'] + SETTLE_AFTER_MS / 60_000;
  return [
    row('telling charges, of a run', 'charges', 'recording'),
    row('ending pauses, of a run', 'night', 'resume'),
    row('renewing grants, of a run', 'any time', 'renew'),
    {
      ...{ name: 'a whole run of the scheduled work', unit: 's', when: 'charges', source, toDo },
      // Pauses end at midnight, when no server charges.
      ...{ peak: needs.recording + needs.renew, limit: runSeconds },
    },
    {
      ...{ name: 'from a charge to its entry', unit: 'minutes', isDelay: true, when: 'charges', toDo },
      // The bank answers, the next run begins, and tells what came before.
      ...{ peak: waits + needs.recording / 60, limit: month.targetMinutes, source: 'docs/objectives.md' },
    },
  ];
}

/** Processors that an instance of a function has. */
function speedOf(name: FunctionName): number {
  return Math.min(1, functionDefinitions[name].memoryMb / assumedOfRequests.mbOfProcessor);
}

/** How long the night's pass of the largest store takes: one contract after another, with the orders of the first day ahead. */
export function longestReconciliationHours(month: Month): number {
  const { nightlyContract, announcedAhead, nightlyCharge } = measured;
  const speed = speedOf('store-events');
  const [largest = { customers: 0, pointsPerSecond: 1 }] = storesOf(month);
  const { first, ordinary } = dueOn(month);
  const each = (work: MeasuredWork) => stepSeconds(work, speed);
  const ofContract =
    each(nightlyContract) +
    month.ordersPerCustomer *
      (first * each(announcedAhead) + month.readsOfCharge * ordinary * each(nightlyCharge));
  const byPoints = nightlyContract.points / (largest.pointsPerSecond * month.nightlyShare);
  return (largest.customers * Math.max(ofContract, byPoints)) / 3600;
}

function workerLimits({ month, servers, quiet }: Peaks): Limit[] {
  const { nightlyContract, announcedAhead, delivery, placedEntry } = measured;
  const more = 'Raise memoryMb in infra/definition/function-definitions.ts up to a whole processor';
  const events = { instances: instancesOf('store-events'), speed: speedOf('store-events') };
  const deliveries = { instances: instancesOf('webhook-deliveries'), speed: speedOf('webhook-deliveries') };
  const ahead = month.ordersPerCustomer * dueOn(month).first;
  // While many stores have their night, processors decide how many contracts a second are read, and orders told ahead.
  const contracts =
    (1000 * events.instances * events.speed) / (nightlyContract.cpuMs + ahead * announcedAhead.cpuMs);
  const turns = (month.stores * month.sameClock) / (events.instances * STORE_CONCURRENCY);
  const turnMinutes = TURN_MS / 60_000;
  return [
    {
      ...{ name: 'the longest nightly pass, of the largest store', unit: 'hours', when: 'night' },
      ...{
        peak: longestReconciliationHours(month),
        limit: month.nightlyHours,
        source: 'from 2 to 6 o’clock at the store',
      },
      toDo: `The pass goes on by day. ${more} of store-events, then its reservedConcurrency.`,
    },
    {
      ...{
        name: 'from a webhook of the platform to its look',
        unit: 'minutes',
        isDelay: true,
        when: 'night',
      },
      // Each store has its turn, in which its marks come first; the run begins within a minute.
      ...{ peak: 1 + turnMinutes * (1 + turns), limit: month.targetMinutes, source: 'docs/objectives.md' },
      toDo: 'Nothing is lost: marks wait. Raise reservedConcurrency of store-events.',
    },
    {
      ...{ name: 'entries that a run places', unit: 'a minute', when: 'charges' },
      ...{
        peak: 60 * servers.charges + quiet.changes,
        // The schedule's run alone: those that the bell starts append beside it, up to eight at the same time.
        limit: (APPENDING_MS * deliveries.speed) / placedEntry.cpuMs,
      },
      source: 'functions/compose/webhooks/run-common-work.ts',
      toDo: `With the bell, runs share the stores: up to ${month.storeParts} times as many. Nothing is lost: the next run goes on. ${more} of webhook-deliveries.`,
    },
    {
      ...{ name: "webhooks to merchants' endpoints", unit: 'webhooks/s', when: 'night', source: OWN },
      peak: contracts * ahead * month.endpoints,
      limit: (1000 * deliveries.instances * deliveries.speed) / delivery.cpuMs,
      toDo: `Nothing is lost: events wait in the stream for 30 days. ${more} of webhook-deliveries, then its reservedConcurrency.`,
    },
  ];
}
