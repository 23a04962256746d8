/**
 * Settles the charges that are due: with an order, a failure, or a 3-D Secure challenge, about which the customer gets
 * an e-mail. It runs before each request, and the result is that of the instant at which the charge was due.
 */
import { addOrder, findOrderContent } from '../../state/add-order.ts';
import { ACTION_REQUIRED_ANSWER, PENDING_ANSWER } from '../../state/attempts/card-answers.ts';
import type { AttemptRecord } from '../../state/contract-records.ts';
import { formatIsoInstant } from '../../state/instant.ts';
import type { MailRecord, StoreState } from '../../state/state.ts';
import {
  type AttemptFailure,
  type AttemptToSettle,
  findAttemptFailure,
  findPaymentFailure,
  findUsableMethod,
} from './find-attempt-failure.ts';

/** The mailbox, and the platform's origin, which has the page of a 3-D Secure challenge. */
export type ChallengeMailbox = { readonly mails: MailRecord[]; readonly origin: string };

/** Settles every attempt that is due. */
export function settleDueAttempts(store: StoreState, nowMs: number, mailbox: ChallengeMailbox): void {
  const nowText = formatIsoInstant(nowMs);
  for (const attempt of store.attempts.listDue(nowMs)) {
    if (isWaiting(attempt, nowText)) continue;
    const contract = store.contracts.peek(attempt.contractId);
    if (contract === undefined) continue;
    const orderContent = findOrderContent(contract, attempt.cycleIndex);
    const charge = { attempt, contract, content: orderContent };
    if (startChallengeIfRequired(store, charge)) sendChallengeMail(store, charge, mailbox);
    if (hasChallengeExpired(attempt, nowText)) expireChallenge(attempt);
    settleAttempt(store, charge);
    if (attempt.completedAt === null) continue;
    attempt.priced = undefined;
    store.attempts.touch(attempt.id);
    store.contracts.touch(contract.id);
  }
}

/** Begins the 3-D Secure challenge of an attempt if the bank requires one. Returns whether it begins now. */
function startChallengeIfRequired(store: StoreState, charge: AttemptToSettle): boolean {
  const { attempt } = charge;
  if (attempt.isChallenged || findAttemptFailure(store, charge)?.code !== ACTION_REQUIRED_ANSWER)
    return false;
  const confirmSeconds = attempt.confirmSeconds ?? store.confirmSeconds ?? null;
  const startMs = Date.parse(attempt.settleAt);
  attempt.isChallenged = true;
  attempt.expiresAt = confirmSeconds === null ? null : formatIsoInstant(startMs + confirmSeconds * 1000);
  return true;
}

function sendChallengeMail(
  store: StoreState,
  { attempt, content }: AttemptToSettle,
  { mails, origin }: ChallengeMailbox,
): void {
  const customer = store.customers.get(content.customerId);
  if (customer === undefined) return;
  mails.push({
    at: attempt.settleAt,
    to: customer.email,
    subject: `Confirm your payment for ${store.name}`,
    text: `Your bank asks you to confirm the payment for your subscription: ${origin}/_bank/${attempt.id}`,
  });
}

function hasChallengeExpired({ isChallenged, expiresAt }: AttemptRecord, nowText: string): boolean {
  return isChallenged === true && expiresAt != null && expiresAt <= nowText;
}

/** Returns whether an attempt waits for the customer or a test. Thousands may, so they are skipped early. */
function isWaiting(attempt: AttemptRecord, nowText: string): boolean {
  if (attempt.answer === PENDING_ANSWER) return true;
  return (
    attempt.answer === ACTION_REQUIRED_ANSWER &&
    attempt.isChallenged === true &&
    !hasChallengeExpired(attempt, nowText)
  );
}

function expireChallenge(attempt: AttemptRecord): void {
  attempt.answer = 'EXPIRED_BUYER_ACTION';
  attempt.settleAt = attempt.expiresAt ?? attempt.settleAt;
}

function settleAttempt(store: StoreState, charge: AttemptToSettle): void {
  const { attempt, contract } = charge;
  const bankRejection = attempt.isChallenged ? findPaymentFailure(store, charge) : null;
  if (bankRejection?.code === ACTION_REQUIRED_ANSWER) return;
  // The goods are checked when the payment begins, and when the customer has confirmed it.
  const attemptFailure = bankRejection ?? findAttemptFailure(store, charge);
  attempt.isChallenged = false;
  if (attemptFailure?.code === PENDING_ANSWER) return;
  attempt.completedAt = attempt.settleAt;
  // The contract may have changed since.
  if (attempt.settleAt > contract.updatedAt) contract.updatedAt = attempt.settleAt;
  if (attemptFailure === null || attemptFailure.type === 'PAYMENT_ERROR')
    countDeclinesInRow(store, charge, attemptFailure === null);
  const isOrderUnpaid = attemptFailure?.type === 'PAYMENT_ERROR' && attempt.allowUnpaid;
  if (attemptFailure === null || isOrderUnpaid) createChargedOrder(store, charge, !isOrderUnpaid);
  else recordFailure(charge, attemptFailure);
}

function recordFailure({ attempt, contract }: AttemptToSettle, failure: AttemptFailure): void {
  attempt.errorCode = failure.code;
  attempt.errorMessage = failure.message;
  if (failure.shortVariantIds !== undefined) attempt.shortVariantIds = failure.shortVariantIds;
  contract.lastPaymentStatus = 'FAILED';
  contract.lastBillingAttemptErrorType = failure.type;
}

/** Counts the declined payments in a row, and revokes a payment method that has too many of them. */
function countDeclinesInRow(store: StoreState, { attempt, content }: AttemptToSettle, isPaid: boolean): void {
  const usableMethod = findUsableMethod(store, content);
  if (usableMethod === undefined) return;
  const failureCount = isPaid ? 0 : (usableMethod.instrument.failuresInRow ?? 0) + 1;
  usableMethod.instrument.failuresInRow = failureCount;
  if (failureCount < (store.failuresUntilRevoked ?? Number.POSITIVE_INFINITY)) return;
  usableMethod.revokedAt = attempt.settleAt;
  usableMethod.revokedReason = 'TOO_MANY_CONSECUTIVE_FAILURES';
  store.paymentMethods.touch(usableMethod.id);
}

function createChargedOrder(
  store: StoreState,
  { attempt, contract, content }: AttemptToSettle,
  isPaid: boolean,
) {
  const order = addOrder(store, contract, {
    cycleIndex: attempt.cycleIndex,
    at: attempt.settleAt,
    originTime: attempt.originTime ?? attempt.createdAt,
    ...{ paid: isPaid, priced: attempt.priced },
  });
  attempt.orderId = order.id;
  contract.lastPaymentStatus = 'SUCCEEDED';
  contract.lastBillingAttemptErrorType = null;
  contract.billedCycles.push(attempt.cycleIndex);
  const concatenatedCycles = contract.cycleEdits[attempt.cycleIndex]?.contract?.concatenated ?? [];
  for (const concatenated of concatenatedCycles)
    store.contracts.get(concatenated.contractId)?.billedCycles.push(concatenated.cycleIndex);
  for (const line of content.lines) {
    const variant = store.variants.get(line.variantId ?? 0);
    if (variant !== undefined) variant.inventoryQuantity -= line.quantity;
  }
  for (const discount of contract.content.discounts) discount.usageCount += 1;
}
