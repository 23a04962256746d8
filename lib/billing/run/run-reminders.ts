/** Runs the due reminders of charges: retries, final actions, and the steps that follow when a charge was closed. */
import type { BillingReminder, BillingReminders } from '../records/reminders.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { decideDueStep } from '../settle/decide-due-step.ts';
import { runSettleStep, type SettleStepDeps } from '../settle/run-settle-step.ts';
import { type ChargeRunDeps, chargeInRounds } from './charge-run.ts';
import { groupIntoBatches } from './count-run.ts';
import type { OrderTask } from './evaluate-orders.ts';

export type RemindersDeps = ChargeRunDeps & SettleStepDeps & { readonly reminders: BillingReminders };

const REMINDERS_PER_READ = 60;
/** A reminder is put before its charge is written. A reminder without its charge is only removed after this time. */
const MAX_CHARGE_WRITE_DELAY_MS = 120_000;

/**
 * Runs the due reminders until `turn.endAtMs`. `mayTry`: whether orders are charged and final actions taken.
 * @returns whether due reminders are left
 * @throws the errors of the Admin API client, TEMPORARILY_UNAVAILABLE
 */
export async function runReminders(
  deps: RemindersDeps,
  turn: BillingTurn,
  { mayTry }: { readonly mayTry: boolean },
): Promise<'all done' | 'some left'> {
  let hasUnfinishedWork = false;
  const dueReminders = deps.reminders.listDue(turn.store.shopId, deps.now());
  for await (const reminders of groupIntoBatches(dueReminders, REMINDERS_PER_READ)) {
    if (deps.now() >= turn.endAtMs) return 'some left';
    const orderTasks = await runSettleSteps(deps, turn, reminders);
    if (!mayTry) hasUnfinishedWork ||= orderTasks.length > 0;
    else if ((await chargeInRounds(deps, turn, orderTasks)) === 'interrupted') return 'some left';
  }
  return hasUnfinishedWork ? 'some left' : 'all done';
}

/** Runs the steps that need no read of the order, and removes void reminders. Returns the orders to evaluate. */
async function runSettleSteps(
  deps: RemindersDeps,
  turn: BillingTurn,
  reminders: readonly BillingReminder[],
): Promise<OrderTask[]> {
  const charges = await deps.charges.findMany(reminders);
  const orderTasks: OrderTask[] = [];
  for (const [index, reminder] of reminders.entries()) {
    const charge = charges[index];
    const step = charge === undefined ? 'NONE' : decideDueStep(charge, reminder);
    if (charge === undefined || step === 'NONE')
      await deps.reminders.remove(reminder, deps.now() - MAX_CHARGE_WRITE_DELAY_MS);
    else if (step === 'CHARGE' || step === 'END') orderTasks.push({ charge, isEnding: step === 'END' });
    else await runSettleStep(deps, turn, { charge, step });
  }
  return orderTasks;
}
