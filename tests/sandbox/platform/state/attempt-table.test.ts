/** The table of attempts returns what a scan of all attempts would find. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AttemptTable } from '../../../../sandbox/platform/state/attempt-table.ts';
import type { AttemptRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { startMs } from '../admin/harness.ts';

function attempt(id: number, contractId: number, delaySeconds: number): AttemptRecord {
  const createdAt = formatIsoInstant(startMs - delaySeconds * 3_600_000);
  return {
    __typename: 'SubscriptionBillingAttempt',
    ...{
      id,
      contractId,
      cycleIndex: 1,
      idempotencyKey: `key-${contractId % 2}`,
      createdAt,
      completedAt: null,
    },
    ...{ originTime: null, orderId: null, errorCode: null, errorMessage: null },
    ...{ respectInventoryPolicy: true, allowUnpaid: false },
    settleAt: formatIsoInstant(startMs + delaySeconds * 1000),
  };
}

const command = fc.record({
  name: fc.constantFrom('set', 'set', 'set', 'delete', 'complete', 'wait', 'clear'),
  id: fc.integer({ min: 1, max: 12 }),
  contractId: fc.integer({ min: 1, max: 3 }),
  delaySeconds: fc.integer({ min: 0, max: 9 }),
});

const idsOf = (attempts: Iterable<AttemptRecord>) => [...attempts].map(({ id }) => id).sort((a, b) => a - b);

test('lists the attempts of a contract, of a key, since an instant, and the due ones, as a scan of all attempts does', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      const table = new AttemptTable();
      let nowMs = startMs;
      for (const { name, id, contractId, delaySeconds } of commands) {
        const present = table.get(id);
        if (name === 'set') table.set(id, attempt(id, contractId, delaySeconds));
        else if (name === 'delete') table.delete(id);
        else if (name === 'wait') nowMs += delaySeconds * 100;
        else if (name === 'complete' && present) present.completedAt = present.settleAt;
        else if (name === 'clear' && delaySeconds === 9) table.clear();
        const scan = (test: (attempt: AttemptRecord) => boolean) => idsOf([...table.values()].filter(test));
        expect(idsOf(table.ofContract(1))).toEqual(scan((each) => each.contractId === 1));
        expect(idsOf(table.withKey('key-0'))).toEqual(scan((each) => each.idempotencyKey === 'key-0'));
        const since = formatIsoInstant(startMs - 4 * 3_600_000);
        const created = table.createdSince(since);
        expect(idsOf(created)).toEqual(scan(({ createdAt }) => createdAt >= since));
        expect(created.map(({ createdAt }) => createdAt)).toEqual(
          created.map(({ createdAt }) => createdAt).sort(),
        );
        expect(idsOf(table.listOpen())).toEqual(scan(({ completedAt }) => completedAt === null));
        expect(idsOf(table.listDue(nowMs))).toEqual(
          scan(({ completedAt, settleAt }) => completedAt === null && Date.parse(settleAt) <= nowMs),
        );
      }
    }),
  );
});

test('a copy of the entries has the same indexes', () => {
  const table = new AttemptTable([
    [1, attempt(1, 1, 5)],
    [2, attempt(2, 1, 0)],
  ]);
  const copy = new AttemptTable(table);
  expect([idsOf(copy.ofContract(1)), idsOf(copy.listDue(startMs))]).toEqual([[1, 2], [2]]);
});
