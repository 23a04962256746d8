/**
 * Scripts of what charges lead to: step by step, for a payment method, a contract, or a whole store. A step is taken when
 * an attempt is created, so an attempt keeps its outcome whatever is scripted later.
 */
import type { ContractRecord } from '../contract-records.ts';
import type { OutcomeStep } from '../customer-records.ts';
import type { StoreState } from '../state.ts';

/** Answers that refuse the request: the platform makes no attempt, and does not remember the idempotency key. */
export const REFUSAL_MESSAGES = {
  THROTTLED: 'Too many billing attempts. Try again later.',
  PROCESSING_FAILED: 'The billing attempt could not be processed. Try again later.',
  CONTRACT_UNDER_REVIEW:
    'The subscription contract is under review, because its origin order is of high risk.',
  INVALID: 'The billing attempt is invalid.',
} as const;

export type RefusalCode = keyof typeof REFUSAL_MESSAGES;

/** Returns whether the answer refuses the request. */
export function isRefusalCode(answer: string | undefined): answer is RefusalCode {
  return answer !== undefined && answer in REFUSAL_MESSAGES;
}

type ScriptedCharge = { readonly contract: ContractRecord; readonly cycleIndex: number };

/**
 * Takes the step for a new charge from the contract's script, else from that of its payment method, else from the
 * store's. A script's step applies if its time has come and it is not used up; the first such step is taken.
 * @returns undefined when no step applies
 */
export function takeOutcomeStep(
  store: StoreState,
  charge: ScriptedCharge,
  nowMs: number,
): OutcomeStep | undefined {
  const step = findOutcomeStep(store, charge, nowMs);
  if (step?.count !== undefined) step.count -= 1;
  return step;
}

/**
 * Takes the step only if it refuses the request.
 * @returns undefined when the request is not refused
 */
export function takeRefusal(
  store: StoreState,
  charge: ScriptedCharge,
  nowMs: number,
): RefusalCode | undefined {
  const answer = findOutcomeStep(store, charge, nowMs)?.answer;
  if (!isRefusalCode(answer)) return undefined;
  takeOutcomeStep(store, charge, nowMs);
  return answer;
}

function findOutcomeStep(
  store: StoreState,
  { contract, cycleIndex }: ScriptedCharge,
  nowMs: number,
): OutcomeStep | undefined {
  const { paymentMethodId } = (contract.cycleEdits[cycleIndex]?.contract ?? contract).content;
  const method = store.paymentMethods.peek(paymentMethodId ?? '');
  const outcomeScripts = [contract.outcomes, method?.instrument.outcomes, store.outcomes];
  return outcomeScripts.flatMap((script) => script?.find((step) => isCurrentStep(step, nowMs)) ?? [])[0];
}

function isCurrentStep(
  { count, fromMs = 0, untilMs = Number.POSITIVE_INFINITY }: OutcomeStep,
  nowMs: number,
) {
  return count !== 0 && fromMs <= nowMs && nowMs < untilMs;
}
