/**
 * Open intents are settled batch by batch, since not all may fit into memory. Later ones of a contract are evidence for those
 * before them, so each batch comes with them, wherever they lie. Those that have their entries wait for the stream alone.
 */
import { type DueItems, takeDueInBatches } from '../../storage/due-items.ts';
import type { Table } from '../../storage/table.ts';
import { type OpenIntent, toOpenIntent } from '../open-intent.ts';
import { findEntries } from './find-entries.ts';

type Deps = {
  readonly table: Pick<Table, 'batchGet' | 'query'>;
  readonly dueItems: Pick<DueItems, 'listDue'>;
};

type Batch = {
  /** Those that are due by then, epoch milliseconds. */
  readonly untilMs: number;
  /** Ids of those that a batch has had. */
  readonly seen: Set<string>;
  readonly atOnce: number;
};

/** The entries of so many are looked for at once. */
const LOOKED_AT = 100;

/**
 * `own`: the oldest that no batch has had, noted in `seen`. `after`: all after them of the same contracts.
 * TEMPORARILY_UNAVAILABLE: the table.
 */
export async function readBatch(
  deps: Deps,
  { untilMs, seen, atOnce }: Batch,
): Promise<{ readonly own: readonly OpenIntent[]; readonly after: readonly OpenIntent[] }> {
  const own: OpenIntent[] = [];
  const after: OpenIntent[] = [];
  const contracts = new Set<string>();
  for await (const intent of listUnsettled(deps, { untilMs, seen })) {
    const contract = `${intent.shopId} ${intent.contract}`;
    if (own.length === atOnce) {
      if (contracts.has(contract)) after.push(intent);
      continue;
    }
    own.push(intent);
    seen.add(intent.id);
    contracts.add(contract);
  }
  return { own, after };
}

async function* listUnsettled(
  { table, dueItems }: Deps,
  { untilMs, seen }: Pick<Batch, 'untilMs' | 'seen'>,
): AsyncGenerator<OpenIntent> {
  const due = takeDueInBatches(dueItems, { kind: 'intent', nowMs: untilMs, atOnce: LOOKED_AT });
  for await (const items of due) {
    const open = items.map(toOpenIntent).filter(({ id, isPlace }) => !isPlace && !seen.has(id));
    const entries = await findEntries({ table }, open);
    yield* open.filter((_, index) => entries[index] === undefined);
  }
}
