/**
 * What each kind of work takes, as tests/infra/synthesised/measure.ts measured it on the synthesised production template:
 * docs/costs.md and the simulation count with it. Measure again when a request changes, on a machine that is idle.
 */
import type { FunctionName } from '../../definition/function-definitions.ts';

export type MeasuredWork = {
  /** The name in docs/costs.md, in the plural. */
  readonly name: string;
  readonly function: FunctionName;
  readonly requests: number;
  readonly cpuMs: number;
  /** Read and write request units of the table; each item is below 1 KB. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The reads of the store's item among them. */
  readonly storeReads: number;
  /** The function's own lines. */
  readonly logBytes: number;
  readonly peakMemoryMb: number;
  readonly platformRequests: number;
  /** The points of the store's bucket, as the emulated platform charges them. */
  readonly points: number;
};

/** The figures of each kind of work. CPU is of a shared x86 machine, ±20 %. */
export const measured = {
  signIn: {
    ...{ name: 'sign-ins', function: 'headless-auth', requests: 2, cpuMs: 20, peakMemoryMb: 102 },
    ...{ readUnits: 4, writeUnits: 6.5, storeReads: 2, logBytes: 1600, platformRequests: 2, points: 0 },
  },
  refresh: {
    ...{ name: 'refreshes', function: 'headless-auth', requests: 1, cpuMs: 5.2, peakMemoryMb: 103 },
    ...{ readUnits: 2, writeUnits: 1, storeReads: 1, logBytes: 700, platformRequests: 0, points: 0 },
  },
  customerQuery: {
    ...{ name: "customers' queries", function: 'customer-graphql', requests: 1, cpuMs: 9 },
    ...{ peakMemoryMb: 119, readUnits: 4, writeUnits: 0, storeReads: 1, logBytes: 900 },
    // The app's list, with what comes next in its second request: no other query of the app takes more.
    ...{ platformRequests: 2, points: 33 },
  },
  customerChange: {
    // An intent, the head of its fact, an entry in table and index, its place in the stream, a wake mark, the intent's end.
    ...{ name: "customers' changes", function: 'customer-graphql', requests: 1, cpuMs: 12 },
    ...{ peakMemoryMb: 116, readUnits: 5, writeUnits: 7, storeReads: 1, logBytes: 1000 },
    ...{ platformRequests: 2, points: 13 },
  },
  merchantQuery: {
    ...{ name: "merchants' queries", function: 'admin-graphql', requests: 1, cpuMs: 7, peakMemoryMb: 111 },
    ...{ readUnits: 3, writeUnits: 0, storeReads: 1, logBytes: 900, platformRequests: 1, points: 37 },
  },
} as const satisfies Readonly<Record<string, MeasuredWork>>;

export type WorkName = keyof typeof measured;

/** From the start of the process until the bundle is loaded, in seconds, on the same machine when it was quiet. */
export const measuredStartSeconds: Readonly<Record<FunctionName, number>> = {
  'headless-auth': 0.41,
  'customer-graphql': 0.43,
  'admin-graphql': 0.4,
  'platform-webhooks': 0.4,
  'scheduled-work': 0.41,
  'store-events': 0.41,
  'webhook-deliveries': 0.41,
};

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
  /** An answer, with its headers. */
  answerBytes: 3000,
};
