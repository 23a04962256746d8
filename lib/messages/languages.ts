/** The languages that customers' texts are in. */

/** By the names of the schema's `LanguageCode`. */
export type LanguageCode = 'EN' | 'DE' | 'FR' | 'ES' | 'IT' | 'NL' | 'PT_BR' | 'JA';

/** The tag (BCP 47) that dates, numbers and plurals of each go by. English is in the words of the United States. */
export const TAGS: Readonly<Record<LanguageCode, string>> = {
  EN: 'en-US',
  DE: 'de',
  FR: 'fr',
  ES: 'es',
  IT: 'it',
  NL: 'nl',
  PT_BR: 'pt-BR',
  JA: 'ja',
};

export const LANGUAGES = Object.keys(TAGS) as LanguageCode[];

/** The language of those who asked for none, and of what merchants and operators read. */
export const DEFAULT_LANGUAGE: LanguageCode = 'EN';
