/** Customers: single reads, identifiers, lists and counts. customer-changes.ts changes them. */
import { orderGroupOfCustomer } from '../../../state/add-order.ts';
import type { CustomerRecord } from '../../../state/customer-records.ts';
import { DAY_MS } from '../../../state/instant.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { toCountView } from '../../cost/counts.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { listVisibleOrders } from '../../list-visible-orders.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { createSearchTest, type SearchFields } from '../../lists/search.ts';
import { sortByKey } from '../../lists/sorting.ts';
import { toMoneyV2 } from '../../money.ts';
import { sumOrderTotal } from '../billing/order-totals.ts';
import { findOrders, type OrderListArgs } from '../billing/orders.ts';
import { createContractsPage } from '../contracts/contracts.ts';
import { listCustomerAddresses } from '../delivery/addresses.ts';

const CUSTOMER_SEARCH_FIELDS: SearchFields<CustomerRecord> = {
  created_at: { kind: 'instant', of: (customer) => customer.createdAt },
  updated_at: { kind: 'instant', of: (customer) => customer.updatedAt },
  customer_date: { kind: 'instant', of: (customer) => customer.createdAt },
  email: { kind: 'text', of: (customer) => customer.email },
  first_name: { kind: 'text', of: (customer) => customer.firstName },
  last_name: { kind: 'text', of: (customer) => customer.lastName },
  phone: { kind: 'text', of: (customer) => customer.phone },
  tag: { kind: 'text', of: (customer) => customer.tags },
  id: { kind: 'number', of: (customer) => customer.id },
};

const CUSTOMER_SORT_KEYS: Record<string, (customer: CustomerRecord) => string | number> = {
  CREATED_AT: (customer) => customer.createdAt,
  UPDATED_AT: (customer) => customer.updatedAt,
  NAME: (customer) => `${customer.lastName}, ${customer.firstName}`,
};

function findCustomers(
  { store }: AdminContext,
  args: { query?: string | null; sortKey?: string | null },
): CustomerRecord[] {
  const matchesQuery = createSearchTest(
    args.query,
    CUSTOMER_SEARCH_FIELDS,
    ({ firstName, lastName, email }) => `${firstName} ${lastName} ${email}`,
  );
  return sortByKey(
    store.customers.values(),
    CUSTOMER_SORT_KEYS[args.sortKey ?? 'ID'] ?? ((customer) => customer.id),
  ).filter(matchesQuery);
}

type CustomerIdentifier = { id?: string; emailAddress?: string; phoneNumber?: string; customId?: unknown };

function resolveCustomerByIdentifier(
  _parent: unknown,
  { identifier }: { identifier: CustomerIdentifier },
  { store }: AdminContext,
) {
  if (identifier.id !== undefined)
    return store.customers.get(requireGidNumber(identifier.id, 'Customer')) ?? null;
  const customers = [...store.customers.values()];
  if (identifier.emailAddress !== undefined) {
    const email = identifier.emailAddress.toLowerCase();
    return customers.find((customer) => customer.email === email) ?? null;
  }
  if (identifier.phoneNumber === undefined) return null;
  return customers.find((customer) => customer.phone === identifier.phoneNumber) ?? null;
}

function listCustomerOrders(customer: CustomerRecord, { store }: AdminContext) {
  return store.orders.inGroup(orderGroupOfCustomer(customer.id));
}

/** Returns the customer's subscriber status from the contracts, in the platform's order of precedence. */
function computeSubscriberStatus(customer: CustomerRecord, { store }: AdminContext): string {
  // The platform counts the contracts of all apps.
  const allContracts = [...store.contracts.values(), ...(store.contractsOfOtherApps?.values() ?? [])];
  const customerContracts = allContracts.filter(({ content }) => content.customerId === customer.id);
  const statusesByPrecedence = ['ACTIVE', 'PAUSED', 'FAILED', 'CANCELLED', 'EXPIRED'];
  return (
    statusesByPrecedence.find((status) =>
      customerContracts.some(({ content }) => content.status === status),
    ) ?? 'NEVER_SUBSCRIBED'
  );
}

export const customerResolvers: ResolverMap = {
  QueryRoot: {
    customer: (_parent: unknown, args: { id: string }, { store }) =>
      store.customers.get(requireGidNumber(args.id, 'Customer')) ?? null,
    customerByIdentifier: resolveCustomerByIdentifier,
    customers: (
      _parent: unknown,
      args: ConnectionArgs & { query?: string | null; sortKey?: string | null },
      context,
    ) => createConnection(findCustomers(context, args), args, (customer) => customer.id),
    customersCount: (_parent: unknown, args: { query?: string | null; limit?: number | null }, context) =>
      toCountView(findCustomers(context, args).length, args.limit),
  },
  Customer: typeResolvers<CustomerRecord>({
    id: ({ id }) => formatGid('Customer', id),
    legacyResourceId: ({ id }) => id,
    addresses: (customer, args: { first?: number | null }, context) =>
      listCustomerAddresses(customer, context).slice(0, args.first ?? undefined),
    addressesV2: (customer, args: ConnectionArgs, context) =>
      createConnection(listCustomerAddresses(customer, context), args, (address) => address.id),
    amountSpent: (customer, _args, context) =>
      toMoneyV2(
        listCustomerOrders(customer, context).reduce((sum, order) => sum + sumOrderTotal(order), 0),
        context.store.currencyCode,
      ),
    canDelete: (customer, _args, context) => listCustomerOrders(customer, context).length === 0,
    dataSaleOptOut: () => false,
    defaultAddress: ({ defaultAddressId }, _args, { store }) =>
      store.addresses.get(defaultAddressId ?? 0) ?? null,
    defaultEmailAddress: ({ email }) => ({
      emailAddress: email,
      marketingState: 'NOT_SUBSCRIBED',
      marketingUpdatedAt: null,
      validFormat: true,
    }),
    defaultPhoneNumber: ({ phone }) => (phone === null ? null : { phoneNumber: phone }),
    displayName: ({ firstName, lastName }) => `${firstName} ${lastName}`.trim(),
    lastOrder: (customer, _args, context) => {
      const customerOrders = listVisibleOrders(context, orderGroupOfCustomer(customer.id));
      return sortByKey(customerOrders, (order) => order.createdAt).at(-1) ?? null;
    },
    lifetimeDuration: ({ createdAt }, _args, { nowMs }) =>
      `${Math.floor((nowMs - Date.parse(createdAt)) / DAY_MS)} days`,
    numberOfOrders: (customer, _args, context) => listCustomerOrders(customer, context).length,
    orders: (customer, args: OrderListArgs, context) =>
      createConnection(
        findOrders(context, { ...args, sortKey: args.sortKey ?? 'ID' }, orderGroupOfCustomer(customer.id)),
        args,
        (order) => order.id,
      ),
    paymentMethods: (customer, args: ConnectionArgs & { showRevoked: boolean }, { store }) => {
      const customerMethods = [...store.paymentMethods.values()].filter(
        (method) => method.customerId === customer.id,
      );
      const visibleMethods = customerMethods.filter(
        (method) => args.showRevoked || method.revokedAt === null,
      );
      return createConnection(visibleMethods, args, (method) => method.id);
    },
    productSubscriberStatus: (customer, _args, context) => computeSubscriberStatus(customer, context),
    state: () => 'ENABLED',
    subscriptionContracts: (customer, args: ConnectionArgs, context) =>
      createContractsPage(context, args, ({ content }) => content.customerId === customer.id),
    verifiedEmail: () => true,
  }),
};
