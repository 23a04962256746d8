/**
 * The selection of a billing attempt, and the classification of its outcome. The service's billing is told of each outcome
 * before the timeline records it.
 */
import type { ShopId } from '../domain/shop-id.ts';
import type { ContractNumber } from './event-record.ts';

/** Writes the selection of an `ObservedAttempt`. Each code has its own alias, because their types differ. */
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
  /** Read by `ENDED_ATTEMPT_SELECTION` alone, like the order. */
  readonly completedAt?: string | null;
  readonly state: {
    readonly __typename: string;
    readonly error?: Readonly<Record<'payment' | 'inventory' | 'general', string | undefined>>;
    /** Null for a deleted order, and where the store does not show orders. */
    readonly order?: AttemptOrder | null;
  };
};

export type AttemptOutcome =
  | { readonly kind: 'pending' | 'charged' | 'action required' }
  /** `errorCode`: the platform's; null when there is none. */
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

/** Whether the outcome is final. */
export function isFinalAttemptOutcome({ kind }: AttemptOutcome): boolean {
  return kind === 'charged' || kind === 'declined';
}

/** An attempt of an order, whoever made it. */
export type OutcomeOfOrder = {
  readonly shopId: ShopId;
  readonly contract: ContractNumber;
  readonly cycleIndex: number;
  readonly attempt: Pick<ObservedAttempt, 'id'> & Partial<ObservedAttempt>;
  /** Undefined when the attempt does not exist, or has not ended for a week. */
  readonly outcome: AttemptOutcome | undefined;
};

/** What follows a decline, for its entry and its event. */
export type NextTry = {
  /** How many attempts of the order have failed. */
  readonly tryCount: number;
  /** When it is tried again by itself, ISO 8601; null: not, or not by itself. */
  readonly nextTryAt: string | null;
};

/**
 * Tells the service's billing how an attempt stands, before the timeline records it. May be repeated at any point.
 * @returns undefined when billing has no charge of the order
 * @throws TEMPORARILY_UNAVAILABLE
 */
export type ChargeEnded = (outcome: OutcomeOfOrder) => Promise<NextTry | undefined>;
