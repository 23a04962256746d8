/**
 * The first step of a run: finds the orders of the day, and those that earlier runs may have missed. Each order gets a
 * charge and a line of the run, before the first attempt is made. It may be killed at any point, and continues at the
 * run's cursor.
 */
import { awaitAll } from '../../domain/await-all.ts';
import { isoDayIn, localTimeToEpochMs, type TimeZone } from '../../domain/time-zone.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { isDerivedIdempotencyKey } from '../../subscriptions/charge/find-existing-attempt.ts';
import { parseContractRef } from '../../subscriptions/contract-ref.ts';
import type { Money } from '../../subscriptions/order-content.ts';
import { classifyDecline } from '../../timeline/decline-class.ts';
import { computeOrderAmounts } from '../preview/compute-order-amounts.ts';
import { type BillingCharge, isReopened, withChargeChange } from '../records/charge-record.ts';
import type { BillingCharges } from '../records/charges.ts';
import type { BillingRun, BillingRunLine } from '../records/run-record.ts';
import type { BillingRuns } from '../records/runs.ts';
import { endOfDayMs } from '../settings/run-times.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { endOfStricterChecks } from './decide-order.ts';
import {
  awaitSearch,
  type FoundOrder,
  type OrderSearch,
  readFoundPage,
  type SearchDeps,
  startSearch,
} from './search-orders.ts';
import { mayHaveStepPrice } from './set-step-prices.ts';

export type FindDeps = SearchDeps & { readonly charges: BillingCharges; readonly runs: BillingRuns };

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** Where finding orders continues: the index in `listSearches`, the platform's job, and the cursor of the next page. */
type FindCursor = { readonly search: number; readonly job?: string; readonly after?: string };

/**
 * Continues finding orders until `turn.endAtMs`.
 * @returns the run with its new cursor; `isEverythingFound` tells whether the step is over
 * @throws the errors of the Admin API client, TEMPORARILY_UNAVAILABLE
 */
export async function findOrders(
  deps: FindDeps,
  turn: BillingTurn,
  runAtStart: BillingRun,
): Promise<BillingRun> {
  const runSearches = listSearches(turn, runAtStart);
  let run = runAtStart;
  for (;;) {
    const cursor = (run.cursor as FindCursor | undefined) ?? { search: 0 };
    const search = runSearches[cursor.search];
    if (search === undefined) return run;
    if (deps.now() >= turn.endAtMs) return run;
    const nextCursor = await continueSearch(deps, turn, { run, search, cursor });
    if (nextCursor === undefined) return run;
    const writtenRun = await deps.runs.replace(run, { ...run, cursor: nextCursor });
    // Another process has changed the run, so it is read again.
    if (writtenRun === 'refused') return run;
    run = writtenRun;
  }
}

/** Whether all searches of the run are done. */
export function isEverythingFound(turn: BillingTurn, run: BillingRun): boolean {
  const cursor = run.cursor as FindCursor | undefined;
  return cursor !== undefined && cursor.search >= listSearches(turn, run).length;
}

type RunSearch = OrderSearch & { readonly isOlderWeek?: boolean; readonly isForLostCharges?: boolean };

/**
 * Lists the searches of a run: the unbilled orders of the two weeks that end with the run's day, but at most 24 h after
 * the run's start. In a store's first 35 days also the day's billed orders, to find payments that others have made. After
 * the table was restored also the billed orders of the two weeks, to find charges that it has lost.
 */
function listSearches(turn: Pick<BillingTurn, 'settings' | 'store'>, run: BillingRun): RunSearch[] {
  const timeZone = timeZoneOf(turn.store);
  const toMs = Math.min(endOfDayMs(timeZone, run.date) - 1000, run.startedAtMs + DAY_MS);
  const stricterChecksEnd = endOfStricterChecks(turn.settings);
  const hasStricterChecks = stricterChecksEnd !== undefined && run.date < stricterChecksEnd;
  const dayStartMs = startOfDayMs(timeZone, run.date);
  const weeks = [
    { fromMs: toMs - WEEK_MS, toMs },
    { fromMs: toMs - 2 * WEEK_MS, toMs: toMs - WEEK_MS - 1000, isOlderWeek: true },
  ];
  return [
    ...weeks.map((week) => ({ ...week, status: 'UNBILLED' as const })),
    ...(hasStricterChecks && dayStartMs < toMs
      ? [{ fromMs: dayStartMs, toMs, status: 'BILLED' } as const]
      : []),
    ...(isFirstAfterRestore(turn.store, run)
      ? weeks.map((week) => ({ ...week, status: 'BILLED', isForLostCharges: true }) as const)
      : []),
  ];
}

