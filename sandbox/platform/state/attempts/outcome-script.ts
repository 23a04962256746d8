/**
 * Scripts of what charges lead to: step by step, for a payment method, a contract, or a whole store. A step is taken when
 * an attempt is created, so an attempt keeps its outcome whatever is scripted later.
 */
import type { ContractContent, ContractRecord } from '../contract-records.ts';
import type { OutcomeStep } from '../customer-records.ts';
import type { StoreState } from '../state.ts';

/** Answers that refuse the request: the platform makes no attempt, and does not remember the idempotency key. */
export const REFUSAL_MESSAGES = {
  THROTTLED: 'Too many billing attempts. Try again later.',
  PROCESSING_FAILED: 'The billing attempt could not be processed. Try again later.',
  CONTRACT_UNDER_REVIEW:
    'The subscription contract is under review, because its origin order is of high risk.',
} as const;

export type RefusalCode = keyof typeof REFUSAL_MESSAGES;

/** Returns whether the answer refuses the request. */
export function isRefusalCode(answer: string | undefined): answer is RefusalCode {
  return answer !== undefined && answer in REFUSAL_MESSAGES;
}

type ScriptedCharge = { readonly contract: ContractRecord; readonly content: ContractContent };

/**
 * Takes the step for a new charge: that of the contract, else of its payment method, else of the store. The first step
 * counts that is not used up and whose time it is.
 * @param charge `content` is what the cycle charges, which may be edited
 * @returns undefined when no step applies
 */
export function takeOutcomeStep(
  store: StoreState,
  { contract, content }: ScriptedCharge,
  nowMs: number,
): OutcomeStep | undefined {
  const method = store.paymentMethods.peek(content.paymentMethodId ?? '');
  for (const script of [contract.outcomes, method?.instrument.outcomes, store.outcomes]) {
    const step = script?.find((candidate) => isCurrentStep(candidate, nowMs));
    if (step === undefined) continue;
    if (step.count !== undefined) step.count -= 1;
    return step;
  }
  return undefined;
}

function isCurrentStep(
  { count, fromMs = 0, untilMs = Number.POSITIVE_INFINITY }: OutcomeStep,
  nowMs: number,
) {
  return count !== 0 && fromMs <= nowMs && nowMs < untilMs;
}
