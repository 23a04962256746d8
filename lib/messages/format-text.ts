/**
 * Formats texts with parameters, in a subset of ICU MessageFormat. A text is parsed at its first use, and the parsed
 * text is cached. `{name}` is a text, another message, or a list of both. `{day, date, long}` is an instant, shown as a
 * day in the store's time zone. `{price, number, money}` is an amount with its currency. `plural` and `select` choose a
 * form, and `#` is the number of the enclosing plural. Commas must be followed by one space, and quotes are not
 * supported. A test parses all texts, so other ICU syntax is found early.
 */
import { type LanguageFormats, memoizeByKey } from './formats.ts';

/** The parameters of a message by name. Undefined when it has none. */
type ParameterValues = Readonly<Record<string, unknown>> | undefined;

/** A parsed text, or a part of one, as the function that formats it. */
type PartFormatter = (formats: LanguageFormats, values: ParameterValues) => string;

/** The text that is parsed, and the parser's position in it. */
type TextParser = { readonly text: string; position: number };

const LITERAL_TOKEN = /[^{}]+/y;
const PLURAL_LITERAL_TOKEN = /[^{}#]+/y;
const HASH_TOKEN = /#/y;
const PARAMETER_TOKEN = /\{(\w+)(?:, ([a-z, ]+))?\}/y;
const CHOICE_TOKEN = /\{(\w+), (plural|select),/y;
const FORM_TOKEN = / (=\d+|\w+) \{/y;
const END_TOKEN = /\}/y;

/** Casts a parameter without a check, because the types of parameters are checked where the message is created. */
const parameterOf = (values: ParameterValues, name: string) =>
  (values as NonNullable<ParameterValues>)[name] as never;

/** The functions that format a parameter, by the text after its name. */
const PARAMETER_FORMATTERS: Readonly<Record<string, (formats: LanguageFormats, value: never) => string>> = {
  '': (formats, value) => formats.text(value),
  number: (formats, value) => formats.number(value),
  'number, money': (formats, value) => formats.money(value),
  'date, long': (formats, value) => formats.day(value),
};

/**
 * Returns the formatted text.
 * @throws Error when the text contains unknown syntax
 */
export function formatText(text: string, formats: LanguageFormats, values: ParameterValues): string {
  return parseText(text)(formats, values);
}

const parseText = memoizeByKey((text) => {
  const textSource = { text, position: 0 };
  const formatPart = parseParts(textSource, undefined);
  return textSource.position === text.length ? formatPart : throwSyntaxError(textSource);
});

/**
 * Parses until the end of the text, or the closing brace of a form. `#` in a form is replaced by the parameter
 * `countedParameter`.
 */
function parseParts(source: TextParser, countedParameter: string | undefined): PartFormatter {
  const partFormatters: PartFormatter[] = [];
  while (source.position < source.text.length && source.text[source.position] !== '}') {
    partFormatters.push(parsePart(source, countedParameter));
  }
  return (formats, values) => partFormatters.map((formatPart) => formatPart(formats, values)).join('');
}

/** Parses a literal, a parameter, or a choice with its forms. */
function parsePart(source: TextParser, countedParameter: string | undefined): PartFormatter {
  const literalMatch = matchToken(
    source,
    countedParameter === undefined ? LITERAL_TOKEN : PLURAL_LITERAL_TOKEN,
  );
  if (literalMatch !== null) return () => literalMatch[0];
  if (countedParameter !== undefined && matchToken(source, HASH_TOKEN) !== null) {
    return (formats, values) => formats.number(parameterOf(values, countedParameter));
  }
  const [, choiceParameter, kind] = matchToken(source, CHOICE_TOKEN) ?? [];
  if (choiceParameter !== undefined)
    return kind === 'plural' ? parsePlural(source, choiceParameter) : parseSelect(source, choiceParameter);
  const [, name = '', format = ''] = matchToken(source, PARAMETER_TOKEN) ?? throwSyntaxError(source);
  const formatPart = PARAMETER_FORMATTERS[format] ?? throwSyntaxError(source);
  return (formats, values) => formatPart(formats, parameterOf(values, name));
}

function parsePlural(source: TextParser, name: string): PartFormatter {
  const pluralForms = parseForms(source, name);
  return (formats, values) => formats.plural(parameterOf(values, name), pluralForms)?.(formats, values) ?? '';
}

function parseSelect(source: TextParser, name: string): PartFormatter {
  const selectForms = parseForms(source, undefined);
  return (formats, values) => formats.select(parameterOf(values, name), selectForms)?.(formats, values) ?? '';
}

function parseForms(
  source: TextParser,
  countedParameter: string | undefined,
): Readonly<Record<string, PartFormatter>> {
  const formatterByForm: Record<string, PartFormatter> = {};
  for (let form = matchToken(source, FORM_TOKEN); form !== null; form = matchToken(source, FORM_TOKEN)) {
    formatterByForm[form[1] ?? ''] = parseParts(source, countedParameter);
    matchToken(source, END_TOKEN) ?? throwSyntaxError(source);
  }
  matchToken(source, END_TOKEN) ?? throwSyntaxError(source);
  return formatterByForm;
}

/**
 * Matches a pattern at the present position, and moves the position behind the match.
 * @returns null when it does not match
 */
function matchToken(source: TextParser, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = source.position;
  const match = pattern.exec(source.text);
  if (match !== null) source.position = pattern.lastIndex;
  return match;
}

function throwSyntaxError({ text, position }: TextParser): never {
  throw new Error(`The text cannot be read from its character ${position + 1}: ${text}`);
}
