/**
 * Writes the message of a variable's value that does not fit its type, like graphql-js, but bounded for long values.
 */
import { MAX_QUOTED_CHARACTERS, shortenMessage, truncateQuoted } from './shorten-message.ts';

type InvalidValue = {
  readonly name: string;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** The message of graphql-js, which may quote the value, too. */
  readonly reason: string;
};

/** Returns the message of an invalid value, with only the beginning of a long value. */
export function writeInvalidValueMessage({ name, path, value, reason }: InvalidValue): string {
  const text = printBeginning(value);
  const valuePath = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  const locationText = valuePath === '' ? '' : ` at "${name}${valuePath}"`;
  const message = `Variable "$${name}" got invalid value ${truncateQuoted(text, MAX_QUOTED_CHARACTERS)}${locationText}; ${truncateReason(reason, text)}`;
  return shortenMessage(message);
}

const MAX_PRINTED_ITEMS = 10;
const MAX_PRINTED_DEPTH = 2;

/** Shortens a reason that quotes an object or a list at its end. Strings have quotation marks there. */
function truncateReason(reason: string, text: string): string {
  const isValueTruncated = text.length > MAX_QUOTED_CHARACTERS && !text.startsWith('"');
  const quoteStart = isValueTruncated ? reason.indexOf(text.slice(0, MAX_QUOTED_CHARACTERS)) : -1;
  return quoteStart === -1
    ? reason
    : reason.slice(0, quoteStart) + truncateQuoted(text, MAX_QUOTED_CHARACTERS);
}

/** Returns the value in the format of graphql-js. Reads little more of a long value than the 100 characters that it needs. */
function printBeginning(value: unknown, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_QUOTED_CHARACTERS + 1));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return printListBeginning(value, depth);
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  if (depth >= MAX_PRINTED_DEPTH) return '[Object]';
  const printedFields = takeFirstParts(
    keys,
    (key) => `${key}: ${printBeginning(value[key as keyof typeof value], depth + 1)}`,
  );
  return `{ ${printedFields.join(', ')} }`;
}

function printListBeginning(list: readonly unknown[], depth: number): string {
  if (list.length === 0) return '[]';
  if (depth >= MAX_PRINTED_DEPTH) return '[Array]';
  const printedItems = takeFirstParts(list.slice(0, MAX_PRINTED_ITEMS), (item) =>
    printBeginning(item, depth + 1),
  );
  const omittedItemCount = list.length - MAX_PRINTED_ITEMS;
  if (omittedItemCount > 0)
    printedItems.push(`... ${omittedItemCount} more item${omittedItemCount === 1 ? '' : 's'}`);
  return `[${printedItems.join(', ')}]`;
}

/** Returns the first parts of a text, until it is long enough. */
function takeFirstParts<T>(items: readonly T[], toText: (one: T) => string): string[] {
  const printedParts: string[] = [];
  let totalLength = 0;
  for (const one of items) {
    if (totalLength > MAX_QUOTED_CHARACTERS) break;
    const text = toText(one);
    printedParts.push(text);
    totalLength += text.length;
  }
  return printedParts;
}
