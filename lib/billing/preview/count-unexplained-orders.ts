/**
 * Counts the orders of a run that may be a mistake. Orders that customers have brought to the run's day are left out:
 * otherwise a customer with many subscriptions could hold the run of a store by moving their orders.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { BillingRunLine } from '../records/run-record.ts';
import { type BillingRuns, lineSortKey } from '../records/runs.ts';
import { type createBillingPreviews, previewEntryKey } from './previews.ts';

export type UnexplainedDeps = {
  readonly previews: Pick<ReturnType<typeof createBillingPreviews>, 'find' | 'listEntries'>;
  readonly runs: Pick<BillingRuns, 'listLines'>;
  readonly timeline: Pick<Timeline, 'readEvents'>;
};
type RunOfStore = { readonly shopId: ShopId; readonly date: string };

const ENTRIES_PER_READ = 100;
const CONTRACTS_PER_READ = 20;
/** The entries of a contract that are read, the newest first. */
const MAX_READ_EVENTS = 20;

/**
 * Counts the found orders, without those that are not in the day's preview and whose contract a customer has changed through
 * the service since the preview was made: the order was moved or restored, or the contract resumed, also by a pause that
 * has ended. Stops when `isTooMany`
 * is true of the count.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function countUnexplainedOrders(
  deps: UnexplainedDeps,
  run: RunOfStore,
  isTooMany: (count: number) => boolean,
): Promise<number> {
  const { preparedAtMs = 0 } = (await deps.previews.find(run.shopId, run.date)) ?? {};
  const previewedKeys = await readPreviewedKeys(deps, run);
  const addedLines: BillingRunLine[] = [];
  let count = 0;
  for await (const line of deps.runs.listLines(run.shopId, run.date)) {
    if (previewedKeys.has(lineSortKey(line))) count += 1;
    else addedLines.push(line);
  }
  for (const lines of splitIntoBatches(addedLines, CONTRACTS_PER_READ)) {
    if (isTooMany(count)) return count;
    const pages = await deps.timeline.readEvents({
      shopId: run.shopId,
      contracts: lines.map(({ contractNumber }) => contractNumber),
      args: { first: MAX_READ_EVENTS, reverse: true },
    });
    const explainedPages = pages.filter(({ edges }) =>
      edges.some(({ record }) => record.createdAtMs > preparedAtMs && isOfCustomer(record)),
    );
    count += lines.length - explainedPages.length;
  }
  return count;
}

/** The service resumes a contract at the end of a pause that its customer has timed. */
function isOfCustomer({ actor, changes }: Pick<EventRecord, 'actor' | 'changes'>): boolean {
  if (actor.kind === 'CUSTOMER') return true;
  return actor.kind === 'SERVICE' && changes.some(({ field }) => field === 'status');
}

async function readPreviewedKeys(
  { previews }: UnexplainedDeps,
  { shopId, date }: RunOfStore,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (let after: string | undefined; ; ) {
    const page = { limit: ENTRIES_PER_READ, ...(after !== undefined && { after }) };
    const entries = await previews.listEntries(shopId, date, page);
    for (const entry of entries) keys.add(previewEntryKey(entry));
    const last = entries.at(-1);
    if (last === undefined || entries.length < ENTRIES_PER_READ) return keys;
    after = previewEntryKey(last);
  }
}
