/**
 * Formats days, numbers, amounts and lists in a language. `Intl` objects are expensive to create, so they are cached.
 */
import type { TimeZone } from '../domain/time-zone.ts';
import type { Instant, Money, Text } from './generated/message-types.ts';

/** The formatting functions of a language. `plural` and `select` choose one of the forms of a text. */
export type LanguageFormats = {
  readonly text: (text: Text) => string;
  readonly number: (number: number) => string;
  readonly day: (instant: Instant) => string;
  readonly money: (money: Money) => string;
  readonly plural: <Form>(number: number, forms: Readonly<Record<string, Form>>) => Form | undefined;
  readonly select: <Form>(value: string, forms: Readonly<Record<string, Form>>) => Form | undefined;
};

type FormatsRequest = {
  /** The language tag (BCP 47). */
  readonly tag: string;
  /** The store's time zone. Days are formatted in it. */
  readonly timeZone: TimeZone;
};

/** The English texts of the service have no comma before `and`, so lists use the British format. */
const LIST_FORMAT_TAGS: Readonly<Record<string, string>> = { 'en-US': 'en-GB' };

/** Creates the formatting functions of a language. `text` formats texts and messages. */
export function createLanguageFormats(
  { tag, timeZone }: FormatsRequest,
  text: LanguageFormats['text'],
): LanguageFormats {
  return {
    text,
    number: (number) => numberFormatOf(tag).format(number),
    day: (instant) => withFrenchOrdinal(tag, dayFormatOf(`${tag} ${timeZone}`).format(instant)),
    money: ({ amount, currencyCode }) =>
      moneyFormatOf(`${tag} ${currencyCode}`).format(amount as `${number}`),
    plural: (number, forms) => forms[`=${number}`] ?? forms[pluralRulesOf(tag).select(number)] ?? forms.other,
    select: (value, forms) => (Object.hasOwn(forms, value) ? forms[value] : forms.other),
  };
}

/** Formats the first day of a month in French as an ordinal, `1er novembre`, because `Intl` does not. */
function withFrenchOrdinal(tag: string, day: string): string {
  return tag === 'fr' ? day.replace(/^1 /, '1er ') : day;
}

/** Joins texts to a list such as `a, b and c`. */
export function joinAsList(tag: string, texts: readonly string[]): string {
  return listFormatOf(tag).format(texts);
}

const numberFormatOf = memoizeByKey((tag) => new Intl.NumberFormat(tag));
const pluralRulesOf = memoizeByKey((tag) => new Intl.PluralRules(tag));
const listFormatOf = memoizeByKey((tag) => new Intl.ListFormat(LIST_FORMAT_TAGS[tag] ?? tag));
const moneyFormatOf = memoizeByKey((key) => {
  const [tag, currency] = key.split(' ');
  return new Intl.NumberFormat(tag, { style: 'currency', currency: currency ?? '' });
});
const dayFormatOf = memoizeByKey((key) => {
  const [tag, timeZone] = key.split(' ');
  return new Intl.DateTimeFormat(tag, { timeZone, dateStyle: 'long' });
});

/**
 * Returns a function that creates the value for a key once and caches it. There are few keys: languages, time zones,
 * currencies or texts.
 */
export function memoizeByKey<Value>(createValue: (key: string) => Value): (key: string) => Value {
  const cache = new Map<string, Value>();
  return (key) => {
    const cachedValue = cache.get(key);
    if (cachedValue !== undefined) return cachedValue;
    const value = createValue(key);
    cache.set(key, value);
    return value;
  };
}
