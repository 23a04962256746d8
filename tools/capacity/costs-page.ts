/** docs/costs.md, from measured figures and list prices. */
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { functionDefinitions } from '../../infra/definition/function-definitions.ts';
import { newTable } from '../../infra/definition/table-definition.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { monthOf } from './assumptions.ts';
import { performanceComparison, waiting } from './comparisons.ts';
import { edgeCosts } from './edge-costs.ts';
import { limitRows } from './limit-rows.ts';
import {
  assumedOfRequests,
  type MeasuredWork,
  measured,
  measurement,
  readsOf,
  type WorkName,
} from './measured.ts';
import { memoryChoice } from './memory-choice.ts';
import { type Price, prices } from './prices.ts';
import { busyMs, type CostParts, costOfMillion, sumOf } from './request-costs.ts';
import {
  costOfInstalling,
  costOfStore,
  FIXED_MONTH,
  type StoreMonth,
  standingBytesOfSubscriber,
  storageAfter,
  storedBytesOfSubscriber,
  worksOfSubscriber,
} from './store-month.ts';

const COSTS_PAGE = 'docs/costs.md';
const works: readonly MeasuredWork[] = Object.values(measured);
const requestWorks = works.filter(({ requests }) => requests > 0);
const MEMORY_SIZES = [256, 512, 1024, 1769];
const STORE_SIZES = [10_000, 1_000_000];
const PARTS: Readonly<Record<keyof CostParts, string>> = {
  lambda: 'Lambda',
  api: 'API',
  edge: 'edge',
  table: 'table',
  secrets: 'secrets',
  logs: 'logs',
  transfer: 'transfer',
};

export function costFiles(): GeneratedFile[] {
  return [{ file: COSTS_PAGE, text: page() }];
}

