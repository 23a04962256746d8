/** docs/growth.md and its chart, from one simulated month. */
import { barChart } from '../costs/bar-chart.ts';
import { prices } from '../costs/prices.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { assumptions, BUCKET_SECONDS, clockOffsets, type Month, platformPlans } from './assumptions.ts';
import { type Limit, limitsOf, shareOf } from './limits.ts';
import { countSecretReads } from './secret-reads.ts';
import type { SimulatedMonth } from './simulate-month.ts';
import { MINUTES_A_DAY } from './simulate-store.ts';

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
    `What to do: ${first.toDo}`,
  ];
  if (over.length > 1)
    lines.push(
      `Over their limits, too: ${over
        .slice(1)
        .map(({ name }) => name)
        .join('; ')}.`,
    );
  if (over.length === 0)
    lines.push(`Everything fits; that limit is reached at ${times(first)} of this load.`);
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

A limit that is reached loses nothing: API Gateway and Lambda answer 429 or 503, the table and Secrets Manager are tried
again and then answered with 503 and \`Retry-After\`, and a store's empty bucket makes its requests wait. Apps and servers
that keep to [merchant-servers.md](merchant-servers.md) come again.

## The month in numbers

| | |
|---|---|
| requests to headless-auth, customer-graphql, admin-graphql | ${[minutes.auth, minutes.customer, minutes.admin].map(all).join(', ')} |
| changes, customers' and charges | ${all(minutes.changes)} |
| stores that emptied their bucket in some minute | ${stores.filter(({ emptyMinutes }) => emptyMinutes > 0).length} |
| most that customers alone took of a bucket's rate | ${percent(Math.max(...stores.map(({ customersShare }) => customersShare)))} |
| grants renewed before a request needed one | ${number((month.stores * month.days * 1440) / month.renewMinutes)} |
| reads of secrets, expected | ${number(Math.round(reads.inMonth))}, which cost ${usd((reads.inMonth / 10_000) * prices.secretCalls10k.usd)} |

## Assumptions

| | Value | Unit | Source |
|---|---|---|---|
${assumptionRows(month).join('\n')}

Clocks of stores: ${clockOffsets.map(({ hours, share }) => `${percent(share)} at UTC${hours < 0 ? '−' : '+'}${Math.abs(hours)}`).join(', ')}. Points a second by size: ${platformPlans.map(planText).join(', ')}; a bucket holds ${BUCKET_SECONDS} seconds of it.

What the model leaves out: time is in minutes, so a burst inside one is seen only as chance (four standard deviations of a
Poisson process); servers do not slow down when they are throttled, so what is over a limit here is a longer night in
truth; every store is given the same habits; the platform always takes 200 ms; DynamoDB's splitting of hot partitions is
not counted on.

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

function times(limit: Limit): string {
  return `${(1 / shareOf(limit)).toFixed(1)} times`;
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
