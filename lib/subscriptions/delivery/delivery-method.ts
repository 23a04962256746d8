/** A contract's way of delivery: as the platform tells it, as a draft takes it, and whether the two are the same. */
import type { PricedOption } from './await-options.ts';
import type { AddressInput, DeliveryInput } from './delivery-input.ts';

const ADDRESS = `address1 address2 city company country countryCodeV2 firstName lastName phone province provinceCode zip`;

/** The selection that brings `DeliveryMethod`; the place only where it counts, because it needs a scope of its own. */
export function deliveryMethod({ place }: { readonly place: boolean }): string {
  return `deliveryMethod {
    ... on SubscriptionDeliveryMethodShipping { address { ${ADDRESS} } shippingOption { code } }
    ... on SubscriptionDeliveryMethodLocalDelivery { address { ${ADDRESS} } localDeliveryOption { code phone instructions } }
    ... on SubscriptionDeliveryMethodPickup { pickupOption { code ${place ? 'location { id }' : ''} } }
  }`;
}

/** The selection of a customer's address that stands in for one that the contract does not have. */
export const DEFAULT_ADDRESS = `customer { defaultAddress { ${ADDRESS} } }`;

export type Address = Readonly<Record<string, string | null>>;

export type DeliveryMethod = {
  readonly address?: Address;
  readonly shippingOption?: { readonly code: string | null };
  readonly localDeliveryOption?: {
    readonly code: string | null;
    readonly phone: string;
    readonly instructions: string | null;
  };
  readonly pickupOption?: { readonly code: string | null; readonly location?: { readonly id: string } };
};

/**
 * Returns how a contract is delivered now, as a client would ask for it; a pick-up without its place, where that was not
 * read.
 * @returns undefined when the platform does not say.
 */
export function presentDelivery(method: DeliveryMethod | null): DeliveryInput | undefined {
  const { address, shippingOption, localDeliveryOption, pickupOption } = method ?? {};
  const optionCode = (shippingOption ?? localDeliveryOption ?? pickupOption)?.code ?? undefined;
  if (pickupOption !== undefined) {
    return { kind: 'pickup', locationId: pickupOption.location?.id ?? '', optionCode };
  }
  if (address === undefined) return undefined;
  const input = addressInput(address);
  if (localDeliveryOption === undefined) return { kind: 'shipping', address: input, optionCode };
  const { phone, instructions } = localDeliveryOption;
  return {
    kind: 'localDelivery',
    address: input,
    optionCode,
    phone,
    instructions: instructions ?? undefined,
  };
}

/** The platform's SubscriptionDeliveryMethodInput. Names and prices come from the option alone. */
export function deliveryMethodInput(requested: DeliveryInput, option: PricedOption) {
  const { code, title, presentmentTitle, description } = option;
  const chosen = { code, title, presentmentTitle, description };
  switch (requested.kind) {
    case 'shipping':
      return { shipping: { address: requested.address, shippingOption: chosen } };
    case 'localDelivery': {
      const { address, phone, instructions } = requested;
      return { localDelivery: { address, localDeliveryOption: { ...chosen, phone, instructions } } };
    }
    case 'pickup':
      return { pickup: { pickupOption: { ...chosen, locationId: requested.locationId } } };
  }
}

/** Whether a contract is delivered as requested by that option. */
export function isDeliveredSo(
  method: DeliveryMethod | null,
  requested: DeliveryInput,
  { code }: Pick<PricedOption, 'code'>,
): boolean {
  switch (requested.kind) {
    case 'shipping':
      return method?.shippingOption?.code === code && isAddress(method.address, requested.address);
    case 'localDelivery': {
      const option = method?.localDeliveryOption;
      const isSame = option?.phone === requested.phone && isText(option.instructions, requested.instructions);
      return isSame && option.code === code && isAddress(method?.address, requested.address);
    }
    case 'pickup':
      return method?.pickupOption?.code === code && method.pickupOption.location?.id === requested.locationId;
  }
}

const TEXTS = ['address1', 'address2', 'city', 'company', 'firstName', 'lastName', 'zip'];
/** The platform may fill these in by itself. */
const DERIVED = ['country', 'phone', 'province', 'provinceCode'];

function isAddress(address: Address | undefined, input: AddressInput): boolean {
  if (address === undefined) return false;
  const isCountry = input.countryCode == null || input.countryCode === address.countryCodeV2;
  const given = DERIVED.filter((name) => input[name] !== undefined);
  return isCountry && [...TEXTS, ...given].every((name) => isText(address[name], input[name]));
}

/** Whether a method delivers to that place already. The recipient and the flat do not change a price. */
export function isSamePlace(method: DeliveryMethod | null, input: AddressInput): boolean {
  if (method?.address === undefined) return false;
  const { address2, company, firstName, lastName, phone } = method.address;
  return isAddress(method.address, { ...input, address2, company, firstName, lastName, phone });
}

/** Nothing, null and empty are the same. */
function isText(one: string | null | undefined, other: string | null | undefined): boolean {
  return (one || null) === (other || null);
}

/** An address of the platform as an input of the platform. */
export function addressInput(address: Address): AddressInput {
  const { country: _country, province: _province, countryCodeV2, ...texts } = address;
  return { ...texts, countryCode: countryCodeV2 };
}
