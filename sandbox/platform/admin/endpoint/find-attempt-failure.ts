/** Finds out why a charge fails: the order is billed already, there is no stock, or the bank does not pay. */
import { findBankAnswer } from '../../state/attempts/card-answers.ts';
import type { AttemptRecord, ContractContent, ContractRecord } from '../../state/contract-records.ts';
import type { PaymentMethodRecord } from '../../state/customer-records.ts';
import type { StoreState } from '../../state/state.ts';
import { behaviourOfStore } from '../../state/unpublished-behaviour.ts';

type AttemptErrorType = NonNullable<ContractRecord['lastBillingAttemptErrorType']>;

/** Why an attempt has not succeeded. With the codes ACTION_REQUIRED and PENDING it is still open. */
export type AttemptFailure = {
  readonly code: string;
  readonly message: string;
  readonly type: AttemptErrorType;
  /** The variants without enough stock. */
  readonly shortVariantIds?: number[];
};

export type AttemptToSettle = {
  readonly attempt: AttemptRecord;
  readonly contract: ContractRecord;
  /** The content that the cycle charges: its own if it was edited, else the contract's. */
  readonly content: ContractContent;
};

const OUT_OF_STOCK_CODE = 'INSUFFICIENT_INVENTORY';

/** Returns why the attempt fails, or what it waits for; null when it succeeds. */
export function findAttemptFailure(store: StoreState, charge: AttemptToSettle): AttemptFailure | null {
  return (
    findEarlierPayment(store, charge) ?? findStockFailure(store, charge) ?? findPaymentFailure(store, charge)
  );
}

/** Another attempt may have paid the order while this one was open. */
function findEarlierPayment(
  store: StoreState,
  { attempt, contract }: AttemptToSettle,
): AttemptFailure | null {
  const isCycleBilled = contract.billedCycles.includes(attempt.cycleIndex);
  if (!isCycleBilled || behaviourOfStore(store, 'paymentsPerOrder') === 'several') return null;
  return createFailure('INVOICE_ALREADY_PAID');
}

function findStockFailure(store: StoreState, { attempt, content }: AttemptToSettle): AttemptFailure | null {
  if (!attempt.respectInventoryPolicy) return null;
  const linesOutOfStock = content.lines.filter((line) => {
    const variant = store.variants.get(line.variantId ?? 0);
    return variant?.inventoryPolicy === 'DENY' && variant.inventoryQuantity < line.quantity;
  });
  return linesOutOfStock.length === 0 ? null : createStockFailure(linesOutOfStock);
}

function createStockFailure(lines: ContractContent['lines']): AttemptFailure {
  const shortVariantIds = lines.flatMap(({ variantId }) => variantId ?? []);
  return { ...createFailure(OUT_OF_STOCK_CODE), shortVariantIds };
}

/**
 * Returns the failure that the bank reports, including a pending 3-D Secure confirmation and a bank that does not
 * respond yet.
 */
export function findPaymentFailure(
  store: StoreState,
  { attempt, content }: AttemptToSettle,
): AttemptFailure | null {
  if (content.paymentMethodId === null) return createFailure('PAYMENT_METHOD_NOT_SPECIFIED');
  const usableMethod = findUsableMethod(store, content);
  if (usableMethod === undefined) return createFailure('PAYMENT_METHOD_NOT_FOUND');
  const bankAnswer = findBankAnswer(attempt, usableMethod);
  if (bankAnswer === OUT_OF_STOCK_CODE)
    return attempt.respectInventoryPolicy ? createStockFailure(content.lines) : null;
  if (bankAnswer !== null) return createFailure(bankAnswer);
  const { instrument } = usableMethod;
  if (instrument.__typename !== 'CustomerCreditCard') return null;
  const expiresMs = Date.UTC(instrument.expiryYear, instrument.expiryMonth);
  return expiresMs <= Date.parse(attempt.settleAt) ? createFailure('EXPIRED_PAYMENT_METHOD') : null;
}

/**
 * Returns the payment method that pays.
 * @returns undefined when there is none, or it is revoked
 */
export function findUsableMethod(
  store: StoreState,
  { paymentMethodId }: ContractContent,
): PaymentMethodRecord | undefined {
  const method = store.paymentMethods.peek(paymentMethodId ?? '');
  return method?.revokedAt === null ? method : undefined;
}

function createFailure(code: string): AttemptFailure {
  const type = classifyErrorCode(code);
  return { code, type, message: MESSAGE_BY_ERROR_TYPE[type] };
}

const MESSAGE_BY_ERROR_TYPE: Readonly<Record<AttemptErrorType, string>> = {
  CUSTOMER_ERROR: 'The customer cannot be charged.',
  INVENTORY_ERROR: 'There is not enough stock.',
  OTHER: 'The order cannot be charged.',
  PAYMENT_ERROR: 'The payment was declined.',
};

/** The error codes whose cause is not the payment method. */
const CODES_WITHOUT_PAYMENT_METHOD_CAUSE = [
  'FREE_GIFT_CARD_NOT_ALLOWED',
  'INVOICE_ALREADY_PAID',
  'MERCHANT_ACCOUNT_ERROR',
  'NON_TEST_ORDER_LIMIT_REACHED',
  'PAYMENT_PROVIDER_IS_NOT_ENABLED',
  'UNEXPECTED_ERROR',
];

function classifyErrorCode(code: string): AttemptErrorType {
  if (code.startsWith('CUSTOMER_')) return 'CUSTOMER_ERROR';
  if (code === OUT_OF_STOCK_CODE || code === 'INVENTORY_ALLOCATIONS_NOT_FOUND') return 'INVENTORY_ERROR';
  return CODES_WITHOUT_PAYMENT_METHOD_CAUSE.includes(code) ? 'OTHER' : 'PAYMENT_ERROR';
}
