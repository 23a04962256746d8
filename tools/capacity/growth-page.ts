/** docs/growth.md: how near the busiest minutes of a month come to each limit. */

import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { newTable } from '../../infra/definition/table-definition.ts';
import { MAX_CONCURRENCY } from '../../lib/webhooks/deliver/endpoint-run.ts';
import { PROBE_MS } from '../../lib/webhooks/deliver/health.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { assumptions, BUCKET_SECONDS, type Month, platformPlans } from './assumptions.ts';
import { adminLimitsOf, type Limit, limitsOf, longestReconciliationHours, shareOf } from './limits.ts';
import { assumedOfRequests } from './measured.ts';
import { busiestMinuteOfNotices, chargesPerSecond, dueOn, serversSecond, storesOf } from './peaks.ts';
import { worksOfSubscriber } from './store-month.ts';

const WHEN: Readonly<Record<Limit['when'], string>> = {
  notices: 'while notices are opened',
  charges: 'while servers charge',
  night: 'in the night',
  'any time': 'at any time',
};

export function growthFiles(month: Month): GeneratedFile[] {
  return [{ file: 'docs/growth.md', text: pageOf(month) }];
}

/** The verdict alone, for a terminal and for the page. */
export function verdictOf(limits: readonly Limit[]): string[] {
  const [nearest] = limits;
  const byLoad = limits.find(({ isDelay, isRate }) => !isDelay && !isRate);
  if (nearest === undefined || byLoad === undefined) throw new Error('There is no limit.');
  const over = limits.filter((each) => shareOf(each) > 1).map(({ name }) => name);
  const share = shareOf(byLoad);
  return [
    `Nearest to its limit: ${nearest.name}, at ${percent(shareOf(nearest))} of it (${WHEN[nearest.when]}).`,
    `What to do: ${nearest.toDo}`,
    over.length > 0
      ? `Over their limits: ${over.join('; ')}.`
      : `Everything fits. Of what grows with the load, the first is ${byLoad.name}: ${percent(share)} now, and full at ${(1 / share).toFixed(1)} times the load.`,
  ];
}

const STORES = 10_000;
/** Limits that no size comes so near to are left out of the table of sizes. */
const NEAR = 0.5;

/** Which limits stand with ten times the stores, and which do not. */
function moreStores(month: Month): string {
  const sizes = [month.customers, 10 * month.customers].map((customers) =>
    limitsOf({ ...month, stores: STORES, customers }),
  );
  const rows = limitsOf(month).flatMap(({ name, ...limit }) => {
    const shares = sizes.map((limits) =>
      shareOf(limits.find((other) => other.name === name) ?? { name, ...limit }),
    );
    if (Math.max(...shares) < NEAR) return [];
    return [
      `| ${[name, shareOf({ name, ...limit }), ...shares].map((cell) => (typeof cell === 'number' ? percent(cell) : cell)).join(' | ')} |`,
    ];
  });
  return `## ${number(STORES)} stores

Shares of the limits that some size comes nearest to. What is above 100 % breaks at that size:

| Limit | ${number(month.stores)} stores, ${number(month.customers)} customers | ${number(STORES)} stores, ${number(month.customers)} customers | ${number(STORES)} stores, ${number(10 * month.customers)} customers |
|---|---|---|---|
${rows.join('\n')}

Stores are shared in ${month.storeParts} parts: the scheduled work has a run for each part (in production), grants are renewed at a rate of all these runs
together, and runs that append events take a lease for each part. The bell starts such runs beside the schedule's, which counts in no
share above: with it they append up to ${month.storeParts} times as much. What a run of the scheduled work leaves, the next one does.

What stands: the bucket and the night of the largest store grow with that store; the bucket is the platform's, by plan. Turns of
\`store-events\` in the night grow with the stores, and more reserved instances move that limit. Instances and the table's throughput are
configured in infra/definition/config.ts.`;
}

