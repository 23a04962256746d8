/** The timeline reads a billing attempt, and tells what it has come to. */

// The same names would be of different types.
const FAILURE = `error { __typename
  ... on SubscriptionBillingAttemptPaymentError { payment: code }
  ... on SubscriptionBillingAttemptInventoryError { inventory: code }
  ... on SubscriptionBillingAttemptGeneralError { general: code } }`;

/** The selection that brings an attempt in the shape of `ObservedAttempt`. */
export const ATTEMPT = `id idempotencyKey createdAt
  state { __typename ... on SubscriptionBillingAttemptFailedState { ${FAILURE} } }`;

export type ObservedAttempt = {
  readonly id: string;
  readonly idempotencyKey: string;
  /** ISO 8601, whole seconds. */
  readonly createdAt: string;
  readonly state: {
    readonly __typename: string;
    readonly error?: Readonly<Record<'payment' | 'inventory' | 'general', string | undefined>>;
  };
};

export type AttemptOutcome =
  | { readonly kind: 'pending' | 'charged' | 'action required' }
  /** `errorCode`: the platform's; null where it gives none. */
  | { readonly kind: 'declined'; readonly errorCode: string | null };

const KINDS = {
  SubscriptionBillingAttemptSuccessState: { kind: 'charged' },
  SubscriptionBillingAttemptActionRequiredState: { kind: 'action required' },
} as const satisfies Readonly<Record<string, AttemptOutcome>>;

/** The outcome of the attempt; a state that the service does not know is pending. */
export function attemptOutcome({ state: { __typename: name, error } }: ObservedAttempt): AttemptOutcome {
  if (name === 'SubscriptionBillingAttemptFailedState') {
    const errorCode = error?.payment ?? error?.inventory ?? error?.general ?? null;
    return { kind: 'declined', errorCode };
  }
  return Object.hasOwn(KINDS, name) ? KINDS[name as keyof typeof KINDS] : { kind: 'pending' };
}
