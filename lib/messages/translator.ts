/** Translates messages. The texts of a language are loaded at their first use. */
import type { TimeZone } from '../domain/time-zone.ts';
import { errorCatalogue } from '../errors/catalogue.ts';
import { formatText } from './format-text.ts';
import { createLanguageFormats, joinAsList } from './formats.ts';
import type { Message, Text } from './generated/message-types.ts';
import { DEFAULT_LANGUAGE, LANGUAGE_TAGS, type LanguageCode } from './languages.ts';
import { lookUpLanguage } from './look-up-language.ts';
import { isMessage } from './message.ts';

/** Translates a text to one language. */
export type Translate = (text: Text) => string;

/** Loads the translation to the language of the request. */
export type LoadTranslator = () => Promise<Translate>;

/** The texts of a language by message key. */
export type TextsByKey = Readonly<Record<string, string>>;

const TEXT_LOADERS: Readonly<Record<LanguageCode, () => Promise<{ readonly default: TextsByKey }>>> = {
  EN: () => import('./texts/en.json', { with: { type: 'json' } }),
  DE: () => import('./texts/de.json', { with: { type: 'json' } }),
  FR: () => import('./texts/fr.json', { with: { type: 'json' } }),
  ES: () => import('./texts/es.json', { with: { type: 'json' } }),
  IT: () => import('./texts/it.json', { with: { type: 'json' } }),
  NL: () => import('./texts/nl.json', { with: { type: 'json' } }),
  PT_BR: () => import('./texts/pt.json', { with: { type: 'json' } }),
  JA: () => import('./texts/ja.json', { with: { type: 'json' } }),
};

/** The English texts of error codes. They are in the error catalogue and not in the file of English texts. */
const ENGLISH_ERROR_TEXTS: TextsByKey = Object.fromEntries(
  Object.entries(errorCatalogue).map(([code, { message }]) => [code, message]),
);

/** Loads the texts of a language, including those of error codes. */
export async function loadTexts(language: LanguageCode): Promise<TextsByKey> {
  const { default: texts } = await TEXT_LOADERS[language]();
  return language === 'EN' ? { ...ENGLISH_ERROR_TEXTS, ...texts } : texts;
}

/** The parts of a request that determine its language. */
export type RequestedLanguage = {
  /** The language that the GraphQL operation names with `@inContext`. */
  readonly language?: LanguageCode | undefined;
  /** The header `Accept-Language`. Undefined when it does not count, as for merchants' servers. */
  readonly acceptLanguage?: string | undefined;
};

/** Returns the language of a request. */
export function resolveLanguage({ language, acceptLanguage }: RequestedLanguage): LanguageCode {
  return language ?? lookUpLanguage(acceptLanguage) ?? DEFAULT_LANGUAGE;
}

/** Creates the translation to a language. Days are shown in the time zone. */
export async function createTranslator(language: LanguageCode, timeZone: TimeZone): Promise<Translate> {
  const { default: textByKey } = await TEXT_LOADERS[language]();
  const languageTag = LANGUAGE_TAGS[language];
  const translateText = (text: Text): string => {
    if (typeof text === 'string') return text;
    return isMessage(text) ? formatMessage(text) : joinAsList(languageTag, text.map(translateText));
  };
  const languageFormats = createLanguageFormats({ tag: languageTag, timeZone }, translateText);
  /**
   * A stored message may come from another version of the service, so its key may be unknown. The key itself is shown
   * then.
   */
  const formatMessage = ({ messageKey, parameters }: Message): string => {
    const text = textByKey[messageKey] ?? ENGLISH_ERROR_TEXTS[messageKey];
    return text === undefined ? messageKey : formatText(text, languageFormats, parameters);
  };
  return translateText;
}
