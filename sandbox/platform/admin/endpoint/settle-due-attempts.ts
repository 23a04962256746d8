/** Finishes pending charges: an order, or a failure with the bank's or the stock's code. Runs before each request. */

import { addOrder } from '../../state/add-order.ts';
import { ACTION_REQUIRED_ANSWER, findBankAnswer, PENDING_ANSWER } from '../../state/attempts/card-answers.ts';
import type { AttemptRecord, ContractContent, ContractRecord } from '../../state/contract-records.ts';
import type { StoreState } from '../../state/state.ts';

type AttemptFailure = {
  code: string;
  message: string;
  type: NonNullable<ContractRecord['lastBillingAttemptErrorType']>;
};

/** Settles every attempt that is due. */
export function settleDueAttempts(store: StoreState, nowMs: number): void {
  for (const attempt of store.attempts.listDue(nowMs)) {
    const contract = store.contracts.peek(attempt.contractId);
    if (contract === undefined) continue;
    settleAttempt(store, { attempt, contract, nowMs });
    if (attempt.completedAt === null) continue;
    store.attempts.touch(attempt.id);
    store.contracts.touch(contract.id);
  }
}

type AttemptToSettle = { attempt: AttemptRecord; contract: ContractRecord; nowMs: number };

function settleAttempt(store: StoreState, { attempt, contract, nowMs }: AttemptToSettle): void {
  // When it was due: no request has to come for that.
  const at = attempt.settleAt;
  const edited = contract.cycleEdits[attempt.cycleIndex]?.contract ?? null;
  const content = edited?.content ?? contract.content;
  // The goods are checked when the payment begins, and when the customer has confirmed it.
  if (
    attempt.isChallenged &&
    findPaymentFailure(store, content, { attempt, nowMs })?.code === ACTION_REQUIRED_ANSWER
  )
    return;
  const failure =
    findStockFailure(store, content, attempt) ?? findPaymentFailure(store, content, { attempt, nowMs });
  attempt.isChallenged = failure?.code === ACTION_REQUIRED_ANSWER;
  if (attempt.isChallenged || failure?.code === PENDING_ANSWER) return;
  const unpaid = failure !== null && failure.type === 'PAYMENT_ERROR' && attempt.allowUnpaid;
  attempt.completedAt = at;
  // The contract may have changed since.
  if (at > contract.updatedAt) contract.updatedAt = at;
  if (failure !== null && !unpaid) {
    attempt.errorCode = failure.code;
    attempt.errorMessage = failure.message;
    contract.lastPaymentStatus = 'FAILED';
    contract.lastBillingAttemptErrorType = failure.type;
    return;
  }
  const order = addOrder(store, contract, {
    cycleIndex: attempt.cycleIndex,
    at,
    originTime: attempt.originTime ?? attempt.createdAt,
    paid: !unpaid,
  });
  attempt.orderId = order.id;
  contract.lastPaymentStatus = 'SUCCEEDED';
  contract.lastBillingAttemptErrorType = null;
  contract.billedCycles.push(attempt.cycleIndex);
  for (const other of edited?.concatenated ?? []) {
    store.contracts.get(other.contractId)?.billedCycles.push(other.cycleIndex);
  }
  for (const line of content.lines) {
    const variant = store.variants.get(line.variantId ?? 0);
    if (variant !== undefined) variant.inventoryQuantity -= line.quantity;
  }
  for (const discount of contract.content.discounts) discount.usageCount += 1;
}

function findStockFailure(
  store: StoreState,
  content: ContractContent,
  attempt: AttemptRecord,
): AttemptFailure | null {
  if (!attempt.respectInventoryPolicy) return null;
  const short = content.lines.some((line) => {
    const variant = store.variants.get(line.variantId ?? 0);
    return variant?.inventoryPolicy === 'DENY' && variant.inventoryQuantity < line.quantity;
  });
  if (!short) return null;
  return { code: 'INSUFFICIENT_INVENTORY', message: 'There is not enough stock.', type: 'INVENTORY_ERROR' };
}

function findPaymentFailure(
  store: StoreState,
  content: ContractContent,
  { attempt, nowMs }: Pick<AttemptToSettle, 'attempt' | 'nowMs'>,
): AttemptFailure | null {
  const failure = (code: string, message: string): AttemptFailure => ({
    code,
    message,
    type: classifyErrorCode(code),
  });
  if (content.paymentMethodId === null)
    return failure('PAYMENT_METHOD_NOT_SPECIFIED', 'No payment method is given.');
  const method = store.paymentMethods.peek(content.paymentMethodId);
  if (method === undefined || method.revokedAt !== null) {
    return failure('PAYMENT_METHOD_NOT_FOUND', 'The payment method was not found.');
  }
  const { instrument } = method;
  const answer = findBankAnswer(attempt, method);
  if (answer !== null) return failure(answer, 'The payment was declined.');
  if (instrument.__typename !== 'CustomerCreditCard') return null;
  const expiresMs = Date.UTC(instrument.expiryYear, instrument.expiryMonth);
  return expiresMs <= nowMs ? failure('EXPIRED_PAYMENT_METHOD', 'The card has expired.') : null;
}

function classifyErrorCode(code: string): AttemptFailure['type'] {
  if (code.includes('INVENTORY')) return 'INVENTORY_ERROR';
  if (code.startsWith('CUSTOMER_')) return 'CUSTOMER_ERROR';
  return code === 'UNEXPECTED_ERROR' ? 'OTHER' : 'PAYMENT_ERROR';
}
