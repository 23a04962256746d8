/** Compiles the texts of one folder in one language. */
import type { TextsByKey } from '../../../lib/messages/translator.ts';
import type { CompiledLanguage } from './check-languages.ts';
import { type CompiledText, compileText } from './compile-text.ts';

/** @throws Error, which names `folder`, when a text is invalid */
export function compileLanguage(folder: string, tag: string, texts: TextsByKey): CompiledLanguage {
  const compileEntry = ([key, text]: [string, string]): [string, CompiledText] => {
    try {
      return [key, compileText(text)];
    } catch (error) {
      throw new Error(`${folder}: ${key} in ${tag} ${(error as Error).message}`);
    }
  };
  return { tag, texts: new Map(Object.entries(texts).map(compileEntry)) };
}

/** The fields of a type that has each message's parameters. */
export function writeParameterFields({ texts }: CompiledLanguage): string[] {
  return [...texts].map(([key, { parameters }]) => {
    const parameterFields = [...parameters].map(([name, type]) => `readonly ${name}: ${type}`);
    return `  readonly ${key}: ${parameterFields.length === 0 ? 'undefined' : `{ ${parameterFields.join('; ')} }`};`;
  });
}
