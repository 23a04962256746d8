/**
 * By hand, for infra/tools/costs/measured.ts: what a request costs in CPU, memory, calls to AWS, log bytes and points of the
 * platform's bucket, on the synthesised production template. On an otherwise idle machine:
 * `node --import=./tests/network-off.mjs tests/infra/synthesised/measure.ts`.
 */
import { readFileSync, rmSync } from 'node:fs';
import { customerSteps } from '../../../infra/local/demo/customer-steps.ts';
import { call, type Journey, playJourney, recall, textAt } from '../../../infra/local/demo/journey.ts';
import { preparation } from '../../../infra/local/demo/merchant-steps.ts';
import { asCustomer, asMerchant, silent } from './as-people.ts';
import { startTemplate } from './start-template.ts';
import { synthesiseEnvironment } from './synthesise.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 60);
const MS_PER_TICK = 10;

const synthesised = await synthesiseEnvironment('prod');
const running = await startTemplate(synthesised);
const [store] = running.stores;
if (store === undefined) throw new Error('There is no store.');
const { baseUrl, platform } = running;
const stack = { baseUrl, platformUrl: platform.url, ...store, customers: platform.customers };
const journey: Journey = { stack, show: silent, kept: new Map() };
const step = (at: number) => customerSteps.slice(at, at + 1);

/** What the phone's app sends. */
const documents = await import(
  String(new URL('../../../infra/local/phone/app/subscriptions/documents.js', import.meta.url))
);
const firstCustomer = `gid://platform/Customer/${platform.customers[0]?.id}`;
const [id = ''] = platform.contracts;
const range = { from: new Date().toISOString(), to: new Date(Date.now() + 365 * 86_400_000).toISOString() };
const merchantPage = `query ($after: String) { subscriptionContracts(first: 50, after: $after) {
  nodes { id status nextBillingDate customer { id } lines(first: 5) { nodes { id title quantity variantId } } }
  pageInfo { hasNextPage endCursor }
} }`;
/** Each time to the next pair; the app's own access token stays good. */
async function refreshTokens(): Promise<void> {
  const { shop, customers } = stack;
  const session = { shop, customerId: customers[0]?.id, refreshToken: recall(journey, 'refreshToken') };
  const url = `${baseUrl}/headless-auth/refresh`;
  const { body } = await call(journey, { method: 'POST', url, body: session }, 200);
  for (const name of ['accessToken', 'refreshToken']) journey.kept.set(name, textAt(body, name));
}

const asApp = (query: string, variables: object) => async () => {
  await asCustomer(journey, { query, variables: { ...variables } });
};

const works: readonly [what: string, functionName: string, play: () => Promise<void>][] = [
  ['sign-in (start, exchange)', 'headless-auth', () => playJourney(customerSteps.slice(0, 1), journey)],
  ['refresh', 'headless-auth', () => refreshTokens()],
  ['customer: list', 'customer-graphql', () => playJourney(step(1), journey)],
  ['customer: next orders', 'customer-graphql', () => playJourney(step(2), journey)],
  ['customer: skip and back', 'customer-graphql', () => playJourney(customerSteps.slice(3, 5), journey)],
  [
    'app: list',
    'customer-graphql',
    asApp(documents.LIST, { customer: firstCustomer, first: 10, after: null }),
  ],
  ['app: one', 'customer-graphql', asApp(documents.ONE, { id, ...range })],
  ['merchant: list', 'admin-graphql', () => playJourney(preparation, journey)],
  [
    'merchant: page of 50',
    'admin-graphql',
    async () => void (await asMerchant(journey, { query: merchantPage, variables: { after: null } })),
  ],
];

for (const [what, name, play] of works) {
  await play();
  const hosted = running.functions.find(({ functionName }) => functionName.endsWith(name));
  if (hosted === undefined) throw new Error(`There is no ${name}.`);
  const before = { cpuMs: cpuMsOf(hosted.pid), calls: running.calls.length, bytes: hosted.output().length };
  await control('DELETE', 'requests');
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS; round++) await play();
  const per = (total: number) => Math.round((100 * total) / ROUNDS) / 100;
  const calls = Object.entries(
    Object.groupBy(running.calls.slice(before.calls), ({ action }) => String(action.split(':')[1])),
  ).map(([action, list = []]) => `${action} ${per(list.length)}`);
  const sent = (await control('GET', 'requests')) as { cost?: number }[];
  const points = sent.reduce((sum, { cost = 0 }) => sum + cost, 0);
  console.log(
    [
      what.padEnd(26),
      `wall ${per(performance.now() - startedAt)} ms`,
      `cpu ${per(cpuMsOf(hosted.pid) - before.cpuMs)} ms`,
      `log ${per(hosted.output().length - before.bytes)} B`,
      `points ${per(points)} in ${per(sent.length)} requests`,
      `memory ${peakMbOf(hosted.pid)} MB`,
      calls.join(', '),
    ].join('  '),
  );
}
for (const { functionName, initMs } of running.functions)
  console.log(`${functionName.padEnd(36)} starts in ${Math.round(initMs)} ms`);
await running.close();
rmSync(synthesised.dir, { recursive: true });

async function control(method: string, path: string): Promise<unknown> {
  return (await fetch(`${platform.url}/_control/${path}`, { method })).json();
}

/** User and system time of a process (proc(5), fields 14 and 15 of `stat`). */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

function peakMbOf(pid: number): number {
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(peak) / 1024);
}
