import { describe, expect, test } from '@jest/globals';
import { Lexer, Source, TokenKind } from 'graphql';
import { scanTokens } from '../../../../graphql/policy/limits/scan-tokens.ts';

function lexed(text: string): number {
  const lexer = new Lexer(new Source(text));
  let count = 0;
  while (lexer.advance().kind !== TokenKind.EOF) count += 1;
  return count;
}

describe('tokens are counted as the lexer counts them', () => {
  test.each([
    '',
    '{ a }',
    '\uFEFF{a,b,,c} # {{{ comment\n{d}',
    'query Q($a: [ID!]! = [1, -2.5e+10, "x"]) @d(if: true) { ...F ... on T { a: b(c: {d: $a, e: A}) } }',
    '{ a(b: "quote \\" and {brackets}", c: """block "" and \\""" { inside """, d: "") }',
    '{a(b:"")...F...on T{x}}',
    '{a(b:1)c(d:-1)e(f:0.5)}',
    'type A { b: C } | & :: == !!',
  ])('%s', (text) => {
    expect(scanTokens(text, 1000).tokens).toBe(lexed(text));
  });
});

describe('nesting', () => {
  test('counts brackets of every kind, but not those in strings and comments', () => {
    expect(scanTokens('{a(b:[{c:1}])}', 1000).nesting).toBe(4);
    expect(scanTokens('{a(b:"{{{{" c:"""[[[[""") # ((((\n}', 1000).nesting).toBe(2);
  });
});

describe('text that is no GraphQL', () => {
  test.each(['"never ends', '"""never ends', '"ends\n with the line', '\\ % ü 😀', '}}}}', '....', '"\\'])(
    '%s is counted without an error',
    (text) => {
      expect(scanTokens(text, 1000).tokens).toBeGreaterThan(0);
    },
  );

  test('no more is counted than is asked for', () => {
    expect(scanTokens('a '.repeat(100_000), 50).tokens).toBe(51);
  });
});
