/** Runs the contenders: every number of the benchmark that needs a process. */

import { lambdaEnvironment } from '../../infra/local/functions/lambda-environment.ts';
import { type BuiltFunction, buildEntries, projectRoot } from '../../infra/tools/build.ts';
import { eventOf, QUERY } from './fixtures.ts';
import { type BenchProcess, startProcess } from './process.ts';

export const CONTENDERS = {
  forwarder: 'bare JSON forwarder',
  ours: 'ours',
  'ours-reading': 'ours, answer read',
  yoga: 'yoga, same plan',
  'apollo-without-cache-control': 'Apollo Server 5, cache control off',
  apollo: 'Apollo Server 5',
} as const;
export type Contender = keyof typeof CONTENDERS;
const names = Object.keys(CONTENDERS) as Contender[];

export type Sizes = {
  readonly warmUp: number;
  readonly calls: number;
  readonly rounds: number;
  readonly starts: number;
  readonly isQuick: boolean;
};
export type Cold = { readonly cpuMs: number; readonly wallMs: number };
export type Documents = {
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
  readonly cold: Readonly<Record<Contender | 'deployed', Cold>>;
  readonly bytes: number;
  readonly tableReadUs: number;
  readonly documents: Documents;
  readonly platformRequests: number;
};

type Bench = {
  readonly sizes: Sizes;
  readonly env: NodeJS.ProcessEnv;
  readonly functions: Readonly<Record<string, BuiltFunction>>;
  readonly upstream: BenchProcess;
  readonly say: (text: string) => void;
};
const EVENT = eventOf(QUERY);
const TABLE = 'subscriptions-bench';

/** Builds everything, measures, and ends its processes. `say`: progress. */
export async function runContenders(sizes: Sizes, say: (text: string) => void): Promise<Measured> {
  say('building');
  const { functions } = await buildEntries({ root: projectRoot, entries: entries(), faultPoints: false });
  const upstream = startProcess('upstream.ts', [TABLE], process.env);
  const { port } = await upstream.next<{ port: number }>();
  const bench = { sizes, env: environmentOf(port), functions, upstream, say };
  try {
    const { rounds, firstStarts } = await runRounds(bench);
    const cold = await runColdStarts(bench, firstStarts);
    say('documents');
    const documents = await runMeasure<Documents>(bench, 'documents');
    say('table read');
    const { tableReadUs } = await runMeasure<{ tableReadUs: number }>(bench, 'table-read');
    const platformRequests = await countPlatformRequests(bench);
    return {
      ...{ rounds, cold, documents, tableReadUs, platformRequests },
      bytes: functions.deployed?.bytes ?? 0,
    };
  } finally {
    upstream.stop();
  }
}

function entries(): Record<string, string> {
  const of = (folder: string, name: string) => [name, `${projectRoot}/tests/bench/${folder}/${name}.ts`];
  return Object.fromEntries([
    ...names.map((name) => of('contenders', name)),
    ...['documents', 'table-read'].map((name) => of('measure', name)),
    ['deployed', `${projectRoot}/functions/customer-graphql/handler.ts`],
  ]);
}

function environmentOf(port: number): NodeJS.ProcessEnv {
  const origin = `http://127.0.0.1:${port}`;
  return {
    ...lambdaEnvironment({ name: 'bench', memoryMb: 1024 }),
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    TABLE_NAME: TABLE,
    SECRETS_PREFIX: 'subscriptions/bench',
    PLATFORM_ORIGIN: origin,
    AWS_ENDPOINT_URL: origin,
  };
}

function start({ env }: Bench): BenchProcess {
  return startProcess('worker.ts', [], env);
}

function orderOf({ functions }: Bench, name: string, calls: number) {
  return { bundle: functions[name]?.path, event: EVENT, calls };
}

type Rounds = Pick<Measured, 'rounds'> & { readonly firstStarts: Readonly<Record<string, Cold>> };

/** The rounds, and the cold starts of the processes that run them. */
async function runRounds(bench: Bench): Promise<Rounds> {
  const { sizes, say } = bench;
  const workers = names.map((name) => ({ name, worker: start(bench), times: [] as number[] }));
  const firstStarts: Record<string, Cold> = {};
  for (const { name, worker } of workers) firstStarts[name] = await coldStart(bench, name, worker);
  const warmUps = Math.ceil(sizes.warmUp / sizes.calls);
  // In turns from the first call: V8 drops code that a process has not used while it waited for the others.
  for (let round = 1 - warmUps; round <= sizes.rounds; round++) {
    say(round > 0 ? `round ${round} of ${sizes.rounds}` : `warming up: ${round + warmUps} of ${warmUps}`);
    for (const { name, worker, times } of workers) {
      const { cpuUs } = await worker.ask<{ cpuUs: number }>(orderOf(bench, name, sizes.calls));
      if (round > 0) times.push(cpuUs / sizes.calls);
    }
  }
  for (const { worker } of workers) worker.stop();
  const rounds = Object.fromEntries(workers.map(({ name, times }) => [name, times]));
  return { rounds: rounds as unknown as Measured['rounds'], firstStarts };
}

/** The first call of a process that has loaded nothing yet. */
async function coldStart(bench: Bench, name: string, worker: BenchProcess): Promise<Cold> {
  const { cpuUs, wallMs } = await worker.ask<{ cpuUs: number; wallMs: number }>(orderOf(bench, name, 1));
  return { cpuMs: cpuUs / 1000, wallMs };
}

/** As many of each as the sizes say, with the `first` ones. */
async function runColdStarts(bench: Bench, first: Rounds['firstStarts']): Promise<Measured['cold']> {
  const starts = [...names, 'deployed'].map((name): [string, Cold[]] => {
    const known = first[name];
    return [name, known === undefined ? [] : [known]];
  });
  for (let count = 1; count <= bench.sizes.starts; count++) {
    bench.say(`cold start ${count} of ${bench.sizes.starts}`);
    for (const [name, colds] of starts) {
      if (colds.length >= count) continue;
      const worker = start(bench);
      colds.push(await coldStart(bench, name, worker));
      worker.stop();
    }
  }
  const medians = starts.map(([name, colds]) => {
    const middle = (key: keyof Cold) => median(colds.map((cold) => cold[key]));
    return [name, { cpuMs: middle('cpuMs'), wallMs: middle('wallMs') }];
  });
  return Object.fromEntries(medians) as Measured['cold'];
}

async function runMeasure<T>(bench: Bench, name: string): Promise<T> {
  const worker = start(bench);
  const event = bench.sizes.isQuick ? {} : null;
  const result = await worker.ask<T>({ ...orderOf(bench, name, 0), event });
  worker.stop();
  return result;
}

/** Of one client query. */
async function countPlatformRequests(bench: Bench): Promise<number> {
  const count = async () => (await bench.upstream.ask<{ platformRequests: number }>({})).platformRequests;
  const worker = start(bench);
  const before = await count();
  await worker.ask(orderOf(bench, 'deployed', 10));
  worker.stop();
  return ((await count()) - before) / 10;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
