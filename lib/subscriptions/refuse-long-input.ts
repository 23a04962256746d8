/**
 * Limits the length of texts and lists in the arguments of the service's own mutations, before anything is read or
 * written. Intents and timeline entries store the input, and storage costs by size. A text whose name is not listed
 * here has the default limit.
 */
import { message } from '../messages/message.ts';
import { type OperationError, refuse } from './operation-error.ts';

/** The maximum number of characters of a text, by the name of its argument or input field. */
const MAX_LENGTHS: Readonly<Record<string, number>> = {
  comment: 1_000,
  instructions: 1_000,
  // The platform's limit of notes.
  note: 5_000,
  reason: 1_000,
  // The URL of a webhook endpoint: the same limit as in lib/webhooks/guard-address.ts.
  url: 2_048,
  value: 1_000,
};
const MAX_LENGTH = 255;
const MAX_ITEMS = 100;

/**
 * Returns INVALID for each text and each list that is too long. Ids count as texts. `args` are the client's arguments
 * after coercion.
 */
export function refuseLongInput(args: Readonly<Record<string, unknown>>): OperationError[] {
  return Object.entries(args).flatMap(([name, value]) => refuseValue(value, [name], name));
}

function refuseValue(value: unknown, path: readonly string[], name: string): OperationError[] {
  if (typeof value === 'string') return refuseText(value, path, MAX_LENGTHS[name] ?? MAX_LENGTH);
  if (Array.isArray(value)) {
    const { length } = value;
    if (length > MAX_ITEMS) {
      const fault = { field: path, message: message('listTooLong', { most: MAX_ITEMS }) };
      return [refuse('INVALID', fault, { limit: MAX_ITEMS, actual: length })];
    }
    return value.flatMap((item, index) => refuseValue(item, [...path, `${index}`], name));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => refuseValue(inner, [...path, key], key));
}

function refuseText(text: string, path: readonly string[], maxLength: number): OperationError[] {
  if (text.length <= maxLength) return [];
  const fault = { field: path, message: message('textTooLong', { most: maxLength }) };
  return [refuse('INVALID', fault, { limit: maxLength, actual: text.length })];
}
