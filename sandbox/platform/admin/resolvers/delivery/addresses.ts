/** Postal addresses: customers' own, and the copies that contracts hold. */
import type { AddressContent, AddressRecord, CustomerRecord } from '../../../state/customer-records.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { formatGid } from '../../gid.ts';

/** Returns a customer's addresses, oldest first. */
export function listCustomerAddresses(customer: CustomerRecord, { store }: AdminContext): AddressRecord[] {
  return [...store.addresses.values()].filter((address) => address.customerId === customer.id);
}

/** Formats the id of an address, whose tail has the model name as a query. */
export function formatAddressGid({ id, model }: AddressRecord): string {
  return formatGid('MailingAddress', `${id}?model_name=${model}`);
}

function formatFullName({ firstName, lastName }: AddressContent): string | null {
  return [firstName, lastName].filter((part) => part !== null).join(' ') || null;
}

function formatArea({ city, provinceCode, country }: AddressContent): string | null {
  return [[city, provinceCode].filter(Boolean).join(' '), country].filter(Boolean).join(', ') || null;
}

export const addressResolvers: ResolverMap = {
  MailingAddress: typeResolvers<AddressRecord>({
    id: formatAddressGid,
    coordinatesValidated: () => false,
    countryCode: ({ countryCodeV2 }) => countryCodeV2,
    formatted: (address, args: { withName: boolean; withCompany: boolean }) =>
      [
        args.withName ? formatFullName(address) : null,
        args.withCompany ? address.company : null,
        address.address1,
        address.address2,
        [address.city, address.provinceCode, address.zip].filter(Boolean).join(' '),
        address.country,
      ].filter((line) => line !== null && line !== ''),
    formattedArea: formatArea,
    latitude: () => null,
    longitude: () => null,
    name: formatFullName,
    timeZone: () => null,
    validationResultSummary: () => 'NO_ISSUES',
  }),
};
