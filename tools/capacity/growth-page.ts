/** docs/growth.md: how near the busiest minutes of a month come to each limit. */

import { PROBE_INTERVAL_MS } from '../../lib/webhooks/deliver/endpoint-health.ts';
import { MAX_CONCURRENT_ATTEMPTS } from '../../lib/webhooks/deliver/endpoint-run.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { formatMarkdownTable } from '../page-block.ts';
import { assumptions, type MonthAssumptions, PLATFORM_PLANS } from './assumptions.ts';
import { computeAdminLimits, computeLimits, computeUsedShare, type LimitWithPeak } from './limits.ts';
import { REQUEST_ASSUMPTIONS } from './measured.ts';
import { formatCount, type PageTableRow, readPage, replacePageTables } from './page-tables.ts';
import { computeDueShares, distributeStores } from './peaks.ts';

const PAGE_FILE = 'docs/growth.md';
const GROWN_STORE_COUNT = 10_000;
/** The table of sizes omits limits whose share is lower at every size. */
const NEAR_LIMIT_SHARE = 0.5;
/** How long the endpoint of the example was down. */
const ENDPOINT_DOWN_HOURS = 23;

/** Returns the page with computed tables. */
export function generateGrowthPage(month: MonthAssumptions): GeneratedFile {
  const loadLimits = computeLimits(month);
  const assumptionEntries = Object.entries(assumptions) as [
    keyof MonthAssumptions,
    { unit: string; source: string },
  ][];
  return replacePageTables(PAGE_FILE, {
    verdict: formatVerdict(loadLimits).join('\n'),
    limits: loadLimits.map(formatLimitCells),
    servers: listServerRows(month),
    'more-stores': formatSizesTable(month),
    reconciliation: listReconciliationRows(month),
    assumptions: assumptionEntries.map(([name, { unit, source }]) => [
      `\`${name}\``,
      month[name],
      unit,
      source,
    ]),
    plans: PLATFORM_PLANS.map(({ upToCustomers, pointsPerSecond }) => [
      upToCustomers === Infinity ? 'more' : `up to ${formatNumber(upToCustomers)}`,
      formatNumber(pointsPerSecond),
    ]),
  });
}

/**
 * Returns the texts that the page has for a limit.
 * @throws Error when it has none
 */
function findLimitTexts({ name }: LimitWithPeak): { readonly when: string; readonly toDo: string } {
  const limitRow = readPage(PAGE_FILE)
    .split('| Limit | When | Source | What to do |')[1]
    ?.split('\n')
    .map((line) => line.replace(/^\| | \|$/g, '').split(' | '))
    .find(([limit]) => limit === name);
  if (limitRow === undefined)
    throw new Error(`${PAGE_FILE} needs a row for the limit ${name} below "What to do".`);
  return { when: limitRow[1] ?? '', toDo: limitRow[3] ?? '' };
}

/** Returns the verdict, for a terminal and for the page. */
export function formatVerdict(limits: readonly LimitWithPeak[]): string[] {
  const [nearestLimit] = limits;
  const nearestGrowingLimit = limits.find(({ kind }) => kind === undefined);
  if (nearestLimit === undefined || nearestGrowingLimit === undefined) throw new Error('There is no limit.');
  const exceededLimits = limits.filter((limit) => computeUsedShare(limit) > 1).map(({ name }) => name);
  const usedShare = computeUsedShare(nearestGrowingLimit);
  const conclusionText = `Everything fits. Of the limits that grow with the load, the nearest is ${nearestGrowingLimit.name}: ${formatPercent(usedShare)} now, and full at ${(1 / usedShare).toFixed(1)} times the load.`;
  // Every limit must have its texts, so that the nearest has them, too.
  const [texts] = limits.map(findLimitTexts);
  return [
    `Nearest to its limit: ${nearestLimit.name}, at ${formatPercent(computeUsedShare(nearestLimit))} of it (${texts?.when}).`,
    `What to do: ${texts?.toDo}`,
    exceededLimits.length > 0 ? `Over their limits: ${exceededLimits.join('; ')}.` : conclusionText,
  ];
}

