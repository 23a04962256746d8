/** Reads the service's changes of contracts that the append step has not appended to the stream yet. */
import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import type { Table } from '../../storage/table.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../timeline/append/apply-observation.ts';
import type { ContractNumber } from '../../timeline/event-record.ts';
import { type OpenIntent, SETTLE_INTENT_AFTER_MS, toOpenIntent } from '../../timeline/intent.ts';
import { readIntentsWithoutEntry } from '../../timeline/settle/recorded-changes.ts';

type Deps = { readonly table: Table; readonly scheduledTasks: ScheduledTasks; readonly now: () => number };

/** Intents that started earlier are not read. */
const MAX_INTENT_AGE_MS = 86_400_000;

export type QueuedChanges = {
  /** The intents of the contract's changes that have no timeline entry yet. */
  readonly openIntents: readonly OpenIntent[];
  /** Whether any change of the contract waits to be appended, with or without a timeline entry. */
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
      { openIntents: intentsWithoutEntry[index] ?? [], isAnyQueued: intentsByContract.has(contract) },
    ]),
  );
}
