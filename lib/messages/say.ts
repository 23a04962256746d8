/** Messages are told in a language. Each language is loaded when it is first asked for. */
import type { TimeZone } from '../domain/time-zone.ts';
import { asList, createFormats, type FormatsRequest } from './formats.ts';
import type { Formats, Message, Text, Words } from './generated/words.ts';
import { DEFAULT_LANGUAGE, type LanguageCode, TAGS } from './languages.ts';
import { lookUpLanguage } from './look-up-language.ts';
import { isMessage } from './message.ts';

/** Tells a text in the language that it was made for. */
export type Say = (text: Text) => string;

/** Loads what is needed to tell texts to whoever asks, in the language of the request. */
export type Speak = () => Promise<Say>;

const WORDS: Readonly<Record<LanguageCode, () => Promise<{ readonly words: Words }>>> = {
  EN: () => import('./generated/en.ts'),
  DE: () => import('./generated/de.ts'),
  FR: () => import('./generated/fr.ts'),
  ES: () => import('./generated/es.ts'),
  IT: () => import('./generated/it.ts'),
  NL: () => import('./generated/nl.ts'),
  PT_BR: () => import('./generated/pt.ts'),
  JA: () => import('./generated/ja.ts'),
};

/** Who listens, as far as it decides the language. */
export type Listener = {
  /** The language that the operation names (`@inContext`). */
  readonly language?: LanguageCode | undefined;
  /** The header; undefined also where it does not count, as for merchants' servers. */
  readonly acceptLanguage?: string | undefined;
};

/** The language that a listener is spoken to in. */
export function languageOf({ language, acceptLanguage }: Listener): LanguageCode {
  return language ?? lookUpLanguage(acceptLanguage) ?? DEFAULT_LANGUAGE;
}

/** What tells texts in a language, with days in the store's zone. */
export async function sayIn(language: LanguageCode, timeZone: TimeZone): Promise<Say> {
  const { words } = await WORDS[language]();
  return sayWith(words, { tag: TAGS[language], timeZone });
}

/** What tells texts in these words. */
export function sayWith(words: Words, request: FormatsRequest): Say {
  const say = (text: Text): string => {
    if (typeof text === 'string') return text;
    return isMessage(text) ? tell(words, text, formats) : asList(request.tag, text.map(say));
  };
  const formats = createFormats(request, say);
  return say;
}

/** A message that another version of the service has kept may have a key that is unknown here. */
function tell(words: Words, { messageKey, parameters }: Message, formats: Formats): string {
  const told = words[messageKey] as string | ((f: Formats, a: unknown) => string) | undefined;
  return typeof told === 'function' ? told(formats, parameters) : (told ?? messageKey);
}
