/** What an app does for its customer, and a merchant's server for one: subscriptions, account, the store. */

import { contractChanges } from './contract-changes.ts';
import { contractReads } from './contract-reads.ts';
import * as documents from './generated/customer-operations.ts';
import { type Asker, change, query } from './operation.ts';
import { list } from './pages.ts';

export type CustomerOperations = ReturnType<typeof customerOperations>;

export function customerOperations(asker: Asker) {
  const subscriptions = list(asker, documents.SubscriptionsDocument, (value) => value.subscriptionContracts);
  return {
    subscriptions: {
      /** A page of the customer's subscriptions with what each charges next: 20, at most 25. */
      list: subscriptions,
      // Its `pages` and `all`.
      ...subscriptions,
      ...contractReads(asker),
      ...contractChanges(asker),
    },
    account: accountOperations(asker),
    store: storeInfo(asker),
  };
}

/** The store's name and address, the zone in which days are named, and the languages of messages. */
export const storeInfo = (asker: Asker) => query(asker, documents.StoreInfoDocument);

function accountOperations(asker: Asker) {
  return {
    get: query(asker, documents.CustomerAccountDocument),
    addresses: list(asker, documents.AddressesDocument, (value) => value.addressesV2),
    /** Subscriptions keep their own address: change that with `subscriptions.updateDelivery`. */
    updateAddress: change(asker, documents.UpdateAddressDocument),
    paymentMethods: list(asker, documents.PaymentMethodsDocument, (value) => value.paymentMethods),
    /** The store writes the customer an e-mail with a link to a new card: once in five minutes. */
    sendPaymentMethodEmail: change(asker, documents.SendPaymentMethodEmailDocument),
    /** Where the customer is signed in, the newest first. */
    sessions: query(asker, documents.SessionsDocument, ({ sessions }) => ({ nodes: sessions })),
    revokeSession: change(asker, documents.RevokeSessionDocument),
    /** All but the one that asks. For a customer's own app alone. */
    revokeOtherSessions: change(asker, documents.RevokeOtherSessionsDocument),
  };
}
