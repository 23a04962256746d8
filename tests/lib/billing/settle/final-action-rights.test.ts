/** What a final action needs of the table only sometimes: under the rights of the function `billing`. */
import { expect, test } from '@jest/globals';
import { createScheduledTaskRepository } from '../../../../lib/storage/scheduled-tasks.ts';
import {
  createPostponementRepository,
  removePostponementRecord,
} from '../../../../lib/subscriptions/order-dates/postponements.ts';
import { createTimedPauseRepository } from '../../../../lib/subscriptions/pause/timed-pauses.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { holdsRights, tableOf } from '../../../rights/guarded-table.ts';
import { chargeRecord } from './fixtures.ts';

const nowMs = Date.parse('2026-12-01T10:00:00Z');
const now = () => nowMs;
const { shopId, contractNumber } = chargeRecord;
const contract = { shopId, contractNumber };
const setBy = { kind: 'SERVICE' } as const;

const everything = createMemoryTable();
const table = tableOf('billing', everything);

test('removes the pause with an end that the contract still had', async () => {
  const pause = {
    ...{ ...contract, pauseId: `${nowMs}-1`, pausedAtMs: nowMs, pausedBy: setBy, reason: undefined },
    ...{ resumesAtMs: nowMs + 86_400_000, setBy, setAtMs: nowMs },
  };
  await createTimedPauseRepository({ table: everything, now }).set(undefined, pause);
  const pauses = createTimedPauseRepository({ table, now });
  await pauses.end(pause);
  await expect(pauses.read(contract)).resolves.toBeUndefined();
});

test('removes the postponement of a contract that it cancels', async () => {
  const postponements = createPostponementRepository({ table, now });
  const pendingChange = { id: 'change-1', startedAtMs: nowMs, documents: [], next: {} };
  await createPostponementRepository({ table: everything, now }).begin({
    ...{ ref: contract, before: undefined, pendingChange },
  });
  await removePostponementRecord({ postponements }, contract);
  expect((await postponements.read(contract))?.pendingChange).toBeUndefined();
});

test('looks for the intent of an action that a crash interrupted', async () => {
  const span = { fromMs: nowMs - 60_000, toMs: nowMs };
  const found = createScheduledTaskRepository({ table, now }).listOfStore('intent', shopId, span);
  await expect(Array.fromAsync(found)).resolves.toEqual([]);
});

holdsRights();
