/**
 * The measured values of each kind of work. tests/infra/synthesised/measure/measure.ts writes measured.json; run it again when
 * a request changes.
 */
import { readFileSync } from 'node:fs';
import type { FunctionName } from '../../infra/definition/function-definitions.ts';
import { ENDPOINT_CONFIG_MAX_AGE_MS } from '../../lib/webhooks/deliver/deliver-to-endpoint.ts';
import { WEBHOOK_TIMEOUT_MS } from '../../lib/webhooks/send-webhook.ts';
import { createMonth, type MonthAssumptions } from './assumptions.ts';

/**
 * The mean of one piece of work: one or more requests, or a part of a worker's run. CPU is that of a shared x86 machine.
 * `storedBytes` stay in table and index without a time to live; they are negative when the work deletes items.
 * @internal measure.ts writes it.
 */
export type Measurement = Readonly<
  Record<'requests' | 'cpuMs' | 'readUnits' | 'writeUnits' | 'secretReads' | 'secretWrites', number> &
    Record<
      'storedBytes' | 'logBytes' | 'answerBytes' | 'peakMemoryMb' | 'platformRequests' | 'points',
      number
    >
>;
export type MeasuredWork = Measurement & {
  /** The name in docs/costs.md, in the plural. */
  readonly name: string;
  readonly function: FunctionName;
  /** The platform requests that are sent one after the other: fewer than all if some are sent together. */
  readonly platformTrips: number;
  /** Assumed: the time until a merchant's endpoint responds. The endpoints of the measurement respond immediately. */
  readonly answerMs: number;
  /** The part of `answerMs` in which the instance waits only for this response. */
  readonly endpointMs: number;
};

/**
 * Returns how often a worker reads the configuration of an endpoint while it waits for a response, at most: once a
 * second. Each is one read unit: a store has at most five endpoints of half a kilobyte.
 * @internal A test simulates the worker.
 */
export function countConfigurationReads(answerMs: number): number {
  return Math.min(1, answerMs / ENDPOINT_CONFIG_MAX_AGE_MS);
}

/** @internal Returns the concurrent attempts at endpoints that are down, on average of all stores. */
export function countConcurrentAttempts(month: MonthAssumptions, answerMs: number): number {
  const downEndpointCount = month.stores * month.endpoints * month.endpointsDown;
  return (downEndpointCount * month.triesADayAtDown * answerMs) / 86_400_000;
}

/**
 * Returns the part of its waiting time that each of several random concurrent waits has for itself: an instance waits
 * for all of them together. This is an upper limit, because runs start with the minute and so overlap more.
 * @internal A test simulates the worker.
 */
export function computeOwnPartOfWaiting(concurrency: number): number {
  return (1 - Math.exp(-concurrency)) / concurrency;
}

type WorkKind = Pick<MeasuredWork, 'name' | 'function'> &
  Partial<Pick<MeasuredWork, 'answerMs' | 'endpointMs' | 'platformTrips'>>;

