/**
 * The number of a timeline entry: time, sequence and contract, each of a fixed width. So numbers sort by time, and
 * whoever holds one knows which contract has to be proved before the entry is shown.
 */
import type { Brand } from '../domain/brand.ts';
import { formatGid, parseGid } from '../domain/gid.ts';

/** 35 digits. */
export type EventNumber = Brand<string, 'EventNumber'>;
/** The digits of a contract's global id; undefined: an entry of the whole store. */
export type ContractNumber = Brand<string, 'ContractNumber'>;

type EventNumberParts = {
  readonly createdAtMs: number;
  /** The entry's place among those of this contract in this millisecond. */
  readonly sequence: number;
  readonly contract: ContractNumber | undefined;
};

const TIME_DIGITS = 13;
const SEQUENCE_DIGITS = 3;
const CONTRACT_DIGITS = 19;
const WHOLE = TIME_DIGITS + SEQUENCE_DIGITS + CONTRACT_DIGITS;
const NUMBER = new RegExp(`^[0-9]{${WHOLE}}$`);

/** One more and the sequence would run into the time. */
export const MAX_SEQUENCE = 10 ** SEQUENCE_DIGITS - 1;
/** The last millisecond that a number has room for: in 2286. */
export const LAST_MS = 10 ** TIME_DIGITS - 1;
/** No number is below the one, none above the other. */
export const LOWEST = '0'.repeat(WHOLE);
export const HIGHEST = '9'.repeat(WHOLE);

/** The number of an entry. */
export function formatEventNumber({ createdAtMs, sequence, contract }: EventNumberParts): EventNumber {
  const time = String(createdAtMs).padStart(TIME_DIGITS, '0');
  const place = String(sequence).padStart(SEQUENCE_DIGITS, '0');
  return `${time}${place}${(contract ?? '').padStart(CONTRACT_DIGITS, '0')}` as EventNumber;
}

/** The parts of a number; undefined if the text is none. */
export function parseEventNumber(text: string): (EventNumberParts & { number: EventNumber }) | undefined {
  if (!NUMBER.test(text)) return undefined;
  const contract = text.slice(TIME_DIGITS + SEQUENCE_DIGITS).replace(/^0+/, '');
  return {
    number: text as EventNumber,
    createdAtMs: Number(text.slice(0, TIME_DIGITS)),
    sequence: Number(text.slice(TIME_DIGITS, TIME_DIGITS + SEQUENCE_DIGITS)),
    contract: contract === '' ? undefined : (contract as ContractNumber),
  };
}

/** The global id of an entry, `gid://{namespace}/SubscriptionEvent/{number}`. */
export function formatEventGid(number: EventNumber, namespace: string): string {
  return formatGid({ namespace, type: 'SubscriptionEvent', tail: number });
}

/** The entry that a global id of any namespace names; undefined if it names something else. */
export function parseEventGid(text: string): ReturnType<typeof parseEventNumber> {
  const gid = parseGid(text);
  return gid?.type === 'SubscriptionEvent' ? parseEventNumber(gid.tail) : undefined;
}

/** The number of a contract's global id, in any namespace; undefined if it names no contract. */
export function contractNumberOf(gidText: string): ContractNumber | undefined {
  const gid = parseGid(gidText);
  return gid?.type === 'SubscriptionContract' ? (gid.tail as ContractNumber) : undefined;
}

/** The global id of a contract. */
export function contractGid(contract: ContractNumber, namespace: string): string {
  return formatGid({ namespace, type: 'SubscriptionContract', tail: contract });
}
