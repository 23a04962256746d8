/**
 * The operations of a customer's app, and of a merchant's server for one customer: subscriptions, account, the store.
 */
import { type ContractChanges, contractChanges } from './contract-changes.ts';
import { type ContractReads, contractReads, type StoreTime } from './contract-reads.ts';
import * as documents from './generated/customer-operations.ts';
import { createChangeOperations, createQueryOperation, type Operation, type Requester } from './operation.ts';
import { type Connection, createListOperation, type ListOperation } from './pages.ts';

/** What an app shows first. */
export interface Home {
  /** The customer, as `account.get` returns it. */
  readonly customer: documents.CustomerProfile;
  /** The first page of subscriptions, as `subscriptions.list` returns it. */
  readonly subscriptions: Connection<documents.SubscriptionSummary>;
  /** The store, as `store()` returns it. Null if it could not be read. */
  readonly store: documents.StoreProfile | null;
}

/** The operations of a customer's app, and of a merchant's server for one customer. */
export interface CustomerOperations {
  /**
   * Reads what an app shows first, in one request: the customer, the store, and the first page of subscriptions with
   * their next orders. `store` is null if it could not be read.
   */
  readonly home: Operation<documents.HomeVariables, Home>;
  /** The customer's subscriptions. */
  readonly subscriptions: CustomerSubscriptions;
  /** The customer's account. */
  readonly account: AccountOperations;
  /** Reads the store's name and address, its time zone, and the languages of messages. */
  readonly store: Operation<documents.StoreInfoVariables, documents.StoreProfile>;
}

type SubscriptionList = ListOperation<
  documents.SubscriptionsVariables,
  Connection<documents.SubscriptionSummary> & StoreTime
>;

/** The customer's subscriptions. */
export interface CustomerSubscriptions extends ContractReads, ContractChanges {
  /** Reads a page of the customer's subscriptions with their next charges (20, at most 25), and `storeTimeZone`. */
  readonly list: SubscriptionList;
  /** Reads the customer's subscriptions page by page. */
  readonly pages: SubscriptionList['pages'];
  /** Reads the customer's subscriptions one after the other. */
  readonly all: SubscriptionList['all'];
}

/** The customer's account: profile, addresses, payment methods and sign-ins. */
export interface AccountOperations {
  /** Reads the customer's name, e-mail address, phone number and language. */
  readonly get: Operation<documents.CustomerAccountVariables, documents.CustomerProfile>;
  /** The addresses of the address book. */
  readonly addresses: ListOperation<documents.AddressesVariables, Connection<documents.AccountAddress>>;
  /** Adds an address to the account, which can have 20. */
  readonly addAddress: Operation<documents.AddAddressVariables, documents.AddAddressPayload>;
  /**
   * Changes an address of the account. Subscriptions have separate addresses: change those with
   * `subscriptions.updateDelivery`.
   */
  readonly updateAddress: Operation<documents.UpdateAddressVariables, documents.UpdateAddressPayload>;
  /** The customer's payment methods. */
  readonly paymentMethods: ListOperation<
    documents.PaymentMethodsVariables,
    Connection<documents.PaymentMethod>
  >;
  /** Sends the customer the store's e-mail with a link to replace the card: at most once in five minutes. */
  readonly sendPaymentMethodEmail: Operation<
    documents.SendPaymentMethodEmailVariables,
    documents.SendPaymentMethodEmailPayload
  >;
  /**
   * Starts the update of a payment method: open `updateUrl` at once, and store it nowhere. Without a URL the customer
   * was sent the e-mail of `sendPaymentMethodEmail`, and `emailSent` is true.
   */
  readonly startPaymentMethodUpdate: Operation<
    documents.StartPaymentMethodUpdateVariables,
    documents.StartPaymentMethodUpdatePayload
  >;
  /** The customer's sessions, newest first. */
  readonly sessions: Operation<
    documents.SessionsVariables,
    {
      /** All sessions. */
      readonly nodes: readonly documents.CustomerSession[];
    }
  >;
  /** Revokes a session: the device is signed out. */
  readonly revokeSession: Operation<documents.RevokeSessionVariables, documents.RevokeSessionPayload>;
  /** Revokes all sessions except the current one. Only for a customer's app. */
  readonly revokeOtherSessions: Operation<
    documents.RevokeOtherSessionsVariables,
    documents.RevokeOtherSessionsPayload
  >;
}

export function customerOperations(requester: Requester): CustomerOperations {
  const subscriptions = createListOperation(
    requester,
    documents.SubscriptionsDocument,
    ({ subscriptionContracts }, _requestId, { serviceInfo }) => ({
      ...subscriptionContracts,
      ...serviceInfo,
    }),
  );
  return {
    home: createQueryOperation(
      requester,
      documents.HomeDocument,
      (_customer, _requestId, { customer, serviceInfo }) => {
        if (!customer) return null;
        const { subscriptionContracts, ...profile } = customer;
        return { customer: profile, subscriptions: subscriptionContracts, store: serviceInfo };
      },
    ),
    subscriptions: {
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

export const storeInfo = (requester: Requester) =>
  createQueryOperation(requester, documents.StoreInfoDocument);

function accountOperations(requester: Requester): AccountOperations {
  return {
    get: createQueryOperation(requester, documents.CustomerAccountDocument),
    addresses: createListOperation(requester, documents.AddressesDocument, (value) => value.addressesV2),
    ...createChangeOperations(requester, {
      addAddress: documents.AddAddressDocument,
      updateAddress: documents.UpdateAddressDocument,
    }),
    paymentMethods: createListOperation(
      requester,
      documents.PaymentMethodsDocument,
      (value) => value.paymentMethods,
    ),
    ...createChangeOperations(requester, {
      sendPaymentMethodEmail: documents.SendPaymentMethodEmailDocument,
      startPaymentMethodUpdate: documents.StartPaymentMethodUpdateDocument,
    }),
    sessions: createQueryOperation(requester, documents.SessionsDocument, ({ sessions }) => ({
      nodes: sessions,
    })),
    ...createChangeOperations(requester, {
      revokeSession: documents.RevokeSessionDocument,
      revokeOtherSessions: documents.RevokeOtherSessionsDocument,
    }),
  };
}
