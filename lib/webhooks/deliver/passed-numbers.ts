/**
 * Which numbers of the store's stream an endpoint is done with: all below the cursor, and some above it, for contracts do
 * not wait for each other. Done is what was accepted, what is not for this endpoint, and what its contract's backlog holds.
 */

/** `cursor`: the lowest number that is not passed. `above`: those that are, beyond it. */
export type Passed = { cursor: number; readonly above: Set<number> };

/** No number so far beyond the cursor is begun with: what is above it is written with each write. */
export const WINDOW = 1000;

/** Passes one number; the cursor moves over all that follow it. */
export function pass(passed: Passed, number: number): void {
  if (number < passed.cursor) return;
  passed.above.add(number);
  while (passed.above.delete(passed.cursor)) passed.cursor++;
}

/** Whether a number is passed. */
export function isPassed({ cursor, above }: Passed, number: number): boolean {
  return number < cursor || above.has(number);
}

/** Nothing from `number` on is passed any more; the cursor never moves ahead by it. */
export function rewind(passed: Passed, number: number): void {
  for (const one of passed.above) if (one >= number) passed.above.delete(one);
  if (number >= passed.cursor) return;
  passed.cursor = number;
  passed.above.clear();
}

/** A bit for each number from the cursor on, base64. */
export function writeAbove({ cursor, above }: Passed): string {
  if (above.size === 0) return '';
  const bits = Buffer.alloc(Math.floor((Math.max(...above) - cursor) / 8) + 1);
  for (const number of above) {
    const offset = number - cursor;
    bits[offset >> 3] = (bits[offset >> 3] ?? 0) | (1 << (offset & 7));
  }
  return bits.toString('base64');
}

/** What `writeAbove` wrote. */
export function readPassed(cursor: number, text: string): Passed {
  const above = new Set<number>();
  for (const [index, byte] of Buffer.from(text, 'base64').entries())
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) above.add(cursor + index * 8 + bit);
  return { cursor, above };
}

/** Numbers below `number` that are not passed are not in the stream any more. */
export function skipTo(passed: Passed, number: number): void {
  for (const one of passed.above) if (one < number) passed.above.delete(one);
  passed.cursor = number - 1;
  pass(passed, number - 1);
}
