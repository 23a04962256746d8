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

export type UnexplainedDeps = {
  readonly previews: Pick<ReturnType<typeof createBillingPreviews>, 'find' | 'listEntries'>;
  readonly runs: Pick<BillingRuns, 'listLines'>;
  readonly timeline: Pick<Timeline, 'readEvents'>;
};
type RunOfStore = { readonly shopId: ShopId; readonly date: string };

const ENTRIES_PER_READ = 100;
const CONTRACTS_PER_READ = 20;

/**
 * Counts the found orders, without those that are not in the day's preview and whose contract its customer has changed
 * through the service since the preview was made, or has paused until then. Stops when `isTooMany` is true of the count.
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
  let unexplainedCount = 0;
  for await (const line of deps.runs.listLines(run.shopId, run.date)) {
    if (previewedKeys.has(lineSortKey(line))) unexplainedCount += 1;
    else addedLines.push(line);
  }
  for (const runLines of splitIntoBatches(addedLines, CONTRACTS_PER_READ)) {
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

/** Whether the customer has changed the contract since then, or has timed a pause that has ended since then. */
async function isChangedByCustomer(
  deps: Pick<UnexplainedDeps, 'timeline'>,
  { shopId, contractNumber }: ContractRef,
  sinceMs: number,
): Promise<boolean> {
  const events = await readEventsSince(deps, { shopId, contractNumber }, sinceMs);
  if (events.some(isByCustomer)) return true;
  if (!events.some(({ actor, action }) => actor.kind === 'SERVICE' && action === 'subscription_resumed'))
    return false;
  const args = { query: 'action:subscription_paused', first: 1, reverse: true };
  const [pauses] = await deps.timeline.readEvents({ shopId, contracts: [contractNumber], args });
  return pauses?.edges.some(({ record }) => isByCustomer(record)) === true;
}

/** Whether the customer made the change, and no admin key for the customer: a key can change the orders of a whole store. */
function isByCustomer({ actor }: Pick<EventRecord, 'actor'>): boolean {
  return actor.kind === 'CUSTOMER' && actor.label === undefined && actor.keyId === undefined;
}

async function readPreviewedKeys(
  { previews }: UnexplainedDeps,
  { shopId, date }: RunOfStore,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (let afterKey: string | undefined; ; ) {
    const page = { limit: ENTRIES_PER_READ, ...(afterKey !== undefined && { after: afterKey }) };
    const previewEntries = await previews.listEntries(shopId, date, page);
    for (const entry of previewEntries) keys.add(previewEntryKey(entry));
    const last = previewEntries.at(-1);
    if (last === undefined || previewEntries.length < ENTRIES_PER_READ) return keys;
    afterKey = previewEntryKey(last);
  }
}
