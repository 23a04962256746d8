/**
 * By hand, for tools/capacity: what each kind of work costs in CPU, memory, units of the table, calls of Secrets Manager,
 * log bytes, answered bytes and points of the platform's bucket, on the synthesised production template. Writes
 * tools/capacity/measured.json. On an otherwise idle machine:
 * `node --import=./tests/network-off.mjs tests/infra/synthesised/measure/measure.ts`.
 */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { ScheduledFunctionName } from '../../../../infra/definition/function-definitions.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { shardOfStore } from '../../../../lib/storage/scheduled-tasks.ts';
import type { DemoRun } from '../../../../sandbox/demo/demo-run.ts';
import type { Measurement, WorkName } from '../../../../tools/capacity/measured.ts';
import { giveClientSecret, giveEndingGrant } from '../as-operator.ts';
import { silent } from '../as-people.ts';
import { cpuMsOf, peakMbOf } from '../runtime-host.ts';
import { startTemplate } from '../start-template.ts';
import { synthesiseEnvironment } from '../synthesise.ts';
import { createScale, type Units, weighFamilies } from '../weigh-call.ts';
import { billedOrdersOf, startBilling } from './billed-orders.ts';
import { CLIENT_SECRET, prepare, runsOf } from './measured-runs.ts';
import { countPlaced, countSnapshots, enqueueStore, workerRunsOf } from './worker-runs.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 60);
/** A run records thousands of charges, so its code is warm. */
const CHARGES = 10 * ROUNDS;
/** Each round reads all due orders. */
const DUE_ROUNDS = 2;
const FILE = 'tools/capacity/measured.json';
const MAX_RUNS = 20;
const STARTS = 3;
/** A run acquires and releases its lease, even without work. */
const LEASE_WRITES = 2;
/** A charge is recorded two minutes after it, and a grant is renewed before it expires. */
const AHEAD_MS = 200_000;

const answered = { requests: 0, bytes: 0 };
/** The next run repeats the work of a failed run. */
let failedRuns = 0;
let ended = { cpuMs: 0, peakMemoryMb: 0, logBytes: 0 };
/** A worker skips a store for a minute after a failure, as on a busy machine: the clocks advance by that time. */
let pausedMs = 0;
const synthesised = await synthesiseEnvironment('prod');
const running = await startTemplate(synthesised, '', {
  createScale,
  onAnswer(answer) {
    answered.requests++;
    answered.bytes += bytesOf(answer as ReturnedAnswer);
  },
  onRun({ pid, output }) {
    ended.cpuMs += cpuMsOf(pid);
    ended.logBytes += output().length;
    if (output().includes('store_work.failed')) pausedMs += 61_000;
    ended.peakMemoryMb = Math.max(ended.peakMemoryMb, peakMbOf(pid));
  },
});
const [store] = running.stores;
if (store === undefined) throw new Error('There is no store.');
const { baseUrl, platform } = running;
const stack = { baseUrl, platformUrl: platform.url, ...store, customers: platform.customers };
const journey: DemoRun = { stack, show: silent, saved: new Map() };

/** In production each part of the stores has its own run of the scheduled work; the other workers ignore it. */
const SCHEDULE_EVENT = { part: shardOfStore(store.shopId as ShopId) };

