/** Reads a postal address from an input: merges it into the earlier address and validates it as the platform does. */
import type { AddressContent } from '../../../state/customer-records.ts';

export type AddressInput = {
  [Key in Exclude<keyof AddressContent, 'countryCodeV2'>]?: string | null;
} & { countryCode?: string | null };

type ParsedAddress =
  | { content: AddressContent; problem: null }
  | { content: null; problem: { field: string; message: string } };

const EMPTY_ADDRESS: AddressContent = {
  address1: null,
  address2: null,
  city: null,
  company: null,
  country: null,
  countryCodeV2: null,
  firstName: null,
  lastName: null,
  phone: null,
  province: null,
  provinceCode: null,
  zip: null,
};

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const textFields = [
  'address1',
  'address2',
  'city',
  'company',
  'firstName',
  'lastName',
  'phone',
  'zip',
] as const;

/** Returns the new address; omitted fields have the values of `previousAddress`. */
export function parseAddressInput(
  input: AddressInput,
  previousAddress: AddressContent | null,
): ParsedAddress {
  const addressContent = { ...EMPTY_ADDRESS };
  for (const key of Object.keys(EMPTY_ADDRESS) as (keyof AddressContent)[])
    addressContent[key] = previousAddress?.[key] ?? null;
  for (const field of textFields) {
    if (input[field] !== undefined) addressContent[field] = input[field] ?? null;
  }
  setCountry(addressContent, input);
  setProvince(addressContent, input);
  const tooLongField = textFields.find((field) => (addressContent[field]?.length ?? 0) > 255);
  if (tooLongField !== undefined) {
    return createAddressProblem(
      tooLongField,
      `${formatFieldTitle(tooLongField)} is too long (maximum is 255 characters)`,
    );
  }
  for (const field of textFields) {
    if (/<[a-z/]|https?:\/\//i.test(addressContent[field] ?? '')) {
      return createAddressProblem(field, `${formatFieldTitle(field)} cannot contain URLs or HTML tags`);
    }
  }
  if (addressContent.countryCodeV2 === null) return createAddressProblem('country', 'Country is invalid');
  return { content: addressContent, problem: null };
}

function setCountry(content: AddressContent, { countryCode, country }: AddressInput): void {
  if (countryCode != null) {
    content.countryCodeV2 = countryCode;
    content.country = countryNames.of(countryCode) ?? countryCode;
  } else if (country != null) {
    content.countryCodeV2 = findCountryCode(country);
    content.country = country;
  }
}

function setProvince(content: AddressContent, { provinceCode, province }: AddressInput): void {
  if (provinceCode !== undefined) {
    if (provinceCode !== content.provinceCode) content.province = provinceCode;
    content.provinceCode = provinceCode;
  } else if (province !== undefined) {
    if (province !== content.province) content.provinceCode = null;
    content.province = province;
  }
}

function findCountryCode(name: string): string | null {
  if (/^[A-Z]{2}$/.test(name)) return name;
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  for (const firstLetter of alphabet) {
    for (const secondLetter of alphabet) {
      if (countryNames.of(firstLetter + secondLetter)?.toLowerCase() === name.toLowerCase())
        return firstLetter + secondLetter;
    }
  }
  return null;
}

function formatFieldTitle(field: string): string {
  return (
    field.charAt(0).toUpperCase() + field.slice(1).replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  );
}

function createAddressProblem(field: string, message: string): ParsedAddress {
  return { content: null, problem: { field, message } };
}
