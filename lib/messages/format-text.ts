/**
 * Formats texts with parameters, in a subset of ICU MessageFormat. A text is parsed at its first use, and the parsed
 * text is cached. `{name}` is a text, another message, or a list of both. `{day, date, long}` is an instant, shown as a
 * day in the store's time zone. `{price, number, money}` is an amount with its currency. `plural` and `select` choose a
 * form, and `#` is the number of the enclosing plural. Commas must be followed by one space, and quotes are not
 * supported. A test parses all texts, so other ICU syntax is found early.
 */
import { type Formats, memoize } from './formats.ts';

/** The parameters of a message by name. Undefined when it has none. */
type Values = Readonly<Record<string, unknown>> | undefined;

/** A parsed text, or a part of one. Returns the formatted text. */
type FormatPart = (formats: Formats, values: Values) => string;

/** The text that is parsed, and the parser's position in it. */
type Source = { readonly text: string; at: number };

const LITERAL = /[^{}]+/y;
const LITERAL_OF_PLURAL = /[^{}#]+/y;
const HASH = /#/y;
const PARAMETER = /\{(\w+)(?:, ([a-z, ]+))?\}/y;
const CHOICE = /\{(\w+), (plural|select),/y;
const FORM = / (=\d+|\w+) \{/y;
const END = /\}/y;

/** Casts a parameter without a check, because the types of parameters are checked where the message is created. */
const parameterOf = (values: Values, name: string) => (values as NonNullable<Values>)[name] as never;

/** The functions that format a parameter, by the text after its name. */
const FORMATTERS: Readonly<Record<string, (formats: Formats, value: never) => string>> = {
  '': (formats, value) => formats.text(value),
  number: (formats, value) => formats.number(value),
  'number, money': (formats, value) => formats.money(value),
  'date, long': (formats, value) => formats.day(value),
};

/**
 * Returns the formatted text.
 * @throws Error when the text contains unknown syntax
 */
export function formatText(text: string, formats: Formats, values: Values): string {
  return readText(text)(formats, values);
}

const readText = memoize((text) => {
  const source = { text, at: 0 };
  const formatPart = readParts(source, undefined);
  return source.at === text.length ? formatPart : refuse(source);
});

/**
 * Parses until the end of the text, or the closing brace of a form. `#` in it is replaced by the parameter `counted`.
 */
function readParts(source: Source, counted: string | undefined): FormatPart {
  const parts: FormatPart[] = [];
  while (source.at < source.text.length && source.text[source.at] !== '}') {
    parts.push(readPart(source, counted));
  }
  return (formats, values) => parts.map((formatPart) => formatPart(formats, values)).join('');
}

function readPart(source: Source, counted: string | undefined): FormatPart {
  const literal = take(source, counted === undefined ? LITERAL : LITERAL_OF_PLURAL);
  if (literal !== null) return () => literal[0];
  if (counted !== undefined && take(source, HASH) !== null) {
    return (formats, values) => formats.number(parameterOf(values, counted));
  }
  const [, chosenBy, kind] = take(source, CHOICE) ?? [];
  if (chosenBy !== undefined)
    return kind === 'plural' ? readPlural(source, chosenBy) : readSelect(source, chosenBy);
  const [, name = '', format = ''] = take(source, PARAMETER) ?? refuse(source);
  const formatPart = FORMATTERS[format] ?? refuse(source);
  return (formats, values) => formatPart(formats, parameterOf(values, name));
}

function readPlural(source: Source, name: string): FormatPart {
  const forms = readForms(source, name);
  return (formats, values) => formats.plural(parameterOf(values, name), forms)?.(formats, values) ?? '';
}

function readSelect(source: Source, name: string): FormatPart {
  const forms = readForms(source, undefined);
  return (formats, values) => formats.select(parameterOf(values, name), forms)?.(formats, values) ?? '';
}

function readForms(source: Source, counted: string | undefined): Readonly<Record<string, FormatPart>> {
  const forms: Record<string, FormatPart> = {};
  for (let form = take(source, FORM); form !== null; form = take(source, FORM)) {
    forms[form[1] ?? ''] = readParts(source, counted);
    take(source, END) ?? refuse(source);
  }
  take(source, END) ?? refuse(source);
  return forms;
}

/**
 * Matches a pattern at the present position, and moves the position behind the match.
 * @returns null when it does not match
 */
function take(source: Source, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = source.at;
  const found = pattern.exec(source.text);
  if (found !== null) source.at = pattern.lastIndex;
  return found;
}

function refuse({ text, at }: Source): never {
  throw new Error(`The text cannot be read from its character ${at + 1}: ${text}`);
}
