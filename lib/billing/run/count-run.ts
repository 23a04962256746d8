/** Counts all charges of a run by their state, and sums the charged amounts. Each count reads all charges again. */

import { formatMinorUnits, parseDecimal, toMinorUnits } from '../../domain/money.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { BillingCharge, BillingChargeState } from '../records/charge-record.ts';
import type { BillingCharges } from '../records/charges.ts';
import type { BillingReminders } from '../records/reminders.ts';
import type { BillingRun, BillingRunLine } from '../records/run-record.ts';
import { type BillingRuns, lineSortKey } from '../records/runs.ts';

export type CountDeps = {
  readonly charges: Pick<BillingCharges, 'findMany'>;
  readonly runs: Pick<BillingRuns, 'listLines'>;
  readonly now: () => number;
};

/** `isSettled`: each charge is closed or has a next try. */
type RunCount = Pick<BillingRun, 'countByState' | 'countedAtMs' | 'merchantRefusalCount' | 'totals'> & {
  readonly isSettled: boolean;
};

const LINES_PER_READ = 100;
/** A DUE charge whose reminder is further ahead than this has a next try; a nearer reminder belongs to the run itself. */
const MIN_NEXT_TRY_DELAY_MS = 20 * 60_000;
/** Codes of declines by which the merchant's account would refuse any order. */
const MERCHANT_ACCOUNT_DECLINE_CODES: ReadonlySet<string | undefined> = new Set([
  'MERCHANT_ACCOUNT_ERROR',
  'PAYMENT_PROVIDER_IS_NOT_ENABLED',
  'TEST_MODE',
]);

/**
 * Counts the charges that the run has taken up.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function countRun(
  deps: CountDeps,
  run: Pick<BillingRun, 'confirmedAtMs' | 'date' | 'shopId'>,
): Promise<RunCount> {
  const nowMs = deps.now();
  const countByState = new Map<BillingChargeState, number>();
  const totalByCurrency = new Map<string, bigint>();
  const endedOrders: EndedOrder[] = [];
  let areAllSettled = true;
  for await (const { charge } of listRunCharges(deps, run)) {
    if (charge === undefined || charge.runDate !== run.date) continue;
    countByState.set(charge.state, (countByState.get(charge.state) ?? 0) + 1);
    if (!hasNextStep(charge, nowMs)) areAllSettled = false;
    endedOrders.push(...listEndedOrder(charge, run));
    if (charge.state === 'CHARGED' && charge.amount !== undefined) addAmount(totalByCurrency, charge.amount);
  }
  return {
    isSettled: areAllSettled,
    merchantRefusalCount: countRefusalsInRow(endedOrders).longest,
    countByState: Object.fromEntries(countByState),
    totals: [...totalByCurrency].map(([currencyCode, minor]) => ({
      amount: formatMinorUnits(minor, currencyCode),
      currencyCode,
    })),
    countedAtMs: nowMs,
  };
}

/** Yields the lines of a run after a line's key, in the order of their keys, each with its charge. */
export async function* listRunCharges(
  { charges, runs }: Pick<CountDeps, 'charges' | 'runs'>,
  { shopId, date }: { readonly shopId: ShopId; readonly date: string },
  afterLineKey?: string,
): AsyncGenerator<{ readonly line: BillingRunLine; readonly charge: BillingCharge | undefined }> {
  for await (const lineBatch of groupIntoBatches(
    runs.listLines(shopId, date, { after: afterLineKey }),
    LINES_PER_READ,
  )) {
    const foundCharges = await charges.findMany(lineBatch);
    for (const [index, line] of lineBatch.entries()) yield { line, charge: foundCharges[index] };
  }
}

/** Yields the items in arrays of at most `size`. */
export async function* groupIntoBatches<Item>(
  items: AsyncIterable<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let currentBatch: Item[] = [];
  for await (const item of items) {
    currentBatch.push(item);
    if (currentBatch.length < size) continue;
    yield currentBatch;
    currentBatch = [];
  }
  if (currentBatch.length > 0) yield currentBatch;
}

