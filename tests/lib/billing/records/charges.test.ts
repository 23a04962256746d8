import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BillingCharge, withChargeChange } from '../../../../lib/billing/records/charge-record.ts';
import { createBillingCharges } from '../../../../lib/billing/records/charges.ts';
import { createBillingReminders, reminderSortKey } from '../../../../lib/billing/records/reminders.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { startTables } from '../../../isolated-table.ts';
import { chargeRecord } from '../settle/fixtures.ts';

const nowMs = Date.parse('2026-12-01T09:07:00Z');
const laterMs = nowMs + 60_000;
const { shopId, contractNumber, cycleIndex } = chargeRecord;
const ref = { shopId, contractNumber, cycleIndex };

let tables: Awaited<ReturnType<typeof startTables>>;
let table: Table;
/** What was done, in order. */
let steps: string[] = [];
let failingDeletes = 0;

beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());
beforeEach(() => {
  table = tables.part();
  [steps, failingDeletes] = [[], 0];
});

/** The table, with each write to a charge or reminder noted. */
function observedTable(): Table {
  const note = (step: string, pk: string) => steps.push(`${step} ${pk.split('#')[0]}`);
  return {
    ...table,
    put: (item, condition) => {
      note('put', item.pk);
      return table.put(item, condition);
    },
    delete: async (key, condition) => {
      note('delete', key.pk);
      if (failingDeletes-- > 0) throw new Error('the table is down');
      return table.delete(key, condition);
    },
  };
}

function charges() {
  return createBillingCharges({
    table: observedTable(),
    now: () => nowMs,
    enqueueStore: async (shop, atMs) => void steps.push(`enqueue ${shop} at ${atMs}`),
  });
}

async function reminders(): Promise<number[]> {
  const list = await Array.fromAsync(createBillingReminders({ table }).list(shopId, {}));
  return list.map(({ atMs }) => atMs);
}

/** Removes the reminders that the worker takes as void: those that were put some minutes ago. */
async function removeMinutesOld(): Promise<void> {
  const { list, remove } = createBillingReminders({ table });
  for await (const reminder of list(shopId, {})) await remove(reminder, nowMs - 120_000);
}

async function created(changes: Partial<BillingCharge> = {}): Promise<BillingCharge> {
  const charge = await charges().create({ ...chargeRecord, ...changes });
  if (charge === 'refused') throw new Error('there is a charge');
  steps = [];
  return charge;
}

describe('a charge', () => {
  it('is found as it was created, with version 1 and the time', async () => {
    const { version, updatedAtMs, ...fields } = chargeRecord;
    await expect(charges().create(fields)).resolves.toEqual({ ...fields, version: 1, updatedAtMs: nowMs });
    await expect(charges().find(ref)).resolves.toEqual({ ...fields, version: 1, updatedAtMs: nowMs });
  });

  it('is created once for an order', async () => {
    await created();
    await expect(charges().create({ ...chargeRecord, state: 'CHARGED' })).resolves.toBe('refused');
    await expect(charges().find(ref)).resolves.toMatchObject({ state: 'DUE' });
  });

  it('is replaced only in the version that was read', async () => {
    const charge = await created();
    const waiting = await charges().replace(charge, withChargeChange(charge, { state: 'WAITING' }));
    expect(waiting).toMatchObject({ state: 'WAITING', version: 2 });
    await expect(charges().replace(charge, { ...charge, state: 'CHARGED' })).resolves.toBe('refused');
    await expect(charges().find(ref)).resolves.toMatchObject({ state: 'WAITING' });
  });

  it('loses a field that is removed', async () => {
    const charge = await created({ reason: 'MOVED', state: 'SKIPPED' });
    await charges().replace(charge, withChargeChange(charge, { state: 'DUE', reason: undefined }));
    expect(await charges().find(ref)).not.toHaveProperty('reason');
  });

  it('expires 24 months after its last change', async () => {
    await created();
    const item = await table.get({ pk: `LEDGER#${shopId}#${contractNumber}`, sk: '0000000004' });
    expect(item?.expiresAt).toBe((nowMs + 731 * 86_400_000) / 1000);
  });

  it('is found among several in the order of the requested orders', async () => {
    await created();
    const none = { ...ref, cycleIndex: 9 };
    const found = await charges().findMany([none, ref]);
    expect(found.map((charge) => charge?.cycleIndex)).toEqual([undefined, 4]);
    await expect(charges().findMany([])).resolves.toEqual([]);
  });

  it('is listed with the others of its contract by cycle', async () => {
    for (const cycle of [12, 4, 3]) await created({ cycleIndex: cycle });
    await created({ contractNumber: `${contractNumber}1` as ContractNumber });
    const list = await charges().listOfContract(ref);
    expect(list.map((charge) => charge.cycleIndex)).toEqual([3, 4, 12]);
  });
});

