/** Compiles the texts of the phone page: a JavaScript file for each language, and the types that they share. */

import type { GeneratedFile } from '../../generated-file.ts';
import type { CompiledLanguage } from './check-languages.ts';
import { compileLanguages, parameterFields } from './compile-languages.ts';
import { de } from './phone-texts/de.ts';
import { en } from './phone-texts/en.ts';
import { es } from './phone-texts/es.ts';
import { fr } from './phone-texts/fr.ts';
import { it } from './phone-texts/it.ts';
import { ja } from './phone-texts/ja.ts';
import { nl } from './phone-texts/nl.ts';
import { pt } from './phone-texts/pt.ts';

const TEXTS = 'tools/generate/messages/phone-texts';
const FOLDER = 'sandbox/phone/app/messages/generated';
const GENERATED = `// Generated from ${TEXTS} by \`npm run generate\`: change those.`;

/**
 * Returns the files.
 * @throws Error when a text is invalid, or languages have different texts
 */
export function phoneMessageFiles(): GeneratedFile[] {
  const languages = compileLanguages(TEXTS, {
    EN: en,
    DE: de,
    FR: fr,
    ES: es,
    IT: it,
    NL: nl,
    PT_BR: pt,
    JA: ja,
  });
  return [typesFile(languages[0]), ...languages.map(languageFile)];
}

function typesFile(model: CompiledLanguage): GeneratedFile {
  const text = [GENERATED, TYPES, 'export type Parameters = {', ...parameterFields(model), '};', ''].join(
    '\n',
  );
  return { file: `${FOLDER}/message-types.d.ts`, text };
}

function languageFile({ tag, texts }: CompiledLanguage): GeneratedFile {
  const lines = [...texts].map(([key, { source }]) => `  ${key}: ${source},`);
  const head = [
    GENERATED,
    '',
    "/** @type {import('./message-types.d.ts').Messages} */",
    'export const messages = {',
  ];
  return { file: `${FOLDER}/${tag.slice(0, 2)}.js`, text: [...head, ...lines, '};', ''].join('\n') };
}

const TYPES = `
type Text = string;

/** Formats parameters for a language. */
export type Formats = {
  readonly text: (text: Text) => string;
  readonly number: (number: number) => string;
  readonly plural: (number: number, forms: Readonly<Record<string, string>>) => string;
  readonly select: (value: string, forms: Readonly<Record<string, string>>) => string;
};

/** The texts of a language. */
export type Messages = {
  readonly [Key in keyof Parameters]: Parameters[Key] extends undefined
    ? string
    : (f: Formats, a: NonNullable<Parameters[Key]>) => string;
};
`;