type EndedOrder = { readonly endedAtMs: number; readonly isAccountRefusal: boolean };

/**
 * Returns whether the merchant's account refused the order's last attempt, and about when it ended; no element if no attempt
 * has ended, or none since the run was confirmed.
 */
function listEndedOrder(
  { state, failedTryCount, lastErrorCode, updatedAtMs, scheduledFromMs = updatedAtMs }: BillingCharge,
  { confirmedAtMs = 0 }: Pick<BillingRun, 'confirmedAtMs'>,
): EndedOrder[] {
  const isChargePaid = state === 'CHARGED';
  // A declined charge also changes when its order ends, so `updatedAtMs` may be too late.
  const atMs = isChargePaid ? updatedAtMs : scheduledFromMs;
  if (atMs <= confirmedAtMs || (!isChargePaid && failedTryCount === 0)) return [];
  return [
    { endedAtMs: atMs, isAccountRefusal: !isChargePaid && MERCHANT_ACCOUNT_DECLINE_CODES.has(lastErrorCode) },
  ];
}

/** Returns how many refusals came in a row: in the longest row, and in the last one. `earlierRowLength`: the row before. */
function countRefusalsInRow(endedOrders: readonly EndedOrder[], earlierRowLength = 0) {
  let [rowLength, longest] = [earlierRowLength, earlierRowLength];
  for (const { isAccountRefusal } of endedOrders.toSorted((one, other) => one.endedAtMs - other.endedAtMs)) {
    rowLength = isAccountRefusal ? rowLength + 1 : 0;
    longest = Math.max(longest, rowLength);
  }
  return { longest, last: rowLength };
}

/**
 * Counts how many orders in a row the merchant's account has refused when a run begins: orders of the previous run, and
 * orders that were tried again since it began. `runsWithRefusals`: earlier runs of which the account has refused orders;
 * without any, the charges of the previous run need not be read.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function countMerchantRefusalsInRow(
  deps: Pick<CountDeps, 'charges' | 'runs'> & { readonly reminders: Pick<BillingReminders, 'list'> },
  {
    previousRun,
    runsWithRefusals,
  }: { readonly previousRun: BillingRun; readonly runsWithRefusals: readonly BillingRun[] },
): Promise<number> {
  const endedByOrder = new Map<string, EndedOrder>();
  const addEndedOrder = (charge: BillingCharge | undefined) => {
    if (charge === undefined) return;
    for (const endedOrder of listEndedOrder(charge, previousRun))
      if (endedOrder.endedAtMs >= previousRun.startedAtMs) endedByOrder.set(lineSortKey(charge), endedOrder);
  };
  for await (const openReminders of groupIntoBatches(
    deps.reminders.list(previousRun.shopId, {}),
    LINES_PER_READ,
  ))
    for (const charge of await deps.charges.findMany(openReminders)) addEndedOrder(charge);
  const { status, earlierRefusalCount = 0 } = previousRun;
  const areAllAccepted = [...endedByOrder.values()].every(({ isAccountRefusal }) => !isAccountRefusal);
  if (status === 'DONE' && earlierRefusalCount === 0 && runsWithRefusals.length === 0 && areAllAccepted)
    return 0;
  for (const run of [previousRun, ...runsWithRefusals])
    for await (const { charge } of listRunCharges(deps, run)) addEndedOrder(charge);
  return countRefusalsInRow([...endedByOrder.values()], earlierRefusalCount).last;
}

function hasNextStep({ state, remindAtMs = 0 }: BillingCharge, nowMs: number): boolean {
  if (state === 'WAITING') return false;
  return state !== 'DUE' || remindAtMs > nowMs + MIN_NEXT_TRY_DELAY_MS;
}

function addAmount(
  totals: Map<string, bigint>,
  { amount, currencyCode }: NonNullable<BillingCharge['amount']>,
): void {
  const minorAmount = toMinorUnits(parseDecimal(amount), currencyCode);
  totals.set(currencyCode, (totals.get(currencyCode) ?? 0n) + minorAmount);
}
