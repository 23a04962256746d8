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
  /** What stays in table and index for ever, in bytes. */
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
  // With nothing to do, in a new instance.
  scheduledRun: { name: 'idle runs of the scheduled work', function: 'scheduled-work' },
  storeEventsRun: { name: 'idle runs of store-events', function: 'store-events' },
  deliveriesRun: { name: 'idle runs of webhook-deliveries', function: 'webhook-deliveries' },
} as const satisfies Readonly<Record<string, Pick<MeasuredWork, 'name' | 'function'>>>;

export type WorkName = keyof typeof kinds;

/** Work that costs.md and growth.md count from the day that measured.json has it; measure.ts plays the first of it. */
const kindsToCome = {
  // Of a contract; what it causes is the store's events.
  webhookIn: { name: 'webhooks of the platform', function: 'platform-webhooks' },
  // A mark: its contract is read, compared with its snapshot, and told if nobody told it.
  actedMark: { name: 'marks acted on', function: 'store-events' },
  // One contract of the nightly pass.
  nightlyContract: { name: 'contracts of the nightly pass', function: 'store-events' },
  // One event to one endpoint that takes it.
  delivery: { name: 'deliveries', function: 'webhook-deliveries' },
  // One try at an endpoint that is down.
  refusedDelivery: { name: 'deliveries refused', function: 'webhook-deliveries' },
} as const satisfies Readonly<Record<string, Pick<MeasuredWork, 'name' | 'function'>>>;
export type WorkToCome = keyof typeof kindsToCome;

type Written = {
  readonly measuredAt: string;
  readonly commit: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly works: Readonly<Record<WorkName, Measurement>> &
    Readonly<Partial<Record<WorkToCome, Measurement>>>;
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

/** The figures of those that are measured by now. */
export const measuredToCome: Readonly<Partial<Record<WorkToCome, MeasuredWork>>> = Object.fromEntries(
  Object.entries(kindsToCome).flatMap(([name, kind]) => {
    const figures = measurement.works[name as WorkToCome];
    return figures === undefined ? [] : [[name, { ...figures, ...kind }]];
  }),
);

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
