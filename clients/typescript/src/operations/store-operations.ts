/** Builds the functions with which a merchant's server reads and changes its whole store. */
import type { Environment } from '../device/environment.ts';
import { type BillingOperations, billingOperations } from './billing-operations.ts';
import { type ContractChanges, contractChanges } from './contract-changes.ts';
import { type ContractReads, contractReads } from './contract-reads.ts';
import { storeInfo } from './customer-operations.ts';
import { dueOrders, type FindDueOrders } from './due-orders.ts';
import * as documents from './generated/store-operations.ts';
import { createChangeOperations, createQueryOperation, type Operation, type Requester } from './operation.ts';
import { type Connection, createListOperation, type ListOperation } from './pages.ts';

/** The operations of a merchant's server for its whole store. */
export interface StoreOperations {
  /** The store's subscriptions. */
  readonly subscriptions: StoreSubscriptions;
  /** The due orders, and their charges. */
  readonly orders: OrderOperations;
  /** Whether and how the service bills the store, and what it charged. */
  readonly billing: BillingOperations;
  /** The store's admin keys. */
  readonly adminKeys: AdminKeyOperations;
  /** Reads the store's name and address, its time zone, and the languages of messages. */
  readonly store: Operation<Record<never, never>, documents.StoreProfile>;
}

type SubscriptionList = ListOperation<
  documents.StoreSubscriptionsVariables,
  Connection<documents.StoreSubscription>
>;

/** The store's subscriptions. */
export interface StoreSubscriptions extends ContractReads, ContractChanges {
  /** Reads a page of the store's subscriptions, oldest change first; `changedSince(date)` creates a `query`. */
  readonly list: SubscriptionList;
  /** Reads the store's subscriptions page by page. */
  readonly pages: SubscriptionList['pages'];
  /** Reads the store's subscriptions one after the other. */
  readonly all: SubscriptionList['all'];
  /** Changes the note and the custom attributes of a subscription's orders. */
  readonly updateNote: Operation<documents.UpdateNoteVariables, documents.UpdateNotePayload>;
}

/** The due orders, and their charges. */
export interface OrderOperations {
  /** Finds the due orders that were never tried; with `declined`, those that were tried and are not paid. */
  readonly due: FindDueOrders;
  /**
   * Charges an order. A repeated call does not charge it again, because by default the idempotency key is derived from
   * the contract and the cycle (`attemptKey`). With `expectedDate`, nothing is charged if the order is due on another
   * date. The attempt is pending at first: call `attempt` later.
   */
  readonly charge: Operation<documents.ChargeOrderVariables, documents.ChargeOrderPayload>;
  /** Reads the state of an attempt. */
  readonly attempt: Operation<documents.BillingAttemptStateVariables, documents.BillingAttempt>;
}

/** The store's admin keys. */
export interface AdminKeyOperations {
  /** Lists the store's keys. */
  readonly list: Operation<
    documents.AdminKeysVariables,
    {
      /** All keys. */
      readonly nodes: readonly documents.AdminKey[];
    }
  >;
  /** Revokes the key of this client. The service rejects its next request. */
  readonly revokeCurrent: Operation<documents.RevokeCurrentKeyVariables, documents.RevokeCurrentKeyPayload>;
}

export function storeOperations(requester: Requester, environment: Environment): StoreOperations {
  const subscriptions = createListOperation(requester, documents.StoreSubscriptionsDocument);
  return {
    subscriptions: {
      list: subscriptions,
      // `pages` and `all` of this list.
      ...subscriptions,
      ...contractReads(requester),
      ...contractChanges(requester),
      ...createChangeOperations(requester, { updateNote: documents.UpdateNoteDocument }),
    },
    orders: orderOperations(requester, environment),
    billing: billingOperations(requester),
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

function orderOperations(requester: Requester, environment: Environment): OrderOperations {
  const { charge } = createChangeOperations(requester, { charge: documents.ChargeOrderDocument });
  return {
    due: dueOrders(requester, environment),
    // An order of `due` has more fields than a charge takes.
    charge: ({ contractId, cycleIndex, attemptKey, expectedDate, inventoryPolicy }, options) =>
      charge({ contractId, cycleIndex, attemptKey, expectedDate, inventoryPolicy }, options),
    attempt: createQueryOperation(requester, documents.BillingAttemptStateDocument),
  };
}

function keyOperations(requester: Requester): AdminKeyOperations {
  return {
    list: createQueryOperation(requester, documents.AdminKeysDocument, (keys) => ({ nodes: keys })),
    ...createChangeOperations(requester, { revokeCurrent: documents.RevokeCurrentKeyDocument }),
  };
}
