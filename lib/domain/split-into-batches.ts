/**
 * Divides a list into batches of `size` elements, in order. The last batch may be smaller. An empty list has no
 * batches.
 */
export function splitIntoBatches<Of>(all: readonly Of[], size: number): Of[][] {
  const batchCount = Math.ceil(all.length / size);
  return Array.from({ length: batchCount }, (_, index) => all.slice(index * size, (index + 1) * size));
}
