/** Customers: single reads, identifiers, lists and counts. customer-changes.ts changes them. */
import type { CustomerRecord } from '../../../state/customer-records.ts';
import { dayMs } from '../../../state/instant.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { countOf } from '../../cost/counts.ts';
import { gid, numberOf } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { type SearchFields, searchTest } from '../../lists/search.ts';
import { sortedBy } from '../../lists/sorting.ts';
import { moneyV2 } from '../../money.ts';
import { visibleOrders } from '../../visible-orders.ts';
import { orderTotal } from '../billing/order-totals.ts';
import { findOrders, type OrderListArgs } from '../billing/orders.ts';
import { contractsPage } from '../contracts/contracts.ts';
import { addressesOf } from '../delivery/addresses.ts';

const searchFields: SearchFields<CustomerRecord> = {
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

const sortKeys: Record<string, (customer: CustomerRecord) => string | number> = {
  CREATED_AT: (customer) => customer.createdAt,
  UPDATED_AT: (customer) => customer.updatedAt,
  NAME: (customer) => `${customer.lastName}, ${customer.firstName}`,
};

function findCustomers(
  { store }: AdminContext,
  args: { query?: string | null; sortKey?: string | null },
): CustomerRecord[] {
  const test = searchTest(
    args.query,
    searchFields,
    ({ firstName, lastName, email }) => `${firstName} ${lastName} ${email}`,
  );
  return sortedBy(
    store.customers.values(),
    sortKeys[args.sortKey ?? 'ID'] ?? ((customer) => customer.id),
  ).filter(test);
}

type Identifier = { id?: string; emailAddress?: string; phoneNumber?: string; customId?: unknown };

function byIdentifier(_parent: unknown, { identifier }: { identifier: Identifier }, { store }: AdminContext) {
  if (identifier.id !== undefined) return store.customers.get(numberOf(identifier.id, 'Customer')) ?? null;
  const customers = [...store.customers.values()];
  if (identifier.emailAddress !== undefined) {
    const email = identifier.emailAddress.toLowerCase();
    return customers.find((customer) => customer.email === email) ?? null;
  }
  if (identifier.phoneNumber === undefined) return null;
  return customers.find((customer) => customer.phone === identifier.phoneNumber) ?? null;
}

function ordersOf(customer: CustomerRecord, { store }: AdminContext) {
  return [...store.orders.values()].filter((order) => order.customerId === customer.id);
}

/** Returns the customer's subscriber status from the contracts, in the platform's order of precedence. */
function subscriberStatus(customer: CustomerRecord, { store }: AdminContext): string {
  // The platform counts the contracts of all apps.
  const all = [...store.contracts.values(), ...(store.contractsOfOtherApps?.values() ?? [])];
  const own = all.filter(({ content }) => content.customerId === customer.id);
  const weight = ['ACTIVE', 'PAUSED', 'FAILED', 'CANCELLED', 'EXPIRED'];
  return weight.find((status) => own.some(({ content }) => content.status === status)) ?? 'NEVER_SUBSCRIBED';
}

export const customerResolvers: ResolverMap = {
  QueryRoot: {
    customer: (_parent: unknown, args: { id: string }, { store }) =>
      store.customers.get(numberOf(args.id, 'Customer')) ?? null,
    customerByIdentifier: byIdentifier,
    customers: (
      _parent: unknown,
      args: ConnectionArgs & { query?: string | null; sortKey?: string | null },
      context,
    ) => connectionOf(findCustomers(context, args), args, (customer) => customer.id),
    customersCount: (_parent: unknown, args: { query?: string | null; limit?: number | null }, context) =>
      countOf(findCustomers(context, args).length, args.limit),
  },
  Customer: fieldsOf<CustomerRecord>({
    id: ({ id }) => gid('Customer', id),
    legacyResourceId: ({ id }) => id,
    addresses: (customer, args: { first?: number | null }, context) =>
      addressesOf(customer, context).slice(0, args.first ?? undefined),
    addressesV2: (customer, args: ConnectionArgs, context) =>
      connectionOf(addressesOf(customer, context), args, (address) => address.id),
    amountSpent: (customer, _args, context) =>
      moneyV2(
        ordersOf(customer, context).reduce((sum, order) => sum + orderTotal(order), 0),
        context.store.currencyCode,
      ),
    canDelete: (customer, _args, context) => ordersOf(customer, context).length === 0,
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
      const own = visibleOrders(context).filter((order) => order.customerId === customer.id);
      return sortedBy(own, (order) => order.createdAt).at(-1) ?? null;
    },
    lifetimeDuration: ({ createdAt }, _args, { nowMs }) =>
      `${Math.floor((nowMs - Date.parse(createdAt)) / dayMs)} days`,
    numberOfOrders: (customer, _args, context) => ordersOf(customer, context).length,
    orders: (customer, args: OrderListArgs, context) =>
      connectionOf(
        findOrders(context, { ...args, sortKey: args.sortKey ?? 'ID' }).filter(
          (order) => order.customerId === customer.id,
        ),
        args,
        (order) => order.id,
      ),
    paymentMethods: (customer, args: ConnectionArgs & { showRevoked: boolean }, { store }) => {
      const own = [...store.paymentMethods.values()].filter((method) => method.customerId === customer.id);
      const visible = own.filter((method) => args.showRevoked || method.revokedAt === null);
      return connectionOf(visible, args, (method) => method.id);
    },
    productSubscriberStatus: (customer, _args, context) => subscriberStatus(customer, context),
    state: () => 'ENABLED',
    subscriptionContracts: (customer, args: ConnectionArgs, context) =>
      contractsPage(context, args, ({ content }) => content.customerId === customer.id),
    verifiedEmail: () => true,
  }),
};
