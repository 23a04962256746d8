/** Parses a table of delivery rates from a control request. */
import { DELIVERY_KINDS, type DeliveryRate } from '../state/catalogue-records.ts';
import { InvalidControlInput } from './control-input.ts';

const RATE_LIMIT_FIELDS = ['fromMinor', 'belowMinor', 'fromGrams', 'belowGrams'] as const;
const KNOWN_RATE_FIELDS = [
  'kind',
  'code',
  'title',
  'description',
  'priceMinor',
  ...RATE_LIMIT_FIELDS,
  'regions',
];

/**
 * Reads the table; `title` is the code by default, `kind` is `shipping`.
 * @throws InvalidControlInput when it is not a list of rates.
 */
export function parseDeliveryRates(value: unknown): DeliveryRate[] {
  if (!Array.isArray(value)) throw new InvalidControlInput('"deliveryRates" is a list of rates, or null.');
  return value.map(parseDeliveryRate);
}

function parseDeliveryRate(value: unknown, index: number): DeliveryRate {
  const invalidRate = (problem: string) => new InvalidControlInput(`"deliveryRates" at ${index}: ${problem}`);
  const givenFields = Object(value) as Record<string, unknown>;
  const unknownField = Object.keys(givenFields).find((name) => !KNOWN_RATE_FIELDS.includes(name));
  if (unknownField !== undefined)
    throw invalidRate(`"${unknownField}" is not known. Known: ${KNOWN_RATE_FIELDS.join(', ')}.`);
  const {
    code,
    kind: kindName = 'shipping',
    title = code,
    description = '',
    priceMinor,
    regions,
  } = givenFields;
  const kind = DELIVERY_KINDS.find((knownKind) => knownKind === kindName);
  if (kind === undefined) throw invalidRate(`"kind" is one of: ${DELIVERY_KINDS.join(', ')}.`);
  if (typeof code !== 'string' || code === '') throw invalidRate('"code" is a text.');
  if (typeof title !== 'string' || typeof description !== 'string') {
    throw invalidRate('"title" and "description" are texts.');
  }
  if (!isNonNegativeInteger(priceMinor)) throw invalidRate('"priceMinor" is a whole number, not below 0.');
  const wrongLimit = RATE_LIMIT_FIELDS.find(
    (name) => givenFields[name] !== undefined && !isNonNegativeInteger(givenFields[name]),
  );
  if (wrongLimit !== undefined) throw invalidRate(`"${wrongLimit}" is a whole number, not below 0.`);
  const isTextList = Array.isArray(regions) && regions.every((region) => typeof region === 'string');
  if (regions !== undefined && !isTextList) throw invalidRate('"regions" is a list such as ["US", "CA-ON"].');
  const rateLimits = Object.fromEntries(
    RATE_LIMIT_FIELDS.flatMap((name) => (name in givenFields ? [[name, givenFields[name]]] : [])),
  );
  return { kind, code, title, description, priceMinor, ...rateLimits, ...(isTextList && { regions }) };
}

function isNonNegativeInteger(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}
