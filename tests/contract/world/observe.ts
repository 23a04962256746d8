/** Runs the worker of store events and the append step on a reading of a contract. */
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { Tombstones } from '../../../lib/storage/privacy/tombstones.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { observeContractReadings } from '../../../lib/store-events/contracts/observe-contracts.ts';
import { createPostponementRepository } from '../../../lib/subscriptions/order-dates/postponements.ts';
import { createTimedPauseRepository } from '../../../lib/subscriptions/pause/timed-pauses.ts';
import { applyQueuedItems } from '../../../lib/timeline/append/apply-queued-items.ts';
import type { ContractReading } from '../../../lib/timeline/append/observation.ts';
import { type RecordedState, readRecordedStates } from '../../../lib/timeline/append/recorded-state.ts';
import {
  type ContractNumber,
  type EventRecord,
  formatEventNumber,
} from '../../../lib/timeline/event-record.ts';
import type { FactChange } from '../../../lib/timeline/facts.ts';
import { appendNow } from '../../appending.ts';
import { createMemoryTable } from '../../memory-table.ts';

type Over = {
  readonly table: Table;
  readonly now: () => number;
  readonly tombstones?: Pick<Tombstones, 'find' | 'hashOf'>;
};

/** A reading with the least that there is. */
export function readingWith(
  given: Partial<ContractReading> & Pick<ContractReading, 'contract'>,
  atMs: number,
): ContractReading {
  return {
    ...{ startedAtMs: atMs, endedAtMs: atMs, createdAtMs: 0, updatedAtMs: 0, revisionId: '1' },
    ...{ facts: {}, withheld: [], cycles: {}, cyclesUntil: 0 },
    ...given,
  };
}

/** Observes a contract and appends: its state is recorded then. */
export async function observe(
  { table, now, tombstones = NO_TOMBSTONES }: Over,
  shopId: ShopId,
  reading: ContractReading,
): Promise<void> {
  const deps = {
    ...{ table, now, tombstones, scheduledTasks: createScheduledTaskRepository({ table, now }) },
    postponements: createPostponementRepository({ table, now }),
    timedPauses: createTimedPauseRepository({ table, now }),
    ...{
      sendWithinBudget: () => Promise.reject(new Error('nobody is asked')),
      platformGidNamespace: 'shopify',
    },
  };
  const run = { store: { shopId } as StoreRecord, endAtMs: Infinity, baselineAtMs: undefined };
  await observeContractReadings(deps, run, [reading]);
  await appendNow({ table, now });
}

/** No erased customers. */
export const NO_TOMBSTONES = {
  hashOf: async () => ({ shopId: 0 as ShopId, hash: '' as never }),
  find: async () => undefined,
};

/** Reads the recorded state of a contract. */
export async function recordedOf(
  { table }: Pick<Over, 'table'>,
  shopId: ShopId,
  contract: ContractNumber,
): Promise<RecordedState> {
  const [state] = await readRecordedStates({ table }, shopId, [contract]);
  if (state === undefined) throw new Error('no state');
  return state;
}

type Own = Pick<EventRecord, 'action' | 'details' | 'changes'>;

/** Returns the changes between two readings that the service's own changes do not explain. */
export async function externalBetween(
  before: ContractReading,
  now: ContractReading,
  own: readonly Own[],
): Promise<FactChange[]> {
  const { contract } = before;
  const shopId = 1 as ShopId;
  const [empty] = await readRecordedStates({ table: createMemoryTable() }, shopId, [contract]);
  if (empty === undefined) throw new Error('no state');
  const first = { ...before, startedAtMs: 1_000_000, endedAtMs: 1_000_000, isWhole: true };
  const last = { ...now, startedAtMs: 1_090_000, endedAtMs: 1_090_000, isWhole: true };
  const entries = own.map((one, index): EventRecord => {
    const createdAtMs = 1_030_000 + index;
    const number = formatEventNumber({ createdAtMs, sequence: 0, contract });
    return {
      ...{
        ...one,
        id: `own-${index}`,
        number,
        shopId,
        contract,
        createdAtMs,
        requestId: 'r',
        outcome: 'DONE',
      },
      ...{ readAtMs: createdAtMs, endedAtMs: createdAtMs, actor: { kind: 'SERVICE' } },
    };
  });
  const item = (id: string) => ({ kind: 'intent', shopId, dueAtMs: 0, name: id, id, payload: {} }) as const;
  const intent = { id: '', isPlace: true } as never;
  const applied = applyQueuedItems(
    empty,
    [
      { item: item('first'), intent, entry: undefined, observation: first, notice: undefined },
      ...entries.map((entry) => ({
        ...{ item: item(entry.id), intent: entry, entry, observation: undefined, notice: undefined },
      })),
      { item: item('last'), intent, entry: undefined, observation: last, notice: undefined },
    ],
    1_100_000,
  );
  return applied.entries.filter(({ actor }) => actor.kind === 'UNKNOWN').flatMap(({ changes }) => changes);
}
