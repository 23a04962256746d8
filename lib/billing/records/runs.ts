/** Reads and writes the runs of a store and their lines. */
import type { ShopId } from '../../domain/shop-id.ts';
import { queryAllPages } from '../../storage/query-all.ts';
import { type Item, type ItemKey, type Table, versionCondition } from '../../storage/table.ts';
import type { OrderRef } from './charge-record.ts';
import { formatCycleKey, isBeforeEnd, type KeyRange, selectKeyRange } from './key-range.ts';
import type { BillingRun, BillingRunLine } from './run-record.ts';

export type NewBillingRun = Omit<BillingRun, 'version'>;

export type BillingRuns = ReturnType<typeof createBillingRuns>;

type Deps = { readonly table: Table; readonly now: () => number };

/** Runs and lines expire after 13 months. */
const RUN_LIFETIME_MS = 396 * 86_400_000;

/** Creates the runs over the table. Reads are consistent. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createBillingRuns({ table, now }: Deps) {
  const expiresAt = () => Math.ceil((now() + RUN_LIFETIME_MS) / 1000);
  const writeRun = async (run: NewBillingRun, versionBefore: number): Promise<BillingRun | 'refused'> => {
    const writtenRun: BillingRun = { ...run, version: versionBefore + 1 };
    const item = { ...runItemKey(run.shopId, run.date), ...writtenRun, expiresAt: expiresAt() };
    return (await table.put(item, versionCondition(versionBefore))) === 'done' ? writtenRun : 'refused';
  };
  return {
    /** Reads the run of a day such as `2026-12-01`. */
    async find(shopId: ShopId, date: string): Promise<BillingRun | undefined> {
      const item = await table.get(runItemKey(shopId, date));
      return item && toRun(item);
    },
    /** Writes the first version of a run. Returns `refused` if the day has a run. */
    create: (run: NewBillingRun) => writeRun(run, 0),
    /** Replaces the version that was read. Returns `refused` if the run has changed since. */
    replace: (before: BillingRun, after: NewBillingRun) =>
      writeRun({ ...after, shopId: before.shopId, date: before.date }, before.version),
    /** Lists the store's runs in the order of their days. The range is of days such as `2026-12-01`. */
    async *list(shopId: ShopId, range: KeyRange = {}): AsyncGenerator<BillingRun> {
      for await (const item of queryAllPages(table, selectKeyRange(`RUN#${shopId}`, range)))
        if (isBeforeEnd(item, range)) yield toRun(item);
    },
    /** Writes a line. Returns `refused` if the run has a line of this order already. */
    putLine(line: BillingRunLine): Promise<'done' | 'refused'> {
      const pk = linePartition(line.shopId, line.date);
      const item = { pk, sk: lineSortKey(line), ...line, expiresAt: expiresAt() };
      return table.put(item, versionCondition(0));
    },
    /** Lists the lines of a day's run, by contract and cycle. The range is of `lineSortKey`. */
    async *listLines(shopId: ShopId, date: string, range: KeyRange = {}): AsyncGenerator<BillingRunLine> {
      for await (const item of queryAllPages(table, selectKeyRange(linePartition(shopId, date), range)))
        if (isBeforeEnd(item, range)) yield toLine(item);
    },
  };
}

/** Returns the sort key of a line. */
export function lineSortKey({ contractNumber, cycleIndex }: Omit<OrderRef, 'shopId'>): string {
  return `${contractNumber}#${formatCycleKey(cycleIndex)}`;
}

function runItemKey(shopId: ShopId, date: string): ItemKey {
  return { pk: `RUN#${shopId}`, sk: date };
}

function linePartition(shopId: ShopId, date: string): string {
  return `RUN#${shopId}#${date}`;
}

function toRun({ pk: _pk, sk: _sk, expiresAt: _expiresAt, ...run }: Item): BillingRun {
  return run as unknown as BillingRun;
}

function toLine({ pk: _pk, sk: _sk, expiresAt: _expiresAt, ...line }: Item): BillingRunLine {
  return line as unknown as BillingRunLine;
}
