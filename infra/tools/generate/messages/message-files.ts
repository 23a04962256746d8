/** The texts of lib/messages/texts become typed functions, a file for each language, and the types that all of them share. */
import { catalogue } from '../../../../lib/errors/catalogue.ts';
import type { LanguageCode } from '../../../../lib/messages/languages.ts';
import { de } from '../../../../lib/messages/texts/de.ts';
import { en } from '../../../../lib/messages/texts/en.ts';
import { es } from '../../../../lib/messages/texts/es.ts';
import { fr } from '../../../../lib/messages/texts/fr.ts';
import { it } from '../../../../lib/messages/texts/it.ts';
import { ja } from '../../../../lib/messages/texts/ja.ts';
import { nl } from '../../../../lib/messages/texts/nl.ts';
import { pt } from '../../../../lib/messages/texts/pt.ts';
import type { GeneratedFile } from '../../generated-file.ts';
import type { CompiledLanguage } from './check-languages.ts';
import { compileLanguages, parameterFields } from './compile-languages.ts';
import { messagesPage } from './messages-page.ts';

const FOLDER = 'lib/messages/generated';

const errorTexts = Object.fromEntries(
  Object.entries(catalogue).map(([code, { message }]) => [code, message]),
);

/** The texts of each language by their keys. */
const textsOf: Readonly<Record<LanguageCode, Readonly<Record<string, string>>>> = {
  EN: { ...errorTexts, ...en },
  DE: de,
  FR: fr,
  ES: es,
  IT: it,
  NL: nl,
  PT_BR: pt,
  JA: ja,
};

/** The files. Throws an error if a text cannot be meant, or if the languages differ in what they say. */
export function messageFiles(): GeneratedFile[] {
  const languages = compileLanguages('lib/messages/texts', textsOf);
  return [wordsFile(languages[0]), ...languages.map(languageFile), messagesPage(languages)];
}

const GENERATED = '// Generated from lib/messages/texts by `npm run generate`: change those.';

function wordsFile(model: CompiledLanguage): GeneratedFile {
  const lines = parameterFields(model);
  const text = [GENERATED, TYPES, 'export type Parameters = {', ...lines, '};', ''].join('\n');
  return { file: `${FOLDER}/words.ts`, text };
}

function languageFile({ tag, texts }: CompiledLanguage): GeneratedFile {
  const lines = [...texts].map(([key, { source }]) => `  ${key}: ${source},`);
  const head = [GENERATED, "import type { Words } from './words.ts';", '', 'export const words: Words = {'];
  return { file: `${FOLDER}/${tag.slice(0, 2)}.ts`, text: [...head, ...lines, '};', ''].join('\n') };
}

const TYPES = `
/** An instant in epoch milliseconds. */
type Instant = number;

type Money = { readonly amount: string; readonly currencyCode: string };

/** A text as it is, a message, or several of both, which are told as a list. */
export type Text = string | Message | readonly Text[];

/** A message's key, and its parameters where it has some. */
export type Message<Key extends MessageKey = MessageKey> = {
  readonly messageKey: Key;
  readonly parameters?: Parameters[Key];
};

export type MessageKey = keyof Parameters;

/** Parameters are told in a language, in a store's zone. */
export type Formats = {
  readonly text: (text: Text) => string;
  readonly number: (number: number) => string;
  readonly day: (instant: Instant) => string;
  readonly money: (money: Money) => string;
  readonly plural: (number: number, forms: Readonly<Record<string, string>>) => string;
  readonly select: (value: string, forms: Readonly<Record<string, string>>) => string;
};

/** What a language says for each message. */
export type Words = {
  readonly [Key in MessageKey]: Parameters[Key] extends undefined
    ? string
    : (f: Formats, a: NonNullable<Parameters[Key]>) => string;
};
`;
