/**
 * What each kind of work takes, as tests/infra/synthesised/measure.ts measured it on the synthesised production template and
 * wrote it to measured.json: docs/costs.md and the simulation count with it. Measure again when a request changes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionName } from '../../definition/function-definitions.ts';

/**
 * The figures of one of a kind of work: a request or more, or a part of a run of the scheduled work.
 * @internal The measuring writes them.
 */
export type Measurement = {
  /** Requests to the service. */
  readonly requests: number;
  /** CPU of a shared x86 machine, ±20 %. */
  readonly cpuMs: number;
  /** Request units of the table. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** What stays in table and index for ever, in bytes; below zero: what others have left goes. */
  readonly keptBytes: number;
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
  /** Not measured: what is waited for a merchant's endpoint, which the measuring's answers at once. */
  readonly endpointMs?: number;
};

/** The kinds of work by name. */
const kinds = {
  signIn: { name: 'sign-ins', function: 'headless-auth' },
  refresh: { name: 'refreshes', function: 'headless-auth' },
  // The app's list, with what comes next in its second request: no other query of the app takes more.
  customerQuery: { name: "customers' queries", function: 'customer-graphql' },
  // A skip under a key, as the clients send it.
  customerChange: { name: "customers' changes", function: 'customer-graphql' },
  // A page of 50.
  merchantQuery: { name: "merchants' queries", function: 'admin-graphql' },
  // A page of 12 orders that a search has found, with its part of the search.
  dueOrders: { name: 'pages of due orders', function: 'admin-graphql' },
  charge: { name: 'charges', function: 'admin-graphql' },
  toldCharge: { name: 'charges told', function: 'scheduled-work' },
  renewedGrant: { name: 'grants renewed', function: 'scheduled-work' },
  // Of a contract; what it causes is the store's events.
  webhookIn: { name: 'webhooks of the platform', function: 'platform-webhooks' },
  // Of a contract that was charged: it is read, and compared with its snapshot and its entries.
  actedMark: { name: 'marks acted on', function: 'store-events' },
  // One of a page in which nothing has changed.
  nightlyContract: { name: 'contracts of the nightly pass', function: 'store-events' },
  // What each store's pass takes beside its contracts.
  nightlyStore: { name: 'nightly passes of a store', function: 'store-events' },
  // An order that comes in three days, beside its contract's part of the pass.
  toldAhead: { name: 'orders told ahead', function: 'store-events' },
  // What was entered gets its place in the store's stream, and its intent goes.
  placedEntry: { name: 'entries placed', function: 'webhook-deliveries' },
  // One event to one of three endpoints, in a long queue; each answers in 200 ms, and the three are waited for together.
  delivery: { name: 'deliveries', function: 'webhook-deliveries', endpointMs: 67 },
  // One try at an endpoint that refuses; at worst it is waited for until the time is over.
  refusedDelivery: { name: 'deliveries refused', function: 'webhook-deliveries', endpointMs: 10_000 },
  // A store with three endpoints that was woken for nothing.
  wokenStore: { name: 'visits of a woken store', function: 'webhook-deliveries' },
  // With nothing to do, in a new instance.
  scheduledRun: { name: 'idle runs of the scheduled work', function: 'scheduled-work' },
  storeEventsRun: { name: 'idle runs of store-events', function: 'store-events' },
  deliveriesRun: { name: 'idle runs of webhook-deliveries', function: 'webhook-deliveries' },
} as const satisfies Readonly<Record<string, Pick<MeasuredWork, 'name' | 'function' | 'endpointMs'>>>;

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
  /** From the start of the process until the bundle is loaded. */
  readonly startSeconds: Readonly<Partial<Record<FunctionName, number>>>;
};

/** When, where and at what commit it was measured, and how long each function took to start. */
export const measurement: Written = JSON.parse(
  readFileSync(join(import.meta.dirname, 'measured.json'), 'utf8'),
);

/** The figures of each kind of work. */
export const measured = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, { ...measurement.works[name as WorkName], ...kind }]),
) as Readonly<Record<WorkName, MeasuredWork>>;

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
