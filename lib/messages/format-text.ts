/**
 * Formats ICU texts (MessageFormat 1) with parameters. A text is parsed at its first use, and the result is cached.
 * A parameter in braces alone is a text, another message, or a list of both. `{day, date, long}` is an instant,
 * formatted as a day in the store's zone; `{price, number, money}` an amount with its currency. `plural` and `select`
 * choose, and `#` is the number of the enclosing plural. One space follows each comma, and there are no quotes: the
 * test that reads all texts rejects other ICU syntax.
 */
import { type Formats, memoize } from './formats.ts';

/** A message's parameters by name; undefined when it has none. */
type Values = Readonly<Record<string, unknown>> | undefined;

/** A parsed text, or a parsed part of it. */
type FormatPart = (formats: Formats, values: Values) => string;

/** A text, and the position of the parser. */
type Source = { readonly text: string; at: number };

const LITERAL = /[^{}]+/y;
const LITERAL_OF_PLURAL = /[^{}#]+/y;
const HASH = /#/y;
const PARAMETER = /\{(\w+)(?:, ([a-z, ]+))?\}/y;
const CHOICE = /\{(\w+), (plural|select),/y;
const FORM = / (=\d+|\w+) \{/y;
const END = /\}/y;

/** The parameters' types are checked where a message is created. */
const parameterOf = (values: Values, name: string) => (values as NonNullable<Values>)[name] as never;

/** The formatters of parameters, by the format after the name. */
const TELLERS: Readonly<Record<string, (formats: Formats, value: never) => string>> = {
  '': (formats, value) => formats.text(value),
  number: (formats, value) => formats.number(value),
  'number, money': (formats, value) => formats.money(value),
  'date, long': (formats, value) => formats.day(value),
};

/**
 * Formats a text.
 * @throws Error when the text has unknown syntax
 */
export function formatText(text: string, formats: Formats, values: Values): string {
  return readText(text)(formats, values);
}

const readText = memoize((text) => {
  const source = { text, at: 0 };
  const formatPart = readParts(source, undefined);
  return source.at === text.length ? formatPart : refuse(source);
});

/** Parses up to the end, or to the closing brace of a form. `counted`: the parameter that `#` refers to. */
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
  const formatPart = TELLERS[format] ?? refuse(source);
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

/** Matches a pattern at the current position, and moves behind the match. */
function take(source: Source, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = source.at;
  const found = pattern.exec(source.text);
  if (found !== null) source.at = pattern.lastIndex;
  return found;
}

function refuse({ text, at }: Source): never {
  throw new Error(`The text cannot be read from its character ${at + 1}: ${text}`);
}
