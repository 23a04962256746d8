import { beforeEach, expect, it } from '@jest/globals';
import { withChargeChange } from '../../../../lib/billing/records/charge-record.ts';
import { createBillingCharges } from '../../../../lib/billing/records/charges.ts';
import { createBillingReminders } from '../../../../lib/billing/records/reminders.ts';
import { type RemindersDeps, runReminders } from '../../../../lib/billing/run/run-reminders.ts';
import type { BillingTurn } from '../../../../lib/billing/settle/billing-operation.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { Crash } from '../../stores/world/faults.ts';
import { chargeRecord } from '../settle/fixtures.ts';

const startMs = Date.parse('2026-12-01T09:07:00Z');
let nowMs = startMs;
let table = createMemoryTable();
const now = () => nowMs;

beforeEach(() => {
  [nowMs, table] = [startMs, createMemoryTable()];
});

const chargesOver = (over: typeof table) =>
  createBillingCharges({ table: over, now, enqueueStore: async () => undefined });
const reminders = () => createBillingReminders({ table });

/** A worker while billing is stopped: it makes no attempt, and says whether an order is left to evaluate. */
function work(): ReturnType<typeof runReminders> {
  const deps = { now, reminders: reminders(), charges: chargesOver(table) } as unknown as RemindersDeps;
  const turn = { store: chargeRecord, endAtMs: nowMs + 60_000 } as unknown as BillingTurn;
  return runReminders(deps, turn, { mayTry: false });
}

/** A process whose charge is to be tried now. The worker meets its reminder first, and the process crashes at a write. */
async function crash(when: 'after' | 'before'): Promise<void> {
  const charge = await chargesOver(table).create(chargeRecord);
  if (charge === 'refused') throw new Error('The charge is there already.');
  const crashing = {
    ...table,
    async put(...written: Parameters<typeof table.put>) {
      if (!written[0].pk.startsWith('LEDGER')) return table.put(...written);
      await work();
      if (when === 'after') await table.put(...written);
      throw new Crash();
    },
  };
  const due = withChargeChange(charge, { state: 'RETRYING', nextTryAtMs: nowMs, remindAtMs: nowMs });
  await expect(chargesOver(crashing).replace(charge, due)).rejects.toThrow(Crash);
}

it('evaluates a charge whose process crashed after its write, although a worker met the reminder before it', async () => {
  await crash('after');
  nowMs += 60_000;
  await expect(work()).resolves.toBe('some left');
});

it('removes the reminder of a charge that was never written, after two minutes', async () => {
  await crash('before');
  nowMs += 120_000;
  await expect(work()).resolves.toBe('all done');
  await expect(Array.fromAsync(reminders().list(chargeRecord.shopId, {}))).resolves.toEqual([]);
});