/** Whether the run was finding orders when the table was restored, or is the first one after it. */
function isFirstAfterRestore({ restoredAtMs }: BillingTurn['store'], { startedAtMs }: BillingRun): boolean {
  return restoredAtMs !== undefined && startedAtMs < restoredAtMs + DAY_MS;
}

function startOfDayMs(timeZone: TimeZone, day: string): number {
  return localTimeToEpochMs(timeZone, { day, secondOfDay: 0 });
}

type SearchStep = {
  readonly run: BillingRun;
  readonly search: RunSearch;
  readonly cursor: FindCursor;
};

/** Starts the search's job, or reads its next page. Returns the next cursor; undefined when the job outlasts the turn. */
async function continueSearch(
  deps: FindDeps,
  turn: BillingTurn,
  { run, search, cursor }: SearchStep,
): Promise<FindCursor | undefined> {
  if (cursor.job === undefined) {
    return { search: cursor.search, job: await startSearch(deps, turn, search) };
  }
  const restartedCursor = { search: cursor.search };
  if (cursor.after === undefined) {
    const searchState = await awaitSearch(deps, turn, cursor.job);
    if (searchState !== 'done') return searchState === 'lost' ? restartedCursor : undefined;
  }
  const afterCursor = cursor.after ?? null;
  const page = await readFoundPage(deps, turn, {
    job: cursor.job,
    after: afterCursor,
    status: search.status,
  });
  if (page === 'lost') return restartedCursor;
  await awaitAll(page.orders.map((order) => storeFoundOrder(deps, turn, { run, search, order })));
  return page.nextCursor === undefined
    ? { search: cursor.search + 1 }
    : { search: cursor.search, job: cursor.job, after: page.nextCursor };
}

type FoundInRun = {
  readonly run: BillingRun;
  readonly search: RunSearch;
  readonly order: FoundOrder;
};

/** Stores a charge and a line for an order that the run takes up. */
async function storeFoundOrder(
  deps: FindDeps,
  { store, settings }: BillingTurn,
  { run, search, order }: FoundInRun,
): Promise<void> {
  const contract = parseContractRef(store.shopId, order.sourceContract.id);
  const expectedAtMs = Date.parse(order.billingAttemptExpectedDate);
  if (contract === undefined || settings.startsOn === undefined) return;
  if (isoDayIn(timeZoneOf(store), expectedAtMs) < settings.startsOn) return;
  const knownCharge = await deps.charges.find({ ...contract, cycleIndex: order.cycleIndex });
  const foundCharge: FoundCharge = {
    ...contract,
    ...{ cycleIndex: order.cycleIndex, expectedAtMs, runDate: run.date, foundAtMs: deps.now() },
    ...findUpdateWithoutSteps(order, deps.now()),
    ...(search.isOlderWeek && { isFoundInOlderWeek: true }),
    ...{ state: 'DUE', failedTryCount: 0 },
  };
  const foundLine = { ...foundCharge, amount: estimateAmount(order) };
  if (search.status === 'BILLED') {
    if (knownCharge !== undefined) return;
    if (search.isForLostCharges) await restoreCharge(deps, run, { foundCharge, order });
    else if (wasPaidEarly(order)) await reportPaidOrder(deps, run, foundCharge);
    return;
  }
  // After a crash the charge may be written, and its line not.
  if (knownCharge?.state === 'DUE' && knownCharge.runDate === run.date) return putLine(deps, run, foundLine);
  if (knownCharge !== undefined && (await wasPassedOver(deps, knownCharge, run))) {
    await putLine(deps, run, foundLine);
    await deps.charges.replace(knownCharge, withChargeChange(knownCharge, { runDate: run.date }));
    return;
  }
  if (order.skipped || order.status !== 'UNBILLED') return;
  if (knownCharge !== undefined && !isDueAgain(knownCharge, foundCharge)) return;
  await putLine(deps, run, foundLine);
  await (knownCharge === undefined
    ? deps.charges.create(foundCharge)
    : reopenCharge(deps, knownCharge, foundCharge));
}

/** Estimates the order's amount, without discounts of the delivery; undefined when not all prices were read. */
function estimateAmount({ sourceContract: { lines, deliveryPrice } }: FoundOrder): Money | undefined {
  if (lines === undefined || deliveryPrice === undefined || lines.pageInfo.hasNextPage) return undefined;
  return computeOrderAmounts({ lines, deliveryPrice, discounts: NO_DISCOUNTS }).nextOrder;
}

const NO_DISCOUNTS = { nodes: [], pageInfo: { hasNextPage: false } };

/** Times of the platform have whole seconds: a contract that has just changed may change again within the second. */
const MIN_UPDATE_AGE_MS = 2_000;

