/**
 * By hand, for tools/capacity: the peak memory of the deployed workers, from a cold start through their largest load. A run
 * has all of its time, and has to succeed. Writes tools/capacity/measured-workers.json.
 * `MEMORY_MB=512 WORKERS=store-events node --import=./tests/network-off.mjs tests/infra/synthesised/memory/measure-workers.ts`;
 * without MEMORY_MB the workers have the memory of the template, and without WORKERS all of them are measured.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import {
  BILLING_STORE_CONCURRENCY,
  STORE_CONCURRENCY,
} from '../../../../functions/compose/webhooks/run-store-work.ts';
import {
  SCHEDULED_FUNCTION_NAMES,
  type ScheduledFunctionName,
} from '../../../../infra/definition/function-definitions.ts';
import { STORE_CONCURRENCY as SCHEDULED_STORE_CONCURRENCY } from '../../../../lib/storage/for-each-store.ts';
import type { DemoRun } from '../../../../sandbox/demo/demo-run.ts';
import { listenOnLoopback } from '../../../../sandbox/listen.ts';
import { createMonth } from '../../../../tools/capacity/assumptions.ts';
import type { BodyMemory } from '../../../../tools/capacity/measured-memory.ts';
import { computeDueShares, distributeStores } from '../../../../tools/capacity/peaks.ts';
import { giveClientSecret, readTable, switchBillingOn } from '../as-operator.ts';
import { silent } from '../as-people.ts';
import { addOrders, beginDay } from '../measure/billed-orders.ts';
import { CLIENT_SECRET, FIRST_DUE, prepare, runsOf } from '../measure/measured-runs.ts';
import { enqueueStore } from '../measure/worker-runs.ts';
import { peakMbOf } from '../runtime-host.ts';
import { startEnlargingProxy } from './enlarge-answers.ts';
import { startSizedTemplate } from './sized-template.ts';
import { copyCharges, copyStores, giveStreams, inboxOf, intentsOf, partOf, putAll } from './worker-load.ts';

const FILE = 'tools/capacity/measured-workers.json';
/** More than a run has in memory at once. */
const BATCH = 21_000;
const REAL_CHARGES = 200;
/** The most endpoints of a store, and the most contracts whose events an endpoint refuses before it gets no others. */
const [ENDPOINTS, FAILING_CONTRACTS, EVENTS] = [5, 1000, 300];
const ENDPOINT_MS = 200;
const BILLED_CONTRACT = 9_900_000;
const BILLED_ORDERS = 5_000;
const SEEDS_PER_REQUEST = 500;
/** The first contracts have the most lines that the service reads of a contract. */
const [LARGE_CONTRACTS, LINES] = [2_000, 100];
const AHEAD_MS = 300_000;
/** Now and then the platform returns the largest response. */
const [ENLARGED_MS, ENLARGED_EVERY_MS] = [50, 2_000];
const month = createMonth();
/** The orders of the largest store on the first day of the month. */
const ORDERS = Math.round(distributeStores(month)[0].customers * computeDueShares(month).first);
const selected = (process.env.WORKERS ?? SCHEDULED_FUNCTION_NAMES.join()).split(',');

await using parts = new AsyncDisposableStack();
let peakMb = 0;
let output = '';
const running = await startSizedTemplate(parts, {
  hasLongTimeouts: true,
  async wrapPlatform(url) {
    const proxy = await startEnlargingProxy(url);
    parts.defer(() => proxy.close());
    const timer = setInterval(() => {
      proxy.isEnlarging = true;
      setTimeout(() => {
        proxy.isEnlarging = false;
      }, ENLARGED_MS);
    }, ENLARGED_EVERY_MS);
    parts.defer(() => clearInterval(timer));
    return proxy.url;
  },
  onRun(instance) {
    output = instance.output();
    peakMb = peakMbOf(instance.pid);
  },
});
const [store] = running.stores;
if (store === undefined) throw new Error('There is no store.');
const { baseUrl, platform } = running;
const stack = { baseUrl, platformUrl: platform.url, ...store, customers: platform.customers };
const journey: DemoRun = { stack, show: silent, saved: new Map() };
/** The merchants' endpoints that got an event. */
const reached = new Set<string>();
const endpoint = await listenOnLoopback(
  createServer((request, response) => {
    request.resume();
    reached.add(String(request.url));
    const status = request.url?.includes('refusing') ? 500 : 200;
    setTimeout(() => response.writeHead(status).end(), ENDPOINT_MS);
  }),
  0,
);
parts.defer(() => endpoint.close());
await giveClientSecret(running, store.shopId, CLIENT_SECRET);
const guests = await prepare(journey, REAL_CHARGES);
const { charge } = runsOf(journey, guests);
for (let count = 0; count < REAL_CHARGES; count++) await charge.run();
const attempts = (await readTable(running)).flatMap(({ payload }) => attemptNumberOf(payload));
const stores = await copyStores(running, store.shopId, STORE_CONCURRENCY - 1);
const orders = { stores, firstContract: FIRST_DUE, count: ORDERS };
const show = (text: string) => console.error(`${new Date().toISOString()} ${text}`);

