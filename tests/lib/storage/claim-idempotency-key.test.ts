/** An idempotency record has one owner: the request that wrote it, which may start over, or the one that may replace it. */
import { expect, test } from '@jest/globals';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import {
  claimIdempotencyKey,
  type IdempotencyKeyClaim,
  storeResponse,
} from '../../../lib/storage/claim-idempotency-key.ts';
import type { ClaimableIdempotencyKey } from '../../../lib/storage/idempotency-record.ts';
import { createMemoryTable } from '../../memory-table.ts';

const SHOP_ID = 81234567001 as ShopId;
const place = { pk: 'REPEAT#81234567001#hash', sk: 'REPEAT' };

function keyOf(runId: string, replaces?: string): ClaimableIdempotencyKey {
  return {
    ...{ shopId: SHOP_ID, itemKey: place, argumentsHash: 'hash', storedFieldNames: [] },
    replaceableRunId: replaces,
    runId,
  };
}

function recordOfKey() {
  const table = createMemoryTable();
  return {
    claim: (key: ClaimableIdempotencyKey, claim: IdempotencyKeyClaim) =>
      claimIdempotencyKey({ table, now: () => 1 }, key, claim),
    respond: (id: string) => storeResponse(table, { repeat: place, id }, { ids: {} }),
    owner: async () => (await table.get(place))?.runId,
  };
}

const intent = (id: string) => ({ intent: { id, number: `7-${id}` } });

test('lets a request that starts over replace its own claim', async () => {
  const record = recordOfKey();
  expect(await record.claim(keyOf('run-1'), intent('intent-1'))).toBe(true);
  expect(await record.claim(keyOf('run-1'), intent('intent-2'))).toBe(true);
  expect(await record.owner()).toBe('intent-2');
});

test('refuses the claim of another request while the first one runs', async () => {
  const record = recordOfKey();
  await record.claim(keyOf('run-1'), intent('intent-1'));
  expect(await record.claim(keyOf('run-2'), intent('intent-2'))).toBe(false);
  expect(await record.owner()).toBe('intent-1');
});

test('lets one of two requests replace a run that changed nothing', async () => {
  const record = recordOfKey();
  await record.claim(keyOf('run-1'), intent('intent-1'));
  expect(await record.claim(keyOf('run-2', 'intent-1'), intent('intent-2'))).toBe(true);
  expect(await record.claim(keyOf('run-3', 'intent-1'), intent('intent-3'))).toBe(false);
  expect(await record.owner()).toBe('intent-2');
});

test('refuses a claim on a record that has the stored response', async () => {
  const record = recordOfKey();
  await record.claim(keyOf('run-1'), intent('intent-1'));
  await record.respond('intent-1');
  expect(await record.claim(keyOf('run-1'), {})).toBe(false);
  expect(await record.claim(keyOf('run-2', 'intent-1'), {})).toBe(false);
});

test('claims under the id of the run when the change has no intent', async () => {
  const record = recordOfKey();
  await record.claim(keyOf('run-1'), { mayRunAgain: true });
  expect(await record.owner()).toBe('run-1');
});
