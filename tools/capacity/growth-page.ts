/** docs/growth.md: how near the busiest minutes of a month come to each limit. */
import { MAX_CONCURRENCY } from '../../lib/webhooks/deliver/endpoint-run.ts';
import { PROBE_INTERVAL_MS } from '../../lib/webhooks/deliver/health.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { markdownTable } from '../page-block.ts';
import { assumptions, type Month, platformPlans } from './assumptions.ts';
import { adminLimitsOf, type Limit, limitsOf, shareOf } from './limits.ts';
import { assumedOfRequests } from './measured.ts';
import { formatCount, pageWith, type Row, readPage } from './page-tables.ts';
import { dueOn, storesOf } from './peaks.ts';

const PAGE_FILE = 'docs/growth.md';
const NUMBER_OF_STORES = 10_000;
/** The table of sizes omits limits whose share is lower at every size. */
const NEAR_LIMIT_SHARE = 0.5;
/** How long the endpoint of the example was down. */
const DOWN_HOURS = 23;

/** Returns the page with computed tables. */
export function growthPage(month: Month): GeneratedFile {
  const limits = limitsOf(month);
  const sources = Object.entries(assumptions) as [keyof Month, { unit: string; source: string }][];
  return pageWith(PAGE_FILE, {
    verdict: verdictOf(limits).join('\n'),
    limits: limits.map(limitCells),
    servers: serverCells(month),
    'more-stores': sizesTable(month),
    reconciliation: reconciliationCells(month),
    assumptions: sources.map(([name, { unit, source }]) => [`\`${name}\``, month[name], unit, source]),
    plans: platformPlans.map(({ upToCustomers, pointsPerSecond }) => [
      upToCustomers === Infinity ? 'more' : `up to ${formatNumber(upToCustomers)}`,
      formatNumber(pointsPerSecond),
    ]),
  });
}

/**
 * Returns the texts that the page has for a limit.
 * @throws Error when it has none
 */
function limitTexts({ name }: Limit): { readonly when: string; readonly toDo: string } {
  const row = readPage(PAGE_FILE)
    .split('| Limit | When | Source | What to do |')[1]
    ?.split('\n')
    .map((line) => line.replace(/^\| | \|$/g, '').split(' | '))
    .find(([limit]) => limit === name);
  if (row === undefined)
    throw new Error(`${PAGE_FILE} needs a row for the limit ${name} below "What to do".`);
  return { when: row[1] ?? '', toDo: row[3] ?? '' };
}

/** Returns the verdict, for a terminal and for the page. */
export function verdictOf(limits: readonly Limit[]): string[] {
  const [nearest] = limits;
  const byLoad = limits.find(({ kind }) => kind === undefined);
  if (nearest === undefined || byLoad === undefined) throw new Error('There is no limit.');
  const over = limits.filter((limit) => shareOf(limit) > 1).map(({ name }) => name);
  const share = shareOf(byLoad);
  const fits = `Everything fits. Of the limits that grow with the load, the nearest is ${byLoad.name}: ${formatPercent(share)} now, and full at ${(1 / share).toFixed(1)} times the load.`;
  // Every limit must have its texts, so that the nearest has them, too.
  const [texts] = limits.map(limitTexts);
  return [
    `Nearest to its limit: ${nearest.name}, at ${formatPercent(shareOf(nearest))} of it (${texts?.when}).`,
    `What to do: ${texts?.toDo}`,
    over.length > 0 ? `Over their limits: ${over.join('; ')}.` : fits,
  ];
}

/** Returns the cells of a limit, for a terminal and for the page. */
export function limitCells(limit: Limit): string[] {
  const peak = `${formatNumber(limit.peak)} ${limit.unit}`;
  return [limit.name, peak, formatNumber(limit.limit), formatPercent(shareOf(limit))];
}

/** The shares of the limits at this size and at larger sizes. */
function sizesTable(month: Month): string {
  const more = { ...month, stores: NUMBER_OF_STORES };
  const sizes = [month, more, { ...more, customers: 10 * month.customers }];
  const shares = sizes.map((size) => new Map(limitsOf(size).map((limit) => [limit.name, shareOf(limit)])));
  const rows = limitsOf(month)
    .map(({ name }) => ({ name, shares: shares.map((all) => all.get(name) ?? 0) }))
    .filter((row) => Math.max(...row.shares.slice(1)) >= NEAR_LIMIT_SHARE)
    .map((row) => [row.name, ...row.shares.map(formatPercent)]);
  const head = sizes.map(
    ({ stores, customers }) => `${formatNumber(stores)} stores, ${formatNumber(customers)} customers`,
  );
  return markdownTable(['Limit', ...head], rows);
}

/** The load of servers that start together, or have several concurrent charges. */
function serverCells(month: Month): Row[] {
  const profiles = [true, false].flatMap((isSpread) =>
    [1, 3].map((concurrency) => ({ isSpread, concurrency })),
  );
  return profiles.map((profile) => {
    const limits = adminLimitsOf(month, profile);
    const rejected = Math.max(0, ...limits.map((limit) => 1 - 1 / shareOf(limit)));
    return [
      profile.isSpread ? `over ${month.billingSpreadMinutes} minutes` : 'at the same second',
      profile.concurrency,
      ...limits.flatMap((limit) => [formatNumber(limit.peak), formatPercent(shareOf(limit))]),
      rejected === 0 ? 'nothing' : formatPercent(rejected),
    ];
  });
}

function reconciliationCells(month: Month): Row[] {
  const [{ customers }] = storesOf(month);
  const charged = customers * month.ordersPerCustomer * dueOn(month).first;
  const changed = (customers * month.otherOpenings * month.otherChanges * DOWN_HOURS) / month.days / 24;
  // The endpoint responds as fast as the platform does.
  const perSecond = MAX_CONCURRENCY / (assumedOfRequests.platformMs / 1000);
  const probeMinutes = PROBE_INTERVAL_MS / 60_000;
  const backlog = charged + changed;
  const minutes = probeMinutes + backlog / perSecond / 60;
  return [
    ['contracts of the largest store', formatNumber(customers)],
    ['minutes until an endpoint that is reachable again is probed, at most', formatNumber(probeMinutes)],
    ['events a second from its backlog, at most', formatNumber(perSecond)],
    ['events of the backlog', formatNumber(backlog)],
    ['minutes until they are delivered', formatNumber(minutes)],
  ];
}

function formatPercent(share: number): string {
  return `${share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;
}

function formatNumber(value: number): string {
  return value < 100 ? `${Number(value.toFixed(1))}` : formatCount(value);
}
