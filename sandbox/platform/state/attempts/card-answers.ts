/** The bank's answers to the charges of a payment method: each charge takes the next answer, and the last one stays. */
import type { AttemptRecord } from '../contract-records.ts';
import type { PaymentMethodRecord } from '../customer-records.ts';
import { formatIsoInstant } from '../instant.ts';
import type { StoreState } from '../state.ts';

export const PAYS_ANSWER = 'PAYS';
/** The card's holder has to confirm the payment (3-D Secure). */
export const ACTION_REQUIRED_ANSWER = 'ACTION_REQUIRED';
/** The bank gives no answer. */
export const PENDING_ANSWER = 'PENDING';

/**
 * Returns the answer to an attempt: its own, else that of its payment method.
 * @returns null when the bank pays
 */
export function findBankAnswer(
  { answer }: AttemptRecord,
  { instrument }: Pick<PaymentMethodRecord, 'instrument'>,
): string | null {
  const cardAnswer = answer ?? instrument.declines;
  return cardAnswer === PAYS_ANSWER ? null : cardAnswer;
}

/** Sets the answers to the method's next charges, in place of its script. Each open attempt takes the next of them. */
export function setBankAnswers(
  store: StoreState,
  method: PaymentMethodRecord,
  { answers, nowMs }: { readonly answers: readonly string[]; readonly nowMs: number },
): void {
  const upcomingAnswers = [...answers];
  const lastAnswer = upcomingAnswers.pop() ?? PAYS_ANSWER;
  for (const attempt of store.attempts.listOpen()) {
    const usedMethodId = store.contracts.peek(attempt.contractId)?.content.paymentMethodId;
    if (usedMethodId === method.id) replaceBankAnswer(attempt, upcomingAnswers.shift(), nowMs);
  }
  method.instrument.outcomes = upcomingAnswers.map((answer) => ({ answer, count: 1 }));
  method.instrument.declines = lastAnswer === PAYS_ANSWER ? null : lastAnswer;
}

/** Changes the answer to an open attempt from now on; without an answer, the attempt takes that of its card. */
export function replaceBankAnswer(attempt: AttemptRecord, answer: string | undefined, nowMs: number): void {
  attempt.answer = answer;
  attempt.settleAt = formatIsoInstant(Math.max(Date.parse(attempt.settleAt), nowMs));
}
