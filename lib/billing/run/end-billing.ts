/** Ends billing of a store that switched it off: open orders end as BILLING_OFF, and what is under way is settled. */
import type { BillingCharge } from '../records/charge-record.ts';
import { withChargeChange } from '../records/charge-record.ts';
import type { BillingRun } from '../records/run-record.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { createClosingChange } from '../settle/decide-after-attempt.ts';
import { closeUnpaidCharge } from '../settle/record-unpaid-order.ts';
import { type ChargeRunDeps, chargeInRounds } from './charge-run.ts';
import { countRun, listRunCharges } from './count-run.ts';
import { type RemindersDeps, runReminders } from './run-reminders.ts';

/**
 * Closes what is due or would be tried again, of reminders and of runs that are not over. It may be killed at any point.
 * @throws the errors of the Admin API client, TEMPORARILY_UNAVAILABLE
 */
export async function endBilling(
  deps: ChargeRunDeps & RemindersDeps,
  turn: BillingTurn,
  openRuns: readonly BillingRun[],
): Promise<void> {
  const open = await Array.fromAsync(deps.reminders.list(turn.store.shopId, {}));
  for (const charge of await deps.charges.findMany(open)) await closeIfUntouched(deps, charge);
  for (const run of openRuns) {
    for await (const { charge } of listRunCharges(deps, run)) {
      // An attempt may have been sent before a crash: the reading finds it, and nothing new is sent.
      if (charge?.state === 'WAITING' && charge.attemptId === undefined)
        await chargeInRounds(deps, turn, [{ charge, isEnding: false }]);
      else await closeIfUntouched(deps, charge);
    }
    const { isSettled, ...count } = await countRun(deps, run);
    const endedFields = isSettled
      ? ({ status: 'DONE', doneAtMs: deps.now() } as const)
      : ({ status: 'SETTLING' } as const);
    const { holdReason: _reason, ...endedRun } = run;
    await deps.runs.replace(run, { ...endedRun, ...count, ...endedFields });
  }
  await runReminders(deps, turn, { mayTry: true });
}

async function closeIfUntouched(deps: RemindersDeps, charge: BillingCharge | undefined): Promise<void> {
  if (charge?.state !== 'DUE' && charge?.state !== 'RETRYING') return;
  const closedCharge = withChargeChange(charge, createClosingChange('ENDED', 'BILLING_OFF', deps.now()));
  await closeUnpaidCharge(deps, charge, closedCharge);
}
