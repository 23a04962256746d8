/**
 * Open intents are settled batch by batch, since not all may fit into memory. Later ones of a contract are evidence for those
 * before them, so each batch comes with them, wherever they lie.
 */
import type { DueItems } from '../../storage/due-items.ts';
import { type OpenIntent, toOpenIntent } from '../open-intent.ts';

type Batch = {
  /** Those that are due by then, epoch milliseconds. */
  readonly untilMs: number;
  /** Ids of those that a batch has had. */
  readonly seen: Set<string>;
  readonly atOnce: number;
};

/**
 * `own`: the oldest that no batch has had, noted in `seen`. `after`: all after them of the same contracts.
 * TEMPORARILY_UNAVAILABLE: the table.
 */
export async function readBatch(
  { listDue }: Pick<DueItems, 'listDue'>,
  { untilMs, seen, atOnce }: Batch,
): Promise<{ readonly own: readonly OpenIntent[]; readonly after: readonly OpenIntent[] }> {
  const own: OpenIntent[] = [];
  const after: OpenIntent[] = [];
  const contracts = new Set<string>();
  for await (const item of listDue('intent', untilMs)) {
    const intent = toOpenIntent(item);
    const contract = `${intent.shopId} ${intent.contract}`;
    if (seen.has(intent.id)) continue;
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
