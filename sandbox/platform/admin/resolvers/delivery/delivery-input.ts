/** Parses the delivery method of a draft's input. */
import type { ContractContent, DeliveryChoice, DeliveryMethod } from '../../../state/contract-records.ts';
import type { AddressRecord } from '../../../state/customer-records.ts';
import { takeNextId } from '../../../state/opaque-id.ts';
import type { AdminContext } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { createUserError, isUserError, type UserError } from '../../user-error.ts';
import { type AddressInput, parseAddressInput } from './address-input.ts';

type DeliveryOptionInput = { [Key in keyof DeliveryChoice]?: string | null };

export type DeliveryMethodInput = {
  shipping?: { address?: AddressInput | null; shippingOption?: DeliveryOptionInput | null } | null;
  localDelivery?: {
    address?: AddressInput | null;
    localDeliveryOption?: (DeliveryOptionInput & { phone: string; instructions?: string | null }) | null;
  } | null;
  pickup?: { pickupOption?: (DeliveryOptionInput & { locationId: string }) | null } | null;
};

const DELIVERY_METHOD_PATH = ['input', 'deliveryMethod'];

/** Returns the new delivery method, or the user error. An omitted address or option stays unchanged. */
export function parseDeliveryMethod(
  input: DeliveryMethodInput,
  { deliveryMethod: methodBefore }: ContractContent,
  context: AdminContext,
): DeliveryMethod | UserError {
  const { shipping, localDelivery, pickup } = input;
  if ([shipping, localDelivery, pickup].filter((given) => given != null).length !== 1) {
    return createUserError(DELIVERY_METHOD_PATH, 'Exactly one delivery method is required', 'INVALID');
  }
  if (pickup != null) return toPickupMethod(pickup, context);
  const isShipping = shipping != null;
  const addressRecord = toAddressRecord((shipping ?? localDelivery)?.address, methodBefore, {
    context,
    kind: isShipping ? 'shipping' : 'localDelivery',
  });
  if (isUserError(addressRecord)) return addressRecord;
  if (isShipping) {
    const currentOption = methodBefore?.kind === 'shipping' ? methodBefore.option : toDeliveryChoice({});
    return {
      kind: 'shipping',
      address: addressRecord,
      option: shipping.shippingOption == null ? currentOption : toDeliveryChoice(shipping.shippingOption),
    };
  }
  const deliveryOption = localDelivery?.localDeliveryOption;
  if (deliveryOption == null) {
    return methodBefore?.kind === 'localDelivery'
      ? { ...methodBefore, address: addressRecord }
      : createUserError(
          [...DELIVERY_METHOD_PATH, 'localDelivery'],
          'Delivery options must be set for local delivery',
          'MISSING_LOCAL_DELIVERY_OPTIONS',
        );
  }
  const instructions = deliveryOption.instructions ?? null;
  return {
    kind: 'localDelivery',
    address: addressRecord,
    option: { ...toDeliveryChoice(deliveryOption), phone: deliveryOption.phone, instructions },
  };
}

function toPickupMethod(
  { pickupOption }: NonNullable<DeliveryMethodInput['pickup']>,
  { store }: AdminContext,
): DeliveryMethod | UserError {
  const locationId =
    pickupOption == null ? Number.NaN : requireGidNumber(pickupOption.locationId, 'Location');
  if (pickupOption == null || !store.locations.has(locationId)) {
    return createUserError(
      [...DELIVERY_METHOD_PATH, 'pickup', 'pickupOption', 'locationId'],
      'Location does not exist',
      'INVALID',
    );
  }
  return { kind: 'pickup', locationId, option: toDeliveryChoice(pickupOption) };
}

function toDeliveryChoice({
  code,
  title,
  presentmentTitle,
  description,
}: DeliveryOptionInput): DeliveryChoice {
  return {
    code: code ?? null,
    title: title ?? null,
    presentmentTitle: presentmentTitle ?? title ?? null,
    description: description ?? null,
  };
}

function toAddressRecord(
  input: AddressInput | null | undefined,
  previousMethod: DeliveryMethod | null,
  { context, kind }: { context: AdminContext; kind: string },
): AddressRecord | UserError {
  if (input == null) {
    if (previousMethod !== null && previousMethod.kind !== 'pickup') return previousMethod.address;
    return createUserError([...DELIVERY_METHOD_PATH, kind, 'address'], "Address can't be blank", 'PRESENCE');
  }
  const { content, problem } = parseAddressInput(input, null);
  if (content === null)
    return createUserError(
      [...DELIVERY_METHOD_PATH, kind, 'address', problem.field],
      problem.message,
      'INVALID',
    );
  return {
    ...content,
    __typename: 'MailingAddress',
    id: takeNextId(context.store),
    model: 'Address',
    customerId: null,
  };
}
