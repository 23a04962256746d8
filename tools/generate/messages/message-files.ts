/** The types of messages' parameters, from the English texts of lib/messages/texts and of the error catalogue. */
import { loadTexts } from '../../../lib/messages/translator.ts';
import type { GeneratedFile } from '../../generated-file.ts';
import { compileLanguage, parameterFields } from './compile-languages.ts';

const TEXTS = 'lib/messages/texts';
const GENERATED = `// Generated from ${TEXTS}/en.json by \`npm run generate\`: change that.`;

/** The file. @throws Error when a text cannot be meant. */
export async function messageFiles(): Promise<GeneratedFile[]> {
  const english = compileLanguage(TEXTS, 'en', await loadTexts('EN'));
  const lines = [GENERATED, TYPES, 'export type Parameters = {', ...parameterFields(english), '};', ''];
  return [{ file: 'lib/messages/generated/words.ts', text: lines.join('\n') }];
}

const TYPES = `
/** An instant in epoch milliseconds. */
export type Instant = number;

export type Money = { readonly amount: string; readonly currencyCode: string };

/** A text as it is, a message, or several of both, which are told as a list. */
export type Text = string | Message | readonly Text[];

/** A message's key, and its parameters where it has some. */
export type Message<Key extends MessageKey = MessageKey> = {
  readonly messageKey: Key;
  readonly parameters?: Parameters[Key];
};

export type MessageKey = keyof Parameters;
`;
