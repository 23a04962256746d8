/** docs/growth.md and its chart, from one simulated month. */
import { barChart } from '../costs/bar-chart.ts';
import { prices } from '../costs/prices.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { assumptions, BUCKET_SECONDS, clockOffsets, type Month, platformPlans } from '../load/assumptions.ts';
import { type Limit, shareOf } from './limit.ts';
import { adminLimits, limitsOf } from './limits.ts';
import { countSecretReads } from './secret-reads.ts';
import type { SimulatedMonth } from './simulate-month.ts';
import { chargesPerSecond, simulateServers } from './simulate-servers.ts';
import { MINUTES_A_DAY } from './simulate-store.ts';
import { workerSection } from './worker-section.ts';

/** @internal A test reads the page. */
export const GROWTH_PAGE = 'docs/growth.md';
const CHART = 'docs/images/growth.svg';

export function growthFiles(simulated: SimulatedMonth): GeneratedFile[] {
  return [
    { file: GROWTH_PAGE, text: pageOf(simulated) },
    { file: CHART, text: chartOf(limitsOf(simulated)) },
  ];
}

/** The verdict alone, for a terminal and for the page. */
export function verdictOf(limits: readonly Limit[]): string[] {
  const [first] = limits;
  if (first === undefined) throw new Error('There is no limit.');
  const over = limits.filter((each) => shareOf(each) > 1);
  const lines = [
    `What comes first: ${first.name}, at ${percent(shareOf(first))} of its limit (${timeOf(first.minute)}).`,
    ...(first.withoutLoad === undefined ? [] : [first.withoutLoad]),
    `What to do: ${first.toDo}`,
  ];
  if (over.length > 1)
    lines.push(
      `Over their limits, too: ${over
        .slice(1)
        .map(({ name }) => name)
        .join('; ')}.`,
    );
  if (over.length === 0) lines.push(`Everything fits. ${firstByLoad(limits)}`);
  return lines;
}

/** One line a limit. */
export function limitRows(limits: readonly Limit[]): string[][] {
  return limits.map((each) => [
    each.name,
    `${number(each.peak)} ${each.unit}`,
    number(each.limit),
    percent(shareOf(each)),
    timeOf(each.minute),
  ]);
}

function pageOf(simulated: SimulatedMonth): string {
  const { month, minutes, stores } = simulated;
  const limits = limitsOf(simulated);
  const rows = limitRows(limits).map(
    (cells, index) => `| ${[...cells, limits[index]?.source].join(' | ')} |`,
  );
  const toDo = limits.slice(0, 6).map(({ name, toDo: what }) => `- **${name}**: ${what}`);
  const reads = countSecretReads(simulated);
  const all = (counts: Float64Array) => number(counts.reduce((sum, value) => sum + value, 0));
  return `# Growth

Written by \`npm run simulate\`: ${number(month.stores)} stores and ${number(month.customers)} customers over a month's billing peaks,
drawn one by one from the assumptions below. Not a measurement. What a request takes is measured ([costs.md](costs.md)).

${verdictOf(limits).join('\n')}

![Share of each limit](images/growth.svg)

| Limit | Most asked for | Limit | Share | When (UTC) | Source |
|---|---|---|---|---|---|
${rows.join('\n')}

## What to do

${toDo.join('\n')}

A limit that is reached answers, and does nothing by halves; who asked has to ask again. API Gateway and Lambda answer 429 or
503; a table or Secrets Manager that is busy is tried again by the service, and is then 503 with \`Retry-After\`; a store's empty
bucket makes its requests wait, then is 429. The clients of this repository repeat all of these by themselves. **A server without
them has to**: a charge that was answered 429 is not made, and nobody but the server makes it.
[merchant-servers.md](merchant-servers.md#throttling-and-bulk-jobs) tells how, and its job finds at the next run what an earlier one
has missed. The scheduled work repeats its own.

## Servers that begin together

The table above has each store's server begin at a second of its own within ${month.billingSpreadMinutes} minutes, and charge one
order after another: ${number(chargesPerSecond(month, 1))} a second. That is what merchant-servers.md asks for, and the clients do the second by themselves. What
admin-graphql is asked for at the worst second if they do otherwise:

| Servers begin | charges of each under way | instances asked for | of ${number(instancesOf(simulated))} | requests/s asked for | of ${number(throttleOf(simulated))} | refused at first |
|---|---|---|---|---|---|---|
${habitRows(simulated).join('\n')}

What is refused is repeated by those servers, and their work takes so much longer. Stores share these instances: others are refused
beside them, and wait as long. The operator's remedy is another limit, the server's is [its second](merchant-servers.md#when-a-job-begins).

${workerSection(simulated, limits)}
## The month in numbers

| | |
|---|---|
| requests to headless-auth, customer-graphql, admin-graphql | ${[minutes.auth, minutes.customer, minutes.admin].map(all).join(', ')} |
| changes of customers, charges of servers | ${all(minutes.changes)}, ${all(minutes.charges)} |
| stores that emptied their bucket in some minute | ${stores.filter(({ emptyMinutes }) => emptyMinutes > 0).length} |
| most that customers alone took of a bucket's rate | ${percent(Math.max(...stores.map(({ customersShare }) => customersShare)))} |
| grants renewed before a request needed one | ${number((month.stores * month.days * 1440) / month.renewMinutes)} |
| reads of secrets, expected | ${number(Math.round(reads.inMonth))}, which cost ${usd((reads.inMonth / 10_000) * prices.secretCalls10k.usd)} |

## Assumptions

| | Value | Unit | Source |
|---|---|---|---|
${assumptionRows(month).join('\n')}

Clocks of stores: ${clockOffsets.map(({ hours, share }) => `${percent(share)} at UTC${hours < 0 ? '−' : '+'}${Math.abs(hours)}`).join(', ')}. Points a second by size: ${platformPlans.map(planText).join(', ')}; a bucket holds ${BUCKET_SECONDS} seconds of it.

Servers are played second by second, customers minute by minute: a burst of customers inside a minute is seen only as chance
(four standard deviations of a Poisson process). What the model leaves out: servers do not slow down when they are throttled, so
what is over a limit here is a longer night in truth; every store is given the same habits; the platform always takes 200 ms;
DynamoDB's splitting of hot partitions is not counted on; no store is installed in the month, and no contract is made.

## Repeating it

\`\`\`sh
npm run simulate
npm run simulate -- --check
npm run simulate -- --customers 3000000 --stores 2000
\`\`\`

The first writes this page, the second fails if it is not what the code says, the third only prints: any assumption can be
set so.
`;
}

