/** docs/growth.md: how near the busiest minutes of a month come to each limit. */

import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { newTable } from '../../infra/definition/table-definition.ts';
import { MAX_CONCURRENCY } from '../../lib/webhooks/deliver/endpoint-run.ts';
import { PROBE_MS } from '../../lib/webhooks/deliver/health.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { assumptions, type Month, platformPlans } from './assumptions.ts';
import { adminLimitsOf, type Limit, limitsOf, longestReconciliationHours, shareOf } from './limits.ts';
import { assumedOfRequests } from './measured.ts';
import { count, pageWith, table } from './page-tables.ts';
import { busiestMinuteOfNotices, chargesPerSecond, dueOn, serversSecond, storesOf } from './peaks.ts';
import { worksOfSubscriber } from './store-month.ts';

/** What merchant-servers.md asks of a server. */
const PROFILE = { isSpread: true, concurrency: 1 };
const WHEN: Readonly<Record<Limit['when'], string>> = {
  notices: 'while notices are opened',
  charges: 'while servers charge',
  night: 'in the night',
  'any time': 'at any time',
};

const STORES = 10_000;
/** A limit whose share stays below this at every size is left out of the table of sizes. */
const NEAR = 0.5;
/** How long the endpoint of the example was down. */
const DOWN_HOURS = 23;

