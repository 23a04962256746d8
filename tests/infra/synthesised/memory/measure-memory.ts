/**
 * By hand, for tools/capacity: the peak memory of the deployed GraphQL functions, from the start through the largest
 * responses of the platform (5 MB), hostile documents, and both again with full document caches. V8's heap has the limits
 * that Lambda gives it. Writes tools/capacity/measured-memory.json. Other work on the machine does not change the peaks.
 * `MEMORY_MB=384 node --import=./tests/network-off.mjs tests/infra/synthesised/memory/measure-memory.ts`;
 * without MEMORY_MB the functions have the memory of the template.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { customerSteps } from '../../../../sandbox/demo/customer-steps.ts';
import { type DemoRun, runSteps, savedValue } from '../../../../sandbox/demo/demo-run.ts';
import { ADMIN_PATH, CUSTOMER_PATH } from '../../../../sandbox/demo/operations.ts';
import type { MeasuredMemory } from '../../../../tools/capacity/measured-memory.ts';
import { hostileDocuments } from '../../../bench/measure/hostile-documents.ts';
import { hostileVariables } from '../../../bench/measure/hostile-variables.ts';
import { silent } from '../as-people.ts';
import { cpuMsOf, peakMbOf } from '../runtime-host.ts';
import { startEnlargingProxy } from './enlarge-answers.ts';
import { startSizedTemplate } from './sized-template.ts';

const FILE = 'tools/capacity/measured-memory.json';
const LARGE_ANSWERS = 5;
const LARGE_CHARACTERS = 5e6;
/** More documents than fit into the cache of a container. */
const DOCUMENTS = 1_100;

await using parts = new AsyncDisposableStack();
const proxies: Awaited<ReturnType<typeof startEnlargingProxy>>[] = [];
const running = await startSizedTemplate(parts, {
  async wrapPlatform(url) {
    const proxy = await startEnlargingProxy(url);
    parts.defer(() => proxy.close());
    proxies.push(proxy);
    return proxy.url;
  },
});
const [store] = running.stores;
const [proxy] = proxies;
if (store === undefined || proxy === undefined) throw new Error('There is no store.');

type Body = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };
type Endpoint = {
  readonly name: string;
  readonly path: string;
  /** The documents are cached for all once two senders have sent them. */
  readonly senders: readonly string[];
  readonly list: (name: string, fields: string) => Body;
};

// The bucket refills immediately, so no request waits for points.
const settings = { shop: store.shop, throttle: { maximumAvailable: 2e9, restoreRate: 2e9 } };
await fetch(`${running.platform.url}/_control/settings`, { method: 'POST', body: JSON.stringify(settings) });

const CONTRACT = 'id status nextBillingDate lines(first: 5) { nodes { id title quantity variantId } }';
const PAGE = 'pageInfo { hasNextPage endCursor }';
const [first, second] = [await signIn(0), await signIn(1)];
const endpoints: readonly Endpoint[] = [
  {
    name: 'customer-graphql',
    path: CUSTOMER_PATH,
    senders: [first.token, second.token],
    list: (name, fields) => ({
      query: `query ${name}($id: ID!) { customer(id: $id) {
        subscriptionContracts(first: 10) { nodes { ${fields} } ${PAGE} } } }`,
      variables: { id: `gid://platform/Customer/${first.customerId}` },
    }),
  },
  {
    name: 'admin-graphql',
    path: ADMIN_PATH,
    senders: [store.adminKey],
    list: (name, fields) => ({
      query: `query ${name} { subscriptionContracts(first: 10) { nodes { ${fields} } ${PAGE} } }`,
      variables: {},
    }),
  },
];
const functions: Record<string, MeasuredMemory> = {};
for (const endpoint of endpoints) functions[endpoint.name] = await measure(endpoint);
const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
const written = { measuredAt: new Date().toISOString().slice(0, 10), commit, functions };
console.log(JSON.stringify(written, null, 2));
writeFileSync(FILE, `${JSON.stringify(written, null, 2)}\n`);

/** Measures the peak memory of the function after each kind of load. */
async function measure({ name, path, senders, list }: Endpoint): Promise<MeasuredMemory> {
  const hosted = running.functions.find(({ functionName }) => functionName.endsWith(name));
  if (hosted === undefined || proxy === undefined) throw new Error(`There is no ${name}.`);
  const { pid, memoryMb } = hosted;
  const ask = async (body: Body, sender = 0) => {
    const response = await fetch(running.baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${senders[sender]}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  /** Returns the CPU time of one of the largest responses, in milliseconds. */
  const askLarge = async (fields: string) => {
    proxy.isEnlarging = true;
    const cpuMs = cpuMsOf(pid);
    for (let count = 0; count < LARGE_ANSWERS; count++) {
      const { status, text } = await ask(list('Large', fields));
      if (status !== 200 || text.length < LARGE_CHARACTERS) throw new Error(text.slice(0, 500));
    }
    proxy.isEnlarging = false;
    return Math.round((cpuMsOf(pid) - cpuMs) / LARGE_ANSWERS);
  };
  const askHostile = async () => {
    for (const query of Object.values(hostileDocuments)) await ask({ query, variables: {} });
    for (const body of Object.values(hostileVariables)) await ask(body);
  };
  const startedMb = peakMbOf(pid);
  await ask(list('First', CONTRACT));
  const firstAnswerMb = peakMbOf(pid);
  const textCpuMs = await askLarge(CONTRACT);
  const parsedCpuMs = await askLarge(`${CONTRACT} nextOrder { date }`);
  const largestMb = peakMbOf(pid);
  await askHostile();
  const hostileMb = peakMbOf(pid);
  for (let count = 0; count < DOCUMENTS; count++)
    for (const sender of senders.keys()) await ask(list(`Document${count}`, CONTRACT), sender);
  await askLarge(CONTRACT);
  await askLarge(`${CONTRACT} nextOrder { date }`);
  await askHostile();
  const peakMb = peakMbOf(pid);
  return { memoryMb, startedMb, firstAnswerMb, largestMb, hostileMb, peakMb, textCpuMs, parsedCpuMs };
}

async function signIn(index: number): Promise<{ readonly token: string; readonly customerId: number }> {
  const { baseUrl, platform } = running;
  const customers = platform.customers.slice(index, index + 1);
  const stack = { baseUrl, platformUrl: platform.url, ...(store as NonNullable<typeof store>), customers };
  const journey: DemoRun = { stack, show: silent, saved: new Map() };
  await runSteps(customerSteps.slice(0, 1), journey);
  return { token: savedValue(journey, 'accessToken'), customerId: Number(customers[0]?.id) };
}
