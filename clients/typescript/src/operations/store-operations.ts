/** What a merchant's server does with all of its store. */
import type { Environment } from '../device/environment.ts';
import { contractChanges } from './contract-changes.ts';
import { contractReads } from './contract-reads.ts';
import { storeInfo } from './customer-operations.ts';
import { dueOrders } from './due-orders.ts';
import * as documents from './generated/store-operations.ts';
import { change, type OperationOptions, query, type Requester } from './operation.ts';
import { list } from './pages.ts';

export type StoreOperations = ReturnType<typeof storeOperations>;

export function storeOperations(requester: Requester, environment: Environment) {
  const subscriptions = list(requester, documents.StoreSubscriptionsDocument);
  return {
    subscriptions: {
      /** A page of the store's subscriptions, the oldest change first; `changedSince(date)` is a `query`. */
      list: subscriptions,
      // Its `pages` and `all`.
      ...subscriptions,
      ...contractReads(requester),
      ...contractChanges(requester),
      updateNote: change(requester, documents.UpdateNoteDocument),
    },
    orders: orderOperations(requester, environment),
    adminKeys: keyOperations(requester),
    store: storeInfo(requester),
  };
}

/** The `query` of subscriptions that were changed since then. Throws TypeError for what is no date. */
export function changedSince(date: Date): string {
  // A text has no zone that anybody could tell.
  if (!Number.isFinite(date?.getTime?.())) throw new TypeError('changedSince needs a valid Date.');
  return `updated_at:>='${date.toISOString()}'`;
}

type Charge = Omit<documents.ChargeOrderVariables, 'idempotencyKey'>;

function orderOperations(requester: Requester, environment: Environment) {
  const charge = change(requester, documents.ChargeOrderDocument);
  return {
    /** The orders that have come due and were never tried; with `declined`, those that were tried and are not paid. */
    due: dueOrders(requester, environment),
    /**
     * Charges an order once, however often it is called, and with `expectedDate` only if it is due then. The attempt is
     * pending at first: ask `attempt` later.
     */
    charge: (
      { contractId, cycleIndex, attemptKey, expectedDate, inventoryPolicy }: Charge,
      options?: OperationOptions,
    ) => charge({ contractId, cycleIndex, attemptKey, expectedDate, inventoryPolicy }, options),
    /** How an attempt stands. */
    attempt: query(requester, documents.BillingAttemptStateDocument),
  };
}

function keyOperations(requester: Requester) {
  return {
    list: query(requester, documents.AdminKeysDocument, (keys) => ({ nodes: keys })),
    /** Ends the key of this client. It is refused from the next request on. */
    revokeCurrent: change(requester, documents.RevokeCurrentKeyDocument),
  };
}
