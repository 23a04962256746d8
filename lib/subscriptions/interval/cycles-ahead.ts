/**
 * A change of the interval needs all of a contract's cycles ahead: an edit may lie on any, and the platform cannot be
 * asked for edited ones alone. Three pages are read with the state; together they hold all that can be named, unless
 * that is more than 500.
 */

import { dateText } from '../../domain/instant.ts';
import { settleAll } from '../../domain/settle-all.ts';
import { parseTimeZone, type TimeZone, UTC } from '../../domain/time-zone.ts';
import { unanswered } from '../../platform/admin-api/missing-access.ts';
import { type BillingCycle, CYCLE_FIELDS } from '../cycles/billing-cycle.ts';
import type { EditAhead } from '../cycles/edits-ahead.ts';
import type { OperationDeps } from '../operation.ts';
import type { StateSelection } from '../read-contract-state.ts';
import type { Rhythm } from '../selling-plans/rhythm.ts';

type CyclePage = {
  readonly nodes: readonly BillingCycle[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

/** The pages that the roots of `cyclesAhead` bring; null: the contract has no cycles. */
export type CyclePages = {
  readonly _svcNear: CyclePage | null;
  readonly _svcMiddle: CyclePage | null;
  readonly _svcFar: CyclePage | null;
};

/** The platform gives no more at once. */
const PAGE = 250;
const DAY_MS = 86_400_000;
/** A page from then on joins the first one, however short the interval is, and holds the 251st cycle of any. */
const MIDDLE_MS = 240 * DAY_MS;
const FIFTY_YEARS_MS = 50 * 366 * DAY_MS;
const CYCLES = `nodes { ${CYCLE_FIELDS} } pageInfo { hasNextPage endCursor }`;

/** Roots that bring the first 250 cycles from now on, 250 of the middle, and the last 250. */
export function cyclesAhead(nowMs: number): Required<Omit<StateSelection, 'contract' | 'mayBeDenied'>> {
  const root = (alias: string, dates: string, order = '') =>
    `${alias}: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: ${dates}, first: ${PAGE}${order}) { ${CYCLES} }`;
  const roots = [
    root('_svcNear', '$_svcAhead'),
    root('_svcMiddle', '$_svcLater'),
    root('_svcFar', '$_svcAhead', ', reverse: true'),
  ];
  const endDate = dateText(nowMs + FIFTY_YEARS_MS);
  const dates = (startMs: number) => ({ startDate: dateText(startMs), endDate });
  return {
    roots: roots.join(' '),
    declarations: ['$_svcAhead', '$_svcLater'].map(
      (name) => `${name}: SubscriptionBillingCyclesDateRangeSelector!`,
    ),
    variables: { _svcAhead: dates(nowMs), _svcLater: dates(nowMs + MIDDLE_MS) },
  };
}

/** All cycles ahead, by index. One more request for each 250 that the pages leave out. */
export async function allCycles(
  { ask }: Pick<OperationDeps, 'ask'>,
  contractId: string,
  { _svcNear: near, _svcMiddle: middle, _svcFar: far }: CyclePages,
): Promise<BillingCycle[]> {
  const found = byIndex([near, middle, far].flatMap((page) => page?.nodes ?? []));
  const gap = found.findIndex(({ cycleIndex }, at) => at > 0 && cycleIndex > indexBefore(found, at) + 1);
  if (gap === -1) return found;
  const range = {
    startIndex: indexBefore(found, gap) + 1,
    endIndex: (found[gap]?.cycleIndex ?? 0) - 1,
  };
  const between = await pages(ask, { contractId, range: { billingCyclesIndexRangeSelector: range } });
  return byIndex([...found, ...between]);
}

function indexBefore(cycles: readonly BillingCycle[], at: number): number {
  return cycles[at - 1]?.cycleIndex ?? 0;
}

type CyclesOfEdits = {
  readonly cycles: BillingCycle[];
  /** The store's; UTC if this runtime does not know it. */
  readonly timeZone: TimeZone;
  /** Null: the contract is not there any more. */
  readonly contract: { readonly status: string; readonly billingPolicy: Rhythm } | null;
};

/**
 * The cycles after a change as far as the edits lay, by date and by index: an edit may have stayed with either.
 * With the store's time zone and the contract's policy; one request, if they fit on a page each. Where an order was chosen to
 * be the next one, those that have ended before it belong to them, too.
 */
export async function cyclesOfEdits(
  { ask }: Pick<OperationDeps, 'ask'>,
  {
    contractId,
    edits,
    nowMs,
  }: { readonly contractId: string; readonly edits: readonly EditAhead[]; readonly nowMs: number },
): Promise<CyclesOfEdits> {
  const indices = edits.map(({ cycleIndex }) => cycleIndex);
  // A day more, because the store's day is not that of UTC.
  const lastMs = Math.max(nowMs, ...edits.map(({ date }) => Date.parse(date))) + 2 * DAY_MS;
  const dates = { startDate: dateText(nowMs), endDate: dateText(lastMs) };
  const indexRange = { startIndex: Math.min(...indices), endIndex: Math.max(...indices) };
  const { data, errors } = await ask({
    document: AFTER,
    variables: { _svcContractId: contractId, _svcDates: dates, _svcIndices: indexRange },
    mutates: false,
  });
  const shop = data?.shop as { readonly ianaTimezone: string } | null | undefined;
  const contract = (data?.contract ?? null) as CyclesOfEdits['contract'];
  if (errors.length > 0 || !shop) throw unanswered('cycles', errors);
  const more = await settleAll([
    rest(ask, data?.byDate, { contractId, range: { billingCyclesDateRangeSelector: dates } }),
    rest(ask, data?.byIndex, { contractId, range: { billingCyclesIndexRangeSelector: indexRange } }),
  ]);
  const found = byIndex(more.flat());
  const passed = edits.some(({ isChosen }) => isChosen) ? gapAfter(found, indexRange.endIndex) : undefined;
  const between = passed
    ? await pages(ask, { contractId, range: { billingCyclesIndexRangeSelector: passed } })
    : [];
  const timeZone = parseTimeZone(shop.ianaTimezone) ?? UTC;
  return { cycles: byIndex([...found, ...between]), timeZone, contract };
}

/** The cycles that follow the last edit and have ended by now: a short interval can be counted into the past. */
function gapAfter(cycles: readonly BillingCycle[], index: number) {
  const next = cycles.find(({ cycleIndex }) => cycleIndex > index)?.cycleIndex ?? 0;
  return next > index + 1 ? { startIndex: index + 1, endIndex: next - 1 } : undefined;
}

const AFTER = `query($_svcContractId: ID!, $_svcDates: SubscriptionBillingCyclesDateRangeSelector!, $_svcIndices: SubscriptionBillingCyclesIndexRangeSelector!) {
  shop { ianaTimezone }
  contract: subscriptionContract(id: $_svcContractId) { status billingPolicy { interval intervalCount } }
  byDate: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcDates, first: ${PAGE}) { ${CYCLES} }
  byIndex: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesIndexRangeSelector: $_svcIndices, first: ${PAGE}) { ${CYCLES} }
}`;

const NEXT = `query($_svcContractId: ID!, $_svcDates: SubscriptionBillingCyclesDateRangeSelector, $_svcIndices: SubscriptionBillingCyclesIndexRangeSelector, $_svcAfter: String) {
  cycles: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcDates, billingCyclesIndexRangeSelector: $_svcIndices, first: ${PAGE}, after: $_svcAfter) { ${CYCLES} }
}`;

type Range = {
  readonly contractId: string;
  readonly range:
    | { readonly billingCyclesDateRangeSelector: object }
    | { readonly billingCyclesIndexRangeSelector: object };
};

/** A page that was read, and those after it. */
async function rest(ask: OperationDeps['ask'], page: unknown, request: Range): Promise<BillingCycle[]> {
  const { nodes, pageInfo } = page as CyclePage;
  return pageInfo.hasNextPage ? [...nodes, ...(await pages(ask, request, pageInfo.endCursor))] : [...nodes];
}

async function pages(
  ask: OperationDeps['ask'],
  { contractId, range }: Range,
  after: string | null = null,
): Promise<BillingCycle[]> {
  const selectors = { billingCyclesDateRangeSelector: null, billingCyclesIndexRangeSelector: null, ...range };
  const { data, errors } = await ask({
    document: NEXT,
    variables: {
      _svcContractId: contractId,
      _svcDates: selectors.billingCyclesDateRangeSelector,
      _svcIndices: selectors.billingCyclesIndexRangeSelector,
      _svcAfter: after,
    },
    mutates: false,
  });
  const page = data?.cycles as CyclePage | null | undefined;
  if (!page) throw unanswered('cycles', errors);
  return rest(ask, page, { contractId, range });
}

/** Each once, in the order of their indices. */
function byIndex(cycles: readonly BillingCycle[]): BillingCycle[] {
  const unique = new Map(cycles.map((cycle) => [cycle.cycleIndex, cycle]));
  return [...unique.values()].sort((one, other) => one.cycleIndex - other.cycleIndex);
}
