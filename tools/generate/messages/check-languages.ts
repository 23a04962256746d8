/**
 * Checks that all languages match: each has the same messages, with the same parameters and tags, and exactly the
 * plural forms of the language. A difference stops the generation.
 */
import type { CompiledText } from './compile-text.ts';

export type CompiledLanguage = {
  /** The language's tag (BCP 47). */
  readonly tag: string;
  readonly texts: ReadonlyMap<string, CompiledText>;
};

/** Counts in messages are smaller. Some languages have a separate form for millions. */
const MAX_CHECKED_COUNT = 20_000;

/**
 * Returns the problems of the languages; the first language is the model.
 *
 * @internal A test holds the languages of lib/messages/texts against each other.
 */
export function findLanguageProblems([
  modelLanguage,
  ...otherLanguages
]: readonly CompiledLanguage[]): string[] {
  if (modelLanguage === undefined) return ['There is no language.'];
  return [
    ...findPluralProblems(modelLanguage),
    ...otherLanguages.flatMap((other) => [
      ...findLanguageDifferences(modelLanguage, other),
      ...findPluralProblems(other),
    ]),
  ];
}

function findLanguageDifferences(model: CompiledLanguage, { tag, texts }: CompiledLanguage): string[] {
  const missingKeys = [...model.texts.keys()].filter((key) => !texts.has(key));
  const foreignKeys = [...texts.keys()].filter((key) => !model.texts.has(key));
  const differingKeys = [...texts].filter(([key, text]) => {
    const modelText = model.texts.get(key);
    return modelText !== undefined && describeTextShape(modelText) !== describeTextShape(text);
  });
  return [
    ...missingKeys.map((key) => `${tag} lacks ${key}.`),
    ...foreignKeys.map((key) => `${tag} has ${key}, which ${model.tag} has not.`),
    ...differingKeys.map(([key]) => `${tag} has other parameters or tags in ${key} than ${model.tag}.`),
  ];
}

function describeTextShape({ parameters, tags }: CompiledText): string {
  return JSON.stringify([[...parameters].sort(), tags]);
}

function findPluralProblems({ tag, texts }: CompiledLanguage): string[] {
  const languageForms = listPluralForms(tag).join(', ');
  return [...texts].flatMap(([key, { plurals }]) =>
    plurals
      .filter((textForms) => textForms.toSorted().join(', ') !== languageForms)
      .map(
        (has) =>
          `${tag} has the plural forms ${has.join(', ')} in ${key}, the language has ${languageForms}.`,
      ),
  );
}

/** Returns the plural forms that counts can have in a language, sorted. */
function listPluralForms(tag: string): string[] {
  const rules = new Intl.PluralRules(tag);
  const pluralForms = Array.from({ length: MAX_CHECKED_COUNT }, (_, count) => rules.select(count));
  return [...new Set([...pluralForms, 'other'])].sort();
}
