/** Counts the charges of a run by their state, and what was charged: always from the beginning, never summed up on the way. */

import { formatMinorUnits, parseDecimal, toMinorUnits } from '../../domain/money.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { BillingCharge, BillingChargeState } from '../records/charge-record.ts';
import type { BillingCharges } from '../records/charges.ts';
import type { BillingRun, BillingRunLine } from '../records/run-record.ts';
import type { BillingRuns } from '../records/runs.ts';

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
export async function countRun(deps: CountDeps, run: Pick<BillingRun, 'date' | 'shopId'>): Promise<RunCount> {
  const nowMs = deps.now();
  const counts = new Map<BillingChargeState, number>();
  const totals = new Map<string, bigint>();
  let [isSettled, merchantRefusalCount] = [true, 0];
  for await (const { charge } of listRunCharges(deps, run)) {
    if (charge === undefined || charge.runDate !== run.date) continue;
    counts.set(charge.state, (counts.get(charge.state) ?? 0) + 1);
    if (!hasNextStep(charge, nowMs)) isSettled = false;
    if (charge.state !== 'CHARGED' && ACCOUNT_CODES.has(charge.lastErrorCode)) merchantRefusalCount++;
    if (charge.state === 'CHARGED' && charge.amount !== undefined) addAmount(totals, charge.amount);
  }
  return {
    isSettled,
    merchantRefusalCount,
    countByState: Object.fromEntries(counts),
    totals: [...totals].map(([currencyCode, minor]) => ({
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
  for await (const lines of batch(runs.listLines(shopId, date, { after }), LINES_PER_READ)) {
    const found = await charges.findMany(lines);
    for (const [index, line] of lines.entries()) yield { line, charge: found[index] };
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

function hasNextStep({ state, remindAtMs = 0 }: BillingCharge, nowMs: number): boolean {
  if (state === 'WAITING') return false;
  return state !== 'DUE' || remindAtMs > nowMs + NEXT_TRY_AFTER_MS;
}

function addAmount(
  totals: Map<string, bigint>,
  { amount, currencyCode }: NonNullable<BillingCharge['amount']>,
): void {
  const minor = toMinorUnits(parseDecimal(amount), currencyCode);
  totals.set(currencyCode, (totals.get(currencyCode) ?? 0n) + minor);
}
