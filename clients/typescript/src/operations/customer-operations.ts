/**
 * The operations of a customer's app, and of a merchant's server for one customer: subscriptions, account, the store.
 */

import { contractChanges } from './contract-changes.ts';
import { contractReads } from './contract-reads.ts';
import * as documents from './generated/customer-operations.ts';
import { change, query, type Requester } from './operation.ts';
import { list } from './pages.ts';

export type CustomerOperations = ReturnType<typeof customerOperations>;

export function customerOperations(requester: Requester) {
  const subscriptions = list(
    requester,
    documents.SubscriptionsDocument,
    ({ subscriptionContracts }, _requestId, { serviceInfo }) => ({
      ...subscriptionContracts,
      ...serviceInfo,
    }),
  );
  return {
    /**
     * Reads what an app shows first, in one request: the customer, the store, and the first page of subscriptions with
     * their next orders. `store` is null if it could not be read.
     */
    home: query(requester, documents.HomeDocument, (_customer, _requestId, { customer, serviceInfo }) => {
      if (!customer) return null;
      const { subscriptionContracts, ...profile } = customer;
      return { customer: profile, subscriptions: subscriptionContracts, store: serviceInfo };
    }),
    subscriptions: {
      /** Reads a page of the customer's subscriptions with their next charges (20, at most 25), and `storeTimeZone`. */
      list: subscriptions,
      // `pages` and `all` of this list.
      ...subscriptions,
      ...contractReads(requester),
      ...contractChanges(requester),
    },
    account: accountOperations(requester),
    store: storeInfo(requester),
  };
}

/** Reads the store's name and address, its time zone, and the languages of messages. */
export const storeInfo = (requester: Requester) => query(requester, documents.StoreInfoDocument);

function accountOperations(requester: Requester) {
  return {
    get: query(requester, documents.CustomerAccountDocument),
    addresses: list(requester, documents.AddressesDocument, (value) => value.addressesV2),
    /**
     * Changes an address of the account. Subscriptions have separate addresses: change those with
     * `subscriptions.updateDelivery`.
     */
    updateAddress: change(requester, documents.UpdateAddressDocument),
    paymentMethods: list(requester, documents.PaymentMethodsDocument, (value) => value.paymentMethods),
    /** Sends the customer the store's e-mail with a link to replace the card: at most once in five minutes. */
    sendPaymentMethodEmail: change(requester, documents.SendPaymentMethodEmailDocument),
    /** The customer's sessions, newest first. */
    sessions: query(requester, documents.SessionsDocument, ({ sessions }) => ({ nodes: sessions })),
    revokeSession: change(requester, documents.RevokeSessionDocument),
    /** Revokes all sessions except the current one. Only for a customer's app. */
    revokeOtherSessions: change(requester, documents.RevokeOtherSessionsDocument),
  };
}