/** Returns the contract's last update, for the charge, if the price of the contract has no steps. */
function findUpdateWithoutSteps({ sourceContract: { lines, updatedAt } }: FoundOrder, nowMs: number) {
  const areLinesStable = lines !== undefined && Date.parse(updatedAt) + MIN_UPDATE_AGE_MS < nowMs;
  return areLinesStable && !mayHaveStepPrice(lines) ? { contractUpdatedAt: updatedAt } : {};
}

type FoundCharge = Omit<BillingCharge, 'updatedAtMs' | 'version'>;

/** Closes an order that another client was paid for before its time: it is reported, and the service does not charge it. */
async function reportPaidOrder(deps: FindDeps, run: BillingRun, foundCharge: FoundCharge): Promise<void> {
  await putLine(deps, run, foundCharge);
  const nowMs = deps.now();
  const closedFields = { state: 'REPORTED', reason: 'PAID_ELSEWHERE', remindAtMs: nowMs } as const;
  await deps.charges.create({ ...foundCharge, ...closedFields });
}

/** Creates the charge of an order that the service was paid for, if a restore has lost it: the run then records the payment. */
async function restoreCharge(
  deps: FindDeps,
  run: BillingRun,
  { foundCharge, order }: { readonly foundCharge: FoundCharge; readonly order: FoundOrder },
): Promise<void> {
  const payment = findPayment(order);
  if (payment === undefined || !isDerivedIdempotencyKey(payment.idempotencyKey, foundCharge.contractNumber))
    return;
  await putLine(deps, run, foundCharge);
  await deps.charges.create(foundCharge);
}

async function reopenCharge(
  { charges }: FindDeps,
  knownCharge: BillingCharge,
  { expectedAtMs, runDate, foundAtMs, contractUpdatedAt, isFoundInOlderWeek }: FoundCharge,
): Promise<void> {
  const reopenedCharge = withChargeChange(knownCharge, {
    ...{ state: 'DUE', expectedAtMs, runDate, foundAtMs, contractUpdatedAt, isFoundInOlderWeek },
    ...{ reason: undefined, nextTryAtMs: undefined, endsAtMs: undefined, remindAtMs: undefined },
    ...{ isExtraTry: undefined, finalAction: undefined, finalActionAtMs: undefined },
  });
  await charges.replace(knownCharge, reopenedCharge);
}

async function putLine(
  { runs }: Pick<FindDeps, 'runs'>,
  { date }: BillingRun,
  { shopId, contractNumber, cycleIndex, expectedAtMs, amount }: Omit<BillingRunLine, 'date'>,
): Promise<void> {
  const line = { shopId, contractNumber, cycleIndex, date, expectedAtMs };
  await runs.putLine({ ...line, ...(amount !== undefined && { amount }) });
}

/**
 * Whether the order of a known charge is charged by the run that has found it: the charge opens again, or the order was
 * declined and has another date. Such an order is tried on that date, and no longer at the planned time of its next try. After
 * a decline that allows no further try, it ends all the same.
 */
function isDueAgain(charge: BillingCharge, { expectedAtMs, isFoundInOlderWeek }: FoundCharge): boolean {
  if (isReopened(charge, expectedAtMs)) return true;
  const declineClass = classifyDecline(charge.lastErrorCode);
  const mayBeTried = charge.state === 'RETRYING' && declineClass !== 'NEVER' && declineClass !== 'PAID';
  return mayBeTried && charge.expectedAtMs !== expectedAtMs && isFoundInOlderWeek !== true;
}

/**
 * Whether an order that is not sent yet was left behind by its earlier run, so that this run has to charge it: a worker that
 * had lost its lease found the order, or began to charge it, after that run had charged the orders of its contract.
 */
async function wasPassedOver(
  { runs }: Pick<FindDeps, 'runs'>,
  { shopId, state, attemptId, remindAtMs, runDate }: BillingCharge,
  { date }: BillingRun,
): Promise<boolean> {
  const isNotSentYet = state === 'DUE' || (state === 'WAITING' && attemptId === undefined);
  if (!isNotSentYet || remindAtMs !== undefined || runDate >= date) return false;
  const runBefore = await runs.find(shopId, runDate);
  return runBefore === undefined || runBefore.status === 'SETTLING' || runBefore.status === 'DONE';
}

/** Whether another client was paid more than a day before the order's date: its billing job named no cycle. */
function wasPaidEarly(order: FoundOrder): boolean {
  const payment = findPayment(order);
  return (
    payment !== undefined &&
    Date.parse(order.billingAttemptExpectedDate) - Date.parse(payment.createdAt) > DAY_MS
  );
}

function findPayment({ billingAttempts }: FoundOrder) {
  return billingAttempts?.nodes.find(
    ({ state }) => state.__typename === 'SubscriptionBillingAttemptSuccessState',
  );
}
