/** The languages of customers' texts. */

/** The names of the schema's `LanguageCode`. */
export type LanguageCode = 'EN' | 'DE' | 'FR' | 'ES' | 'IT' | 'NL' | 'PT_BR' | 'JA';

/** The tag (BCP 47) for dates, numbers and plurals of each language. English is that of the United States. */
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

/** The default language, and that of merchants and operators. */
export const DEFAULT_LANGUAGE: LanguageCode = 'EN';
