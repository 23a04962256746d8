/**
 * Parses the client's delivery input: exactly one of shipping, local delivery and pickup, with the fields of that kind.
 */
import { message } from '../../messages/message.ts';
import type { OperationRequest } from '../operation.ts';
import { createUserError, type OperationError } from '../operation-error.ts';

/** The platform's input type MailingAddressInput. */
export type AddressInput = Readonly<Record<string, string | null | undefined>>;

export type DeliveryInput = {
  readonly optionCode: string | undefined;
} & (
  | { readonly kind: 'shipping'; readonly address: AddressInput }
  | {
      readonly kind: 'localDelivery';
      readonly address: AddressInput;
      readonly phone: string;
      readonly instructions: string | undefined;
    }
  | { readonly kind: 'pickup'; readonly locationId: string }
);

/** The client's input field for each kind of delivery. */
export const INPUT_FIELDS_BY_KIND = {
  shipping: 'shipping',
  localDelivery: 'localDelivery',
  pickup: 'pickupLocationId',
} as const;

type ClientDeliveryInput = {
  readonly shipping?: AddressInput | null;
  readonly localDelivery?: AddressInput | null;
  readonly localDeliveryPhone?: string | null;
  readonly instructions?: string | null;
  readonly pickupLocationId?: string | null;
};

/**
 * Parses the delivery input. Returns INVALID for several kinds or none, a local delivery without a phone number, or a
 * field that belongs to another kind.
 */
export function parseDeliveryInput({ args }: OperationRequest): DeliveryInput | OperationError {
  const clientInput = args.deliveryMethod as ClientDeliveryInput;
  const { shipping, localDelivery, pickupLocationId, localDeliveryPhone, instructions } = clientInput;
  const optionCode = typeof args.optionCode === 'string' ? args.optionCode : undefined;
  const deliveryInputs = [shipping, localDelivery, pickupLocationId].filter((kind) => kind != null);
  if (deliveryInputs.length !== 1) {
    return invalidInputError([], 'deliveryOneKind');
  }
  if (localDelivery != null) {
    // The platform refuses a local delivery without a phone number.
    if (!localDeliveryPhone?.trim()) {
      return invalidInputError(['localDeliveryPhone'], 'deliveryPhoneMissing');
    }
    const localDeliveryFields = { phone: localDeliveryPhone, instructions: instructions ?? undefined };
    return { kind: 'localDelivery', address: localDelivery, optionCode, ...localDeliveryFields };
  }
  const strayField =
    localDeliveryPhone != null ? 'localDeliveryPhone' : instructions != null ? 'instructions' : undefined;
  if (strayField !== undefined) return invalidInputError([strayField], 'deliveryLocalOnly');
  if (shipping != null) return { kind: 'shipping', address: shipping, optionCode };
  return { kind: 'pickup', locationId: String(pickupLocationId), optionCode };
}

type DeliveryInputErrorKey = 'deliveryOneKind' | 'deliveryPhoneMissing' | 'deliveryLocalOnly';

function invalidInputError(path: readonly string[], key: DeliveryInputErrorKey): OperationError {
  return createUserError('INVALID', { field: ['deliveryMethod', ...path], message: message(key) });
}