/** Returns the cells of a limit, for a terminal and for the page. */
export function formatLimitCells(limit: LimitWithPeak): string[] {
  const peak = `${formatNumber(limit.peak)} ${limit.unit}`;
  return [limit.name, peak, formatNumber(limit.limit), formatPercent(computeUsedShare(limit))];
}

/** The shares of the limits at this size and at larger sizes. */
function formatSizesTable(month: MonthAssumptions): string {
  const grownMonth = { ...month, stores: GROWN_STORE_COUNT };
  const monthSizes = [month, grownMonth, { ...grownMonth, customers: 10 * month.customers }];
  const usedShares = monthSizes.map(
    (size) => new Map(computeLimits(size).map((limit) => [limit.name, computeUsedShare(limit)])),
  );
  const limitRows = computeLimits(month)
    .map(({ name }) => ({ name, shares: usedShares.map((shareByLimit) => shareByLimit.get(name) ?? 0) }))
    .filter((row) => Math.max(...row.shares.slice(1)) >= NEAR_LIMIT_SHARE)
    .map((row) => [row.name, ...row.shares.map(formatPercent)]);
  const head = monthSizes.map(
    ({ stores, customers }) => `${formatNumber(stores)} stores, ${formatNumber(customers)} customers`,
  );
  return formatMarkdownTable(['Limit', ...head], limitRows);
}

/** The load of servers that start together, or have several concurrent charges. */
function listServerRows(month: MonthAssumptions): PageTableRow[] {
  const loadProfiles = [true, false].flatMap((isSpread) =>
    [1, 3].map((concurrency) => ({ isSpread, concurrency })),
  );
  return loadProfiles.map((profile) => {
    const adminLimits = computeAdminLimits(month, profile);
    const rejectedShare = Math.max(0, ...adminLimits.map((limit) => 1 - 1 / computeUsedShare(limit)));
    return [
      profile.isSpread ? `over ${month.billingSpreadMinutes} minutes` : 'at the same second',
      profile.concurrency,
      ...adminLimits.flatMap((limit) => [formatNumber(limit.peak), formatPercent(computeUsedShare(limit))]),
      rejectedShare === 0 ? 'nothing' : formatPercent(rejectedShare),
    ];
  });
}

function listReconciliationRows(month: MonthAssumptions): PageTableRow[] {
  const [{ customers }] = distributeStores(month);
  const chargedOrderCount = customers * month.ordersPerCustomer * computeDueShares(month).first;
  const changedContractCount =
    (customers * month.otherOpenings * month.otherChanges * ENDPOINT_DOWN_HOURS) / month.days / 24;
  // The endpoint responds as fast as the platform does.
  const attemptsPerSecond = MAX_CONCURRENT_ATTEMPTS / (REQUEST_ASSUMPTIONS.platformMs / 1000);
  const probeMinutes = PROBE_INTERVAL_MS / 60_000;
  const backlogItemCount = chargedOrderCount + changedContractCount;
  const backlogMinutes = probeMinutes + backlogItemCount / attemptsPerSecond / 60;
  return [
    ['contracts of the largest store', formatNumber(customers)],
    ['minutes until an endpoint that is reachable again is probed, at most', formatNumber(probeMinutes)],
    ['events a second from its backlog, at most', formatNumber(attemptsPerSecond)],
    ['events of the backlog', formatNumber(backlogItemCount)],
    ['minutes until they are delivered', formatNumber(backlogMinutes)],
  ];
}

function formatPercent(share: number): string {
  return `${share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;
}

function formatNumber(value: number): string {
  return value < 100 ? `${Number(value.toFixed(1))}` : formatCount(value);
}
