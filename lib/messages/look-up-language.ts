/**
 * Chooses a language by the header `Accept-Language` (RFC 9110, section 12.5.4; RFC 4647, section 3.4, "Lookup").
 * Malformed parts are ignored, so that a header never causes an error.
 */
import { LANGUAGE_TAGS, LANGUAGES, type LanguageCode } from './languages.ts';

/** The maximum length that is read of a header. No person lists that many languages. */
const MAX_HEADER_LENGTH = 500;

/** A language range and its weight, a number from 0 to 1 with up to three decimal digits. */
const LANGUAGE_RANGE_PATTERN = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/**
 * The language of each tag in lower case. `pt` means Brazilian Portuguese, and `en` the English of the United States.
 */
const LANGUAGE_BY_TAG: ReadonlyMap<string, LanguageCode> = new Map([
  ...LANGUAGES.map((code) => [LANGUAGE_TAGS[code].toLowerCase(), code] as const),
  ['pt', 'PT_BR'],
  ['en', 'EN'],
]);

type LanguageRange = { readonly tag: string; readonly weight: number };

/**
 * Returns the supported language with the highest weight.
 * @returns undefined when none of the listed languages is supported
 */
export function lookUpLanguage(acceptLanguage: string | undefined): LanguageCode | undefined {
  if (acceptLanguage === undefined) return undefined;
  const languageRanges = parseLanguageRanges(acceptLanguage);
  const refusedTags = new Set(languageRanges.filter(({ weight }) => weight === 0).map(({ tag }) => tag));
  const preferredRanges = languageRanges
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  for (const { tag } of preferredRanges) {
    const language = findLanguageByPrefix(tag, refusedTags);
    if (language !== undefined) return language;
  }
  return undefined;
}

function parseLanguageRanges(header: string): LanguageRange[] {
  const rangeTexts = header.slice(0, MAX_HEADER_LENGTH).toLowerCase().replace(/[ \t]/g, '').split(',');
  // The last range may be cut off, so ignore it.
  if (header.length > MAX_HEADER_LENGTH) rangeTexts.pop();
  return rangeTexts.flatMap((rangeText) => {
    const [, tag, weight] = LANGUAGE_RANGE_PATTERN.exec(rangeText) ?? [];
    return tag === undefined ? [] : [{ tag, weight: Number(weight ?? 1) }];
  });
}

/**
 * Returns the language of the longest prefix of the tag that is supported: `de-AT` means German unless Austrian German
 * is supported.
 * @returns undefined when no prefix is supported, or the client refuses it with weight 0
 */
function findLanguageByPrefix(tag: string, refusedTags: ReadonlySet<string>): LanguageCode | undefined {
  for (let range = tag; range !== ''; range = range.slice(0, Math.max(range.lastIndexOf('-'), 0))) {
    if (refusedTags.has(range)) return undefined;
    const language = LANGUAGE_BY_TAG.get(range);
    if (language !== undefined) return language;
  }
  return undefined;
}
