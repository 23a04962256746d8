/** docs/costs.md and its chart, from measured figures and list prices. */
import { readEnvironmentConfig } from '../../definition/config.ts';
import { functionDefinitions } from '../../definition/function-definitions.ts';
import { newTable } from '../../definition/table-definition.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { type Bar, barChart } from './bar-chart.ts';
import { edgeCosts } from './edge-costs.ts';
import { limitRows } from './limit-rows.ts';
import { assumedOfRequests, type MeasuredWork, measured, measuredStartSeconds } from './measured.ts';
import { type Price, prices } from './prices.ts';
import { busyMs, type CostParts, costOfMillion, sumOf } from './request-costs.ts';
import { assumedOfSubscribers, costOfStore, FIXED_MONTH, type StoreMonth } from './store-month.ts';

const COSTS_PAGE = 'docs/costs.md';
const works: readonly MeasuredWork[] = Object.values(measured);
const MEMORY_SIZES = [256, 512, 1024, 1769];
const STORE_SIZES = [10_000, 1_000_000];
const PARTS: Readonly<Record<keyof CostParts, { readonly label: string; readonly fill: string }>> = {
  lambda: { label: 'Lambda', fill: '#0b6e4f' },
  api: { label: 'API', fill: '#4a9d7f' },
  table: { label: 'table', fill: '#c28e0e' },
  logs: { label: 'logs', fill: '#8a94a6' },
  transfer: { label: 'transfer', fill: '#c9ced8' },
};

export function costFiles(): GeneratedFile[] {
  return [
    { file: COSTS_PAGE, text: page() },
    { file: 'docs/images/costs.svg', text: chart() },
  ];
}

function page(): string {
  const { platformMs, mbOfProcessor, accessLogBytes, platformLogBytes, answerBytes } = assumedOfRequests;
  const { openings, queriesPerOpening, changes, signIns, sessions } = assumedOfSubscribers;
  return `# Costs and limits

Written by \`npm run generate\` from infra/tools/costs: measured figures times list prices. Measured are CPU, calls, log bytes, memory
and points of each request, on the synthesised production template
(\`node --import=./tests/network-off.mjs tests/infra/synthesised/measure.ts\`; 60 rounds each; a shared x86 machine, so read CPU
as ±20 %).

Prices are the list prices of us-east-1 in US dollars, before any free tier. They were not read from AWS's own price list:
"seen" is the date of the youngest publication found in November 2026 that names the same price, and a dash means that none
was looked for. Other regions cost up to a quarter more. Look them up again before you rely on a sum.

| US dollars | per | seen | look it up at |
|---|---|---|---|
${Object.values<Price>(prices)
  .map(({ usd, per, seen = '–', source }) => `| ${usd} | ${per} | ${seen} | <${source}> |`)
  .join('\n')}

## What a request takes

| | CPU | read units | write units | log | peak memory | platform requests | points |
|---|---|---|---|---|---|---|---|
${works.map(measuredRow).join('\n')}

A sign-in is two requests, start and exchange. Secrets Manager is called once for an instance and version of a secret, not for
a request. From the start of the process until the bundle is loaded: ${Object.entries(measuredStartSeconds)
    .map(([name, seconds]) => `${seconds} s (${name})`)
    .join(', ')} on that machine when it was quiet.

## Per million

**Assumed, not measured:** Lambda gives a function a processor for ${mbOfProcessor.toLocaleString('en-US')} MB, and it is as fast as that machine's; the platform
takes ${platformMs} ms for a request; API Gateway's own log line has ${accessLogBytes} bytes, Lambda's own
two (\`platform.start\`, \`platform.report\`) together ${platformLogBytes}, an answer ${answerBytes.toLocaleString('en-US')}.

![Cost of a million, by part](images/costs.svg)

| per million | busy for | ${Object.values(PARTS)
    .map(({ label }) => label)
    .join(' | ')} | together |
|---|---|${'---|'.repeat(Object.keys(PARTS).length + 1)}
${works.map(millionRow).join('\n')}

Most of the time is waiting for the platform, so memory is paid for waiting. Lambda's part of a million:

| memory | ${works.map(({ name }) => name).join(' | ')} |
|---|${'---|'.repeat(works.length)}
${MEMORY_SIZES.map(memoryRow).join('\n')}

${functionDefinitions['customer-graphql'].memoryMb} MB it is: half of it would save ${dollars(saving())} per million queries and leave too little above the ${Math.max(...works.map(({ peakMemoryMb }) => peakMemoryMb))} MB that
were seen at the peak, for the largest answers (5 MB from the platform) and a cold start.

## Per store and month

**Assumed of a subscriber and month:** ${openings} openings of the app (a refresh and ${queriesPerOpening} queries each), ${changes} changes, ${signIns} sign-ins,
${sessions} sign-ins kept; the store's server reads every subscription each night, 50 a page; the store's grant ends after an hour.

| subscribers | requests | storage | secrets | throttle metric | together |
|---|---|---|---|---|---|
${STORE_SIZES.map(storeRow).join('\n')}

The throttle metric is one of our own, and each store's is analysed by the alarm's query of Metrics Insights, which costs an
alarm's metric. A store without any customer costs its secrets and, in months with a request, that metric. An environment costs ${Object.entries(
    FIXED_MONTH,
  )
    .map(([what, usd]) => `${what} ${dollars(usd)}`)
    .join(
      ', ',
    )}: together about ${dollars(Object.values(FIXED_MONTH).reduce((sum, usd) => sum + usd, 0))} a month in production.
The operators' trace is kept for 400 days and costs nothing to speak of: a command has some 1.5 kB, a sign-in that it ends 0.3.

${warming()}

${edgeCosts()}

## Where each limit lies

| limit | value | reached at |
|---|---|---|
${limitRows().join('\n')}

Which of them comes first when a thousand stores have their peaks together, and what to do: [growth.md](growth.md).
`;
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
  const { name, cpuMs, readUnits, writeUnits, logBytes, peakMemoryMb, platformRequests, points } = work;
  const log = `${(logBytes / 1000).toFixed(1)} kB`;
  return `| ${[name, `${cpuMs} ms`, readUnits, writeUnits, log, `${peakMemoryMb} MB`, platformRequests, points].join(' | ')} |`;
}

