import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { type ContractRef, parseContractRef } from '../../../../lib/subscriptions/contract-ref.ts';
import {
  createPauseRecordRepository,
  type PauseRecord,
} from '../../../../lib/subscriptions/pause/pause-record.ts';
import { removeTimedPause } from '../../../../lib/subscriptions/pause/remove-timed-pause.ts';
import { createTimedPauseRepository } from '../../../../lib/subscriptions/pause/timed-pauses.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { startTables } from '../../../isolated-table.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { createFaults, faulty } from '../../stores/world/faults.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const SHOP = 81234567001 as ShopId;

let tables: Awaited<ReturnType<typeof startTables>>;
let table: Table;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());

let contracts = 0;

/** A contract of its own, and a pause for it. */
function aPause(changes: Partial<PauseRecord> = {}): PauseRecord {
  contracts += 1;
  return {
    shopId: SHOP,
    contractNumber: `${5000 + contracts}` as ContractNumber,
    pauseId: 'pause-1',
    pausedAtMs: NOW_MS,
    pausedBy: { kind: 'MERCHANT', label: 'Helpdesk' },
    resumesAtMs: NOW_MS + 1000,
    reason: 'away',
    setBy: { kind: 'MERCHANT', label: 'Helpdesk' },
    setAtMs: NOW_MS,
    ...changes,
  };
}

function timedPauses() {
  return createTimedPauseRepository({ table, now: () => NOW_MS });
}

function pauses() {
  return createPauseRecordRepository({ table });
}

async function stored(pause: PauseRecord): Promise<PauseRecord> {
  expect(await pauses().replace(undefined, pause, NOW_MS)).toBe('done');
  return pause;
}

describe.each([
  ['the table', () => tables.part()],
  ['the table in memory', createMemoryTable],
])('%s', (_name, makeTable) => {
  beforeEach(() => {
    table = makeTable();
  });

  describe('two at once change the pause of a contract', () => {
    test('both saw no pause: one of them is refused', async () => {
      const [first, second] = [aPause(), aPause({ pauseId: 'pause-2' })];
      const rival = { ...second, contractNumber: first.contractNumber };
      const outcomes = await Promise.all([
        pauses().replace(undefined, first, NOW_MS),
        pauses().replace(undefined, rival, NOW_MS),
      ]);
      expect(outcomes.toSorted()).toEqual(['done', 'refused']);
    });

    test('what was read is replaced; what has changed since is not', async () => {
      const first = await stored(aPause());
      const second = { ...first, pauseId: 'pause-2', resumesAtMs: undefined, reason: undefined };
      expect(await pauses().replace(first, second, NOW_MS)).toBe('done');
      expect(await pauses().replace(first, { ...first, pauseId: 'pause-3' }, NOW_MS)).toBe('refused');
      expect(await pauses().clear(first)).toBe('refused');
      expect(await pauses().read(first)).toMatchObject({ pauseId: 'pause-2' });
      expect((await pauses().read(first))?.resumesAtMs).toBeUndefined();
      expect(await pauses().clear(second)).toBe('done');
      expect(await pauses().read(first)).toBeUndefined();
    });

    test('while one resumes it nobody else does, and it keeps its end; a resuming that died is taken over', async () => {
      const pause = await stored(aPause());
      const lease = { nowMs: NOW_MS, untilMs: NOW_MS + 60_000 };
      const claims = await Promise.all([pauses().claim(pause, lease), pauses().claim(pause, lease)]);
      expect(claims.toSorted()).toEqual(['done', 'refused']);
      const longer = { ...pause, pauseId: 'pause-2', resumesAtMs: NOW_MS + 9000 };
      expect(await pauses().replace(pause, longer, NOW_MS)).toBe('refused');
      const later = NOW_MS + 60_001;
      expect(await pauses().claim(pause, { nowMs: later, untilMs: later + 60_000 })).toBe('done');
      expect(await pauses().replace(pause, longer, later + 60_001)).toBe('done');
    });
  });

  describe('many contracts', () => {
    test('a hundred are read in one request, in their order, each contract as often as it is asked for', async () => {
      const first = await stored(aPause());
      const second = await stored(aPause({ pausedAtMs: undefined, pausedBy: undefined }));
      const absent: ContractRef = { shopId: SHOP, contractNumber: '1' as ContractNumber };
      const faults = createFaults();
      const counted = faulty(table, 'table', faults);
      const found = await createPauseRecordRepository({ table: counted }).readMany([
        second,
        absent,
        first,
        second,
      ]);
      expect(found).toEqual([second, undefined, first, second]);
      expect(faults.calls.map(({ operation }) => operation)).toEqual(['batchGet']);
      expect(await pauses().readMany([])).toEqual([]);
    });

    test('a contract is known by the number in its id, in any namespace', () => {
      const named = (id: string) => parseContractRef(SHOP, id)?.contractNumber;
      expect(named('gid://platform/SubscriptionContract/12')).toBe('12');
      expect(named('gid://shopify/SubscriptionContract/12')).toBe('12');
      expect([named('gid://shopify/Customer/12'), named('12')]).toEqual([undefined, undefined]);
    });
  });

  describe('a pause that was ended by a forwarded mutation', () => {
    test('is forgotten, but not one that was made after the mutation had begun', async () => {
      const pause = await stored(aPause());
      await removeTimedPause({ timedPauses: timedPauses() }, { ...pause, beganAtMs: NOW_MS - 1 });
      expect(await pauses().read(pause)).toEqual(pause);
      await removeTimedPause({ timedPauses: timedPauses() }, { ...pause, beganAtMs: NOW_MS + 1 });
      expect(await pauses().read(pause)).toBeUndefined();
      await removeTimedPause({ timedPauses: timedPauses() }, { ...pause, beganAtMs: NOW_MS + 1 });
    });
  });
});
