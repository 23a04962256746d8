/** Runs the contenders of the gateway alone, without its read of the table: what needs a process. */

import { buildLambdaEnvironment } from '../../sandbox/aws/build-lambda-environment.ts';
import { buildEntries, PROJECT_ROOT } from '../../tools/build/build-functions.ts';
import { countOpeningTrips, type OpeningTrips } from '../graphql/world/count-opening-trips.ts';
import { buildTogether } from './builds/build-together.ts';
import { type Bench, orderOf, type Sizes } from './order.ts';
import { type BenchProcess, startProcess } from './process.ts';
import { DEPLOYED, type Deployed, runDeployed } from './run-deployed.ts';
import { runRounds } from './run-rounds.ts';
import type { Done } from './worker.ts';

export const CONTENDERS = {
  forwarder: 'bare JSON forwarder',
  service: 'this service',
  'service-reading': 'this service, response parsed',
  yoga: 'yoga, same plan',
  'apollo-without-cache-control': 'Apollo Server 5, cache control off',
  apollo: 'Apollo Server 5',
} as const;
export type Contender = keyof typeof CONTENDERS;
const names = Object.keys(CONTENDERS) as Contender[];

type Documents = {
  readonly firstUs: number;
  readonly compileUs: number;
  readonly grownMb: number;
  readonly heapMb: number;
  readonly hostile: {
    surface: string;
    kind: string;
    ms: number;
    largeAccepted: number;
    acceptedMs: number;
    accepted: readonly string[];
  };
};
export type Measured = {
  /** CPU of one request, each round's, in µs. */
  readonly rounds: Readonly<Record<Contender, readonly number[]>>;
  /** CPU of import and first answer, in ms. */
  readonly coldMs: Readonly<Record<Contender, number>>;
  readonly deployed: Deployed;
  readonly tableReadUs: number;
  readonly documents: Documents;
  readonly platformRequests: number;
  readonly openingTrips: OpeningTrips;
};

type Upstream = { readonly process: BenchProcess; readonly port: number };
const TABLE = 'subscriptions-bench';

/** Builds the contenders, measures them, and stops their processes. `say` receives the progress. */
export async function runContenders(sizes: Sizes, print: (text: string) => void): Promise<Measured> {
  print('building');
  await using built = await buildBundles(sizes);
  const upstream = await startUpstream();
  const bench = { sizes, env: environmentOf(upstream.port), functions: built.functions, print };
  try {
    const deployed = await runDeployed(bench);
    const { rounds, firstStarts } = await runAlone(bench);
    const coldMs = await runColdStarts(bench, firstStarts);
    print('documents');
    const documents = await runMeasure<Documents>(bench, 'documents');
    print('table read');
    const { tableReadUs } = await runMeasure<{ tableReadUs: number }>(bench, 'table-read');
    const platformRequests = await countPlatformRequests(bench, upstream.process);
    const openingTrips = await countOpeningTrips();
    return { deployed, rounds, coldMs, documents, tableReadUs, platformRequests, openingTrips };
  } finally {
    upstream.process.stop();
  }
}

/** As they are deployed, or quickly. */
async function buildBundles({ isQuick }: Sizes) {
  if (isQuick) return buildTogether(entries());
  const { functions } = await buildEntries({ root: PROJECT_ROOT, entries: entries(), faultPoints: false });
  return { functions, [Symbol.asyncDispose]: async () => undefined };
}

async function startUpstream(): Promise<Upstream> {
  const upstream = startProcess('upstream.ts', [TABLE], process.env);
  return { process: upstream, port: (await upstream.next<{ port: number }>()).port };
}

function entries(): Record<string, string> {
  const of = (folder: string, name: string) => [name, `${PROJECT_ROOT}/tests/bench/${folder}/${name}.ts`];
  return Object.fromEntries([
    ...names.map((name) => of('contenders', name)),
    ...Object.keys(DEPLOYED).map((name) => of('contenders', name)),
    ...['documents', 'table-read'].map((name) => of('measure', name)),
    ['customer-graphql', `${PROJECT_ROOT}/functions/customer-graphql/handler.ts`],
  ]);
}

function environmentOf(port: number): NodeJS.ProcessEnv {
  const origin = `http://127.0.0.1:${port}`;
  return {
    ...buildLambdaEnvironment({ name: 'bench', memoryMb: 1024 }),
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    TABLE_NAME: TABLE,
    SECRETS_PREFIX: 'subscriptions/bench',
    PLATFORM_ORIGIN: origin,
    AWS_ENDPOINT_URL: origin,
  };
}

type Alone = Pick<Measured, 'rounds'> & { readonly firstStarts: Measured['coldMs'] };

/** The rounds, and the cold starts of the processes that run them. */
async function runAlone(bench: Bench): Promise<Alone> {
  const { rounds, first } = await runRounds(bench, names);
  const firstStarts = Object.entries<Done>(first).map(([name, done]) => [name, coldOf(done)]);
  const only = Object.fromEntries(names.map((name) => [name, rounds[name][0] ?? []]));
  return { rounds: only as Record<Contender, number[]>, firstStarts: Object.fromEntries(firstStarts) };
}

function coldOf({ cpuUs }: Done): number {
  return cpuUs / 1000;
}

/** As many of each as the sizes say, with the `first` ones. */
async function runColdStarts(bench: Bench, first: Alone['firstStarts']): Promise<Measured['coldMs']> {
  const starts = names.map((name) => ({ name, colds: [first[name]] }));
  for (let count = 2; count <= bench.sizes.starts; count++) {
    bench.print(`cold start ${count} of ${bench.sizes.starts}`);
    for (const { name, colds } of starts) {
      const worker = startProcess('worker.ts', [], bench.env);
      colds.push(coldOf(await worker.ask<Done>({ ...orderOf(bench, name), calls: 1 })));
      worker.stop();
    }
  }
  const medians = starts.map(({ name, colds }) => [name, median(colds)] as const);
  return Object.fromEntries(medians) as Record<Contender, number>;
}

async function runMeasure<T>(bench: Bench, name: string): Promise<T> {
  const worker = startProcess('worker.ts', [], bench.env);
  const events = bench.sizes.isQuick ? [{}] : [];
  const result = await worker.ask<T>({ ...orderOf(bench, name), calls: 0, events });
  worker.stop();
  return result;
}

/** Counts the platform requests of one client query. */
async function countPlatformRequests(bench: Bench, upstream: BenchProcess): Promise<number> {
  const count = async () => (await upstream.ask<{ platformRequests: number }>({})).platformRequests;
  const worker = startProcess('worker.ts', [], bench.env);
  const before = await count();
  await worker.ask({ ...orderOf(bench, 'customer-graphql'), calls: 10 });
  worker.stop();
  return ((await count()) - before) / 10;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
