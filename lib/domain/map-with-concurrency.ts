import { awaitAll } from './await-all.ts';
import { splitIntoBatches } from './split-into-batches.ts';

/**
 * Returns the results of `work` for all elements, in their order. At most `concurrency` calls of `work` run at the same
 * time, because further calls would wait for a connection, and that wait counts towards their timeout.
 */
export async function mapWithConcurrency<Element, Result>(
  elements: readonly Element[],
  concurrency: number,
  work: (element: Element, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const entryBatch of splitIntoBatches([...elements.entries()], concurrency))
    results.push(...(await awaitAll(entryBatch.map(([index, element]) => work(element, index)))));
  return results;
}