function page(): string {
  const { platformMs, mbOfProcessor, accessLogBytes, platformLogBytes } = assumedOfRequests;
  const { measuredAt, commit, machine, node, rounds, startSeconds } = measurement;
  const { coldStarts, traced, grantReaders, storedSessions } = monthOf();
  const of = worksOfSubscriber();
  const standing = Math.round(standingBytesOfSubscriber()).toLocaleString('en-US');
  return `# Costs and limits

Written by \`npm run capacity\`: measured figures times list prices. Measured are CPU, units of the table, calls,
bytes, memory and points of each kind of work, on the synthesised production template, by
\`node --import=./tests/network-off.mjs tests/infra/synthesised/measure.ts\`, which writes tools/capacity/measured.json: on
${measuredAt} at commit ${commit}, ${rounds} rounds each and ten times as many charges, Node ${node}, ${machine}. How far CPU is to be
trusted, stands [below](#what-a-request-takes).

Prices are the list prices of us-east-1 in US dollars, before any free tier. They were not read from AWS's own price list:
"seen" is the date of the youngest publication found in November 2026 that names the same price, and a dash means that none
with a date was found. Other regions cost up to a quarter more. Look them up again before you rely on a sum.

| US dollars | per | seen | look it up at |
|---|---|---|---|
${Object.values<Price>(prices)
  .map(({ usd, per, seen = '–', source }) => `| ${usd} | ${per} | ${seen} | <${source}> |`)
  .join('\n')}

## What a request takes

| | requests | CPU | read units | write units | log | answer | kept for ever | peak memory | platform requests | points |
|---|---|---|---|---|---|---|---|---|---|---|
${works.map(measuredRow).join('\n')}

A sign-in is two requests, start and exchange. A customer's query is the app's list of three subscriptions with what comes next; a
merchant's a page of 50. A change is a skip under a key; a pause or a resumption is half of both, a pause with an end and its
resumption on another date, with which the order moves. A charge is made in two parts: the server's request, and the entry that the
scheduled work writes once the bank has answered. A page of due orders has 12, and its part of the search. Units are counted by the
size of each item that is read or written, in table and index. Secrets Manager is called once for an instance and version of a
secret, not for a request; a grant that is renewed takes ${measured.renewedGrant.secretReads} reads and ${measured.renewedGrant.secretWrites} writes, and its CPU was measured once. An instance's start takes, of a whole
processor, from the start of the process until it asks for its first request, the fastest of three: ${Object.entries(
    startSeconds,
  )
    .map(([name, seconds]) => `${seconds} s (${name})`)
    .join(', ')} on that machine.

${performanceComparison()}

Webhooks in are of a contract; the mark that one leaves is acted on for a contract that was charged. A contract of the nightly pass
is one of a page in which nothing has changed, with its part of the page's requests; an order told ahead is what it takes beside. A
charge of the nightly pass was told before; each is read in ${monthOf().readsOfCharge} nights. A first look is one of a store's first pass: it writes the contract's
snapshot, and a note of it under the customer. A delivery is one of a long queue to three endpoints, of entries that were placed before,
whose intents go then; a refused one is one of the first two hours at endpoints that refuse, their visits and what is read to ask them
again with it. Runs that find nothing are taken off, and each has the start of an instance.

While an endpoint's answer is waited for, the worker reads each second what the store has configured. The measuring's endpoints answer at
once, so that is added to what was measured: ${readsOf(measured.delivery.answerMs ?? 0)} read units for a delivery that is answered in ${measured.delivery.answerMs} ms, ${readsOf(measured.refusedDelivery.answerMs ?? 0)} for a refused one, at most.

## Per million

**Assumed, not measured:** Lambda gives a function a processor for ${mbOfProcessor.toLocaleString('en-US')} MB, and it is as fast as that machine's; the platform
takes ${platformMs} ms for a request, a merchant's endpoint as long for a webhook, and one that is down ten seconds; each is priced as if its
instance did nothing else meanwhile, but for what is said of deliveries below; API Gateway's own log line has ${accessLogBytes} bytes, Lambda's own
two (\`platform.start\`, \`platform.report\`) together ${platformLogBytes}; ${100 * coldStarts} % of requests begin a new instance, whose start is billed
([AWS, August 2025](https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase): under 1 %); X-Ray records ${100 * traced} %.
Lambda's part has those starts, the logs' part the traces. All goes through production's edge.

| per million | busy for | ${Object.values(PARTS).join(' | ')} | together |
|---|---|${'---|'.repeat(Object.keys(PARTS).length + 1)}
${works.map(millionRow).join('\n')}

${waiting()}

Most of the time is waiting for the platform, so memory is paid for waiting. Lambda's part of a million:

| memory | ${requestWorks.map(({ name }) => name).join(' | ')} |
|---|${'---|'.repeat(requestWorks.length)}
${MEMORY_SIZES.map(memoryRow).join('\n')}

${memoryChoice()}

## Per store and month

**Assumed of a subscriber and month**, as in [growth.md](growth.md#assumptions): ${amounts(of)}; ${storedSessions} sign-ins kept. The store's
server reads every subscription each night, and so does the nightly pass; of ${monthOf().endpoints} endpoints ${100 * monthOf().endpointsDown} % are down; the store's grant ends after an hour, and ${grantReaders} instances read each new version of it.

| subscribers | work | storage after a year | secrets | throttle metric | together |
|---|---|---|---|---|---|
${STORE_SIZES.map(storeRow).join('\n')}

The timeline keeps every change and charge, ${Math.round(storedBytesOfSubscriber()).toLocaleString('en-US')} bytes a subscriber and month with its index, so storage grows. What
does not grow has ${standing} bytes a subscriber: sign-ins, the contract's snapshot (${measurement.itemBytes.SNAPSHOT?.toLocaleString('en-US')} bytes) with its customer's note (${measurement.itemBytes.NOTE}), and 30 days of the store's stream
(${measurement.itemBytes.STREAM} bytes an event). What the worker knows of an endpoint has ${measurement.itemBytes.DELIVERY} bytes, and as many for each contract that it refuses. A month of it costs:

| subscribers | at first | after a year | after 3 years | after 10 years |
|---|---|---|---|---|
${STORE_SIZES.map((count) => `| ${count.toLocaleString('en-US')} | ${[0, 1, 3, 10].map((years) => dollars(storageAfter(count, years))).join(' | ')} |`).join('\n')}

When a store is installed, all its contracts are looked at for the first time, once: ${STORE_SIZES.map((count) => `${dollars(costOfInstalling(count))} for ${count.toLocaleString('en-US')}`).join(', ')}.

The throttle metric is one of our own, and each store's is analysed by the alarm's query of Metrics Insights, which costs an
alarm's metric. A store without any customer costs its secrets and, in months with a request, that metric. An environment costs ${Object.entries(
    FIXED_MONTH,
  )
    .map(([what, usd]) => `${what} ${dollars(usd)}`)
    .join(
      ', ',
    )}: together about ${dollars(Object.values(FIXED_MONTH).reduce((sum, usd) => sum + usd, 0))} a month in production.
The key is rotated each year: its first two rotations cost as much as the key itself each, from then on nothing more.
The operators' trace is kept for 400 days and costs nothing to speak of: a command has some 1.5 kB, a sign-in that it ends 0.3.

${warming()}

${edgeCosts()}

## A warning before the bill

The stack makes no budget: what else runs in the account, and what is too much, it does not know. AWS Budgets tells by e-mail when a
month is going to cost more than you say; watching costs nothing. Every resource has the tags \`service\` (\`subscriptions\`) and \`environment\`;
activate both as cost allocation tags (Billing → Cost allocation tags), which takes a day, and choose an amount by the tables above:

\`\`\`sh
aws budgets create-budget --region us-east-1 --account-id 123456789012 \\
  --budget '{"BudgetName":"subscriptions-prod","BudgetType":"COST","TimeUnit":"MONTHLY",
    "BudgetLimit":{"Amount":"500","Unit":"USD"},"CostFilters":{"TagKeyValue":["user:environment$prod"]}}' \\
  --notifications-with-subscribers '[{"Notification":{"NotificationType":"FORECASTED","ComparisonOperator":"GREATER_THAN",
    "Threshold":100},"Subscribers":[{"SubscriptionType":"EMAIL","Address":"ops@example.com"}]}]'
\`\`\`

## Where each limit lies

| limit | value | reached at |
|---|---|---|
${limitRows().join('\n')}

Which of them comes first when a thousand stores have their peaks together, and what to do: [growth.md](growth.md).
`;
}

