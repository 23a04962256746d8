/**
 * Chooses a supported language by `Accept-Language` (RFC 9110, section 12.5.4; RFC 4647, section 3.4, "Lookup").
 * Invalid parts are ignored: no header is an error.
 */
import { LANGUAGES, type LanguageCode, TAGS } from './languages.ts';

/** The rest of a longer header is ignored: no person lists that many languages. */
const MAX_LENGTH = 500;

/** A language range and its weight, from 0 to 1 with three digits. */
const RANGE = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** Ranges without an exact language: Portuguese is Brazilian, English is of the United States. */
const BY_TAG: ReadonlyMap<string, LanguageCode> = new Map([
  ...LANGUAGES.map((code) => [TAGS[code].toLowerCase(), code] as const),
  ['pt', 'PT_BR'],
  ['en', 'EN'],
]);

type Range = { readonly tag: string; readonly weight: number };

/**
 * Returns the supported language with the highest weight.
 * @returns undefined when no listed language is supported
 */
export function lookUpLanguage(acceptLanguage: string | undefined): LanguageCode | undefined {
  if (acceptLanguage === undefined) return undefined;
  const ranges = readRanges(acceptLanguage);
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ tag }) => tag));
  const preferred = ranges.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  for (const { tag } of preferred) {
    const found = byPrefix(tag, refused);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readRanges(header: string): Range[] {
  const read = header.slice(0, MAX_LENGTH).toLowerCase().replace(/[ \t]/g, '').split(',');
  // The last range may be truncated.
  if (header.length > MAX_LENGTH) read.pop();
  return read.flatMap((one) => {
    const [, tag, weight] = RANGE.exec(one) ?? [];
    return tag === undefined ? [] : [{ tag, weight: Number(weight ?? 1) }];
  });
}

/** `de-AT` matches German if there is no Austrian German. */
function byPrefix(tag: string, refused: ReadonlySet<string>): LanguageCode | undefined {
  for (let range = tag; range !== ''; range = range.slice(0, Math.max(range.lastIndexOf('-'), 0))) {
    if (refused.has(range)) return undefined;
    const found = BY_TAG.get(range);
    if (found !== undefined) return found;
  }
  return undefined;
}
