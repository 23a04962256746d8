/**
 * Every conditional put of the GraphQL functions, applied although its response is lost: the client sends it again, and
 * DynamoDB rejects the retry. The caller gets the same result as without the loss.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { cooldownKey, createCooldownRepository } from '../../../../lib/storage/cooldowns.ts';
import { createOneTimeLinkRepository } from '../../../../lib/storage/one-time-links.ts';
import { createScheduledTaskRepository } from '../../../../lib/storage/scheduled-tasks.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { createChargeClaimRepository } from '../../../../lib/subscriptions/charge/charge-claims.ts';
import { createTryCounter } from '../../../../lib/subscriptions/details/limited-tries.ts';
import {
  createPauseRecordRepository,
  type PauseRecord,
} from '../../../../lib/subscriptions/pause/pause-record.ts';
import { writeIntent } from '../../../../lib/timeline/intent.ts';
import { claimBillingAttempt } from '../../../../lib/timeline/record-charge.ts';
import { type LossyTables, startLossyTables } from './lossy-tables.ts';

const NOW_MS = Date.UTC(2026, 10, 22);
const shopId = 81234567001 as ShopId;
const now = () => NOW_MS;
let lossy: LossyTables;
beforeAll(async () => {
  lossy = await startLossyTables();
});
afterAll(() => lossy.close());
beforeEach(() => lossy.keepAnswers());

type Steps = readonly ((table: Table, contractNumber: never) => Promise<unknown>)[];
const ref = (contractNumber: number) => ({ shopId, contractNumber }) as never;
const pauseOf = (contractNumber: number, pauseId = 'one'): PauseRecord =>
  ({ shopId, contractNumber, pauseId, resumesAtMs: NOW_MS }) as never;
const cooldown = (contractNumber: number) => ({ shopId, action: 'mail', subject: `${contractNumber}` });
const change = (contract: number) => ({
  shopId,
  contract: `${contract}`,
  action: 'skip',
  createdAtMs: NOW_MS,
});

/** The operations, each after the result of the one before. */
const CALLERS: Readonly<Record<string, Steps>> = {
  'a cooldown is taken by one, given back by him, and taken by another': [
    (table, at) =>
      createCooldownRepository({ table, now }).start(cooldown(at), { holder: 'a', durationMs: 9 }),
    (table, at) =>
      createCooldownRepository({ table, now }).start(cooldown(at), { holder: 'b', durationMs: 9 }),
    (table, at) => createCooldownRepository({ table, now }).release(cooldown(at), 'b'),
    (table, at) => createCooldownRepository({ table, now }).release(cooldown(at), 'a'),
    (table, at) =>
      createCooldownRepository({ table, now }).start(cooldown(at), { holder: 'b', durationMs: 9 }),
  ],
  'a pause is noted, made anew, and forgotten': [
    (table, at) => createPauseRecordRepository({ table }).replace(undefined, pauseOf(at), NOW_MS),
    (table, at) => createPauseRecordRepository({ table }).replace(undefined, pauseOf(at, 'other'), NOW_MS),
    (table, at) => createPauseRecordRepository({ table }).replace(pauseOf(at), pauseOf(at, 'two'), NOW_MS),
    (table, at) => createPauseRecordRepository({ table }).replace(pauseOf(at), pauseOf(at, 'three'), NOW_MS),
  ],
  'a charge is claimed by one key': [
    (table, at) =>
      createChargeClaimRepository({ table, now }).claim(ref(at), { idempotencyKey: 'a', readAtMs: 1 }),
    (table, at) =>
      createChargeClaimRepository({ table, now }).claim(ref(at), { idempotencyKey: 'b', readAtMs: 1 }),
    (table, at) => createChargeClaimRepository({ table, now }).release(ref(at), 'b'),
    (table, at) => createChargeClaimRepository({ table, now }).release(ref(at), 'a'),
    (table, at) =>
      createChargeClaimRepository({ table, now }).claim(ref(at), {
        idempotencyKey: 'b',
        readAtMs: NOW_MS + 1,
      }),
  ],
  'work that is due is noted once': [
    (table, at) => createScheduledTaskRepository({ table, now }).put({ ...due(at), payload: { id: 'a' } }),
    (table, at) => createScheduledTaskRepository({ table, now }).put({ ...due(at), payload: { id: 'b' } }),
    (table, at) => createScheduledTaskRepository({ table, now }).find(due(at)),
  ],
  'an intent gets a number of its own': [
    async (table, at) =>
      (await writeIntent(createScheduledTaskRepository({ table, now }), { ...change(at), id: 'a' } as never))
        .number,
    async (table, at) =>
      (await writeIntent(createScheduledTaskRepository({ table, now }), { ...change(at), id: 'b' } as never))
        .number,
  ],
  'an attempt is recorded by whoever takes it first': [
    (table, at) => claimBillingAttempt({ table }, attempt(at, 'a')),
    (table, at) => claimBillingAttempt({ table }, attempt(at, 'a')),
    (table, at) => claimBillingAttempt({ table }, attempt(at, 'b')),
  ],
  'each try is counted once, and given back once': [
    (table, at) => tryOnce(table, at, 'a'),
    (table, at) => tryOnce(table, at, 'b'),
    (table, at) => tryOnce(table, at, 'c'),
    async (table, at) => {
      await table.delete(cooldownKey(cooldown(at)));
      const counted = await tries(table).count(cooldown(at), { maximum: 1, windowMs: 9 }, 'a');
      if (counted.outcome === 'counted') await counted.refund();
    },
    (table, at) => tryOnce(table, at, 'b', 1),
    (table, at) => tryOnce(table, at, 'c', 1),
  ],
  'a link is put once': [
    (table, at) => createOneTimeLinkRepository({ table }).put(link(at)),
    (table, at) => createOneTimeLinkRepository({ table }).put(link(at, 'other')),
  ],
};
const tries = (table: Table) => createTryCounter({ table, now });
const tryOnce = (table: Table, at: never, holder: string, maximum = 2) =>
  tries(table).count(cooldown(at), { maximum, windowMs: 9 }, holder);
const due = (at: number) => ({ kind: 'intent' as const, shopId, dueAtMs: NOW_MS, name: `due-${at}` });
const link = (at: number, label = 'Back office') =>
  ({ linkId: `link-${at}`, shopId, label, voidAtMs: NOW_MS * 2 }) as never;
const attempt = (contract: number, id: string) => ({ shopId, contract, id, attemptId: '7' }) as never;

let contracts = 9_000_000;

async function runSteps(table: Table, steps: Steps): Promise<unknown[]> {
  const contract = contracts++;
  const reported: unknown[] = [];
  for (const step of steps) reported.push(await step(table, contract as never));
  return JSON.parse(JSON.stringify(reported).replaceAll(`${contract}`, 'the contract'));
}

describe.each(Object.entries(CALLERS))('%s', (_what, steps) => {
  test.each(['sdk', 'own'] as const)(
    'returns the same when responses are lost, by the client %s',
    async (name) => {
      const table = lossy.tables[name];
      const expected = await runSteps(table, steps);
      const lost = lossy.loseAnswers();
      expect(await runSteps(table, steps)).toEqual(expected);
      expect(lost()).toBeGreaterThan(0);
    },
  );
});

test('refuses what another writer has put concurrently, however often it is tried', async () => {
  const table = lossy.tables.own;
  const key = { pk: 'other', sk: randomUUID() };
  await table.put({ ...key, holder: 'b' });
  lossy.loseAnswers();
  expect(await table.put({ ...key, holder: 'a' }, { condition: 'attribute_not_exists(pk)' })).toBe('refused');
});
