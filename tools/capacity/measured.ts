/**
 * What each kind of work takes, as tests/infra/synthesised/measure.ts measured it on the synthesised production template and
 * wrote it to measured.json: docs/costs.md and docs/growth.md count with it. Measure again when a request changes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionName } from '../../infra/definition/function-definitions.ts';
import { POLL_INTERVAL_MS } from '../../lib/webhooks/deliver/deliver-to-endpoint.ts';
import { TIMEOUT_MS } from '../../lib/webhooks/send-webhook.ts';
import { type Month, monthOf } from './assumptions.ts';

/**
 * The figures of one of a kind of work: a request or more, or a part of a run of the scheduled work.
 * @internal The measuring writes them.
 */
export type Measurement = {
  /** Requests to the service. */
  readonly requests: number;
  /** CPU of a shared x86 machine: docs/costs.md says how much it varies. */
  readonly cpuMs: number;
  /** Request units of the table. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** What stays in table and index for ever, in bytes; below zero: what others have left goes. */
  readonly storedBytes: number;
  /** Calls of Secrets Manager. */
  readonly secretReads: number;
  readonly secretWrites: number;
  /** The function's own lines. */
  readonly logBytes: number;
  readonly peakMemoryMb: number;
  readonly platformRequests: number;
  /** The points of the store's bucket, as the emulated platform charges them. */
  readonly points: number;
  /** Bodies and headers of the answers. */
  readonly answerBytes: number;
};
export type MeasuredWork = Measurement & {
  /** The name in docs/costs.md, in the plural. */
  readonly name: string;
  readonly function: FunctionName;
  /** Not measured: how long a merchant's endpoint takes to answer, for the measuring's answers at once. */
  readonly answerMs?: number;
  /** Of that what the instance waits for this one alone. */
  readonly endpointMs?: number;
};

/**
 * The looks at an endpoint's configuration that come with a try which it answers after so long, at most: one a second, none
 * but after an answer. Each is a read unit: a store has five endpoints at most, of half a kilobyte.
 */
export function readsOf(answerMs: number): number {
  return Math.min(1, answerMs / POLL_INTERVAL_MS);
}

/** Tries at endpoints that are down which are waited for at once, on average of all stores. */
export function concurrentTries(of: Month, answerMs: number): number {
  const down = of.stores * of.endpoints * of.endpointsDown;
  return (down * of.triesADayAtDown * answerMs) / 86_400_000;
}

/**
 * What one of so many that are waited for at once, on average and by chance, has of the time in which any is: an instance
 * waits for all of them together. At most: runs begin with the minute, so more of them meet than by chance.
 * @internal A test plays the worker against it.
 */
export function partOfWaiting(concurrency: number): number {
  return (1 - Math.exp(-concurrency)) / concurrency;
}

