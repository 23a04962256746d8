/** The texts of one place in all their languages, compiled, and held to say the same. */
import { LANGUAGE_TAGS, LANGUAGES, type LanguageCode } from '../../../lib/messages/languages.ts';
import type { TextsByKey } from '../../../lib/messages/translator.ts';
import { type CompiledLanguage, checkLanguages } from './check-languages.ts';
import { type CompiledText, compileText } from './compile-text.ts';

/** The first is the model. Throws an error, which names `folder`, if a text cannot be meant, or if the languages differ. */
export function compileLanguages(
  folder: string,
  textsOf: Readonly<Record<LanguageCode, TextsByKey>>,
): readonly [CompiledLanguage, ...CompiledLanguage[]] {
  const languages = LANGUAGES.map((code) => compileLanguage(folder, LANGUAGE_TAGS[code], textsOf[code]));
  const wrong = checkLanguages(languages);
  if (wrong.length > 0) throw new Error(`${folder}: ${wrong.join(' ')}`);
  const [model, ...others] = languages;
  if (model === undefined) throw new Error(`${folder}: there is no language`);
  return [model, ...others];
}

/** @throws Error, which names `folder`, when a text cannot be meant. */
export function compileLanguage(folder: string, tag: string, texts: TextsByKey): CompiledLanguage {
  const compiled = ([key, text]: [string, string]): [string, CompiledText] => {
    try {
      return [key, compileText(text)];
    } catch (error) {
      throw new Error(`${folder}: ${key} in ${tag} ${(error as Error).message}`);
    }
  };
  return { tag, texts: new Map(Object.entries(texts).map(compiled)) };
}

/** The fields of a type that has each message's parameters. */
export function parameterFields({ texts }: CompiledLanguage): string[] {
  return [...texts].map(([key, { parameters }]) => {
    const fields = [...parameters].map(([name, type]) => `readonly ${name}: ${type}`);
    return `  readonly ${key}: ${fields.length === 0 ? 'undefined' : `{ ${fields.join('; ')} }`};`;
  });
}