const works: Partial<Record<WorkName, Measurement>> = {};
await giveClientSecret(running, store.shopId, CLIENT_SECRET);
const guests = await prepare(journey, CHARGES + 1);
// Reads every contract for the first time, so that later changes, such as charges, are compared with a snapshot.
for (const { shopId } of running.stores) await enqueueStore(running, 'store-events', shopId);
const looking = await measureRuns('store-events', [0]);
const observing = await measureRuns('webhook-deliveries', [0]);
const readCount = await countSnapshots(running);
for (const [name, work] of Object.entries(runsOf(journey, guests))) {
  const hosted = running.functions.find(({ functionName }) => functionName.endsWith(work.function));
  if (hosted === undefined) throw new Error(`There is no ${work.function}.`);
  await work.run();
  const since = await startMeasuring();
  const before = { cpuMs: cpuMsOf(hosted.pid), bytes: hosted.output().length };
  let times = 0;
  const rounds = { charge: CHARGES, webhookIn: CHARGES, dueOrders: DUE_ROUNDS }[name] ?? ROUNDS;
  for (let round = 0; round < rounds; round++) times += await work.run();
  const cpuMs = cpuMsOf(hosted.pid) - before.cpuMs;
  const logBytes = hosted.output().length - before.bytes;
  works[name as WorkName] = await since({ cpuMs, logBytes, peakMemoryMb: peakMbOf(hosted.pid) }, times);
}
// Appends the entries of the changes before charges are recorded; charges wait until now, and a grant until later.
await measureRuns('webhook-deliveries');
const before = await countPlaced(running, store.shopId);
const recordingRun = await measureRuns();
const appendingRun = await measureRuns('webhook-deliveries');
const placed = (await countPlaced(running, store.shopId)) - before;
const idle = { 'scheduled-work': await measureRuns() } as Record<ScheduledFunctionName, Runs>;
await giveEndingGrant(running, store, 'own-store');
const renewing = await measureRuns();
works.recordedCharge = apart(recordingRun, [[idle['scheduled-work'], recordingRun.runs]], CHARGES + 1);
works.renewedGrant = apart(renewing, [[idle['scheduled-work'], renewing.runs]], 1);
// The platform has sent webhooks for every charge's contract.
const acting = await measureRuns('store-events');
const appendingActed = await measureRuns('webhook-deliveries');
for (const name of ['store-events', 'webhook-deliveries'] as const) idle[name] = await measureRuns(name);
works.actedMark = apart(
  withAppending(acting, appendingActed),
  [
    [idle['store-events'], acting.runs],
    [idle['webhook-deliveries'], appendingActed.runs],
  ],
  CHARGES + 1,
);
works.placedEntry = apart(appendingRun, [[idle['webhook-deliveries'], appendingRun.runs]], placed);
works.scheduledRun = oneOf(idle['scheduled-work']);
works.storeEventsRun = oneOf(idle['store-events']);
works.deliveriesRun = oneOf(idle['webhook-deliveries']);
const measuredWorks = new Map<WorkName, MeasuredWork>();
measuredWorks.set('firstRead', {
  runs: withAppending(looking, observing),
  otherWorks: [
    ['nightlyStore', running.stores.length],
    ['deliveriesRun', observing.runs],
  ],
  times: readCount,
  idle: 'store-events',
});
const workerRuns = workerRunsOf(running, { shopId: store.shopId, charges: CHARGES + 1, aheadMs: AHEAD_MS });
for (const [name, run] of Object.entries(workerRuns)) {
  await run.prepare();
  const runs = await measureRuns(run.function, run.aheadMs);
  const otherWorks: [WorkName, number][] = [];
  for (const [other, count] of Object.entries(run.otherWorks ?? {}))
    otherWorks.push([other as WorkName, await count()]);
  measuredWorks.set(name as WorkName, { runs, otherWorks, times: await run.countDone(), idle: run.function });
}
// Each has a little of others beside: what is known of these is better each time.
for (let time = 0; time < 4; time++) for (const [name, one] of measuredWorks) works[name] = workOf(one);

