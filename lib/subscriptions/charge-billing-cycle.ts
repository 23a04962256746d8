/**
 * Charges one order, once. The platform's own mutation has no idempotency key, so this one makes a billing attempt
 * with one. An order that is being billed or has been is answered with its attempt; a declined card can be tried again.
 */

import { parseGid } from '../domain/gid.ts';
import { cycleAttemptsFact } from '../timeline/changed-facts.ts';
import {
  type BillingAttempt,
  type ChargedCycle,
  type CycleSelector,
  readAttempt,
  readAttempts,
} from './billing-attempts.ts';
import type { ContractFacts } from './contract-facts.ts';
import { createAttempt } from './create-attempt.ts';
import type { Operation } from './operation.ts';
import { type OperationError, refusedWith } from './operation-error.ts';
import { recordedChange } from './recorded-change.ts';
import { refuseCharge } from './refuse-charge.ts';
import { settleLostAnswer } from './settle-lost-answer.ts';

/**
 * The attempt, or userErrors with the platform's codes of billing attempts. Two platform requests, two more if the
 * answer to the second is lost.
 */
export const chargeBillingCycle: Operation = async (deps, request) => {
  const { args, selection } = request;
  const contractId = String(args.subscriptionContractId);
  const selector = args.billingCycleSelector as CycleSelector;
  const invalid = refuseArguments(selector, args.idempotencyKey);
  if (invalid !== undefined) return refusedWith([invalid]);
  const { contract, cycle } = await readAttempts(deps, { contractId, selector });
  const present = cycle && presentAttempt(cycle, args.idempotencyKey);
  if (contract !== undefined && present !== undefined) return readAttempt(deps, present, selection);
  const refusal = refuseCharge(contract, cycle, selector);
  if (refusal !== undefined) return refusedWith([refusal]);
  if (contract === undefined || cycle === undefined) throw new Error('neither found nor refused');
  const idempotencyKey =
    typeof args.idempotencyKey === 'string' ? args.idempotencyKey : derivedKey(contract, cycle);
  return recordedChange(deps, intentOf(contract, cycle), () =>
    settleLostAnswer(
      () =>
        createAttempt(deps, request, { contractId: contract.id, index: cycle.cycleIndex, idempotencyKey }),
      async () => {
        const after = await readAttempts(deps, { contractId, selector: { index: cycle.cycleIndex } });
        const made = after.cycle?.billingAttempts.nodes.find((one) => one.idempotencyKey === idempotencyKey);
        return made && readAttempt(deps, made, selection);
      },
    ),
  );
};

function refuseArguments(
  { index, date }: CycleSelector,
  idempotencyKey: unknown,
): OperationError | undefined {
  if ((index == null) === (date == null)) {
    const message = 'Exactly one of index or date is required.';
    return { field: ['billingCycleSelector'], message, code: 'INVALID' };
  }
  if (typeof idempotencyKey !== 'string' || idempotencyKey.trim() !== '') return undefined;
  return { field: ['idempotencyKey'], message: 'The idempotency key is blank.', code: 'BLANK' };
}

/** The attempt that this charge would only repeat: the client's own, or one that is not known to have failed. */
function presentAttempt(
  { billingAttempts }: ChargedCycle,
  idempotencyKey: unknown,
): BillingAttempt | undefined {
  const { nodes } = billingAttempts;
  return nodes.find((one) => one.idempotencyKey === idempotencyKey) ?? nodes.find((one) => !hasFailed(one));
}

function hasFailed({ state }: BillingAttempt): boolean {
  return state.__typename === 'SubscriptionBillingAttemptFailedState';
}

/** The same for two requests that saw the same failures, so that both make one attempt. */
function derivedKey({ id }: ContractFacts, { cycleIndex, billingAttempts }: ChargedCycle): string {
  const failures = billingAttempts.nodes.filter(hasFailed).length;
  return `charge-${parseGid(id)?.tail}-${cycleIndex}-${failures}`;
}

function intentOf({ id }: ContractFacts, cycle: ChargedCycle) {
  const { cycleIndex, billingAttemptExpectedDate, billingAttempts } = cycle;
  const count = billingAttempts.nodes.length;
  const attempts = cycleAttemptsFact(cycleIndex, { before: `${count}`, after: `${count + 1}` });
  return {
    action: 'billing_cycle_charged',
    contractId: id,
    details: { billingCycleIndex: cycleIndex, expectedDate: billingAttemptExpectedDate },
    changes: [attempts],
  };
}
