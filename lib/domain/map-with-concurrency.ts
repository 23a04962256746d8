import { awaitAll } from './await-all.ts';
import { splitIntoBatches } from './split-into-batches.ts';

/**
 * Returns the results of `work` for all elements, in their order. At most `concurrency` of them run at the same time: the
 * calls of others would wait for a connection, and that wait counts for their timeout.
 */
export async function mapWithConcurrency<Of, Result>(
  all: readonly Of[],
  concurrency: number,
  work: (one: Of, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const entryBatch of splitIntoBatches([...all.entries()], concurrency))
    results.push(...(await awaitAll(entryBatch.map(([index, one]) => work(one, index)))));
  return results;
}
