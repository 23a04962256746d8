/**
 * Messages for customers about why a change was not made. The platform chooses the language of its messages, so only
 * merchants get them. For customers, the service has its own translated message for the error's code or for the
 * address field.
 */
import { isMessage, type Message, message } from '../messages/message.ts';

/** One entry of `userErrors`, as it was stored or as the platform returned it. */
export type UserErrorEntry = Readonly<Record<string, unknown>>;

const MESSAGE_BY_CODE: Readonly<Record<string, Message>> = {
  BILLING_CYCLE_SKIPPED: message('billingCycleSkipped'),
  BILLING_DATE_SET_ON_SKIPPED: message('orderSkippedBeforeMove'),
  CONTRACT_NOT_FOUND: message('contractUnknown'),
  CONTRACT_PAUSED: message('contractPaused'),
  CONTRACT_TERMINATED: message('contractEnded'),
  CYCLE_INDEX_OUT_OF_RANGE: message('orderUnknown'),
  CYCLE_NOT_FOUND: message('orderUnknown'),
  HAS_FUTURE_EDITS: message('futureEdits'),
  INCOMPLETE_BILLING_ATTEMPTS: message('orderBeingBilled'),
  INVALID_CYCLE_INDEX: message('orderUnknown'),
  UPCOMING_CYCLE_LIMIT_EXCEEDED: message('billingCycleTooFarAhead'),
};

/** The address field that the message names, by the name of the client's argument. */
const ADDRESS_PART_BY_FIELD: Readonly<Record<string, string>> = {
  address1: 'STREET',
  address2: 'STREET',
  city: 'CITY',
  company: 'COMPANY',
  country: 'COUNTRY',
  countryCode: 'COUNTRY',
  firstName: 'NAME',
  lastName: 'NAME',
  localDeliveryPhone: 'PHONE',
  phone: 'PHONE',
  province: 'PROVINCE',
  provinceCode: 'PROVINCE',
  zip: 'ZIP',
};

/**
 * Replaces a message of the platform by the service's own message for the code or the address field. Leaves messages
 * of the service as they are.
 */
export function withServiceMessage<Refusal extends UserErrorEntry>(refusal: Refusal): Refusal {
  return isMessage(refusal.message) ? refusal : { ...refusal, message: serviceMessageOf(refusal) };
}

function serviceMessageOf({ code, field }: UserErrorEntry): Message {
  const addressPart = findInTable(ADDRESS_PART_BY_FIELD, Array.isArray(field) ? field.at(-1) : undefined);
  if (addressPart !== undefined) return message('partNotAccepted', { part: addressPart });
  return findInTable(MESSAGE_BY_CODE, code) ?? message('changeNotAccepted');
}

function findInTable<Value>(table: Readonly<Record<string, Value>>, key: unknown): Value | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
}
