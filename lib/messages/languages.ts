/** The languages in which customers can read messages. */

/** The values of the schema's enum `LanguageCode`. */
export type LanguageCode = 'EN' | 'DE' | 'FR' | 'ES' | 'IT' | 'NL' | 'PT_BR' | 'JA';

/** The language tag (BCP 47) of each language, for dates, numbers and plurals. English is that of the United States. */
export const LANGUAGE_TAGS: Readonly<Record<LanguageCode, string>> = {
  EN: 'en-US',
  DE: 'de',
  FR: 'fr',
  ES: 'es',
  IT: 'it',
  NL: 'nl',
  PT_BR: 'pt-BR',
  JA: 'ja',
};

export const LANGUAGES = Object.keys(LANGUAGE_TAGS) as LanguageCode[];

/** The default language. Merchants and operators get it, too. */
export const DEFAULT_LANGUAGE: LanguageCode = 'EN';
