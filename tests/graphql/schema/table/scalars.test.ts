import { describe, expect, test } from '@jest/globals';
import {
  GraphQLInt,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLSchema,
  parse,
  parseValue,
  validate,
} from 'graphql';
import { CUSTOM_SCALARS } from '../../../../graphql/schema/table/scalars.ts';

const CASES: Readonly<
  Record<string, { readonly good: readonly unknown[]; readonly bad: readonly unknown[] }>
> = {
  Date: {
    // The mutation refuses a day that the calendar does not have: unknown-days.test.ts.
    good: ['2026-07-01', '2024-02-29', '2026-02-29'],
    bad: ['', '2026-07-01T09:00:00Z', '2026-2-29', '12026-02-01', '01.07.2026', 20_260_701, null, {}, true],
  },
  DateTime: {
    // A day alone is refused where the argument needs a time: bare-days.test.ts.
    good: [
      '2026-07-01T09:00:00Z',
      '2026-07-01T09:00:00.123+02:00',
      '2024-02-29T23:59:59-11:30',
      '2026-07-01',
    ],
    bad: [
      '2026-2-29',
      '2026-07-01T',
      '2026-07-01T09',
      '2026-07-01T09:60',
      '2026-07-01T09:00+',
      '2026-07-01T09:00.5',
      '2026-07-01T09:00:00+',
      '2026-02-29T00:00:00',
      '2026-07-01 09:00:00Z',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-07-01T24:00:00Z',
      '2026-07-00T00:00:00Z',
      '',
      1_782_900_000,
      null,
      ['2026-07-01T09:00:00Z'],
    ],
  },
  Decimal: {
    good: ['9.50', '-1', '0', 9.5, 10],
    bad: ['9,50', '', '1e3', '.5', '5.', 'NaN', Number.NaN, true, {}],
  },
  UnsignedInt64: {
    good: ['0', '18446744073709551615', 7],
    bad: ['18446744073709551616', '-1', '01', '1.0', '', -1, 1.5, 'x', '99999999999999999999999'],
  },
  URL: {
    good: ['https://example.com/', 'https://exämple.com/ä?b#c', 'shop.1.app://callback'],
    bad: ['example.com', '/path', 'https://', 'mailto:a@b.c', 'javascript:alert(1)', '', 5, 'http://[bad'],
  },
  HTML: { good: ['<b>'], bad: [1, null] },
  FormattedString: { good: [''], bad: [true] },
  StorefrontID: { good: ['x'], bad: [1] },
  Money: { good: ['1.00'], bad: ['EUR 1'] },
};

describe.each(Object.entries(CASES))('%s', (name, { good, bad }) => {
  test.each(good.map((value) => [value]))('takes %j', (value) => {
    expect(CUSTOM_SCALARS[name]?.parseValue(value)).toBe(typeof value === 'number' ? String(value) : value);
  });

  test.each(bad.map((value) => [value]))('refuses %j', (value) => {
    expect(() => CUSTOM_SCALARS[name]?.parseValue(value)).toThrow(`${name} must be `);
  });

  test('passes on what the platform answers', () => {
    expect(CUSTOM_SCALARS[name]?.serialize('anything at all')).toBe('anything at all');
  });
});

describe('a date and time without an offset or seconds', () => {
  test.each(['2026-07-01T09:00:00', '2026-07-01T09:00:00.123'])('%s is taken as UTC', (text) => {
    expect(CUSTOM_SCALARS.DateTime?.parseValue(text)).toBe(`${text}Z`);
    expect(CUSTOM_SCALARS.DateTime?.parseLiteral(parseValue(`"${text}"`))).toBe(`${text}Z`);
  });

  test.each([
    ['2026-07-01T09:00', '2026-07-01T09:00:00Z'],
    ['2026-07-01T09:00Z', '2026-07-01T09:00:00Z'],
    ['2026-07-01T09:00-05:00', '2026-07-01T09:00:00-05:00'],
  ])('begins the minute where %s has no seconds', (text, instant) => {
    expect(CUSTOM_SCALARS.DateTime?.parseValue(text)).toBe(instant);
    expect(CUSTOM_SCALARS.DateTime?.parseLiteral(parseValue(`"${text}"`))).toBe(instant);
  });
});

describe('literals', () => {
  test('a number keeps its digits where a number is taken', () => {
    expect(CUSTOM_SCALARS.Decimal?.parseLiteral(parseValue('9.50'))).toBe('9.50');
    expect(CUSTOM_SCALARS.UnsignedInt64?.parseLiteral(parseValue('18446744073709551615'))).toBe(
      '18446744073709551615',
    );
  });

  test('are refused where they are of another kind', () => {
    for (const literal of ['5', 'true', '[]', '{}', 'NAME']) {
      expect(() => CUSTOM_SCALARS.DateTime?.parseLiteral(parseValue(literal))).toThrow('DateTime must be ');
    }
  });

  test.each(['"2026-12-32T00:00:00Z"', '5'])('an error tells where %s stands', (literal) => {
    const query = `{\n  serviceInfo(at: ${literal})\n}`;
    const { DateTime } = CUSTOM_SCALARS;
    const at = { type: DateTime as GraphQLScalarType };
    const fields = { serviceInfo: { type: GraphQLInt, args: { at } } };
    const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'QueryRoot', fields }) });
    const [error, ...others] = validate(schema, parse(query));
    expect(others).toEqual([]);
    expect(error?.message).toContain('DateTime must be ');
    expect(error?.locations).toEqual([{ line: 2, column: 19 }]);
  });

  test('JSON takes all of them', () => {
    expect(CUSTOM_SCALARS.JSON?.parseLiteral(parseValue('{ a: [1, null, "x"] }'))).toEqual({
      a: [1, null, 'x'],
    });
  });

  test('no more than a piece of a long value is quoted', () => {
    expect(() => CUSTOM_SCALARS.URL?.parseValue('x'.repeat(1000))).toThrow(/^.{1,200}$/);
  });
});

test.each([
  [{}, 'an object'],
  [['2026-07-01'], 'a list'],
  [null, 'null'],
  [true, 'a boolean'],
  [5, 'a number'],
  ['soon', '"soon"'],
])('the message about %j names it as %s', (value, name) => {
  const scalar = CUSTOM_SCALARS.Date;
  expect(() => scalar?.parseValue(value)).toThrow(`, not ${name}.`);
});
