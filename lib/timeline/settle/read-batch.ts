/**
 * Open intents are settled batch by batch, since not all may fit into memory. Later ones of a contract are evidence for those
 * before them, so each batch comes with them, wherever they lie. Those that have their entries wait for the stream alone.
 */
import { claimDueInBatches, type DueItems } from '../../storage/due-items.ts';
import type { Table } from '../../storage/table.ts';
import { findEntries, type OpenIntent, toOpenIntent } from '../intent.ts';

type Deps = {
  readonly table: Pick<Table, 'batchGet' | 'query'>;
  readonly dueItems: Pick<DueItems, 'listDue'>;
};

type Batch = {
  /** Those that are due by then, epoch milliseconds. */
  readonly untilMs: number;
  /** Ids of those that a batch has had. */
  readonly seen: Set<string>;
  readonly concurrency: number;
  /** Those that were begun earlier are old, epoch milliseconds. */
  readonly oldBeforeMs: number;
};

type ReadBatch = {
  readonly own: readonly OpenIntent[];
  readonly after: readonly OpenIntent[];
  /** How many old ones have their entries, and nobody places them. */
  readonly oldNotAppended: number;
};

/** The entries of so many are looked for at once. */
const MAX_READ = 100;

/**
 * `own`: the oldest that no batch has had, noted in `seen`. `after`: all after them of the same contracts.
 * TEMPORARILY_UNAVAILABLE: the table.
 */
export async function readBatch(
  deps: Deps,
  { untilMs, seen, concurrency, oldBeforeMs }: Batch,
): Promise<ReadBatch> {
  const own: OpenIntent[] = [];
  const after: OpenIntent[] = [];
  const contracts = new Set<string>();
  let oldNotAppended = 0;
  for await (const { intent, isEntered } of listIntents(deps, { untilMs, seen })) {
    if (isEntered && intent.createdAtMs < oldBeforeMs) oldNotAppended++;
    if (isEntered || intent.isPlace) continue;
    const contract = `${intent.shopId} ${intent.contract}`;
    if (own.length === concurrency) {
      if (contracts.has(contract)) after.push(intent);
      continue;
    }
    own.push(intent);
    seen.add(intent.id);
    contracts.add(contract);
  }
  return { own, after, oldNotAppended };
}

async function* listIntents(
  { table, dueItems }: Deps,
  { untilMs, seen }: Pick<Batch, 'untilMs' | 'seen'>,
): AsyncGenerator<{ readonly intent: OpenIntent; readonly isEntered: boolean }> {
  const due = claimDueInBatches(dueItems, { kind: 'intent', nowMs: untilMs, concurrency: MAX_READ });
  for await (const items of due) {
    const intents = items.map(toOpenIntent).filter(({ id }) => !seen.has(id));
    const entries = await findEntries({ table }, intents);
    yield* intents.map((intent, index) => ({ intent, isEntered: entries[index] !== undefined }));
  }
}
