/** Translates messages. Each language is loaded at its first use. */
import type { TimeZone } from '../domain/time-zone.ts';
import { catalogue } from '../errors/catalogue.ts';
import { formatText } from './format-text.ts';
import { asList, createFormats } from './formats.ts';
import type { Message, Text } from './generated/words.ts';
import { DEFAULT_LANGUAGE, type LanguageCode, TAGS } from './languages.ts';
import { lookUpLanguage } from './look-up-language.ts';
import { isMessage } from './message.ts';

/** Translates a text to the language that this function was created for. */
export type Translate = (text: Text) => string;

/** Loads the translation for the request's language. */
export type LoadTranslator = () => Promise<Translate>;

/** The texts of a language by their keys. */
export type Texts = Readonly<Record<string, string>>;

const TEXTS: Readonly<Record<LanguageCode, () => Promise<{ readonly default: Texts }>>> = {
  EN: () => import('./texts/en.json', { with: { type: 'json' } }),
  DE: () => import('./texts/de.json', { with: { type: 'json' } }),
  FR: () => import('./texts/fr.json', { with: { type: 'json' } }),
  ES: () => import('./texts/es.json', { with: { type: 'json' } }),
  IT: () => import('./texts/it.json', { with: { type: 'json' } }),
  NL: () => import('./texts/nl.json', { with: { type: 'json' } }),
  PT_BR: () => import('./texts/pt.json', { with: { type: 'json' } }),
  JA: () => import('./texts/ja.json', { with: { type: 'json' } }),
};

/** The English texts of errors are in the error catalogue, not in a text file. */
const ENGLISH_OF_ERRORS: Texts = Object.fromEntries(
  Object.entries(catalogue).map(([code, { message }]) => [code, message]),
);

/** Loads the texts of a language, including those of errors. */
export async function loadTexts(language: LanguageCode): Promise<Texts> {
  const { default: texts } = await TEXTS[language]();
  return language === 'EN' ? { ...ENGLISH_OF_ERRORS, ...texts } : texts;
}

/** The facts of a request that determine the language. */
export type Reader = {
  /** The language that the operation names (`@inContext`). */
  readonly language?: LanguageCode | undefined;
  /** The header; also undefined if it is ignored, as for merchants' servers. */
  readonly acceptLanguage?: string | undefined;
};

/** Returns the language of a request. */
export function languageOf({ language, acceptLanguage }: Reader): LanguageCode {
  return language ?? lookUpLanguage(acceptLanguage) ?? DEFAULT_LANGUAGE;
}

/** Creates the translator of a language, with days in the store's zone. */
export async function createTranslator(language: LanguageCode, timeZone: TimeZone): Promise<Translate> {
  const { default: texts } = await TEXTS[language]();
  const tag = TAGS[language];
  const translate = (text: Text): string => {
    if (typeof text === 'string') return text;
    return isMessage(text) ? formatMessage(text) : asList(tag, text.map(translate));
  };
  const formats = createFormats({ tag, timeZone }, translate);
  /** A stored message of another version of the service may have a key that is unknown here. */
  const formatMessage = ({ messageKey, parameters }: Message): string => {
    const text = texts[messageKey] ?? ENGLISH_OF_ERRORS[messageKey];
    return text === undefined ? messageKey : formatText(text, formats, parameters);
  };
  return translate;
}
