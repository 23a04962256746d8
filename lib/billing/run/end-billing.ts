/**
 * Ends billing of a store that has switched it off, and may have switched it on again from a later day: open charges end as
 * BILLING_OFF, and open attempts are settled.
 */
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
 * Closes the charges that are due or would be tried again: those with a reminder, and those of open runs. It may be killed
 * at any point.
 * @throws the errors of the Admin API client, TEMPORARILY_UNAVAILABLE
 */
export async function endBilling(
  deps: ChargeRunDeps & RemindersDeps,
  turn: BillingTurn,
  openRuns: readonly BillingRun[],
): Promise<void> {
  const openReminders = await Array.fromAsync(deps.reminders.list(turn.store.shopId, {}));
  for (const charge of await deps.charges.findMany(openReminders)) await closeIfDueOrRetrying(deps, charge);
  for (const run of openRuns) {
    for await (const { charge } of listRunCharges(deps, run)) {
      // An attempt may have been sent before a crash: reading the order finds it. No new attempt is sent, as billing is off.
      if (charge?.state === 'WAITING' && charge.attemptId === undefined)
        await chargeInRounds(deps, turn, [{ charge, isEnding: false }]);
      else await closeIfDueOrRetrying(deps, charge);
    }
    const { isSettled, ...runCount } = await countRun(deps, run);
    const endedFields = isSettled
      ? ({ status: 'DONE', doneAtMs: deps.now() } as const)
      : ({ status: 'SETTLING' } as const);
    const { holdReason: _reason, ...endedRun } = run;
    await deps.runs.replace(run, { ...endedRun, ...runCount, ...endedFields });
  }
  await runReminders(deps, turn, { mayTry: true });
}

async function closeIfDueOrRetrying(deps: RemindersDeps, charge: BillingCharge | undefined): Promise<void> {
  if (charge?.state !== 'DUE' && charge?.state !== 'RETRYING') return;
  const closedCharge = withChargeChange(charge, createClosingChange('ENDED', 'BILLING_OFF', deps.now()));
  await closeUnpaidCharge(deps, charge, closedCharge);
}