// The function that bills, and what settles and appends the outcomes of its attempts.
await startBilling(running, store);
// Its first run begins the day, and is no idle one.
await measureRuns('billing');
idle.billing = await measureRuns('billing');
works.billingRun = oneOf(idle.billing);
for (const [name, steps] of Object.entries(billedOrdersOf(running, store, CHARGES))) {
  const all: (readonly [ScheduledFunctionName, Runs])[] = [];
  for (const { prepare: prepareStep, aheadMs } of steps) {
    await prepareStep();
    all.push(['billing', await measureRuns('billing', [aheadMs])]);
    for (const worker of ['scheduled-work', 'webhook-deliveries'] as const)
      all.push([worker, await measureRuns(worker, [aheadMs + AHEAD_MS])]);
  }
  works[name as WorkName] = sumApart(all);
  if (name !== 'billedOrder') continue;
  // The parts of an order that is paid at the first try are known by function.
  const [billing, settling] = all;
  if (billing !== undefined) works.billedOrder = sumApart([billing]);
  if (settling !== undefined) works.settledOrder = sumApart([settling]);
}

/** Returns the fastest of three starts, which have a whole processor. */
async function startSecondsOf(functionName: string): Promise<number> {
  const all: number[] = [];
  for (let time = 0; time < STARTS; time++) all.push(await running.restart(functionName));
  return Math.round(Math.min(...all) / 10) / 100;
}
const startSeconds: Record<string, number> = {};
for (const { functionName } of running.functions)
  startSeconds[functionName.replace(/^subscriptions-prod-/, '')] = await startSecondsOf(functionName);
