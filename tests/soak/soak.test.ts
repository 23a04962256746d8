/** A part of `npm run soak`: the same customers, faults and thieves, in seconds. */
import { expect, test } from '@jest/globals';
import { failures } from './ledger.ts';
import { runSoak } from './run-soak.ts';

test('loses no session, returns no false 401, misses no theft, and leaves no secret behind', async () => {
  const seed = 20_260_701;
  const result = await runSoak({ seed, customers: 6, rounds: 20, progress: () => undefined });
  expect(result.details).toEqual([]);
  expect(failures.filter((name) => result.counts[name] !== 0)).toEqual([]);
  expect(result.secretsFound).toEqual([]);
  expect(result.counts.refreshes).toBeGreaterThanOrEqual(100);
  expect(result.searchedSecrets).toBeGreaterThan(200);
  expect(Object.values(result.injected).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
});