/** The kinds of work by name. */
const kinds = {
  signIn: { name: 'sign-ins', function: 'headless-auth' },
  refresh: { name: 'refreshes', function: 'headless-auth' },
  // The app's list, with what comes next in its second request: no other query of the app takes more.
  customerQuery: { name: "customers' queries", function: 'customer-graphql' },
  // A skip under a key, as the clients send it.
  customerChange: { name: "customers' changes", function: 'customer-graphql' },
  // A pause with an end, and its resumption on another date with which the order is moved: each is one half of both.
  pauseChange: { name: "customers' pauses and resumptions", function: 'customer-graphql' },
  // A page of 50.
  merchantQuery: { name: "merchants' queries", function: 'admin-graphql' },
  // A page of 12 orders that a search has found, with its part of the search.
  dueOrders: { name: 'pages of due orders', function: 'admin-graphql' },
  charge: { name: 'charges', function: 'admin-graphql' },
  recordedCharge: { name: 'charges told', function: 'scheduled-work' },
  renewedGrant: { name: 'grants renewed', function: 'scheduled-work' },
  // Of a contract; what it causes is the store's events.
  webhookIn: { name: 'webhooks of the platform', function: 'platform-webhooks' },
  // Of a contract that was charged: it is read, and compared with its snapshot and its entries.
  actedMark: { name: 'marks acted on', function: 'store-events' },
  // One of a page in which nothing has changed.
  nightlyContract: { name: 'contracts of the nightly pass', function: 'store-events' },
  // One of a page, that was told before: of the service's own.
  nightlyCharge: { name: 'charges of the nightly pass', function: 'store-events' },
  // What each store's pass takes beside its contracts and charges.
  nightlyStore: { name: 'nightly passes of a store', function: 'store-events' },
  // When a store is installed, or a contract is made: its snapshot is written, and under its customer a note of it.
  firstRead: { name: 'first looks at a contract', function: 'store-events' },
  // An order that comes in three days, beside its contract's part of the pass.
  announcedAhead: { name: 'orders told ahead', function: 'store-events' },
  // What was entered gets its place in the store's stream, and its intent goes.
  placedEntry: { name: 'entries placed', function: 'webhook-deliveries' },
  // One event to one of three endpoints, in a long queue; the three are waited for together.
  delivery: { name: 'deliveries', function: 'webhook-deliveries', answerMs: 200, endpointMs: 67 },
  // One try of the first two hours at an endpoint that is down; each is waited for until its time is over, with others.
  refusedDelivery: {
    ...{ name: 'deliveries refused', function: 'webhook-deliveries', answerMs: TIMEOUT_MS },
    endpointMs: TIMEOUT_MS * partOfWaiting(concurrentTries(monthOf(), TIMEOUT_MS)),
  },
  // A store with three endpoints that was woken for nothing.
  enqueuedStore: { name: 'visits of a woken store', function: 'webhook-deliveries' },
  // With nothing to do, in a new instance.
  scheduledRun: { name: 'idle runs of the scheduled work', function: 'scheduled-work' },
  storeEventsRun: { name: 'idle runs of store-events', function: 'store-events' },
  deliveriesRun: { name: 'idle runs of webhook-deliveries', function: 'webhook-deliveries' },
} as const satisfies Readonly<
  Record<string, Pick<MeasuredWork, 'name' | 'function' | 'answerMs' | 'endpointMs'>>
>;

export type WorkName = keyof typeof kinds;

type Written = {
  readonly measuredAt: string;
  readonly commit: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly works: Readonly<Record<WorkName, Measurement>>;
  /** An item of each family of keys, with what DynamoDB adds. */
  readonly itemBytes: Readonly<Record<string, number>>;
  /** Of a processor, from the start of the process until it asks for its first invocation. */
  readonly startSeconds: Readonly<Partial<Record<FunctionName, number>>>;
};

/** When, where and at what commit it was measured, and how long each function took to start. */
export const measurement: Written = JSON.parse(
  readFileSync(join(import.meta.dirname, 'measured.json'), 'utf8'),
);

/** The figures of each kind of work. */
export const measured = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, withReads(measurement.works[name as WorkName], kind)]),
) as Readonly<Record<WorkName, MeasuredWork>>;

/** While answers are waited for, the worker reads the store's endpoints again each second: not measured, for it waits for none. */
function withReads(of: Measurement, kind: Omit<MeasuredWork, keyof Measurement>): MeasuredWork {
  const { readUnits } = of;
  return { ...of, ...kind, readUnits: Math.round(100 * (readUnits + readsOf(kind.answerMs ?? 0))) / 100 };
}

/** A change of customers in the mean: most skip an order, some pause and resume. */
export function meanChange({ changesOfPause }: Month): MeasuredWork {
  const { customerChange, pauseChange } = measured;
  const mean = (name: keyof Measurement) =>
    (1 - changesOfPause) * customerChange[name] + changesOfPause * pauseChange[name];
  const names = Object.keys(measurement.works.customerChange) as (keyof Measurement)[];
  return { ...customerChange, ...Object.fromEntries(names.map((name) => [name, mean(name)])) };
}

/** Not measured: what docs/costs.md says of itself. */
export const assumedOfRequests = {
  /** One request to the platform. */
  platformMs: 200,
  /** Lambda gives a function a processor for this many MB, and it is as fast as the machine above. */
  mbOfProcessor: 1769,
  /** A request's line in API Gateway's access log. */
  accessLogBytes: 350,
  /** Lambda's own two lines of an invocation, its start and its report. */
  platformLogBytes: 500,
};
