/**
 * Days, numbers, amounts and lists in a language's format. `Intl` objects are expensive to create, so they are
 * cached.
 */
import type { TimeZone } from '../domain/time-zone.ts';
import type { Instant, Money, Text } from './generated/words.ts';

/** A language's formatters, and its choice among a text's forms. */
export type Formats = {
  readonly text: (text: Text) => string;
  readonly number: (number: number) => string;
  readonly day: (instant: Instant) => string;
  readonly money: (money: Money) => string;
  readonly plural: <Form>(number: number, forms: Readonly<Record<string, Form>>) => Form | undefined;
  readonly select: <Form>(value: string, forms: Readonly<Record<string, Form>>) => Form | undefined;
};

type FormatsRequest = {
  /** The language's tag (BCP 47). */
  readonly tag: string;
  /** The store's time zone, in which days are formatted. */
  readonly timeZone: TimeZone;
};

/** English lists have no comma before `and`, like all texts of the service. */
const LIST_TAGS: Readonly<Record<string, string>> = { 'en-US': 'en-GB' };

/** Creates the formats of a language; `text` formats texts and messages. */
export function createFormats({ tag, timeZone }: FormatsRequest, text: Formats['text']): Formats {
  return {
    text,
    number: (number) => numbersOf(tag).format(number),
    day: (instant) => asOrdinal(tag, daysOf(`${tag} ${timeZone}`).format(instant)),
    money: ({ amount, currencyCode }) => amountsOf(`${tag} ${currencyCode}`).format(amount as `${number}`),
    plural: (number, forms) => forms[`=${number}`] ?? forms[pluralsOf(tag).select(number)] ?? forms.other,
    select: (value, forms) => (Object.hasOwn(forms, value) ? forms[value] : forms.other),
  };
}

/** `Intl` does not write the first day of a month as an ordinal, which French does: `1er novembre`. */
function asOrdinal(tag: string, day: string): string {
  return tag === 'fr' ? day.replace(/^1 /, '1er ') : day;
}

/** Joins several texts: `a, b and c`. */
export function asList(tag: string, texts: readonly string[]): string {
  return listsOf(tag).format(texts);
}

const numbersOf = memoize((tag) => new Intl.NumberFormat(tag));
const pluralsOf = memoize((tag) => new Intl.PluralRules(tag));
const listsOf = memoize((tag) => new Intl.ListFormat(LIST_TAGS[tag] ?? tag));
const amountsOf = memoize((key) => {
  const [tag, currency] = key.split(' ');
  return new Intl.NumberFormat(tag, { style: 'currency', currency: currency ?? '' });
});
const daysOf = memoize((key) => {
  const [tag, timeZone] = key.split(' ');
  return new Intl.DateTimeFormat(tag, { timeZone, dateStyle: 'long' });
});

/** Creates each value once. Their number is limited by languages, zones and currencies, or by texts. */
export function memoize<Made>(make: (key: string) => Made): (key: string) => Made {
  const made = new Map<string, Made>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const one = make(key);
    made.set(key, one);
    return one;
  };
}
