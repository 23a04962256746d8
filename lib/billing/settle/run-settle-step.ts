/** Runs the due steps of charges that need no read of the order. The steps CHARGE and END need one (`../run`). */

import { expireContract } from '../../subscriptions/status/expire-contract.ts';
import { contractGid } from '../../timeline/event-record.ts';
import { type BillingCharge, withChargeChange } from '../records/charge-record.ts';
import { type AskForMethodDeps, askForMethod } from './ask-for-method.ts';
import { type BillingOperationDeps, type BillingTurn, runBillingOperation } from './billing-operation.ts';
import { createClosingChange } from './decide-after-attempt.ts';
import type { DueStep } from './decide-due-step.ts';
import { closeUnpaidCharge, type RecordUnpaidDeps, recordUnpaidOrder } from './record-unpaid-order.ts';

export type SettleStepDeps = AskForMethodDeps & BillingOperationDeps & RecordUnpaidDeps;
type SettleStep = Extract<DueStep, 'ASK' | 'EXPIRE' | 'GIVE_UP' | 'RECORD'>;

/**
 * Runs the step. It may be killed at any point and run again.
 * @throws TEMPORARILY_UNAVAILABLE, and the errors of the platform's client
 */
export async function runSettleStep(
  deps: SettleStepDeps,
  turn: BillingTurn,
  { charge, step }: { readonly charge: BillingCharge; readonly step: SettleStep },
): Promise<void> {
  if (step === 'ASK') return askForMethod(deps, turn, charge);
  if (step === 'RECORD') return recordUnpaidOrder(deps, charge);
  if (step === 'GIVE_UP') return reportWithoutOutcome(deps, charge);
  if (turn.settings.enabled) await expireAfterLastOrder(deps, turn, charge);
  await deps.charges.replace(charge, withChargeChange(charge, { remindAtMs: undefined }));
}

async function reportWithoutOutcome(deps: RecordUnpaidDeps, charge: BillingCharge): Promise<void> {
  const closedCharge = withChargeChange(charge, createClosingChange('REPORTED', 'NO_OUTCOME', deps.now()));
  await closeUnpaidCharge(deps, charge, closedCharge);
}

/**
 * Expires the contract if its orders have reached `maxCycles`.
 * @throws the errors of the platform's client
 */
export async function expireAfterLastOrder(
  deps: BillingOperationDeps,
  turn: BillingTurn,
  { contractNumber, cycleIndex }: Pick<BillingCharge, 'contractNumber' | 'cycleIndex'>,
): Promise<void> {
  await runBillingOperation(deps, expireContract, {
    ...{ turn, requestId: `billing-${contractNumber}-${cycleIndex}-expire` },
    reason: 'The last order was paid.',
    args: { subscriptionContractId: contractGid(contractNumber, deps.platformGidNamespace) },
  });
}
