/** A list in parts, for what takes so many at once and no more. */

/** The list's items in order, in batches of `size`; the last may be smaller. None of an empty list. */
export function batchesOf<Of>(all: readonly Of[], size: number): Of[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size));
}
