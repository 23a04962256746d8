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

/** The customer's id as in `session()`; null while nobody is signed in. */
export type CustomerId = number | null;

/** Returns the key of a query, or the start of the keys of several queries. */
export const keyOf = (customerId: CustomerId, kind: QueryKind, ...more: readonly unknown[]) =>
  [KEY_ROOT, customerId, kind, ...more] as const;

/** Whether a query has data of the subscription: all of its own queries, and the list. */
export const concernsSubscription = ([root, , kind, id]: readonly unknown[], contractId: string) =>
  root === KEY_ROOT && (kind === 'list' || id === contractId);
