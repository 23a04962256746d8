/**
 * Ends billing of a store that has switched it off, and may have switched it on again from a later day: the open charges that
 * billing no longer covers end as BILLING_OFF, and open attempts are settled.
 */
import { timeZoneOf } from '../../storage/stores.ts';
import type { BillingCharge } from '../records/charge-record.ts';
import { withChargeChange } from '../records/charge-record.ts';
import type { BillingRun } from '../records/run-record.ts';
import { coversOrder } from '../settings/covers-order.ts';
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
  for (const charge of await deps.charges.findMany(openReminders))
    await closeIfDueOrRetrying(deps, turn, charge);
  for (const run of openRuns.filter((one) => !isOfPresentBilling(turn, one))) {
    for await (const { charge } of listRunCharges(deps, run)) {
      // An attempt may have been sent before a crash: reading the order finds it. No new attempt is sent, as billing is off.
      if (charge?.state === 'WAITING' && charge.attemptId === undefined)
        await chargeInRounds(deps, turn, [{ charge, isEnding: false }]);
      else await closeIfDueOrRetrying(deps, turn, charge);
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

/** A new time zone may put a store back to the day before its first one: the run of that day then goes on. */
function isOfPresentBilling({ settings: { enabled, startsOn = '' } }: BillingTurn, { date }: BillingRun) {
  return enabled && date >= startsOn;
}

async function closeIfDueOrRetrying(
  deps: RemindersDeps,
  { settings, store }: BillingTurn,
  charge: BillingCharge | undefined,
): Promise<void> {
  if (charge?.state !== 'DUE' && charge?.state !== 'RETRYING') return;
  if (coversOrder(settings, charge, timeZoneOf(store))) return;
  const closedCharge = withChargeChange(charge, createClosingChange('ENDED', 'BILLING_OFF', deps.now()));
  await closeUnpaidCharge(deps, charge, closedCharge);
}
