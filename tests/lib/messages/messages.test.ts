/** Formats messages in each language, with its plurals, days and amounts. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseTimeZone, type TimeZone, UTC } from '../../../lib/domain/time-zone.ts';
import type { Text } from '../../../lib/messages/generated/message-types.ts';
import { LANGUAGES, type LanguageCode } from '../../../lib/messages/languages.ts';
import { lookUpLanguage } from '../../../lib/messages/look-up-language.ts';
import { type Message, message } from '../../../lib/messages/message.ts';
import en from '../../../lib/messages/texts/en.json' with { type: 'json' };
import { translateAll } from '../../../lib/messages/translate-all.ts';
import { createTranslator } from '../../../lib/messages/translator.ts';

const NEW_YEAR_MS = Date.UTC(2026, 0, 1, 3);
const translate = async (language: LanguageCode, text: Text, timeZone = UTC) =>
  (await createTranslator(language, timeZone))(text);

const frequency = (count: number) => message('rhythm', { interval: 'WEEK', count });
const sums = (amount: string, currencyCode: string) =>
  message('deliveryWay', { title: 'DHL', price: { amount, currencyCode } });

test.each([
  ['EN', message('minimumNotReached', { minimum: 3, made: 1 }), /after 3 orders\. .* there has been 1\./],
  ['EN', frequency(1), /^every week$/],
  ['DE', frequency(2), /^alle 2 Wochen$/],
  // In French nothing is singular, too.
  ['FR', message('textTooLong', { most: 0 }), /0 caractère\./],
  ['FR', message('textTooLong', { most: 5000 }), /5\u202f000 caractères\./],
  ['ES', message('listTooLong', { most: 1 }), /1 elemento\./],
  ['EN', sums('1234.5', 'EUR'), /^DHL \(€1,234\.50\)$/],
  ['DE', sums('1234.5', 'EUR'), /^DHL \(1\.234,50\s€\)$/],
  // A currency without cents.
  ['IT', sums('500.0', 'JPY'), /^DHL \(500\sJPY\)$/],
  ['EN', ['one', frequency(1), 'three'], /^one, every week and three$/],
  ['NL', ['een', 'twee', 'drie'], /^een, twee en drie$/],
] as const)('%s: %o', async (language, text, reported) => {
  expect(await translate(language, text as Text)).toMatch(reported);
});

test('days are those of the store', async () => {
  const day = message('orderOfDay', { day: NEW_YEAR_MS });
  expect(await translate('EN', day)).toBe('the order for January 1, 2026');
  expect(await translate('FR', day)).toBe('la commande du 1er janvier 2026');
  expect(await translate('DE', day, parseTimeZone('America/New_York') as TimeZone)).toBe(
    'die Bestellung vom 31. Dezember 2025',
  );
});

test('translates a message that was stored as JSON for its reader', async () => {
  const offered = message('intervalsOffered', { intervals: [frequency(1), frequency(2)] });
  const stored = JSON.parse(JSON.stringify({ userErrors: [{ field: null, message: offered }] }));
  const loadGerman = async () => createTranslator('DE', UTC);
  expect(await translateAll(stored, loadGerman)).toEqual({
    userErrors: [{ field: null, message: 'Verfügbare Intervalle: jede Woche und alle 2 Wochen.' }],
  });
});

test('returns a key that this version does not know as it is', async () => {
  expect(await translate('EN', { messageKey: 'ofTomorrow' } as unknown as Message)).toBe('ofTomorrow');
});

test('a value without messages loads no language', async () => {
  const value = { list: [1, null, 'text', { deep: true }] };
  expect(await translateAll(value, () => Promise.reject(new Error('loaded')))).toBe(value);
});

test.each(LANGUAGES)('%s has a text for a message', async (language) => {
  expect(await translate(language, message('codeUnknown'))).not.toBe('codeUnknown');
});

test('has a use for every message', () => {
  const sources = globSync('{functions,graphql,lib}/**/*.ts', {
    exclude: (file) => file.includes('messages/generated'),
  }).map((file) => readFileSync(file, 'utf8'));
  const all = sources.join('\n');
  expect(Object.keys(en).filter((key) => !all.includes(`'${key}'`))).toEqual([]);
});

const longHeader = (start: string) => `${start}${'xx-YY;q=0.5,'.repeat(340)}`;

test.each([
  [undefined, undefined],
  ['', undefined],
  ['de', 'DE'],
  ['de-AT', 'DE'],
  ['DE-at', 'DE'],
  ['zh', undefined],
  ['zh-Hans-CN, ja;q=0.2', 'JA'],
  ['pt', 'PT_BR'],
  ['pt-PT', 'PT_BR'],
  ['pt-br', 'PT_BR'],
  ['en-GB,de;q=0.9', 'EN'],
  ['de;q=0.8, fr;q=0.9', 'FR'],
  ['de;q=0.8,fr;q=0.8', 'DE'],
  [' nl ; q=0.1 ,\tit', 'IT'],
  ['*', undefined],
  ['*, es;q=0.1', 'ES'],
  ['de;q=0', undefined],
  ['de-AT, de;q=0, it;q=0.1', 'IT'],
  // Ignores entries that are no language range or have an invalid weight.
  ['de;q=2, fr', 'FR'],
  ['de;q=, fr', 'FR'],
  ['de;q=1.001, fr;q=0.001', 'FR'],
  ['de;q=-1', undefined],
  ['de;q=NaN', undefined],
  ['de;level=1, es', 'ES'],
  [',,;;, =, fr', 'FR'],
  ['germanisch', undefined],
  ['d\u00e9', undefined],
  ['de-', undefined],
  ['__proto__, constructor', undefined],
  // Only the beginning of 4 KB is read.
  [longHeader('it,'), 'IT'],
  [`${longHeader('')}it`, undefined],
  [`${'x'.repeat(497)},de-AT`, undefined],
])('returns the language for Accept-Language: %s', (header, language) => {
  expect(lookUpLanguage(header)).toBe(language);
});
