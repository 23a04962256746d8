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
 * Returns the answer to an attempt, which stays the same while the attempt is open.
 * @returns null when the bank pays
 */
export function findBankAnswer(
  attempt: AttemptRecord,
  { instrument }: Pick<PaymentMethodRecord, 'instrument'>,
): string | null {
  attempt.answer ??= instrument.upcomingAnswers?.shift();
  const answer = attempt.answer ?? instrument.declines;
  return answer === PAYS_ANSWER ? null : answer;
}

/** Sets the answers to the method's next charges. An open attempt takes the first of them. */
export function setBankAnswers(
  store: StoreState,
  method: PaymentMethodRecord,
  { answers, nowMs }: { readonly answers: readonly string[]; readonly nowMs: number },
): void {
  const last = answers.at(-1) ?? PAYS_ANSWER;
  method.instrument.upcomingAnswers = answers.slice(0, -1);
  method.instrument.declines = last === PAYS_ANSWER ? null : last;
  for (const attempt of store.attempts.values()) {
    const usedId = store.contracts.get(attempt.contractId)?.content.paymentMethodId;
    if (attempt.completedAt === null && usedId === method.id) replaceBankAnswer(attempt, undefined, nowMs);
  }
}

/** Changes the answer to an open attempt from now on; without an answer, the attempt takes that of its card. */
export function replaceBankAnswer(attempt: AttemptRecord, answer: string | undefined, nowMs: number): void {
  attempt.answer = answer;
  attempt.settleAt = formatIsoInstant(Math.max(Date.parse(attempt.settleAt), nowMs));
}
