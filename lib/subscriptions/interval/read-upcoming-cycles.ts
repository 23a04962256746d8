/**
 * Reads all upcoming cycles of a contract for an interval change: each cycle may be skipped or moved, and the platform
 * cannot list only such cycles. Three pages are read together with the state. They contain all cycles, unless there are
 * more than about 500.
 */

import { awaitAll } from '../../domain/await-all.ts';
import { formatPlatformDate } from '../../domain/instant.ts';
import { parseTimeZone, type TimeZone, UTC } from '../../domain/time-zone.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { type BillingCycle, CYCLE_SELECTION } from '../cycles/billing-cycle.ts';
import type { UpcomingEdit } from '../cycles/upcoming-edits.ts';
import type { OperationDeps } from '../operation.ts';
import type { RootFieldReads } from '../read-contract-state.ts';
import type { Frequency } from '../selling-plans/frequency.ts';

type CyclePage = {
  readonly nodes: readonly BillingCycle[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

/** The pages that `upcomingCyclesSelection` selects. Null when the contract has no cycles. */
export type CyclePages = {
  readonly _svcNear: CyclePage | null;
  readonly _svcMiddle: CyclePage | null;
  readonly _svcFar: CyclePage | null;
};

/** The platform's maximum page size. */
const CYCLES_PAGE_SIZE = 250;
const DAY_MS = 86_400_000;
/**
 * Where the middle page starts. At a daily interval the first page covers 250 days, so the two pages overlap. At any
 * longer interval the middle page still contains the cycle that follows the first page.
 */
const MIDDLE_PAGE_START_MS = 240 * DAY_MS;
const FIFTY_YEARS_MS = 50 * 366 * DAY_MS;
const CYCLE_PAGE_SELECTION = `nodes { ${CYCLE_SELECTION} } pageInfo { hasNextPage endCursor }`;

/**
 * Builds the root fields of three pages: the first 250 upcoming cycles, 250 cycles from the date of the middle page
 * on, and the last 250 cycles.
 */
export function upcomingCyclesSelection(nowMs: number): RootFieldReads {
  const buildPageField = (alias: string, dateRangeVariable: string, orderArgument = '') =>
    `${alias}: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: ${dateRangeVariable}, first: ${CYCLES_PAGE_SIZE}${orderArgument}) { ${CYCLE_PAGE_SELECTION} }`;
  const rootTexts = [
    buildPageField('_svcNear', '$_svcAhead'),
    buildPageField('_svcMiddle', '$_svcLater'),
    buildPageField('_svcFar', '$_svcAhead', ', reverse: true'),
  ];
  const endDate = formatPlatformDate(nowMs + FIFTY_YEARS_MS);
  const toDateRange = (startMs: number) => ({ startDate: formatPlatformDate(startMs), endDate });
  return {
    rootFields: rootTexts.join(' '),
    declarations: ['$_svcAhead', '$_svcLater'].map(
      (name) => `${name}: SubscriptionBillingCyclesDateRangeSelector!`,
    ),
    variables: { _svcAhead: toDateRange(nowMs), _svcLater: toDateRange(nowMs + MIDDLE_PAGE_START_MS) },
  };
}

/**
 * Returns all upcoming cycles, sorted by index. If the pages leave a gap, sends one more request per 250 missing
 * cycles.
 */
export async function readAllUpcomingCycles(
  { sendToPlatform }: Pick<OperationDeps, 'sendToPlatform'>,
  contractId: string,
  { _svcNear: near, _svcMiddle: middle, _svcFar: far }: CyclePages,
): Promise<BillingCycle[]> {
  const foundCycles = sortUniqueByIndex([near, middle, far].flatMap((page) => page?.nodes ?? []));
  const positionAfterGap = foundCycles.findIndex(
    ({ cycleIndex }, index) => index > 0 && cycleIndex > indexBeforePage(foundCycles, index) + 1,
  );
  if (positionAfterGap === -1) return foundCycles;
  const indexRange = {
    startIndex: indexBeforePage(foundCycles, positionAfterGap) + 1,
    endIndex: (foundCycles[positionAfterGap]?.cycleIndex ?? 0) - 1,
  };
  const cyclesBetween = await readCyclePages(sendToPlatform, {
    contractId,
    range: { billingCyclesIndexRangeSelector: indexRange },
  });
  return sortUniqueByIndex([...foundCycles, ...cyclesBetween]);
}

function indexBeforePage(cycles: readonly BillingCycle[], index: number): number {
  return cycles[index - 1]?.cycleIndex ?? 0;
}

type CyclesOfEdits = {
  readonly cycles: BillingCycle[];
  /** The store's time zone. UTC if the runtime does not know the zone that the platform returned. */
  readonly timeZone: TimeZone;
  /** Null when the contract no longer exists. */
  readonly contract: { readonly status: string; readonly billingPolicy: Frequency } | null;
};

/**
 * After an interval change, reads the new cycles that may have the skips and moves in `edits`: the cycles up to the date
 * of the last edit, and those up to its index, because the platform may keep either. If a client chose which order is
 * next, also reads the cycles before that order, which have ended. Also reads the store's time zone and the contract's
 * billing policy. Sends one request if each list fits on one page.
 */
export async function readCyclesOfEdits(
  { sendToPlatform }: Pick<OperationDeps, 'sendToPlatform'>,
  {
    contractId,
    edits,
    nowMs,
  }: { readonly contractId: string; readonly edits: readonly UpcomingEdit[]; readonly nowMs: number },
): Promise<CyclesOfEdits> {
  const cycleIndexes = edits.map(({ cycleIndex }) => cycleIndex);
  // Add a day, because the store's day differs from the UTC day.
  const lastMs = Math.max(nowMs, ...edits.map(({ date }) => Date.parse(date))) + 2 * DAY_MS;
  const dateRange = { startDate: formatPlatformDate(nowMs), endDate: formatPlatformDate(lastMs) };
  const indexRange = { startIndex: Math.min(...cycleIndexes), endIndex: Math.max(...cycleIndexes) };
  const { data, errors } = await sendToPlatform({
    document: CYCLES_AFTER_CHANGE_DOCUMENT,
    variables: { _svcContractId: contractId, _svcDates: dateRange, _svcIndices: indexRange },
    mutates: false,
  });
  const shop = data?.shop as { readonly ianaTimezone: string } | null | undefined;
  const contract = (data?.contract ?? null) as CyclesOfEdits['contract'];
  if (errors.length > 0 || !shop) throw failedReadError('cycles', errors);
  const pagesOfLists = await awaitAll([
    readRemainingPages(sendToPlatform, data?.byDate, {
      contractId,
      range: { billingCyclesDateRangeSelector: dateRange },
    }),
    readRemainingPages(sendToPlatform, data?.byIndex, {
      contractId,
      range: { billingCyclesIndexRangeSelector: indexRange },
    }),
  ]);
  const foundCycles = sortUniqueByIndex(pagesOfLists.flat());
  const passedCycles = edits.some(({ isChosen }) => isChosen)
    ? indexRangeOfGap(foundCycles, indexRange.endIndex)
    : undefined;
  const cyclesBetween = passedCycles
    ? await readCyclePages(sendToPlatform, {
        contractId,
        range: { billingCyclesIndexRangeSelector: passedCycles },
      })
    : [];
  const timeZone = parseTimeZone(shop.ianaTimezone) ?? UTC;
  return { cycles: sortUniqueByIndex([...foundCycles, ...cyclesBetween]), timeZone, contract };
}

/** Returns the cycles between two instants that are at most 35 days apart. */
export async function readCyclesBetween(
  { sendToPlatform }: Pick<OperationDeps, 'sendToPlatform'>,
  {
    contractId,
    fromMs,
    toMs,
  }: { readonly contractId: string; readonly fromMs: number; readonly toMs: number },
): Promise<BillingCycle[]> {
  const dateRange = { startDate: formatPlatformDate(fromMs), endDate: formatPlatformDate(toMs) };
  const { data, errors } = await sendToPlatform({
    document: CYCLES_BETWEEN_DOCUMENT,
    variables: { _svcContractId: contractId, _svcDates: dateRange },
    mutates: false,
  });
  const page = data?.cycles as CyclePage | null | undefined;
  if (!page) throw failedReadError('cycles', errors);
  return [...page.nodes];
}

const CYCLES_BETWEEN_DOCUMENT = `query($_svcContractId: ID!, $_svcDates: SubscriptionBillingCyclesDateRangeSelector!) {
  cycles: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcDates, first: 50) { ${CYCLE_PAGE_SELECTION} }
}`;

/**
 * Returns the index range between the cycle `index` and the next cycle of the list: these cycles have already ended.
 * At a shorter new interval, the platform gives later cycle indexes dates in the past.
 * @returns undefined when there are no cycles in between
 */
function indexRangeOfGap(cycles: readonly BillingCycle[], index: number) {
  const nextIndex = cycles.find(({ cycleIndex }) => cycleIndex > index)?.cycleIndex ?? 0;
  return nextIndex > index + 1 ? { startIndex: index + 1, endIndex: nextIndex - 1 } : undefined;
}

const CYCLES_AFTER_CHANGE_DOCUMENT = `query($_svcContractId: ID!, $_svcDates: SubscriptionBillingCyclesDateRangeSelector!, $_svcIndices: SubscriptionBillingCyclesIndexRangeSelector!) {
  shop { ianaTimezone }
  contract: subscriptionContract(id: $_svcContractId) { status billingPolicy { interval intervalCount } }
  byDate: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcDates, first: ${CYCLES_PAGE_SIZE}) { ${CYCLE_PAGE_SELECTION} }
  byIndex: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesIndexRangeSelector: $_svcIndices, first: ${CYCLES_PAGE_SIZE}) { ${CYCLE_PAGE_SELECTION} }
}`;

const NEXT_CYCLES_PAGE_DOCUMENT = `query($_svcContractId: ID!, $_svcDates: SubscriptionBillingCyclesDateRangeSelector, $_svcIndices: SubscriptionBillingCyclesIndexRangeSelector, $_svcAfter: String) {
  cycles: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcDates, billingCyclesIndexRangeSelector: $_svcIndices, first: ${CYCLES_PAGE_SIZE}, after: $_svcAfter) { ${CYCLE_PAGE_SELECTION} }
}`;

type CycleRange = {
  readonly contractId: string;
  readonly range:
    | { readonly billingCyclesDateRangeSelector: object }
    | { readonly billingCyclesIndexRangeSelector: object };
};

/** Returns the cycles of this page and of all following pages. */
async function readRemainingPages(
  sendToPlatform: OperationDeps['sendToPlatform'],
  page: unknown,
  request: CycleRange,
): Promise<BillingCycle[]> {
  const { nodes, pageInfo } = page as CyclePage;
  return pageInfo.hasNextPage
    ? [...nodes, ...(await readCyclePages(sendToPlatform, request, pageInfo.endCursor))]
    : [...nodes];
}

async function readCyclePages(
  sendToPlatform: OperationDeps['sendToPlatform'],
  { contractId, range }: CycleRange,
  pageCursor: string | null = null,
): Promise<BillingCycle[]> {
  const selectors = { billingCyclesDateRangeSelector: null, billingCyclesIndexRangeSelector: null, ...range };
  const { data, errors } = await sendToPlatform({
    document: NEXT_CYCLES_PAGE_DOCUMENT,
    variables: {
      _svcContractId: contractId,
      _svcDates: selectors.billingCyclesDateRangeSelector,
      _svcIndices: selectors.billingCyclesIndexRangeSelector,
      _svcAfter: pageCursor,
    },
    mutates: false,
  });
  const page = data?.cycles as CyclePage | null | undefined;
  if (!page) throw failedReadError('cycles', errors);
  return readRemainingPages(sendToPlatform, page, { contractId, range });
}

/** Removes duplicate cycles, and sorts them by index. */
function sortUniqueByIndex(cycles: readonly BillingCycle[]): BillingCycle[] {
  const cycleByIndex = new Map(cycles.map((cycle) => [cycle.cycleIndex, cycle]));
  return [...cycleByIndex.values()].sort((one, other) => one.cycleIndex - other.cycleIndex);
}