/** One line a limit. */
export function limitRows(limits: readonly Limit[]): string[][] {
  return limits.map((each) => [
    each.name,
    `${number(each.peak)} ${each.unit}`,
    number(each.limit),
    percent(shareOf(each)),
    WHEN[each.when],
  ]);
}

function pageOf(month: Month): string {
  const limits = limitsOf(month);
  const rows = limitRows(limits).map((cells, at) => `| ${[...cells, limits[at]?.source].join(' | ')} |`);
  const toDo = limits.slice(0, 6).map(({ name, toDo: what }) => `- **${name}**: ${what}`);
  const [instances, throttle] = adminLimitsOf(month, { isSpread: true, concurrency: 1 });
  return `# Growth

Written by \`npm run capacity\`: what ${number(month.stores)} stores and ${number(month.customers)} customers ask for in the busiest minutes of a month.
Means of the assumptions below, times the peak factors that they name; what a request takes is measured ([costs.md](costs.md)). Not a measurement.

${verdictOf(limits).join('\n')}

| Limit | Most asked for | Limit | Share | When | Source |
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

| Servers begin | charges of each under way | instances asked for | of ${number(instances.limit)} | requests/s asked for | of ${number(throttle.limit)} | refused at first |
|---|---|---|---|---|---|---|
${habitRows(month).join('\n')}

What is refused is repeated by those servers, and their work takes so much longer. Stores share these instances: others are refused
beside them, and wait as long. The operator's remedy is another limit, the server's is [its second](merchant-servers.md#when-a-job-begins).

${moreStores(month)}

${reconciliationRows(month)}

${throughput(limits)}

## The month in numbers

${monthInNumbers(month)}

## Assumptions

| | Value | Unit | Source |
|---|---|---|---|
${assumptionRows(month).join('\n')}

Points a second by size: ${platformPlans.map(planText).join(', ')}; a bucket holds ${BUCKET_SECONDS} seconds of it.

How the peaks are made of them:

- Customers: all stores of one clock send the first day's notices at once, of whose openings ${percent(busiestMinuteOfNotices(month))} come in the busiest minute.
- Servers: of the stores of one clock, each server charges for as long as its orders take of the time over which all begin: ${number(serversSecond(month, { isSpread: true, concurrency: 1 }).servers)} at once,
  with two standard deviations for stores whose clocks happen to be the same.
- A second has four standard deviations of a Poisson process above the mean of its minute.
- The scheduled work tells charges as fast as it can, while servers charge. In the night each store has a turn of a minute.

What they leave out: servers do not slow down when they are throttled; every store has the same habits; the platform always takes ${assumedOfRequests.platformMs} ms;
DynamoDB's splitting of hot partitions is not counted on; no store is installed in the month.

## With other numbers

\`\`\`sh
npm run capacity -- --customers 3000000 --stores 2000
\`\`\`

prints the table and writes nothing; any assumption can be set so. Without options it writes this page and costs.md.
`;
}

/** What servers ask for that begin together, or have several charges under way. */
function habitRows(month: Month): string[] {
  const profiles = [true, false].flatMap((isSpread) =>
    [1, 3].map((concurrency) => ({ isSpread, concurrency })),
  );
  return profiles.map((habit) => {
    const limits = adminLimitsOf(month, habit);
    const refused = Math.max(0, ...limits.map((limit) => 1 - 1 / shareOf(limit)));
    const cells = [
      habit.isSpread ? `over ${month.billingSpreadMinutes} minutes` : 'at the same second',
      `${habit.concurrency}`,
      ...limits.flatMap((limit) => [number(limit.peak), percent(shareOf(limit))]),
      refused === 0 ? 'nothing' : percent(refused),
    ];
    return `| ${cells.join(' | ')} |`;
  });
}

/** To an endpoint that answers as fast as the platform does. */
const PER_SECOND = MAX_CONCURRENCY / (assumedOfRequests.platformMs / 1000);
const LONGEST_HOURS = 23;

