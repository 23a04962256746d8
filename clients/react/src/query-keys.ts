/**
 * The keys of queries and changes. Every key names the customer, so that no data of one customer is found under the key
 * of another, wherever the cache was stored.
 */

/** The first part of each key of queries and changes. */
export const KEY_ROOT = 'subscription-management';

export type QueryKind =
  | 'list'
  | 'detail'
  | 'upcoming'
  | 'events'
  | 'lineOptions'
  | 'lastPayment'
  | 'payment'
  | 'paymentMethods'
  | 'addresses'
  | 'store';

/** The customer's id as in `session()`; null without a signed-in customer. */
export type CustomerId = number | null;

/** Returns the key of a query, or the start of the keys of several queries. */
export const keyOf = (customerId: CustomerId, kind: QueryKind, ...subjects: readonly unknown[]) =>
  [KEY_ROOT, customerId, kind, ...subjects] as const;

/** Whether the query has data of the subscription: each query with its id does, and so does the list. */
export const concernsSubscription = ([root, , kind, id]: readonly unknown[], contractId: string) =>
  root === KEY_ROOT && (kind === 'list' || id === contractId);
