/** The operations of a merchant's server for its whole store. */
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
      /** Reads a page of the store's subscriptions, oldest change first; `changedSince(date)` creates a `query`. */
      list: subscriptions,
      // `pages` and `all` of this list.
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

/**
 * Returns the `query` for subscriptions that were changed since the date.
 * @throws TypeError for an invalid date.
 */
export function changedSince(date: Date): string {
  // A string has no unambiguous time zone.
  if (!Number.isFinite(date?.getTime?.())) throw new TypeError('changedSince needs a valid Date.');
  return `updated_at:>='${date.toISOString()}'`;
}

type Charge = Omit<documents.ChargeOrderVariables, 'idempotencyKey'>;

function orderOperations(requester: Requester, environment: Environment) {
  const charge = change(requester, documents.ChargeOrderDocument);
  return {
    /** Finds the due orders that were never tried; with `declined`, those that were tried and are not paid. */
    due: dueOrders(requester, environment),
    /**
     * Charges an order once, even if it is called repeatedly, and with `expectedDate` only if it is due then. The
     * attempt is pending at first: call `attempt` later.
     */
    charge: (
      { contractId, cycleIndex, attemptKey, expectedDate, inventoryPolicy }: Charge,
      options?: OperationOptions,
    ) => charge({ contractId, cycleIndex, attemptKey, expectedDate, inventoryPolicy }, options),
    /** Reads the state of an attempt. */
    attempt: query(requester, documents.BillingAttemptStateDocument),
  };
}

function keyOperations(requester: Requester) {
  return {
    list: query(requester, documents.AdminKeysDocument, (keys) => ({ nodes: keys })),
    /** Revokes the key of this client. The service rejects its next request. */
    revokeCurrent: change(requester, documents.RevokeCurrentKeyDocument),
  };
}
