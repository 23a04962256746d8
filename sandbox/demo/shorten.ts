/** Shortens bodies for display: secrets to their last characters, long texts and lists with a note of the omission. */

const SECRET_NAMES = new Set([
  'verifier',
  'nonce',
  'state',
  'code',
  'accessToken',
  'refreshToken',
  'authUrl',
  'authorization',
]);
/** A secret with fewer characters after its kind is displayed as its kind only. */
const MIN_LENGTH_TO_SHOW_END = 16;
const SHORTENED_TEXT_LENGTH = 72;
const SHORTENED_LIST_LENGTH = 2;
/** Lists longer than this are cut. */
const MAX_FULL_LIST_LENGTH = 3;

/** Returns the same value with secrets, long texts and long lists shortened. */
export function shortenValue(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return shortenText(value, key);
  if (Array.isArray(value)) return shortenList(value);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shortenValue(entry, name)]));
}

/** Returns a secret's kind and last characters: enough to distinguish two secrets, too little to use one. */
export function shortenSecret(text: string): string {
  const kind = /^(Bearer )?(SVC_[A-Z]{2}_)?/.exec(text)?.[0] ?? '';
  const end = text.length - kind.length < MIN_LENGTH_TO_SHOW_END ? '' : text.slice(-4);
  return `${kind}…${end}`;
}

function shortenText(text: string, key: string): string {
  if (key === 'query') return joinLines(text);
  if (key === 'authUrl') return `${text.split('?')[0]}?…`;
  // Error codes are not secrets; they are in capitals.
  if (SECRET_NAMES.has(key) && !/^[A-Z_]+$/.test(text)) return shortenSecret(text);
  return truncateText(text);
}

function shortenList(list: readonly unknown[]): unknown[] {
  const shortEntries = list.map((entry) => shortenValue(entry));
  if (list.length <= MAX_FULL_LIST_LENGTH) return shortEntries;
  return [...shortEntries.slice(0, SHORTENED_LIST_LENGTH), `… ${list.length - SHORTENED_LIST_LENGTH} more`];
}

function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function truncateText(text: string): string {
  return text.length > SHORTENED_TEXT_LENGTH ? `${text.slice(0, SHORTENED_TEXT_LENGTH)}…` : text;
}