function reconciliationRows(month: Month): string {
  const [{ customers } = { customers: 0 }] = storesOf(month);
  const charged = customers * month.ordersPerCustomer * dueOn(month).first;
  const changed = (customers * month.otherOpenings * month.otherChanges * LONGEST_HOURS) / month.days / 24;
  const waiting = charged + changed;
  const minutes = PROBE_MS / 60_000 + waiting / PER_SECOND / 60;
  return `## Nights, and endpoints that are down

The largest store has ${number(customers)} contracts. Its night reads one after another, and tells the orders of the first day ahead: ${number(longestReconciliationHours(month))} hours
of ${month.nightlyHours}. An order that comes, or a payment method that expires, is told when its contract's turn comes.

An endpoint that is up again is asked within ${PROBE_MS / 60_000} minutes, and what waits goes at ${number(PER_SECOND)} events a second at most; tests that play the worker's own code
in simulated time hold both (tests/lib/webhooks/deliver/deliver.scale.test.ts). If the largest store's endpoint was down for ${LONGEST_HOURS} hours while its server
charged the first day's orders, ${number(waiting)} events wait, and are told ${number(minutes)} minutes after it is up. An endpoint that refuses for 24 hours is disabled, and
what it missed waits in the stream for 30 days.`;
}

/** On-demand's own word: a new table takes 4,000 writes a second, and twice the earlier peak. */
function throughput(limits: readonly Limit[]): string {
  const peakOf = (name: string) => limits.find((limit) => limit.name === name)?.peak ?? 0;
  const [writes, reads] = [peakOf('writes of the whole table'), peakOf('reads of the whole table')];
  const { warmThroughput } = readEnvironmentConfig('prod').config;
  const ofNew = writes / newTable.writeUnitsPerSecond;
  const warmed =
    warmThroughput === undefined
      ? 'nothing is warmed'
      : `production's table is warmed for ${number(warmThroughput.writeUnitsPerSecond)} and ${number(warmThroughput.readUnitsPerSecond)}`;
  return `**The table's throughput.** All of it together, webhooks in, marks, stream and deliveries included, asks for ${number(writes)} write units and
${number(reads)} read units at the worst second. A new on-demand table takes ${number(newTable.writeUnitsPerSecond)} write units a second: ${percent(ofNew)} of it.
${ofNew > 1 ? 'It does not fit without warming' : 'It fits'}; ${warmed}. On demand it then grows to twice what it has seen.`;
}

function monthInNumbers(month: Month): string {
  const of = worksOfSubscriber(month);
  const all = (each = 0) => number(month.customers * each);
  const { signIn = 0, refresh = 0, customerQuery = 0, customerChange = 0, pauseChange = 0, charge } = of;
  const changes = customerChange + pauseChange;
  return `| | |
|---|---|
| requests to headless-auth, customer-graphql | ${all(2 * signIn + refresh)}, ${all(customerQuery + changes)} |
| changes of customers, charges of servers | ${all(changes)}, ${all(charge)} |
| webhooks of the platform, deliveries to merchants | ${all(of.webhookIn)}, ${all(of.delivery)} |
| grants renewed before a request needed one | ${number((month.stores * month.days * 1440) / month.renewMinutes)} |`;
}

function assumptionRows(month: Month): string[] {
  return Object.entries(assumptions).map(
    ([name, { unit, source }]) => `| \`${name}\` | ${month[name as keyof Month]} | ${unit} | ${source} |`,
  );
}

function planText({ upToCustomers, pointsPerSecond }: (typeof platformPlans)[number]): string {
  const size = upToCustomers === Infinity ? 'above' : `up to ${number(upToCustomers)} customers`;
  return `${size} ${number(pointsPerSecond)}`;
}

function percent(share: number): string {
  return `${share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;
}

function number(value: number): string {
  return value < 100 ? `${Number(value.toFixed(1))}` : Math.round(value).toLocaleString('en-US');
}
