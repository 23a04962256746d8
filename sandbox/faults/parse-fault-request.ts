/** Parses the faults that a test requests. It rejects a misspelt field: the test would pass without its fault. */
import { CRASH_POINTS } from '../../lib/sign-in/crash-point.ts';
import { type CrashPointName, isCrashPointName } from './crash-plan.ts';
import { type ProxyFault, proxyEffects, proxyTargets, type RandomFaults } from './fault-plan.ts';

/** The error of an invalid request. The control responds to it with 400 and its message. */
export class InvalidFaultRequest extends Error {
  override readonly name = 'InvalidFaultRequest';
}

type FaultRequestFields = Readonly<Record<string, unknown>>;

/**
 * Parses a planned fault.
 * @throws InvalidFaultRequest with a sentence that names the mistake
 */
export function parseProxyFault(body: unknown): ProxyFault {
  const requestFields = parseKnownFields(body, ['target', 'effect', 'operation', 'count', 'everyTry']);
  const { operation, everyTry } = requestFields;
  if (operation !== undefined && typeof operation !== 'string')
    throw new InvalidFaultRequest('"operation" is the name of an operation of the API, such as UpdateItem.');
  if (everyTry !== undefined && typeof everyTry !== 'boolean')
    throw new InvalidFaultRequest('"everyTry" is true or false.');
  return {
    target: parseOneOf(requestFields, 'target', proxyTargets),
    effect: parseOneOf(requestFields, 'effect', proxyEffects),
    count: parseCount(requestFields),
    ...(operation !== undefined && { operation }),
    ...(everyTry !== undefined && { everyTry }),
  };
}

/** @throws InvalidFaultRequest when the input is invalid */
export function parseRandomFaults(body: unknown): RandomFaults {
  const profileFields = parseKnownFields(body, ['target', 'rate', 'seed']);
  const { rate, seed = 1 } = profileFields;
  if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1))
    throw new InvalidFaultRequest('"rate" is a number from 0 to 1.');
  if (!Number.isInteger(seed)) throw new InvalidFaultRequest('"seed" is a whole number.');
  return { target: parseOneOf(profileFields, 'target', proxyTargets), rate, seed: Number(seed) };
}

/** @throws InvalidFaultRequest when the input is invalid */
export function parseCrashes(body: unknown): { readonly place: CrashPointName; readonly count: number } {
  const crashFields = parseKnownFields(body, ['place', 'count']);
  const { place } = crashFields;
  if (!isCrashPointName(place))
    throw new InvalidFaultRequest(`"place" is any, or one of: ${CRASH_POINTS.join(', ')}.`);
  return { place, count: parseCount(crashFields) };
}

function parseKnownFields(body: unknown, knownNames: readonly string[]): FaultRequestFields {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidFaultRequest('Send a JSON object.');
  const unknownField = Object.keys(body).find((name) => !knownNames.includes(name));
  if (unknownField !== undefined)
    throw new InvalidFaultRequest(`"${unknownField}" is not known here. Known: ${knownNames.join(', ')}.`);
  return body as FaultRequestFields;
}

function parseOneOf<const Names extends readonly string[]>(
  fields: FaultRequestFields,
  name: string,
  allowedTexts: Names,
): Names[number] {
  const fieldText = allowedTexts.find((allowedText) => allowedText === fields[name]);
  if (fieldText === undefined)
    throw new InvalidFaultRequest(`"${name}" is one of: ${allowedTexts.join(', ')}.`);
  return fieldText;
}

function parseCount({ count = 1 }: FaultRequestFields): number {
  if (!Number.isInteger(count) || Number(count) < 1 || Number(count) > 1_000_000)
    throw new InvalidFaultRequest('"count" is a whole number from 1 to 1000000.');
  return Number(count);
}
