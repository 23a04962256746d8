/** Counts the charges of a run by their state, and what was charged: always from the beginning, never summed up on the way. */

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
/** A charge that is evaluated again so much later has a next try. */
const NEXT_TRY_AFTER_MS = 20 * 60_000;
/** Declines by which the merchant's account refuses every order. */
const ACCOUNT_CODES: ReadonlySet<string | undefined> = new Set([
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

/** Yields the lines of a run with their charges, in batches' order. */
export async function* listRunCharges(
  { charges, runs }: Pick<CountDeps, 'charges' | 'runs'>,
  { shopId, date }: { readonly shopId: ShopId; readonly date: string },
  after?: string,
): AsyncGenerator<{ readonly line: BillingRunLine; readonly charge: BillingCharge | undefined }> {
  for await (const lineBatch of batch(runs.listLines(shopId, date, { after }), LINES_PER_READ)) {
    const foundCharges = await charges.findMany(lineBatch);
    for (const [index, line] of lineBatch.entries()) yield { line, charge: foundCharges[index] };
  }
}

/** Yields the items in arrays of at most `size`. */
export async function* batch<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let some: Item[] = [];
  for await (const item of items) {
    some.push(item);
    if (some.length < size) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

type EndedOrder = { readonly atMs: number; readonly isRefusal: boolean };

/** Returns how the order's last attempt ended, about when; none before, and before the run was confirmed. */
function listEndedOrder(
  { state, failedTryCount, lastErrorCode, updatedAtMs, scheduledFromMs = updatedAtMs }: BillingCharge,
  { confirmedAtMs = 0 }: Pick<BillingRun, 'confirmedAtMs'>,
): EndedOrder[] {
  const isChargePaid = state === 'CHARGED';
  // A declined order changes again when it ends.
  const atMs = isChargePaid ? updatedAtMs : scheduledFromMs;
  if (atMs <= confirmedAtMs || (!isChargePaid && failedTryCount === 0)) return [];
  return [{ atMs, isRefusal: !isChargePaid && ACCOUNT_CODES.has(lastErrorCode) }];
}

/** Counts refusals in a row: the longest row, and the last one. `last`: the row before these orders. */
function countRefusalsInRow(ended: readonly EndedOrder[], last = 0) {
  let [row, longest] = [last, last];
  for (const { isRefusal } of ended.toSorted((one, other) => one.atMs - other.atMs)) {
    row = isRefusal ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return { longest, last: row };
}

/**
 * Counts how many orders in a row the merchant's account has refused when a run begins: of the run before it, and of those
 * that were tried again since. `refused`: earlier runs of which the account has refused orders. Without any, the charges of the
 * run before need not be read.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function countMerchantRefusalsInRow(
  deps: Pick<CountDeps, 'charges' | 'runs'> & { readonly reminders: Pick<BillingReminders, 'list'> },
  { before, refused }: { readonly before: BillingRun; readonly refused: readonly BillingRun[] },
): Promise<number> {
  const endedByOrder = new Map<string, EndedOrder>();
  const add = (charge: BillingCharge | undefined) => {
    if (charge === undefined) return;
    for (const order of listEndedOrder(charge, before))
      if (order.atMs >= before.startedAtMs) endedByOrder.set(lineSortKey(charge), order);
  };
  for await (const open of batch(deps.reminders.list(before.shopId, {}), LINES_PER_READ))
    for (const charge of await deps.charges.findMany(open)) add(charge);
  const { status, earlierRefusalCount = 0 } = before;
  const areAllAccepted = [...endedByOrder.values()].every(({ isRefusal }) => !isRefusal);
  if (status === 'DONE' && earlierRefusalCount === 0 && refused.length === 0 && areAllAccepted) return 0;
  for (const run of [before, ...refused])
    for await (const { charge } of listRunCharges(deps, run)) add(charge);
  return countRefusalsInRow([...endedByOrder.values()], earlierRefusalCount).last;
}

function hasNextStep({ state, remindAtMs = 0 }: BillingCharge, nowMs: number): boolean {
  if (state === 'WAITING') return false;
  return state !== 'DUE' || remindAtMs > nowMs + NEXT_TRY_AFTER_MS;
}

function addAmount(
  totals: Map<string, bigint>,
  { amount, currencyCode }: NonNullable<BillingCharge['amount']>,
): void {
  const minorAmount = toMinorUnits(parseDecimal(amount), currencyCode);
  totals.set(currencyCode, (totals.get(currencyCode) ?? 0n) + minorAmount);
}
