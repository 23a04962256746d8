/**
 * The platform's search syntax for `query:` arguments: `field:value`, comparisons (`>`, `>=`, `<`, `<=`), quotes, a
 * trailing `*`, `-` and `NOT`, `AND` (implied), `OR`, parentheses. As on the platform, an unknown field is ignored.
 */
import { createApiError } from '../api-error.ts';

/** A searchable field of a record. Instants are ISO 8601 text; ids are numbers. */
type SearchField<Item> =
  | { kind: 'text'; of(item: Item): string | (string | null)[] | null }
  | { kind: 'number'; of(item: Item): number | number[] | null }
  | { kind: 'instant'; of(item: Item): string | null };

export type SearchFields<Item> = Record<string, SearchField<Item>>;

type SearchTest<Item> = (item: Item) => boolean;
type ParseState<Item> = { tokens: string[]; fields: SearchFields<Item>; textOf: (item: Item) => string };

const TOKEN_PATTERN = /\(|\)|-?[\w.]+:(?:[<>]=?)?(?:"[^"]*"|'[^']*'|[^\s()]+)|-?"[^"]*"|[^\s()]+/g;

/**
 * Creates the test for a query; terms without a field are searched in the result of `textOf`. Null and blank queries match everything.
 */
export function createSearchTest<Item>(
  query: string | null | undefined,
  fields: SearchFields<Item>,
  textOf: (item: Item) => string,
): SearchTest<Item> {
  const parser: ParseState<Item> = { tokens: query?.match(TOKEN_PATTERN) ?? [], fields, textOf };
  if (parser.tokens.length === 0) return () => true;
  return parseAnyOf(parser);
}

function parseAnyOf<Item>(parser: ParseState<Item>): SearchTest<Item> {
  const alternativeTests = [parseAllOf(parser)];
  while (parser.tokens[0] === 'OR') {
    parser.tokens.shift();
    alternativeTests.push(parseAllOf(parser));
  }
  return (item) => alternativeTests.some((test) => test(item));
}

function parseAllOf<Item>(parser: ParseState<Item>): SearchTest<Item> {
  const requiredTests: SearchTest<Item>[] = [];
  for (
    let nextToken = parser.tokens[0];
    nextToken !== undefined && nextToken !== 'OR' && nextToken !== ')';
    nextToken = parser.tokens[0]
  ) {
    if (nextToken === 'AND') parser.tokens.shift();
    else requiredTests.push(parseSingle(parser));
  }
  return (item) => requiredTests.every((test) => test(item));
}

function parseSingle<Item>(parser: ParseState<Item>): SearchTest<Item> {
  const token = parser.tokens.shift() ?? '';
  if (token === 'NOT') return negateTest(parseSingle(parser));
  if (token.startsWith('-') && token.length > 1) return negateTest(createTermTest(token.slice(1), parser));
  if (token !== '(') return createTermTest(token, parser);
  const testOfParentheses = parseAnyOf(parser);
  if (parser.tokens[0] === ')') parser.tokens.shift();
  return testOfParentheses;
}

function negateTest<Item>(test: SearchTest<Item>): SearchTest<Item> {
  return (item) => !test(item);
}

function createTermTest<Item>(token: string, { fields, textOf }: ParseState<Item>): SearchTest<Item> {
  const termMatch = /^([\w.]+):([<>]=?)?(.*)$/s.exec(token);
  if (termMatch === null) {
    const word = stripQuotes(token).toLowerCase().replace(/\*$/, '');
    return (item) => textOf(item).toLowerCase().includes(word);
  }
  const [, fieldName = '', operator = '', rawValue = ''] = termMatch;
  const searchField = fields[fieldName];
  if (searchField === undefined) return () => true;
  const searchedValue = stripQuotes(rawValue);
  if (searchField.kind === 'text')
    return (item) => isAnyValueMatching(searchField.of(item), (each) => matchesText(each, searchedValue));
  if (searchField.kind === 'number') {
    const expectedNumber = Number(searchedValue.replace(/^gid:\/\/shopify\/\w+\//, ''));
    return (item) =>
      isAnyValueMatching(searchField.of(item), (each) => matchesComparison(each - expectedNumber, operator));
  }
  return createInstantTest(fieldName, { operator, value: searchedValue, of: searchField.of });
}

/** Returns whether one of the values passes; null never does. */
function isAnyValueMatching<Value extends string | number>(
  value: Value | (Value | null)[] | null,
  test: (value: Value) => boolean,
): boolean {
  if (Array.isArray(value)) return value.some((each) => each !== null && test(each));
  return value !== null && test(value);
}

function createInstantTest<Item>(
  name: string,
  { operator, value, of }: { operator: string; value: string; of(item: Item): string | null },
): SearchTest<Item> {
  const expectedMs = Date.parse(value);
  if (Number.isNaN(expectedMs))
    throw createApiError(`Invalid timestamp for query filter \`${name}\`.`, 'BAD_REQUEST');
  // A day without a time means the whole day.
  const spanMs = operator === '' && value.length === 10 ? 86_400_000 : 1000;
  return (item) => {
    const at = of(item);
    if (at === null) return false;
    const difference = Date.parse(at) - expectedMs;
    return operator === '' ? difference >= 0 && difference < spanMs : matchesComparison(difference, operator);
  };
}

function matchesText(text: string, value: string): boolean {
  const [actualText, expectedText] = [text.toLowerCase(), value.toLowerCase()];
  return expectedText.endsWith('*')
    ? actualText.startsWith(expectedText.slice(0, -1))
    : actualText === expectedText;
}

function matchesComparison(difference: number, operator: string): boolean {
  if (operator === '>') return difference > 0;
  if (operator === '>=') return difference >= 0;
  if (operator === '<') return difference < 0;
  if (operator === '<=') return difference <= 0;
  return difference === 0;
}

function stripQuotes(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, '$2');
}
