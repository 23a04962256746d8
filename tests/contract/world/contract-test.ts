/** Jest's `test`, or in a file that interleaves its tests, the same interface that collects them for `runCases`. */
import { format } from 'node:util';
import { test as jestTest } from '@jest/globals';
import { collectCase, isInterleaved } from './interleaved.ts';

type DefineEach = (
  rows: readonly unknown[],
) => (title: string, run: (...row: never[]) => Promise<void> | void) => void;

/** Collects the test of each row. A row that is no list is the only parameter. */
const collectEach: DefineEach = (rows) => (title, run) => {
  for (const row of rows) {
    const values = (Array.isArray(row) ? row : [row]) as never[];
    collectCase({ title: format(title, ...values), run: async () => run(...values) });
  }
};

function collectTest(title: string, run: () => Promise<void> | void): void {
  collectCase({ title, run: async () => run() });
}

/** Defines a test that itself decides in which order its requests continue, so it is never run with others. */
export const testInOwnOrder: (title: string, run: () => Promise<void>) => void = isInterleaved
  ? () => undefined
  : jestTest;

export const test = isInterleaved
  ? (Object.assign(collectTest, { each: collectEach }) as unknown as typeof jestTest)
  : jestTest;
