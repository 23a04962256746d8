/**
 * The texts of all languages: each has the same content in its own forms, and its result equals that of @formatjs,
 * which implements all of MessageFormat.
 */
import { runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { UTC } from '../../../lib/domain/time-zone.ts';
import { formatText } from '../../../lib/messages/format-text.ts';
import { createLanguageFormats, type LanguageFormats } from '../../../lib/messages/formats.ts';
import { LANGUAGE_TAGS, LANGUAGES } from '../../../lib/messages/languages.ts';
import { loadTexts } from '../../../lib/messages/translator.ts';
import { findLanguageProblems } from '../../../tools/generate/messages/check-languages.ts';
import { compileLanguage } from '../../../tools/generate/messages/compile-languages.ts';
import { type CompiledText, compileText } from '../../../tools/generate/messages/compile-text.ts';

type Values = Readonly<Record<string, unknown>>;

test('all languages have the same messages, with the same parameters and their own plural forms', async () => {
  const languages = await Promise.all(
    LANGUAGES.map(async (code) =>
      compileLanguage('lib/messages/texts', LANGUAGE_TAGS[code], await loadTexts(code)),
    ),
  );
  expect(findLanguageProblems(languages)).toEqual([]);
});

test.each(LANGUAGES)('formats every text in %s as @formatjs does', async (code) => {
  const formats = createLanguageFormats({ tag: LANGUAGE_TAGS[code], timeZone: UTC }, (text) => `“${text}”`);
  for (const text of Object.values(await loadTexts(code))) {
    const compiled = compileText(text);
    for (const values of samplesOf(text, compiled)) {
      expect([text, values, formatText(text, formats, values)]).toEqual([
        text,
        values,
        formatCompiled(compiled, formats, values),
      ]);
    }
  }
});

test.each(LANGUAGES)(
  'asks a customer in %s to choose a delivery option without a word of codes',
  async (code) => {
    expect((await loadTexts(code)).deliverySeveralWays).not.toMatch(/c[oó]d|コード/i);
  },
);

/** Runs the source that the @formatjs syntax tree of a text was compiled to. */
function formatCompiled({ source }: CompiledText, formats: LanguageFormats, values: Values): string {
  const reported: string | ((formats: LanguageFormats, values: Values) => string) = runInThisContext(source);
  return typeof reported === 'string' ? reported : reported(formats, values);
}

/** Each sample of a parameter with each of the others. */
function samplesOf(text: string, { parameters }: CompiledText): Values[] {
  const choices = [...text.matchAll(/(\w+) \{/g)].map(([, name]) => name);
  const samples: Readonly<Record<string, readonly unknown[]>> = {
    Text: ['{a} # <b>'],
    Instant: [Date.UTC(2026, 2, 1)],
    Money: [{ amount: '1234.5', currencyCode: 'EUR' }],
    number: [0, 1, 2, 1_200, 1_000_000],
    string: [...choices, 'unknown'],
  };
  return [...parameters].reduce<Values[]>(
    (sets, [name, type]) =>
      sets.flatMap((set) => (samples[type] ?? []).map((value) => ({ ...set, [name]: value }))),
    [{}],
  );
}

const formats = createLanguageFormats({ tag: 'en', timeZone: UTC }, String);

test('an exact number goes before the plural form, and # is a number in a plural alone', () => {
  const text = '# {n, plural, =0 {none} one {# thing} other {# {s, select, a {#a} other {}}things}}';
  const reported = [0, 1, 2].map((n) => formatText(text, formats, { n, s: 'a' }));
  expect(reported).toEqual(['# none', '# 1 thing', '# 2 #athings']);
});

test.each([
  '{a',
  'a}',
  '{a, plural, other {#}',
  '{a, plural, other}',
  '{a, time, short}',
  '{a, number, percent}',
  '{a, date, short}',
  '{a, selectordinal, other {#}}',
])('refuses the text %s', (text) => {
  expect(() => formatText(text, formats, { a: 1 })).toThrow(/cannot be read from its character \d+: /);
});

const language = (tag: string, texts: Readonly<Record<string, string>>) => ({
  tag,
  texts: new Map(Object.entries(texts).map(([key, text]) => [key, compileText(text)])),
});
const english = language('en', { a: '{n, plural, one {# x} other {# xs}}', b: '<b>{name}</b>' });

test.each([
  ['nothing', { a: '{n, plural, one {#} other {#}}', b: '<b>{name}</b>' }, []],
  ['a message too few', { a: '{n, plural, one {#} other {#}}' }, ['de lacks b.']],
  [
    'a message too many',
    { a: '{n, plural, one {#} other {#}}', b: '<b>{name}</b>', c: 'c' },
    ['de has c, which en has not.'],
  ],
  [
    'another parameter',
    { a: '{m, plural, one {#} other {#}}', b: '<b>{name}</b>' },
    ['de has other parameters or tags in a than en.'],
  ],
  ['another type', { a: '{n}', b: '<b>{name}</b>' }, ['de has other parameters or tags in a than en.']],
  [
    'no tag',
    { a: '{n, plural, one {#} other {#}}', b: '{name}' },
    ['de has other parameters or tags in b than en.'],
  ],
  [
    'a plural form too few',
    { a: '{n, plural, other {#}}', b: '<b>{name}</b>' },
    ['de has the plural forms other in a, the language has one, other.'],
  ],
])('reports what is wrong in a language with %s', (_what, texts, wrong) => {
  expect(findLanguageProblems([english, language('de', texts as Record<string, string>)])).toEqual(wrong);
});

test('Japanese has one plural form', () => {
  const japanese = language('ja', { a: '{n, plural, one {#} other {#}}', b: '<b>{name}</b>' });
  expect(findLanguageProblems([english, japanese])).toEqual([
    'ja has the plural forms one, other in a, the language has other.',
  ]);
});

test.each([
  ['', /empty/],
  [' a', /space/],
  ["it's", /’/],
  ['{a', /./],
  ['{a, time, short}', /not known/],
  ['{a, number, percent}', /not known/],
  ['{a, date, short}', /not known/],
  ['{a, selectordinal, other {#}}', /not known/],
  ['{a, number} {a, date, long}', /as number and as Instant/],
])('%s is refused', (text, why) => {
  expect(() => compileText(text)).toThrow(why);
});

test('a text cannot leave its template', () => {
  const { source } = compileText(['`$', '{a} \\'].join(''));
  expect(source).toBe(['(f, a) => `\\`$$', '{f.text(a.a)} \\\\`'].join(''));
});