function millionRow(work: MeasuredWork): string {
  const parts = costOfMillion(work);
  const shown = Object.keys(PARTS).map((name) => dollars(parts[name as keyof CostParts]));
  return `| ${work.name} | ${Math.round(busyMs(work))} ms | ${shown.join(' | ')} | **${dollars(sumOf(parts))}** |`;
}

function memoryRow(memoryMb: number): string {
  const inUse = memoryMb === functionDefinitions['customer-graphql'].memoryMb;
  const label = `${memoryMb.toLocaleString('en-US')} MB`;
  const cells = works.map(
    (work) => `${Math.round(busyMs(work, memoryMb))} ms, ${dollars(costOfMillion(work, memoryMb).lambda)}`,
  );
  return `| ${[inUse ? `**${label}**` : label, ...cells].join(' | ')} |`;
}

function saving(): number {
  const { memoryMb } = functionDefinitions['customer-graphql'];
  const { customerQuery } = measured;
  return costOfMillion(customerQuery, memoryMb).lambda - costOfMillion(customerQuery, memoryMb / 2).lambda;
}

function storeRow(subscribers: number): string {
  const cost = costOfStore(subscribers);
  const parts = (['requests', 'storage', 'secrets', 'metric'] satisfies (keyof StoreMonth)[]).map(
    (name) => cost[name],
  );
  const together = parts.reduce((sum, part) => sum + part, 0);
  return `| ${subscribers.toLocaleString('en-US')} | ${parts.map(dollars).join(' | ')} | **${dollars(together)}** |`;
}

function chart(): string {
  const bars = works.map((work): Bar => {
    const cost = costOfMillion(work);
    const parts = Object.entries(PARTS).map(([name, { fill }]) => ({
      value: cost[name as keyof CostParts],
      fill,
    }));
    return { label: `a million ${work.name}`, parts, text: `${dollars(sumOf(cost))} USD` };
  });
  return barChart({ label: 'Cost of a million of each work, by part', bars, legend: Object.values(PARTS) });
}

function dollars(usd: number): string {
  return usd.toFixed(2);
}