/** What a subscriber does in a month, in words. */
function amounts(of: ReturnType<typeof worksOfSubscriber>): string {
  const entries = Object.entries(of) as [WorkName, number][];
  return entries.map(([name, count]) => `${Number(count.toPrecision(3))} ${measured[name].name}`).join(', ');
}

/** What the first deploy pays for the warm throughput of production's table. */
function warming(): string {
  const { warmThroughput = newTable } = readEnvironmentConfig('prod').config;
  const { readUnitsPerSecond, writeUnitsPerSecond } = warmThroughput;
  const reads = readUnitsPerSecond - newTable.readUnitsPerSecond;
  const writes = writeUnitsPerSecond - newTable.writeUnitsPerSecond;
  const once = reads * prices.warmRead.usd + writes * prices.warmWrite.usd;
  return `Once, when the table is made: ${dollars(once)} for its \`warmThroughput\`, ${writes.toLocaleString('en-US')} write units a second and ${reads.toLocaleString('en-US')} read units more than
a new table has. Raising it later costs the difference to what the table has by then; lowering it is not possible.`;
}

function measuredRow(work: MeasuredWork): string {
  const { name, requests, readUnits, writeUnits, peakMemoryMb, platformRequests, points } = work;
  const kB = (bytes: number) => (bytes === 0 ? '0' : `${(bytes / 1000).toFixed(1)} kB`);
  const sizes = [work.logBytes, work.answerBytes, work.storedBytes].map(kB);
  const cpu = `${Number(work.cpuMs.toPrecision(2))} ms`;
  const cells = [name, requests, cpu, readUnits, writeUnits, ...sizes, `${peakMemoryMb} MB`];
  return `| ${[...cells, platformRequests, points].join(' | ')} |`;
}

function millionRow(work: MeasuredWork): string {
  const parts = costOfMillion(work);
  const cells = Object.keys(PARTS).map((name) => dollars(parts[name as keyof CostParts]));
  return `| ${work.name} | ${Math.round(busyMs(work))} ms | ${cells.join(' | ')} | **${dollars(sumOf(parts))}** |`;
}

function memoryRow(memoryMb: number): string {
  const inUse = memoryMb === functionDefinitions['customer-graphql'].memoryMb;
  const label = `${memoryMb.toLocaleString('en-US')} MB`;
  const cells = requestWorks.map(
    (work) => `${Math.round(busyMs(work, memoryMb))} ms, ${dollars(costOfMillion(work, memoryMb).lambda)}`,
  );
  return `| ${[inUse ? `**${label}**` : label, ...cells].join(' | ')} |`;
}

function storeRow(subscribers: number): string {
  const cost = costOfStore(subscribers);
  const parts = (['requests', 'storage', 'secrets', 'metric'] satisfies (keyof StoreMonth)[]).map(
    (name) => cost[name],
  );
  const together = parts.reduce((sum, part) => sum + part, 0);
  return `| ${subscribers.toLocaleString('en-US')} | ${parts.map(dollars).join(' | ')} | **${dollars(together)}** |`;
}

function dollars(usd: number): string {
  return usd.toFixed(2);
}
