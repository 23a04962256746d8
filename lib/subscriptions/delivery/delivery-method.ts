/**
 * A contract's delivery method: the platform's output, the platform's input, and whether the two describe the same
 * delivery.
 */

import type { AddressInput, DeliveryInput } from './delivery-input.ts';
import type { PricedOption } from './poll-delivery-options.ts';

const ADDRESS_FIELDS = `address1 address2 city company country countryCodeV2 firstName lastName phone province provinceCode zip`;

/**
 * The selection that `DeliveryMethod` describes. With `withPickupLocation` it includes a pickup's location, which
 * needs another access scope.
 */
export function writeDeliveryMethodSelection({
  withPickupLocation,
}: {
  readonly withPickupLocation: boolean;
}): string {
  return `deliveryMethod {
    ... on SubscriptionDeliveryMethodShipping { address { ${ADDRESS_FIELDS} } shippingOption { code } }
    ... on SubscriptionDeliveryMethodLocalDelivery { address { ${ADDRESS_FIELDS} } localDeliveryOption { code phone instructions } }
    ... on SubscriptionDeliveryMethodPickup { pickupOption { code ${withPickupLocation ? 'location { id }' : ''} } }
  }`;
}

/** The selection of the customer's default address, for contracts whose delivery method has no address (pickup). */
export const DEFAULT_ADDRESS_SELECTION = `customer { defaultAddress { ${ADDRESS_FIELDS} } }`;

export type DeliveryAddress = Readonly<Record<string, string | null>>;

export type DeliveryMethod = {
  readonly address?: DeliveryAddress;
  readonly shippingOption?: { readonly code: string | null };
  readonly localDeliveryOption?: {
    readonly code: string | null;
    readonly phone: string;
    readonly instructions: string | null;
  };
  readonly pickupOption?: { readonly code: string | null; readonly location?: { readonly id: string } };
};

/**
 * Converts the contract's delivery method to the shape of a client's input. The location id of a pickup is empty if the
 * location was not selected.
 * @returns undefined when the contract has no method
 */
export function toDeliveryInput(method: DeliveryMethod | null): DeliveryInput | undefined {
  const { address, shippingOption, localDeliveryOption, pickupOption } = method ?? {};
  const optionCode = (shippingOption ?? localDeliveryOption ?? pickupOption)?.code ?? undefined;
  if (pickupOption !== undefined) {
    return { kind: 'pickup', locationId: pickupOption.location?.id ?? '', optionCode };
  }
  if (address === undefined) return undefined;
  const addressInput = toAddressInput(address);
  if (localDeliveryOption === undefined) return { kind: 'shipping', address: addressInput, optionCode };
  const { phone, instructions } = localDeliveryOption;
  return {
    kind: 'localDelivery',
    address: addressInput,
    optionCode,
    phone,
    instructions: instructions ?? undefined,
  };
}

/** Builds the platform's SubscriptionDeliveryMethodInput. Code and titles come from the platform's option. */
export function buildDeliveryMethodInput(requested: DeliveryInput, option: PricedOption) {
  const { code, title, presentmentTitle, description } = option;
  const chosenOption = { code, title, presentmentTitle, description };
  switch (requested.kind) {
    case 'shipping':
      return { shipping: { address: requested.address, shippingOption: chosenOption } };
    case 'localDelivery': {
      const { address, phone, instructions } = requested;
      return { localDelivery: { address, localDeliveryOption: { ...chosenOption, phone, instructions } } };
    }
    case 'pickup':
      return { pickup: { pickupOption: { ...chosenOption, locationId: requested.locationId } } };
  }
}

/** Whether the contract already has the requested delivery with this option. */
export function isDeliveredAsRequested(
  method: DeliveryMethod | null,
  requested: DeliveryInput,
  { code }: Pick<PricedOption, 'code'>,
): boolean {
  switch (requested.kind) {
    case 'shipping':
      return method?.shippingOption?.code === code && isSameAddress(method.address, requested.address);
    case 'localDelivery': {
      const option = method?.localDeliveryOption;
      const isSameContact =
        option?.phone === requested.phone && isSameOptionalText(option.instructions, requested.instructions);
      return isSameContact && option.code === code && isSameAddress(method?.address, requested.address);
    }
    case 'pickup':
      return method?.pickupOption?.code === code && method.pickupOption.location?.id === requested.locationId;
  }
}

const COMPARED_TEXT_FIELDS = ['address1', 'address2', 'city', 'company', 'firstName', 'lastName', 'zip'];
/** Fields that the platform may fill in by itself. They are compared only if the client sent them. */
const PLATFORM_FILLED_FIELDS = ['country', 'phone', 'province', 'provinceCode'];

function isSameAddress(address: DeliveryAddress | undefined, input: AddressInput): boolean {
  if (address === undefined) return false;
  const isSameCountry = input.countryCode == null || input.countryCode === address.countryCodeV2;
  const givenFields = PLATFORM_FILLED_FIELDS.filter((name) => input[name] !== undefined);
  return (
    isSameCountry &&
    [...COMPARED_TEXT_FIELDS, ...givenFields].every((name) => isSameOptionalText(address[name], input[name]))
  );
}

/**
 * Whether the contract is already delivered to this address. Ignores name, company, phone and the second address
 * line, because they do not change the delivery price.
 */
export function isSameDeliveryAddress(method: DeliveryMethod | null, input: AddressInput): boolean {
  if (method?.address === undefined) return false;
  const { address2, company, firstName, lastName, phone } = method.address;
  return isSameAddress(method.address, { ...input, address2, company, firstName, lastName, phone });
}

/** Compares two texts. Undefined, null and an empty text are equal. */
function isSameOptionalText(one: string | null | undefined, other: string | null | undefined): boolean {
  return (one || null) === (other || null);
}

/** Converts an address from the platform's output type to its input type. */
export function toAddressInput(address: DeliveryAddress): AddressInput {
  const { country: _country, province: _province, countryCodeV2, ...texts } = address;
  return { ...texts, countryCode: countryCodeV2 };
}