describe('the reminder of a charge', () => {
  it('is written, and the store enqueued, before the charge', async () => {
    await charges().create({ ...chargeRecord, remindAtMs: laterMs });
    expect(steps).toEqual(['put REMINDER', `enqueue ${shopId} at ${laterMs}`, 'put LEDGER']);
  });

  it('is replaced after the charge was written', async () => {
    const charge = await created({ remindAtMs: laterMs });
    await charges().replace(charge, { ...charge, remindAtMs: laterMs + 1 });
    expect(steps.map((step) => step.split(' ')[0])).toEqual(['put', 'enqueue', 'put', 'delete']);
    await expect(reminders()).resolves.toEqual([laterMs + 1]);
  });

  it('stays as it is when its time stays', async () => {
    const charge = await created({ remindAtMs: laterMs });
    await charges().replace(charge, { ...charge, state: 'RETRYING' });
    expect(steps).toEqual(['put LEDGER']);
    await expect(reminders()).resolves.toEqual([laterMs]);
  });

  it('is removed when the charge has none', async () => {
    const charge = await created({ remindAtMs: laterMs });
    await charges().replace(charge, withChargeChange(charge, { remindAtMs: undefined }));
    await expect(reminders()).resolves.toEqual([]);
  });

  it('stays when the charge was changed by others', async () => {
    const charge = await created({ remindAtMs: laterMs });
    await charges().replace(charge, { ...charge, state: 'RETRYING' });
    await charges().replace(charge, withChargeChange(charge, { remindAtMs: undefined }));
    await expect(reminders()).resolves.toEqual([laterMs]);
  });

  it('stays when it is due and the worker meets it before the charge is written', async () => {
    const charge = await created();
    const stored = table.put;
    table.put = async (item, condition) => {
      if (item.pk.startsWith('LEDGER')) await removeMinutesOld();
      return stored(item, condition);
    };
    await charges().replace(charge, { ...charge, remindAtMs: nowMs });
    await expect(reminders()).resolves.toEqual([nowMs]);
    expect(steps).toEqual(['put REMINDER', `enqueue ${shopId} at ${nowMs}`, 'put LEDGER']);
  });

  it('stays when others have put it again for the same time since', async () => {
    const charge = await created({ remindAtMs: laterMs });
    const stored = table.delete;
    table.delete = async (key, condition) => {
      await createBillingReminders({ table }).put({ ...ref, atMs: laterMs, putAtMs: nowMs + 1 });
      return stored(key, condition);
    };
    await charges().replace(charge, { ...charge, remindAtMs: nowMs });
    await expect(reminders()).resolves.toEqual([nowMs, laterMs]);
  });

  it('may stay when it cannot be removed', async () => {
    const charge = await created({ remindAtMs: laterMs });
    failingDeletes = 1;
    const closed = await charges().replace(charge, withChargeChange(charge, { remindAtMs: undefined }));
    expect(closed).toMatchObject({ version: 2 });
    await expect(reminders()).resolves.toEqual([laterMs]);
  });
});

describe('reminders', () => {
  it('are due at their millisecond, the earliest first', async () => {
    const { put, listDue } = createBillingReminders({ table });
    for (const after of [2, 0, 1, -5]) await put({ ...ref, atMs: nowMs + after, putAtMs: nowMs });
    const due = await Array.fromAsync(listDue(shopId, nowMs + 1));
    expect(due.map(({ atMs }) => atMs - nowMs)).toEqual([-5, 0, 1]);
    expect(due[0]).toEqual({ ...ref, atMs: nowMs - 5, putAtMs: nowMs });
  });

  it('are listed between two keys in either direction', async () => {
    const { put, list } = createBillingReminders({ table });
    for (const after of [0, 1, 2, 3]) await put({ ...ref, atMs: nowMs + after, putAtMs: nowMs });
    const key = (after: number) => reminderSortKey({ ...ref, atMs: nowMs + after });
    const range = { after: key(0), before: key(3), pageSize: 1 };
    const times = async (descending: boolean) =>
      (await Array.fromAsync(list(shopId, { ...range, descending }))).map(({ atMs }) => atMs - nowMs);
    await expect(times(false)).resolves.toEqual([1, 2]);
    await expect(times(true)).resolves.toEqual([2, 1]);
  });

  it('are removed once or twice', async () => {
    const { put, remove } = createBillingReminders({ table });
    await put({ ...ref, atMs: nowMs, putAtMs: nowMs });
    await remove({ ...ref, atMs: nowMs }, nowMs);
    await remove({ ...ref, atMs: nowMs }, nowMs);
    await expect(reminders()).resolves.toEqual([]);
  });
});
