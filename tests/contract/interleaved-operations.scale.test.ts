/**
 * The contract tests of the operations for customers and keys again, interleaved in one process, each with its own store and
 * customer: all expectations hold.
 */
import { expect, test } from '@jest/globals';
import { isFullSize } from '../full-size.ts';

const REQUESTS = 64;
/** Some tests read the store between their requests. */
const CONCURRENCY = 80;

// The tests read it when they are loaded.
process.env.INTERLEAVED_TESTS = 'yes';
await import('../lib/subscriptions/status/operations-status.test.ts');
if (isFullSize) {
  await import('../lib/subscriptions/draft/operations-draft.test.ts');
  await import('../lib/subscriptions/delivery/operations-delivery.test.ts');
  const { describeOperation } = await import('./world/operation-cases.ts');
  const { intervalCase } = await import('../world/interval-operation.ts');
  describeOperation('subscriptionContractIntervalUpdate', intervalCase);
}
const { runCases } = await import('./world/interleaved.ts');

test('each operation behaves among 63 requests of other stores and customers as it does alone', async () => {
  const { count, failures, maximumInProgress } = await runCases(CONCURRENCY);
  expect(failures).toEqual([]);
  expect(count).toBeGreaterThan(CONCURRENCY);
  expect(maximumInProgress).toBeGreaterThanOrEqual(REQUESTS);
});