/** Makes the largest load of each worker. Returns what its run is started with. */
const loads: Readonly<Record<ScheduledFunctionName, () => Promise<object>>> = {
  async 'scheduled-work'() {
    const concurrent = { ...orders, stores: stores.slice(0, SCHEDULED_STORE_CONCURRENCY), count: BATCH };
    await putAll(running, [...(await copyCharges(running, concurrent)), ...intentsOf(concurrent)]);
    return { part: partOf(concurrent.stores) };
  },
  async 'store-events'() {
    for (let at = REAL_CHARGES; at < ORDERS; at += SEEDS_PER_REQUEST) {
      const lines = at < LARGE_CONTRACTS ? LINES : 1;
      await addOrders(running, store, { first: FIRST_DUE + at, count: SEEDS_PER_REQUEST, lines });
    }
    await putAll(running, inboxOf(orders, attempts));
    for (const shopId of stores) await enqueueStore(running, 'store-events', shopId);
    return {};
  },
  async 'webhook-deliveries'() {
    const urlsOf = (shopId: number) =>
      Array.from(
        { length: ENDPOINTS },
        (_, slot) => `${endpoint.url}/${shopId}/${slot < 2 ? 'refusing' : 'taking'}/${slot}`,
      );
    await giveStreams(running, { stores, urlsOf, events: EVENTS, failingContracts: FAILING_CONTRACTS });
    return {};
  },
  async billing() {
    await addOrders(running, store, { first: BILLED_CONTRACT, count: BILLED_ORDERS });
    for (const shopId of stores.slice(0, BILLING_STORE_CONCURRENCY)) {
      await switchBillingOn(running, shopId, shopId);
      await beginDay(running, { ...store, shopId }, BILLED_ORDERS);
    }
    return {};
  },
};

const measured: Partial<Record<ScheduledFunctionName, BodyMemory>> = {};
for (const name of SCHEDULED_FUNCTION_NAMES.filter((one) => selected.includes(one))) {
  show(`${name}: prepares`);
  const event = await loads[name]();
  const hosted = running.functions.find(({ functionName }) => functionName.endsWith(name));
  if (hosted === undefined) throw new Error(`There is no ${name}.`);
  const { memoryMb, pid } = hosted;
  show(`${name}: runs`);
  const result = await running.runSchedule(event, AHEAD_MS, name).then(
    () => 'done',
    (error: unknown) => String(error).slice(0, 2000),
  );
  const errors = output.split('\n').filter((line) => line.includes('"level":"ERROR"'));
  show(`${name}: ${result}, ${reached.size} endpoints reached\n${errors.join('\n')}\n${output.slice(-3000)}`);
  if (result !== 'done') throw new Error(`The run of ${name} failed.`);
  measured[name] = { memoryMb, startedMb: peakMbOf(pid), peakMb };
}
const known = JSON.parse(readFileSync(FILE, 'utf8')) as object;
console.log(JSON.stringify(measured, null, 2));
writeFileSync(FILE, `${JSON.stringify({ ...known, ...measured }, null, 2)}\n`);

function attemptNumberOf(payload: unknown): string[] {
  const { attemptId } = (payload ?? {}) as { readonly attemptId?: string };
  return attemptId === undefined ? [] : [String(attemptId.split('/').at(-1))];
}
