/** The types of messages' parameters, from the English texts of lib/messages/texts and of the error catalogue. */
import { loadTexts } from '../../../lib/messages/translator.ts';
import type { GeneratedFile } from '../../generated-file.ts';
import { compileLanguage, writeParameterFields } from './compile-languages.ts';

const TEXTS_FOLDER = 'lib/messages/texts';
const GENERATED_NOTE = `// Generated from ${TEXTS_FOLDER}/en.json by \`npm run generate\`: change that.`;

/** Returns the file. @throws Error when a text is invalid */
export async function generateMessageFiles(): Promise<GeneratedFile[]> {
  const englishMessages = compileLanguage(TEXTS_FOLDER, 'en', await loadTexts('EN'));
  const typeLines = [
    GENERATED_NOTE,
    TYPES_SOURCE,
    'export type Parameters = {',
    ...writeParameterFields(englishMessages),
    '};',
    '',
  ];
  return [{ file: 'lib/messages/generated/message-types.ts', text: typeLines.join('\n') }];
}

const TYPES_SOURCE = `
/** An instant in epoch milliseconds. */
export type Instant = number;

export type Money = { readonly amount: string; readonly currencyCode: string };

/** A text, a message, or a list of both, which is formatted like “a, b and c”. */
export type Text = string | Message | readonly Text[];

/** A message: its key, and its parameters if it has any. */
export type Message<Key extends MessageKey = MessageKey> = {
  readonly messageKey: Key;
  readonly parameters?: Parameters[Key];
};

export type MessageKey = keyof Parameters;
`;
