/** Days, numbers, amounts and lists as a language writes them. What `Intl` makes is dear, so it is kept. */
import type { TimeZone } from '../domain/time-zone.ts';
import type { Instant, Money, Text } from './generated/words.ts';

/** How a language writes parameters, and which of a text's forms it chooses. */
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
  /** The store's: days are named in it. */
  readonly timeZone: TimeZone;
};

/** English lists have no comma before `and`, as all our texts. */
const LIST_TAGS: Readonly<Record<string, string>> = { 'en-US': 'en-GB' };

/** How a language writes parameters; `text` tells texts and messages. */
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

/** `Intl` does not know that French counts the first day of a month: `1er novembre`. */
function asOrdinal(tag: string, day: string): string {
  return tag === 'fr' ? day.replace(/^1 /, '1er ') : day;
}

/** Several as one: `a, b and c`. */
export function asList(tag: string, texts: readonly string[]): string {
  return listsOf(tag).format(texts);
}

const numbersOf = kept((tag) => new Intl.NumberFormat(tag));
const pluralsOf = kept((tag) => new Intl.PluralRules(tag));
const listsOf = kept((tag) => new Intl.ListFormat(LIST_TAGS[tag] ?? tag));
const amountsOf = kept((key) => {
  const [tag, currency] = key.split(' ');
  return new Intl.NumberFormat(tag, { style: 'currency', currency: currency ?? '' });
});
const daysOf = kept((key) => {
  const [tag, timeZone] = key.split(' ');
  return new Intl.DateTimeFormat(tag, { timeZone, dateStyle: 'long' });
});

/** Makes each once. There are as many as languages, zones and currencies, and as texts. */
export function kept<Made>(make: (key: string) => Made): (key: string) => Made {
  const made = new Map<string, Made>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const one = make(key);
    made.set(key, one);
    return one;
  };
}