/** The page, with its tables computed. */
export function growthFiles(month: Month): GeneratedFile[] {
  const limits = limitsOf(month);
  const [instances, throttle] = adminLimitsOf(month, PROFILE);
  const tables = {
    verdict: verdictOf(limits).join('\n'),
    limits: table(
      limits.map((limit) => [...limitCells(limit), limit.source]),
      ['Limit', 'Most requested', 'Limit', 'Share', 'When', 'Source'],
    ),
    'to-do': limits
      .slice(0, 6)
      .map(({ name, toDo }) => `- **${name}**: ${toDo}`)
      .join('\n'),
    servers: table(serverCells(month), [
      ...['Servers begin', 'concurrent charges of each', 'charges/s of each', 'instances'],
      ...[`of ${number(instances.limit)}`, 'requests/s', `of ${number(throttle.limit)}`, 'refused at first'],
    ]),
    'more-stores': sizesTable(month),
    reconciliation: table(reconciliationCells(month)),
    throughput: table(throughputCells(limits), ['', 'write units/s', 'read units/s']),
    month: table(monthCells(month)),
    assumptions: table(
      Object.entries(assumptions).map(([name, { unit, source }]) => [
        ...[`\`${name}\``, month[name as keyof Month], unit, source],
      ]),
      ['', 'Value', 'Unit', 'Source'],
    ),
    plans: table(
      platformPlans.map(({ upToCustomers, pointsPerSecond }) => [
        upToCustomers === Infinity ? 'more' : `up to ${number(upToCustomers)}`,
        number(pointsPerSecond),
      ]),
      ['customers', 'points a second'],
    ),
    peaks: table([
      ['of the openings by notices, in the busiest minute', percent(busiestMinuteOfNotices(month))],
      ['servers that charge at the same time', number(serversSecond(month, PROFILE).servers)],
    ]),
  };
  return [pageWith('docs/growth.md', tables)];
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

/** The cells of one limit, for a terminal and for the page. */
export function limitCells(limit: Limit): string[] {
  const peak = `${number(limit.peak)} ${limit.unit}`;
  return [limit.name, peak, number(limit.limit), percent(shareOf(limit)), WHEN[limit.when]];
}

/** The shares of the limits at this size and at larger ones. */
function sizesTable(month: Month): string {
  const sizes = [
    month,
    { ...month, stores: STORES },
    { ...month, stores: STORES, customers: 10 * month.customers },
  ];
  const shares = sizes.map((size) => new Map(limitsOf(size).map((limit) => [limit.name, shareOf(limit)])));
  const rows = limitsOf(month)
    .map(({ name }) => ({ name, shares: shares.map((all) => all.get(name) ?? 0) }))
    .filter((row) => Math.max(...row.shares.slice(1)) >= NEAR)
    .map((row) => [row.name, ...row.shares.map(percent)]);
  const head = sizes.map(
    ({ stores, customers }) => `${number(stores)} stores, ${number(customers)} customers`,
  );
  return table(rows, ['Limit', ...head]);
}

/** The load of servers that begin together, or have several concurrent charges. */
function serverCells(month: Month): string[][] {
  const profiles = [true, false].flatMap((isSpread) =>
    [1, 3].map((concurrency) => ({ isSpread, concurrency })),
  );
  return profiles.map((profile) => {
    const limits = adminLimitsOf(month, profile);
    const refused = Math.max(0, ...limits.map((limit) => 1 - 1 / shareOf(limit)));
    return [
      profile.isSpread ? `over ${month.billingSpreadMinutes} minutes` : 'at the same second',
      `${profile.concurrency}`,
      number(chargesPerSecond(month, profile.concurrency)),
      ...limits.flatMap((limit) => [number(limit.peak), percent(shareOf(limit))]),
      refused === 0 ? 'nothing' : percent(refused),
    ];
  });
}

function reconciliationCells(month: Month): [string, string][] {
  const [{ customers } = { customers: 0 }] = storesOf(month);
  const charged = customers * month.ordersPerCustomer * dueOn(month).first;
  const changed = (customers * month.otherOpenings * month.otherChanges * DOWN_HOURS) / month.days / 24;
  // The endpoint responds as fast as the platform does.
  const perSecond = MAX_CONCURRENCY / (assumedOfRequests.platformMs / 1000);
  const probeMinutes = PROBE_MS / 60_000;
  const backlog = charged + changed;
  return [
    ['contracts of the largest store', number(customers)],
    [`hours of its reconciliation, of ${month.nightlyHours}`, number(longestReconciliationHours(month))],
    ['minutes until an endpoint that is reachable again is probed, at most', number(probeMinutes)],
    ['events a second from its backlog, at most', number(perSecond)],
    ['events of the backlog', number(backlog)],
    ['minutes until they are delivered', number(probeMinutes + backlog / perSecond / 60)],
  ];
}

function throughputCells(limits: readonly Limit[]): string[][] {
  const peakOf = (name: string) => limits.find((limit) => limit.name === name)?.peak ?? 0;
  const [writes, reads] = [peakOf('writes of the whole table'), peakOf('reads of the whole table')];
  const { warmThroughput = newTable } = readEnvironmentConfig('prod').config;
  const units = (of: Record<keyof typeof newTable, number>) => [
    ...[number(of.writeUnitsPerSecond), number(of.readUnitsPerSecond)],
  ];
  return [
    ['requested', number(writes), number(reads)],
    ['accepted by a new on-demand table', ...units(newTable)],
    ['share of a new table', percent(writes / newTable.writeUnitsPerSecond), ''],
    ['accepted by production’s table, which is warmed', ...units(warmThroughput)],
  ];
}

function monthCells(month: Month): [string, string][] {
  const of = worksOfSubscriber(month);
  const all = (...counts: readonly (number | undefined)[]) =>
    number(month.customers * counts.reduce<number>((sum, each = 0) => sum + each, 0));
  const changes = [of.customerChange, of.pauseChange];
  return [
    ['requests to headless-auth', all(of.signIn, of.signIn, of.refresh)],
    ['requests to customer-graphql', all(of.customerQuery, ...changes)],
    ['changes of customers', all(...changes)],
    ['charges of servers', all(of.charge)],
    ['webhooks of the platform', all(of.webhookIn)],
    ['deliveries to merchants', all(of.delivery)],
    [
      'grants renewed before a request needed one',
      number((month.stores * month.days * 1440) / month.renewMinutes),
    ],
  ];
}

function percent(share: number): string {
  return `${share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;
}

function number(value: number): string {
  return value < 100 ? `${Number(value.toFixed(1))}` : count(value);
}
