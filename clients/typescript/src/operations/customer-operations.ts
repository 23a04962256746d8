/** What an app does for its customer, and a merchant's server for one: subscriptions, account, the store. */

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
    (value) => value.subscriptionContracts,
  );
  return {
    subscriptions: {
      /** A page of the customer's subscriptions with what each charges next: 20, at most 25. */
      list: subscriptions,
      // Its `pages` and `all`.
      ...subscriptions,
      ...contractReads(requester),
      ...contractChanges(requester),
    },
    account: accountOperations(requester),
    store: storeInfo(requester),
  };
}

/** The store's name and address, the zone in which days are named, and the languages of messages. */
export const storeInfo = (requester: Requester) => query(requester, documents.StoreInfoDocument);

function accountOperations(requester: Requester) {
  return {
    get: query(requester, documents.CustomerAccountDocument),
    addresses: list(requester, documents.AddressesDocument, (value) => value.addressesV2),
    /** Subscriptions keep their own address: change that with `subscriptions.updateDelivery`. */
    updateAddress: change(requester, documents.UpdateAddressDocument),
    paymentMethods: list(requester, documents.PaymentMethodsDocument, (value) => value.paymentMethods),
    /** The store writes the customer an e-mail with a link to a new card: once in five minutes. */
    sendPaymentMethodEmail: change(requester, documents.SendPaymentMethodEmailDocument),
    /** Where the customer is signed in, the newest first. */
    sessions: query(requester, documents.SessionsDocument, ({ sessions }) => ({ nodes: sessions })),
    revokeSession: change(requester, documents.RevokeSessionDocument),
    /** All but the one that asks. For a customer's own app alone. */
    revokeOtherSessions: change(requester, documents.RevokeOtherSessionsDocument),
  };
}
