/** Parses the faults that a test requests: a misspelt field would make the test pass without its fault. */
import { CRASH_POINTS } from '../../lib/sign-in/crash-point.ts';
import { type CrashPlace, isCrashPlace } from './crash-plan.ts';
import { type FaultProfile, type ProxyFault, proxyEffects, proxyTargets } from './fault-plan.ts';

/** Answered as 400 with its message. */
export class BadFault extends Error {
  override readonly name = 'BadFault';
}

type RequestFields = Readonly<Record<string, unknown>>;

/** @throws BadFault with a sentence that names the mistake */
export function readProxyFault(body: unknown): ProxyFault {
  const fields = readFields(body, ['target', 'effect', 'operation', 'count', 'everyTry']);
  const { operation, everyTry } = fields;
  if (operation !== undefined && typeof operation !== 'string')
    throw new BadFault('"operation" is the name of an operation of the API, such as UpdateItem.');
  if (everyTry !== undefined && typeof everyTry !== 'boolean')
    throw new BadFault('"everyTry" is true or false.');
  return {
    target: readOneOf(fields, 'target', proxyTargets),
    effect: readOneOf(fields, 'effect', proxyEffects),
    count: readCount(fields),
    ...(operation !== undefined && { operation }),
    ...(everyTry !== undefined && { everyTry }),
  };
}

/** @throws BadFault when the input is invalid */
export function readFaultProfile(body: unknown): FaultProfile {
  const fields = readFields(body, ['target', 'rate', 'seed']);
  const { rate, seed = 1 } = fields;
  if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1))
    throw new BadFault('"rate" is a number from 0 to 1.');
  if (!Number.isInteger(seed)) throw new BadFault('"seed" is a whole number.');
  return { target: readOneOf(fields, 'target', proxyTargets), rate, seed: Number(seed) };
}

/** @throws BadFault when the input is invalid */
export function readCrashes(body: unknown): { readonly place: CrashPlace; readonly count: number } {
  const fields = readFields(body, ['place', 'count']);
  const { place } = fields;
  if (!isCrashPlace(place)) throw new BadFault(`"place" is any, or one of: ${CRASH_POINTS.join(', ')}.`);
  return { place, count: readCount(fields) };
}

function readFields(body: unknown, known: readonly string[]): RequestFields {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new BadFault('Send a JSON object.');
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new BadFault(`"${unknown}" is not known here. Known: ${known.join(', ')}.`);
  return body as RequestFields;
}

function readOneOf<const Names extends readonly string[]>(
  fields: RequestFields,
  name: string,
  text: Names,
): Names[number] {
  const word = text.find((one) => one === fields[name]);
  if (word === undefined) throw new BadFault(`"${name}" is one of: ${text.join(', ')}.`);
  return word;
}

function readCount({ count = 1 }: RequestFields): number {
  if (!Number.isInteger(count) || Number(count) < 1 || Number(count) > 1_000_000)
    throw new BadFault('"count" is a whole number from 1 to 1000000.');
  return Number(count);
}
