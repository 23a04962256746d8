/**
 * The tests of forwarded changes, postponements and idempotency keys again, interleaved in one process, each with its own
 * store and customer: all expectations hold.
 */
import { expect, test } from '@jest/globals';
import { isFullSize } from '../full-size.ts';

const REQUESTS = 64;
/** Some tests read the store between their requests. */
const CONCURRENCY = 80;

// The tests read it when they are loaded.
process.env.INTERLEAVED_TESTS = 'yes';
await import('./forwarded/forwarded-changes.test.ts');
await import('./forwarded/forwarded-outcomes.test.ts');
await import('./forwarded/forwarded-events.test.ts');
await import('./forwarded/add-address.test.ts');
await import('./forwarded/start-update.test.ts');
await import('./forwarded/update-email.test.ts');
await import('./postponement/postpone-order.test.ts');
if (isFullSize) {
  await import('./postponement/postponement-work.test.ts');
  await import('./postponement/restore-postponed-order.test.ts');
  await import('./postponement/skipped-order-dates.test.ts');
  await import('./postponement/interval-with-skips.test.ts');
  await import('./postponement/interval-of-moved-orders.test.ts');
  await import('../graphql/roots/idempotency/forwarded-idempotency.test.ts');
}
await import('../graphql/roots/idempotency/idempotency.test.ts');
const { runCases } = await import('./world/interleaved.ts');

test('each change behaves among 63 requests of other stores and customers as it does alone', async () => {
  const { count, failures, maximumInProgress } = await runCases(CONCURRENCY);
  expect(failures).toEqual([]);
  expect(count).toBeGreaterThan(CONCURRENCY);
  expect(maximumInProgress).toBeGreaterThanOrEqual(REQUESTS);
});
