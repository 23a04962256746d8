/** Changes of customers and their addresses. Contracts have their own copies, so these changes do not affect them. */
import type { AddressContent, AddressRecord, CustomerRecord } from '../../../state/customer-records.ts';
import { formatIsoInstant } from '../../../state/instant.ts';
import { takeNextId } from '../../../state/opaque-id.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { createUserErrorPayload } from '../../user-error.ts';
import { type AddressInput, parseAddressInput } from '../delivery/address-input.ts';
import { formatAddressGid, listCustomerAddresses } from '../delivery/addresses.ts';

type CustomerInput = {
  id?: string | null;
  email?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  phone?: string | null;
  locale?: string | null;
  note?: string | null;
  tags?: string[] | null;
  taxExempt?: boolean | null;
};

const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function resolveCustomerUpdate(
  _parent: unknown,
  { input }: { input: CustomerInput },
  { store, nowMs }: AdminContext,
) {
  const customer = input.id == null ? undefined : store.customers.get(requireGidNumber(input.id, 'Customer'));
  if (customer === undefined) return createUserErrorPayload(['id'], 'Customer does not exist');
  if (input.email != null) {
    const email = input.email.trim().toLowerCase();
    if (!EMAIL_PATTERN.test(email)) return createUserErrorPayload(['email'], 'Email is invalid');
    const isEmailTaken = [...store.customers.values()].some(
      (other) => other !== customer && other.email === email,
    );
    if (isEmailTaken) return createUserErrorPayload(['email'], 'Email has already been taken');
    customer.email = email;
  }
  if (input.firstName !== undefined) customer.firstName = input.firstName ?? '';
  if (input.lastName !== undefined) customer.lastName = input.lastName ?? '';
  if (input.phone !== undefined) customer.phone = input.phone;
  if (input.note !== undefined) customer.note = input.note;
  if (input.locale != null) customer.locale = input.locale;
  if (input.tags != null) customer.tags = input.tags;
  if (input.taxExempt != null) customer.taxExempt = input.taxExempt;
  customer.updatedAt = formatIsoInstant(nowMs);
  return { customer };
}

type AddressMutationArgs = {
  customerId: string;
  addressId?: string;
  address?: AddressInput;
  setAsDefault?: boolean | null;
};

/** Returns the customer, and the address if it belongs to the customer. */
function findCustomerAddress({ customerId, addressId }: AddressMutationArgs, context: AdminContext) {
  const customer = context.store.customers.get(requireGidNumber(customerId, 'Customer'));
  const customerAddresses = customer === undefined ? [] : listCustomerAddresses(customer, context);
  const addressNumber = addressId === undefined ? Number.NaN : requireGidNumber(addressId, 'MailingAddress');
  return { customer, customerAddresses, address: customerAddresses.find(({ id }) => id === addressNumber) };
}

function resolveAddressCreate(_parent: unknown, args: AddressMutationArgs, context: AdminContext) {
  const { customer, customerAddresses } = findCustomerAddress(args, context);
  if (customer === undefined) return createUserErrorPayload(['customerId'], 'Customer does not exist');
  const { content, problem } = parseAddressInput(args.address ?? {}, null);
  if (content === null) return createUserErrorPayload(['address', problem.field], problem.message);
  if (customerAddresses.some((address) => isSameAddress(address, content))) {
    return createUserErrorPayload(['address'], 'Address already exists');
  }
  const id = takeNextId(context.store);
  const address: AddressRecord = {
    ...content,
    __typename: 'MailingAddress',
    id,
    model: 'CustomerAddress',
    customerId: customer.id,
  };
  context.store.addresses.set(id, address);
  if (args.setAsDefault || customerAddresses.length === 0)
    setDefaultAddress(customer, address, context.nowMs);
  return { address };
}

function resolveAddressUpdate(_parent: unknown, args: AddressMutationArgs, context: AdminContext) {
  const { customer, address } = findCustomerAddress(args, context);
  if (customer === undefined) return createUserErrorPayload(['customerId'], 'Customer does not exist');
  if (address === undefined) return createUserErrorPayload(['addressId'], 'Address does not exist');
  const { content, problem } = parseAddressInput(args.address ?? {}, address);
  if (content === null) return createUserErrorPayload(['address', problem.field], problem.message);
  Object.assign(address, content);
  if (args.setAsDefault) setDefaultAddress(customer, address, context.nowMs);
  return { address };
}

function resolveAddressDelete(_parent: unknown, args: AddressMutationArgs, context: AdminContext) {
  const { customer, customerAddresses, address } = findCustomerAddress(args, context);
  if (customer === undefined) return createUserErrorPayload(['customerId'], 'Customer does not exist');
  if (address === undefined) return createUserErrorPayload(['addressId'], 'Address does not exist');
  context.store.addresses.delete(address.id);
  if (customer.defaultAddressId === address.id) {
    customer.defaultAddressId = customerAddresses.find((other) => other !== address)?.id ?? null;
  }
  return { deletedAddressId: formatAddressGid(address) };
}

function resolveUpdateDefaultAddress(_parent: unknown, args: AddressMutationArgs, context: AdminContext) {
  const { customer, address } = findCustomerAddress(args, context);
  if (customer === undefined) return createUserErrorPayload(['customerId'], 'Customer does not exist');
  if (address === undefined) return createUserErrorPayload(['addressId'], 'Address does not exist');
  setDefaultAddress(customer, address, context.nowMs);
  return { customer };
}

function setDefaultAddress(customer: CustomerRecord, address: AddressRecord, nowMs: number): void {
  customer.defaultAddressId = address.id;
  customer.updatedAt = formatIsoInstant(nowMs);
}

function isSameAddress(a: AddressContent, b: AddressContent): boolean {
  return (Object.keys(b) as (keyof AddressContent)[]).every((key) => a[key] === b[key]);
}

export const customerChangeResolvers: ResolverMap = {
  Mutation: {
    customerAddressCreate: resolveAddressCreate,
    customerAddressDelete: resolveAddressDelete,
    customerAddressUpdate: resolveAddressUpdate,
    customerUpdate: resolveCustomerUpdate,
    customerUpdateDefaultAddress: resolveUpdateDefaultAddress,
  },
};