/** The kinds of work by name. docs/costs.md describes what one piece of each is. */
const workKinds = {
  signIn: { name: 'sign-ins', function: 'headless-auth' },
  refresh: { name: 'refreshes', function: 'headless-auth' },
  // The next orders of a returning customer are requested together with the list: tests/graphql/fields/cycle-prefetch.test.ts.
  customerQuery: { name: "customers' queries", function: 'customer-graphql', platformTrips: 1 },
  customerChange: { name: "customers' changes", function: 'customer-graphql' },
  pauseChange: { name: "customers' pauses and resumptions", function: 'customer-graphql' },
  merchantQuery: { name: "merchants' queries", function: 'admin-graphql' },
  dueOrders: { name: 'pages of due orders', function: 'admin-graphql' },
  charge: { name: 'charges', function: 'admin-graphql' },
  recordedCharge: { name: 'recorded charges', function: 'scheduled-work' },
  renewedGrant: { name: 'renewed grants', function: 'scheduled-work' },
  webhookIn: { name: 'webhooks of the platform', function: 'platform-webhooks' },
  actedMark: { name: 'processed inbox items', function: 'store-events' },
  nightlyContract: { name: 'contracts of the nightly reconciliation', function: 'store-events' },
  nightlyCharge: { name: 'charges of the nightly reconciliation', function: 'store-events' },
  nightlyStore: { name: 'nightly reconciliations of a store', function: 'store-events' },
  firstRead: { name: 'first reads of a contract', function: 'store-events' },
  announcedAhead: { name: 'announced orders', function: 'store-events' },
  placedEntry: { name: 'appended entries and announcements', function: 'webhook-deliveries' },
  // A store's three endpoints are called concurrently.
  delivery: { name: 'deliveries', function: 'webhook-deliveries', answerMs: 200, endpointMs: 67 },
  refusedDelivery: {
    ...{ name: 'refused deliveries', function: 'webhook-deliveries', answerMs: WEBHOOK_TIMEOUT_MS },
    endpointMs:
      WEBHOOK_TIMEOUT_MS *
      computeOwnPartOfWaiting(countConcurrentAttempts(createMonth(), WEBHOOK_TIMEOUT_MS)),
  },
  // An order that is paid at the first try, until its attempt is sent, and its outcome.
  billedOrder: { name: 'orders that the service charges', function: 'billing' },
  settledOrder: { name: 'outcomes of these orders', function: 'scheduled-work' },
  // With all that follows: outcomes, the second try or the final action, and their entries.
  declinedOrder: { name: 'orders declined once, then paid', function: 'billing' },
  endedOrder: { name: 'orders declined for good, and their final action', function: 'billing' },
  enqueuedStore: { name: 'idle visits of a queued store', function: 'webhook-deliveries' },
  scheduledRun: { name: 'idle runs of the scheduled work', function: 'scheduled-work' },
  storeEventsRun: { name: 'idle runs of store-events', function: 'store-events' },
  deliveriesRun: { name: 'idle runs of webhook-deliveries', function: 'webhook-deliveries' },
  billingRun: { name: 'idle runs of billing', function: 'billing' },
} as const satisfies Readonly<Record<string, WorkKind>>;

export type WorkName = keyof typeof workKinds;

type MeasurementFile = Readonly<Record<'measuredAt' | 'commit' | 'machine' | 'node', string>> & {
  readonly rounds: number;
  readonly works: Readonly<Record<WorkName, Measurement>>;
  /** The size of an item of each type, with DynamoDB's overhead. */
  readonly itemBytes: Readonly<Record<string, number>>;
  /** Processor seconds from the start of the process until its first invocation. */
  readonly startSeconds: Readonly<Partial<Record<FunctionName, number>>>;
};

/** The measurement: when, where and at which commit. */
export const measurement: MeasurementFile = JSON.parse(
  readFileSync(new URL('measured.json', import.meta.url), 'utf8'),
);

/** The measured values of each kind of work. */
export const measuredWorks = Object.fromEntries(
  Object.entries(workKinds).map(([name, kind]) => [
    name,
    addConfigurationReads(measurement.works[name as WorkName], kind),
  ]),
) as Readonly<Record<WorkName, MeasuredWork>>;

/** Adds the reads of a waiting worker, which a measurement with immediate responses does not have. */
function addConfigurationReads(measurement: Measurement, kind: WorkKind): MeasuredWork {
  const { answerMs = 0, endpointMs = 0, platformTrips = measurement.platformRequests } = kind;
  const readUnits = Math.round(100 * (measurement.readUnits + countConfigurationReads(answerMs))) / 100;
  return { ...measurement, ...kind, answerMs, endpointMs, platformTrips, readUnits };
}

/** Returns the mean of a customer's change: most are skips, some are pauses and resumptions. */
export function computeMeanChange({ changesOfPause }: MonthAssumptions): MeasuredWork {
  const { customerChange, pauseChange } = measuredWorks;
  const meanOf = (name: keyof Measurement | 'platformTrips') =>
    (1 - changesOfPause) * customerChange[name] + changesOfPause * pauseChange[name];
  const measuredNames = Object.keys(measurement.works.customerChange) as (keyof Measurement)[];
  const meanByName = Object.fromEntries(measuredNames.map((name) => [name, meanOf(name)]));
  return { ...customerChange, ...meanByName, platformTrips: meanOf('platformTrips') };
}

/** Assumed, not measured, as docs/costs.md describes. */
export const REQUEST_ASSUMPTIONS = {
  /** The platform's response time. */
  platformMs: 200,
  /** Lambda gives a function one processor for this memory, as fast as that of the measurement. */
  mbOfProcessor: 1769,
  /** The line of a request in API Gateway's access log. */
  accessLogBytes: 350,
};
