/** The way back from an address that was read to the argument of a change. */
import type { MailingAddress, MailingAddressInput } from './generated/shared/types.ts';

/**
 * Returns an address that was read as the argument of `updateDelivery`, `addAddress` or `updateAddress`, which refuse the
 * other fields that a read has.
 */
export function toAddressInput(address: MailingAddress): MailingAddressInput {
  const { firstName, lastName, company, address1, address2, city, zip, provinceCode, phone } = address;
  const countryCode = address.countryCodeV2;
  return { firstName, lastName, company, address1, address2, city, zip, provinceCode, phone, countryCode };
}