/** What servers ask for that begin together, or have several charges under way. */
function habitRows({ month, plans }: SimulatedMonth): string[] {
  const habits = [
    { isSpread: true, atOnce: 1 },
    { isSpread: true, atOnce: 3 },
    { isSpread: false, atOnce: 1 },
    { isSpread: false, atOnce: 3 },
  ];
  return habits.map((habit) => {
    const servers = simulateServers(month, plans, habit);
    const [instances, throttle] = adminLimits({ month, servers }, habit.atOnce);
    const refused = Math.max(0, 1 - 1 / shareOf(instances), 1 - 1 / shareOf(throttle));
    const cells = [
      habit.isSpread ? `over ${month.billingSpreadMinutes} minutes` : 'at the same second',
      `${habit.atOnce}`,
      ...[instances, throttle].flatMap((limit) => [number(limit.peak), percent(shareOf(limit))]),
      refused === 0 ? 'nothing' : percent(refused),
    ];
    return `| ${cells.join(' | ')} |`;
  });
}

function instancesOf(simulated: SimulatedMonth): number {
  return adminLimits(simulated, 1)[0].limit;
}

function throttleOf(simulated: SimulatedMonth): number {
  return adminLimits(simulated, 1)[1].limit;
}

/**
 * The table of assumptions.
 * @internal A test holds it against the page, which is not made anew for each change.
 */
export function assumptionRows(month: Month): string[] {
  return Object.entries(assumptions).map(
    ([name, { unit, source }]) => `| \`${name}\` | ${month[name as keyof Month]} | ${unit} | ${source} |`,
  );
}

function chartOf(limits: readonly Limit[]): string {
  return barChart({
    label: 'Share of each limit that the busiest minute takes',
    bars: limits.map((each) => ({
      label: each.name,
      parts: [{ value: shareOf(each), fill: shareOf(each) > 1 ? '#b42318' : '#0b6e4f' }],
      text: percent(shareOf(each)),
    })),
    mark: { at: 1, label: 'limit (logarithmic)' },
    logarithmicFrom: 0.005,
  });
}

function planText({ upToCustomers, pointsPerSecond }: (typeof platformPlans)[number]): string {
  const size = upToCustomers === Infinity ? 'above' : `up to ${number(upToCustomers)} customers`;
  return `${size} ${number(pointsPerSecond)}`;
}

function timeOf(minute: number | undefined): string {
  if (minute === undefined) return '';
  const two = (value: number) => `${value}`.padStart(2, '0');
  const ofDay = minute % MINUTES_A_DAY;
  return `day ${Math.floor(minute / MINUTES_A_DAY) + 1}, ${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`;
}

/** Which limit more load reaches first: waiting that is there without any is left out. */
function firstByLoad(limits: readonly Limit[]): string {
  const first = limits.find(({ isDelay }) => isDelay === undefined);
  if (first === undefined) throw new Error('No limit grows with the load.');
  const share = shareOf(first);
  return `Of what grows with the load, the first is ${first.name}: ${percent(share)} now, and full at ${(1 / share).toFixed(1)} times the load.`;
}

function percent(share: number): string {
  return `${share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;
}

function number(value: number): string {
  return value < 100 ? `${Number(value.toFixed(1))}` : Math.round(value).toLocaleString('en-US');
}

function usd(value: number): string {
  return `${value.toFixed(0)} USD`;
}
