/**
 * Counts the orders of a run that may be a mistake. Orders that customers have brought to the run's day are left out:
 * otherwise a customer with many subscriptions could hold the run of a store by moving their orders.
 */
import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import type { ContractRef } from '../../subscriptions/contract-ref.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { readEventsSince } from '../records/read-events-since.ts';
import type { BillingRunLine } from '../records/run-record.ts';
import { type BillingRuns, lineSortKey } from '../records/runs.ts';
import { type createBillingPreviews, previewEntryKey } from './previews.ts';

export type UnexplainedOrdersDeps = {
  readonly previews: Pick<ReturnType<typeof createBillingPreviews>, 'find' | 'listEntries'>;
  readonly runs: Pick<BillingRuns, 'listLines'>;
  readonly timeline: Pick<Timeline, 'readEvents'>;
};
type RunOfStore = { readonly shopId: ShopId; readonly date: string };

const PREVIEW_ENTRIES_PER_READ = 100;
const TIMELINE_READ_CONCURRENCY = 20;

/**
 * Counts the found orders, without those that are not in the day's preview and whose contract its customer has changed
 * through the service since the preview was made, or has paused until then. Stops when `isTooMany` is true of the count.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function countUnexplainedOrders(
  deps: UnexplainedOrdersDeps,
  run: RunOfStore,
  isTooMany: (count: number) => boolean,
): Promise<number> {
  const { preparedAtMs = 0 } = (await deps.previews.find(run.shopId, run.date)) ?? {};
  const previewedKeys = await readPreviewedKeys(deps, run);
  const addedLines: BillingRunLine[] = [];
  let unexplainedCount = 0;
  for await (const line of deps.runs.listLines(run.shopId, run.date)) {
    if (previewedKeys.has(lineSortKey(line))) unexplainedCount += 1;
    else addedLines.push(line);
  }
  for (const runLines of splitIntoBatches(addedLines, TIMELINE_READ_CONCURRENCY)) {
    if (isTooMany(unexplainedCount)) return unexplainedCount;
    const areExplained = await awaitAll(
      runLines.map(({ contractNumber }) =>
        isChangedByCustomer(deps, { shopId: run.shopId, contractNumber }, preparedAtMs),
      ),
    );
    unexplainedCount += areExplained.filter((isExplained) => !isExplained).length;
  }
  return unexplainedCount;
}

/** Whether the contract's customer has changed it since `sinceMs`, or had set a timed pause that ended since then. */
async function isChangedByCustomer(
  deps: Pick<UnexplainedOrdersDeps, 'timeline'>,
  { shopId, contractNumber }: ContractRef,
  sinceMs: number,
): Promise<boolean> {
  const events = await readEventsSince(deps, { shopId, contractNumber }, sinceMs);
  if (events.some(isByCustomer)) return true;
  if (!events.some(({ actor, action }) => actor.kind === 'SERVICE' && action === 'subscription_resumed'))
    return false;
  const args = { query: 'action:subscription_paused', first: 1, reverse: true };
  const [pausePage] = await deps.timeline.readEvents({ shopId, contracts: [contractNumber], args });
  return pausePage?.edges.some(({ record }) => isByCustomer(record)) === true;
}

/** Whether the customer made the change, not an admin key for the customer: a key can change a whole store's orders. */
function isByCustomer({ actor }: Pick<EventRecord, 'actor'>): boolean {
  return actor.kind === 'CUSTOMER' && actor.label === undefined && actor.keyId === undefined;
}

async function readPreviewedKeys(
  { previews }: UnexplainedOrdersDeps,
  { shopId, date }: RunOfStore,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (let afterKey: string | undefined; ; ) {
    const page = { limit: PREVIEW_ENTRIES_PER_READ, ...(afterKey !== undefined && { after: afterKey }) };
    const previewEntries = await previews.listEntries(shopId, date, page);
    for (const entry of previewEntries) keys.add(previewEntryKey(entry));
    const lastEntry = previewEntries.at(-1);
    if (lastEntry === undefined || previewEntries.length < PREVIEW_ENTRIES_PER_READ) return keys;
    afterKey = previewEntryKey(lastEntry);
  }
}