const written = {
  measuredAt: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim(),
  machine: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores`,
  node: process.versions.node,
  rounds: ROUNDS,
  works,
  itemBytes: await weighFamilies(running.dynamoDbUrl, running.tableName),
  startSeconds,
};
console.log(JSON.stringify(written, null, 2));
writeFileSync(FILE, `${JSON.stringify(written, null, 2)}\n`);
if (failedRuns > 0) {
  console.error(
    `Too busy a machine: ${failedRuns} runs failed, and their work is in it twice. Measure again.`,
  );
  process.exitCode = 1;
}
await running.close();
rmSync(synthesised.dir, { recursive: true });

type Runs = { readonly all: Measurement; readonly runs: number };
/** Runs that did the work this many times, together with other kinds of work. */
type MeasuredWork = {
  readonly runs: Runs;
  readonly otherWorks: readonly (readonly [WorkName, number])[];
  readonly times: number;
  readonly idle: ScheduledFunctionName;
};

/** Returns the measurement of one unit of work, without the other known work of its runs. */
function workOf({ runs, otherWorks, times, idle: name }: MeasuredWork): Measurement {
  const others = otherWorks.map(
    ([other, count]) => [{ all: works[other] ?? ({} as Measurement), runs: 1 }, count] as const,
  );
  return apart(runs, [[idle[name], runs.runs], ...others], times);
}

/**
 * Measures runs of the scheduled work until one has nothing to write. Each has its own instance, whose start is part of
 * its CPU time. On a busy machine a run can fail or leave work; the next run continues it.
 */
async function measureRuns(
  name?: ScheduledFunctionName,
  aheadMs: readonly number[] = [AHEAD_MS],
): Promise<Runs> {
  const since = await startMeasuring();
  ended = { cpuMs: 0, peakMemoryMb: 0, logBytes: 0 };
  let runs = 0;
  for (const ahead of aheadMs) runs += await runUntilDone(name, ahead);
  return { all: await since(ended, 1), runs };
}

/** Returns the number of runs. */
async function runUntilDone(name: ScheduledFunctionName | undefined, aheadMs: number): Promise<number> {
  for (let runs = 1; ; runs++) {
    const { length } = running.calls;
    const beforeMs = pausedMs;
    const isDone = await running.runSchedule(SCHEDULE_EVENT, aheadMs + pausedMs, name).then(
      () => true,
      () => false,
    );
    if (!isDone || pausedMs > beforeMs) failedRuns++;
    const written = running.calls.slice(length).filter(({ units }) => (units?.writeUnits ?? 0) > 0);
    if (isDone && pausedMs === beforeMs && written.length <= LEASE_WRITES) return runs;
    if (runs === MAX_RUNS) throw new Error('The runs do not come to an end.');
  }
}

/** Returns the runs of a worker together with those that append what it has observed. */
function withAppending(runs: Runs, appending: Runs): Runs {
  const names = Object.keys(runs.all) as (keyof Measurement)[];
  const sums = names.map((name) => [name, runs.all[name] + appending.all[name]]);
  const { peakMemoryMb } = runs.all;
  return { all: { ...(Object.fromEntries(sums) as Measurement), peakMemoryMb }, runs: runs.runs };
}

/** Returns the measurement of one order of runs of several functions, without their idle runs. */
function sumApart(all: readonly (readonly [ScheduledFunctionName, Runs])[]): Measurement {
  const sum = all.map(([, runs]) => runs).reduce(withAppending);
  return apart(
    sum,
    all.map(([worker, { runs }]) => [idle[worker], runs] as const),
    CHARGES,
  );
}

function oneOf(idle: Runs): Measurement {
  return apart(idle, [], idle.runs);
}

/** Returns the measurement of one of `times`; `others`: the other work of the runs, with its counts. */
function apart({ all }: Runs, others: readonly (readonly [Runs, number])[], times: number): Measurement {
  if (times === 0) throw new Error('Nothing of what was to be measured has happened.');
  const names = Object.keys(all) as (keyof Measurement)[];
  const each = names.map((name) => {
    const otherWorks = others.reduce(
      (sum, [other, count]) => sum + (count * (other.all[name] ?? 0)) / other.runs,
      0,
    );
    const one = Math.round((100 * (all[name] - otherWorks)) / times) / 100;
    // Negative storage is correct: work deletes items that other work stored.
    return [name, name === 'storedBytes' ? one : Math.max(0, one)];
  });
  return { ...(Object.fromEntries(each) as Measurement), peakMemoryMb: all.peakMemoryMb };
}

type OfProcess = Pick<Measurement, 'cpuMs' | 'logBytes' | 'peakMemoryMb'>;

/** Records all counters. The returned function returns their increase, per one of `times`. */
async function startMeasuring(): Promise<(ofProcess: OfProcess, times: number) => Promise<Measurement>> {
  const at = { calls: running.calls.length, ...answered };
  await control('DELETE', 'requests');
  return async (ofProcess, times) => {
    const per = (total: number) => Math.round((100 * total) / times) / 100;
    const calls = running.calls.slice(at.calls);
    const sum = (unit: keyof Units) =>
      per(calls.reduce((total, { units }) => total + (units?.[unit] ?? 0), 0));
    const secretCalls = calls.filter(({ action }) => action.startsWith('secretsmanager:'));
    const writes = secretCalls.filter(({ action }) => /:(Put|Update|Create)/.test(action)).length;
    const sent = (await control('GET', 'requests')) as { cost?: number }[];
    return {
      requests: per(answered.requests - at.requests),
      cpuMs: per(ofProcess.cpuMs),
      readUnits: sum('readUnits'),
      writeUnits: sum('writeUnits'),
      storedBytes: sum('storedBytes'),
      secretReads: per(secretCalls.length - writes),
      secretWrites: per(writes),
      logBytes: Math.round(ofProcess.logBytes / times),
      peakMemoryMb: ofProcess.peakMemoryMb,
      platformRequests: per(sent.length),
      points: per(sent.reduce((total, { cost = 0 }) => total + cost, 0)),
      answerBytes: Math.round((answered.bytes - at.bytes) / times),
    };
  };
}

type ReturnedAnswer = { body?: string; headers?: object; isBase64Encoded?: boolean };

/** Body and headers, as API Gateway sends them. */
function bytesOf({ body = '', headers = {}, isBase64Encoded = false }: ReturnedAnswer): number {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') + Buffer.byteLength(lines.join(''));
}

async function control(method: string, path: string): Promise<unknown> {
  return (await fetch(`${platform.url}/_control/${path}`, { method })).json();
}
