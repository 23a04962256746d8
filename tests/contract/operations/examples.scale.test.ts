/** The examples of tests/README.md, and a check of its links. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../full-size.ts';
import { NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createOperationWorld, gid } from '../world/operation-world.ts';

const ADAS_CONTRACT = gid('SubscriptionContract', 9_101_001);
const pauseUntil = (until: string) => `mutation {
  subscriptionContractPause(subscriptionContractId: "${ADAS_CONTRACT}", until: "${until}") {
    contract { status }
    userErrors { code field }
  }
}`;

test('rejects a pause that ends in the past, and sends no change to the platform', async () => {
  const world = createOperationWorld();
  const query = pauseUntil('2020-01-01T00:00:00Z');
  const { payload, sent } = await world.run({ as: 'customer', query, table: createMemoryTable() });
  expect(payload.userErrors).toEqual([{ code: 'DATE_IN_PAST', field: ['until'] }]);
  expect(sent.flat()).not.toContain('subscriptionContractPause');
});

test('returns the paused contract when the platform’s response is lost after the change', async () => {
  const world = createOperationWorld();
  world.fail({ kind: 'lost after', at: 'subscriptionContractPause' });
  const query = pauseUntil(new Date(NOW_MS + 86_400_000).toISOString());
  const { payload } = await world.run({ as: 'customer', query, table: createMemoryTable() });
  expect(payload).toEqual({ contract: { status: 'PAUSED' }, userErrors: [] });
});

const RUNS = propertyRuns(1_000);
test(`rejects the end of a pause in ${RUNS.numRuns} random cases that are past or more than a year ahead`, async () => {
  const world = createOperationWorld();
  // All cases run at one instant; an ordinary store would throttle them.
  world.platform.store().throttle = { maximumAvailable: 1_000_000, restoreRate: 100_000 };
  const days = fc.oneof(fc.integer({ min: -9999, max: 0 }), fc.integer({ min: 367, max: 9999 }));
  await fc.assert(
    fc.asyncProperty(days, async (distance) => {
      const query = pauseUntil(new Date(NOW_MS + distance * 86_400_000).toISOString());
      const { payload } = await world.run({ as: 'customer', query, table: createMemoryTable() });
      const code = distance > 0 ? 'DATE_TOO_FAR' : 'DATE_IN_PAST';
      expect(payload.userErrors).toEqual([{ code, field: ['until'] }]);
    }),
    RUNS,
  );
});

test('every link of tests/README.md leads to a file or folder that is there', () => {
  const tests = join(import.meta.dirname, '../..');
  const page = readFileSync(join(tests, 'README.md'), 'utf8');
  const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((path) => !existsSync(join(tests, path)))).toEqual([]);
});
