/**
 * Tracks the stream numbers that an endpoint has processed: all below the cursor, and some above it, because
 * contracts do not wait for each other. Processed means accepted, filtered out, or moved to a backlog.
 */

/** `cursor`: the lowest unprocessed number. `above`: processed numbers beyond it. */
export type Passed = { cursor: number; readonly above: Set<number> };

/** No number further beyond the cursor is started: all processed numbers above it are part of each write. */
export const WINDOW = 1000;

/** Marks one number as processed; the cursor moves over all processed numbers that follow. */
export function pass(passed: Passed, number: number): void {
  if (number < passed.cursor) return;
  passed.above.add(number);
  while (passed.above.delete(passed.cursor)) passed.cursor++;
}

/** Whether a number is processed. */
export function isPassed({ cursor, above }: Passed, number: number): boolean {
  return number < cursor || above.has(number);
}

/** Marks all numbers from `number` on as unprocessed; the cursor never moves ahead. */
export function rewind(passed: Passed, number: number): void {
  for (const one of passed.above) if (one >= number) passed.above.delete(one);
  if (number >= passed.cursor) return;
  passed.cursor = number;
  passed.above.clear();
}

/** Encodes one bit for each number from the cursor on, base64. */
export function writeAbove({ cursor, above }: Passed): string {
  if (above.size === 0) return '';
  const bits = Buffer.alloc(Math.floor((Math.max(...above) - cursor) / 8) + 1);
  for (const number of above) {
    const offset = number - cursor;
    bits[offset >> 3] = (bits[offset >> 3] ?? 0) | (1 << (offset & 7));
  }
  return bits.toString('base64');
}

/** Decodes the text of `writeAbove`. */
export function readPassed(cursor: number, text: string): Passed {
  const above = new Set<number>();
  for (const [index, byte] of Buffer.from(text, 'base64').entries())
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) above.add(cursor + index * 8 + bit);
  return { cursor, above };
}

/** Moves the cursor to `number`: unprocessed numbers below it are no longer in the stream. */
export function skipTo(passed: Passed, number: number): void {
  for (const one of passed.above) if (one < number) passed.above.delete(one);
  passed.cursor = number - 1;
  pass(passed, number - 1);
}
