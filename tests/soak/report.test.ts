/** Three zeros are worth nothing if little went wrong: a whole soak must have been hard. */
import { expect, test } from '@jest/globals';
import { failures } from './ledger.ts';
import { report } from './report.ts';
import type { SoakResult } from './run-soak.ts';

const WHOLE = { customers: 300, rounds: 60 };
const none = Object.fromEntries(failures.map((name) => [name, 0]));
const hard: SoakResult = {
  seconds: 300,
  counts: {
    ...none,
    refreshes: 18_000,
    'parallel refreshes': 4_000,
    'answers lost': 50,
    'sign-ins': 600,
    'late repeats': 50,
    thieves: 50,
    'sessions expired': 50,
    'refreshes across a rotation of the ring': 50,
    'access tokens used after a rotation': 50,
  },
  injected: { 'table throttle': 50, 'crash in refresh': 1_000 },
  secretsFound: [],
  searchedSecrets: 40_000,
  bytesSearched: 30_000_000,
  details: [],
  isClean: true,
};
const lastLine = (result: SoakResult) => report(result, WHOLE).lines.at(-1);

test('clean and hard: it passes, and ends with three zeros', () => {
  expect(report(hard, WHOLE).passed).toBe(true);
  expect(lastLine(hard)).toBe('sessions lost 0, false 401 0, thefts missed 0');
});

test.each(failures)('%s: it fails', (name) => {
  const result = { ...hard, isClean: false, counts: { ...hard.counts, [name]: 1 } };
  const { lines, passed } = report(result, WHOLE);
  expect(passed).toBe(false);
  expect(lines.join('\n')).toContain(`${name} 1`);
});

test.each([
  [
    'a kind of fault',
    { ...hard, injected: { ...hard.injected, 'table throttle': 49 } },
    'table throttle 49 of 50',
  ],
  ['crashes', { ...hard, injected: { 'crash in refresh': 999 } }, 'crashes 999 of 1000'],
  [
    'parallel refreshes',
    { ...hard, counts: { ...hard.counts, 'parallel refreshes': 3_999 } },
    'parallel refreshes 3999 of 4000',
  ],
  ['thieves', { ...hard, counts: { ...hard.counts, 'sign-ins': 5_001 } }, 'thieves 50 of 51'],
  ['late repeats', { ...hard, counts: { ...hard.counts, 'late repeats': 49 } }, 'late repeats 49 of 50'],
])('too few %s: a whole soak fails, a small one does not', (_what, result, message) => {
  const { lines, passed } = report(result, WHOLE);
  expect(passed).toBe(false);
  expect(lines.join('\n')).toContain(message);
  expect(report(result, { customers: 6, rounds: 30 }).passed).toBe(true);
});
