/** Reads the service's changes of contracts that are not appended yet. */
import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import type { Table } from '../../storage/table.ts';
import type { ContractNumber } from '../../timeline/event-record.ts';
import { type OpenIntent, SETTLE_INTENT_AFTER_MS, toOpenIntent } from '../../timeline/intent.ts';
import { readIntentsWithoutEntry } from '../../timeline/settle/recorded-changes.ts';

type Deps = { readonly table: Table; readonly scheduledTasks: ScheduledTasks; readonly now: () => number };

/** How old an intent can be: an older one is already settled as unknown. */
const MAX_INTENT_AGE_MS = 86_400_000;
/** More than the clocks of two containers differ. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

export type QueuedChanges = {
  /** The intents of the contract's changes that have no timeline entry yet. */
  readonly open: readonly OpenIntent[];
  /** Whether any change waits to be appended, open or not. */
  readonly isAnyQueued: boolean;
};

/**
 * Reads the queued changes of a store's contracts.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readQueuedChanges(
  { table, scheduledTasks, now }: Deps,
  shopId: ShopId,
  contracts: readonly ContractNumber[],
): Promise<ReadonlyMap<ContractNumber, QueuedChanges>> {
  const intentTimeRange = {
    fromMs: now() - MAX_INTENT_AGE_MS + SETTLE_INTENT_AFTER_MS,
    toMs: now() + SETTLE_INTENT_AFTER_MS + MAX_CLOCK_DIFFERENCE_MS,
  };
  const openIntents: OpenIntent[] = [];
  for await (const item of scheduledTasks.listOfStore('intent', shopId, intentTimeRange))
    openIntents.push(toOpenIntent(item));
  const contractIntents = openIntents.filter(({ isPlace }) => !isPlace);
  const intentsByContract = Map.groupBy(contractIntents, ({ contract, made }) => made ?? contract);
  const distinctContracts = [...new Set(contracts)];
  const intentsWithoutEntry = await awaitAll(
    distinctContracts.map((contract) =>
      readIntentsWithoutEntry(table, intentsByContract.get(contract) ?? []),
    ),
  );
  return new Map(
    distinctContracts.map((contract, index) => [
      contract,
      { open: intentsWithoutEntry[index] ?? [], isAnyQueued: intentsByContract.has(contract) },
    ]),
  );
}
