/**
 * Why a change was not made, as customers read it. The platform's words are in a language of its choice, so merchants'
 * servers alone hear them; to customers its code, or the argument at fault, becomes a message of ours.
 */
import { isMessage, type Message, message } from '../messages/message.ts';

/** An entry of `userErrors`, also as it was kept or as the platform sent it. */
export type ToldRefusal = Readonly<Record<string, unknown>>;

const BY_CODE: Readonly<Record<string, Message>> = {
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

/** The parts of an address by the names that they have in arguments, as the message tells them. */
const PARTS: Readonly<Record<string, string>> = {
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

/** The refusal without a word of the platform's. */
export function inOurWords<Told extends ToldRefusal>(refusal: Told): Told {
  return isMessage(refusal.message) ? refusal : { ...refusal, message: wordsOf(refusal) };
}

function wordsOf({ code, field }: ToldRefusal): Message {
  const part = lookUp(PARTS, Array.isArray(field) ? field.at(-1) : undefined);
  if (part !== undefined) return message('partNotAccepted', { part });
  return lookUp(BY_CODE, code) ?? message('changeNotAccepted');
}

function lookUp<Value>(table: Readonly<Record<string, Value>>, key: unknown): Value | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
}
