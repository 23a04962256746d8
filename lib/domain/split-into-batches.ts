/**
 * Divides a list into batches of `size` elements, in order. The last batch may be smaller. An empty list has no
 * batches.
 */
export function splitIntoBatches<Element>(elements: readonly Element[], size: number): Element[][] {
  const batchCount = Math.ceil(elements.length / size);
  return Array.from({ length: batchCount }, (_, index) => elements.slice(index * size, (index + 1) * size));
}
