/**
 * The GraphQL selection of a billing attempt, and the classification of its outcome. The service's billing gets each outcome
 * before the timeline records it.
 */
import type { ShopId } from '../domain/shop-id.ts';
import type { ContractNumber } from './event-record.ts';

/** Writes the selection of an `ObservedAttempt`. Each error code has its own alias, because the codes' types differ. */
const writeAttemptSelection = (selectionOfSuccess: string) => `id idempotencyKey createdAt
  state { __typename ${selectionOfSuccess} ... on SubscriptionBillingAttemptFailedState { error { __typename
    ... on SubscriptionBillingAttemptPaymentError { payment: code }
    ... on SubscriptionBillingAttemptInventoryError { inventory: code }
    ... on SubscriptionBillingAttemptGeneralError { general: code } } } }`;
export const ATTEMPT_SELECTION = writeAttemptSelection('');
/** The selection of an attempt that may have ended, with its time and its order. */
export const ENDED_ATTEMPT_SELECTION = `completedAt ${writeAttemptSelection(
  `... on SubscriptionBillingAttemptSuccessState {
    order { id totalPriceSet { presentmentMoney { amount currencyCode } } } }`,
)}`;

type Money = { readonly amount: string; readonly currencyCode: string };
type AttemptOrder = { readonly id: string; readonly totalPriceSet: { readonly presentmentMoney: Money } };

export type ObservedAttempt = {
  readonly id: string;
  readonly idempotencyKey: string;
  /** ISO 8601, whole seconds. */
  readonly createdAt: string;
  /** Only read with `ENDED_ATTEMPT_SELECTION`. */
  readonly completedAt?: string | null;
  readonly state: {
    readonly __typename: string;
    readonly error?: Readonly<Record<'payment' | 'inventory' | 'general', string | undefined>>;
    /** Only read with `ENDED_ATTEMPT_SELECTION`. Null for a deleted order, and where access to orders is denied. */
    readonly order?: AttemptOrder | null;
  };
};

export type AttemptOutcome =
  | { readonly kind: 'pending' | 'charged' | 'action required' }
  /** `errorCode`: the platform's code of the decline; null when there is none. */
  | { readonly kind: 'declined'; readonly errorCode: string | null };

/** Returns the outcome of an attempt; pending for a state that the service does not know. */
export function toAttemptOutcome({
  state: { __typename: stateName, error },
}: ObservedAttempt): AttemptOutcome {
  switch (stateName) {
    case 'SubscriptionBillingAttemptFailedState':
      return { kind: 'declined', errorCode: error?.payment ?? error?.inventory ?? error?.general ?? null };
    case 'SubscriptionBillingAttemptSuccessState':
      return { kind: 'charged' };
    case 'SubscriptionBillingAttemptActionRequiredState':
      return { kind: 'action required' };
    default:
      return { kind: 'pending' };
  }
}

/** Whether the outcome is final, so that the attempt need not be read again. */
export function isFinalAttemptOutcome({ kind }: AttemptOutcome): boolean {
  return kind === 'charged' || kind === 'declined';
}

/** The outcome of an attempt for an order, of any client. */
export type OrderAttemptOutcome = {
  readonly shopId: ShopId;
  readonly contract: ContractNumber;
  readonly cycleIndex: number;
  readonly attempt: Pick<ObservedAttempt, 'id'> & Partial<ObservedAttempt>;
  /** Undefined when the attempt does not exist, or has not ended for a week. */
  readonly outcome: AttemptOutcome | undefined;
};

/** What follows a declined attempt. It is recorded in the attempt's entry and sent with its event. */
export type NextTry = {
  /** How many attempts of the order have failed. */
  readonly tryCount: number;
  /** When the service tries the order again by itself, ISO 8601; null when it does not. */
  readonly nextTryAt: string | null;
};

/**
 * Applies the outcome of an attempt to the charge of its order, before the timeline records it. Idempotent.
 * @returns undefined when billing has no charge of the order
 * @throws TEMPORARILY_UNAVAILABLE
 */
export type ApplyOutcomeToCharge = (outcome: OrderAttemptOutcome) => Promise<NextTry | undefined>;
