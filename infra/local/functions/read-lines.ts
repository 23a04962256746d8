import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Calls back with every line that is not empty. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream }).on('line', (line) => {
    if (line !== '') onLine(line);
  });
}
