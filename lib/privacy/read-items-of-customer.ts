/** Finds the items of a customer by their keys, page by page. */

import { type ScheduledTasks, scheduledTaskKey } from '../storage/scheduled-tasks.ts';
import type { SessionRecord } from '../storage/sessions/session-record.ts';
import { customerSessionsKey } from '../storage/sessions/session-record.ts';
import { signInKey } from '../storage/sessions/sign-ins.ts';
import { customerSnapshotPartition, snapshotKey } from '../storage/stream/snapshot-key.ts';
import type { Item, ItemKey, Table } from '../storage/table.ts';
import type { ContractNumber } from '../timeline/event-record.ts';
import { timelinePartition } from '../timeline/event-record.ts';
import type { CustomerOfStore, ErasureSubject } from './erasure-subject.ts';

/** Returns the customer's sessions, and the sign-ins that created them. */
export async function readSignInItems(
  table: Table,
  { shopId, customerId }: CustomerOfStore,
): Promise<Item[]> {
  const itemsOfCustomer: Item[] = [];
  for await (const page of readPartitionPages(table, customerSessionsKey(shopId, customerId)))
    itemsOfCustomer.push(...page);
  const signIns: Item[] = [];
  for (const { signIn } of itemsOfCustomer as unknown as readonly Partial<SessionRecord>[]) {
    const signInItem = signIn && (await table.get(signInKey(signIn)));
    if (signInItem) signIns.push(signInItem);
  }
  return [...signIns, ...itemsOfCustomer];
}

/**
 * Returns the customer's index items of snapshots, and the numbers of their contracts except those that were
 * transferred to another customer. Webhooks take the customer from the snapshots, so these are erased immediately and
 * not by the sweep.
 */
export async function readSnapshotIndexOfCustomer(
  table: Table,
  person: CustomerOfStore,
): Promise<{ readonly contracts: readonly string[]; readonly indexItems: readonly Item[] }> {
  const indexItems: Item[] = [];
  for await (const page of readPartitionPages(table, customerSnapshotPartition(person)))
    indexItems.push(...page);
  const contractNumbers = indexItems.map(({ sk }) => sk);
  const snapshots = await table.batchGet(
    contractNumbers.map((contract) => snapshotKey(person.shopId, contract)),
  );
  const customerIds = snapshots.map((snapshot) => snapshot?.customerId ?? person.customerId);
  return {
    contracts: contractNumbers.filter((_, index) => customerIds[index] === person.customerId),
    indexItems,
  };
}

type Deps = { readonly table: Table; readonly scheduledTasks: ScheduledTasks };

/** Yields the items of a contract: timeline, snapshot, pause, and the scheduled task of the pause's end. */
export async function* readContractItems(
  { table, scheduledTasks }: Deps,
  { shopId }: Pick<ErasureSubject, 'shopId'>,
  contract: string,
): AsyncGenerator<Item[]> {
  yield* readPartitionPages(table, timelinePartition({ shopId, contract: contract as ContractNumber }));
  const snapshot = await table.get(snapshotKey(shopId, contract));
  if (snapshot !== undefined) yield [snapshot];
  const pauseItem = await table.get({ pk: `PAUSE#${shopId}#${contract}`, sk: 'PAUSE' });
  if (pauseItem === undefined) return;
  const pauseEndsAtMs = Number(pauseItem.resumesAtMs ?? 0);
  for await (const pauseEndTask of scheduledTasks.listOfStore('pause', shopId, {
    fromMs: pauseEndsAtMs,
    toMs: pauseEndsAtMs,
  })) {
    yield [{ ...scheduledTaskKey(pauseEndTask), ...pauseEndTask }];
  }
  yield [pauseItem];
}

async function* readPartitionPages(table: Table, pk: ItemKey['pk']): AsyncGenerator<Item[]> {
  let startKey: Item | undefined;
  do {
    const queryPage = await table.query({
      keyCondition: 'pk = :pk',
      values: { ':pk': pk },
      consistent: true,
      ...(startKey && { startKey }),
    });
    yield queryPage.items;
    startKey = queryPage.nextKey;
  } while (startKey !== undefined);
}
