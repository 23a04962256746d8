import { describe, expect, test } from '@jest/globals';
import { LIMITS_BY_SURFACE } from '../../../../graphql/policy/limits/limits.ts';
import type { Surface } from '../../../../graphql/schema/schema.ts';
import { checkText } from '../harness.ts';

const times = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');

/** A document whose measure is `count`, for every limit that the text alone decides. */
const DOCUMENTS: Readonly<Record<string, (count: number) => string>> = {
  characters: (count) => `{ __typename ${','.repeat(count - 14)}}`,
  // `{`, `}`, and the names.
  tokens: (count) => `{ ${times(count - 2, () => '__typename')} }`,
  depth: (count) => {
    const pairs = Math.floor((count - 2) / 2);
    const inside = (count - 2) % 2 === 0 ? 'id' : 'defaultEmailAddress { emailAddress }';
    return `{ customer(id: "1") { ${'lastOrder { customer { '.repeat(pairs)}${inside}${' } }'.repeat(pairs)} } }`;
  },
  aliases: (count) => `{ ${times(count, (index) => `a${index}: __typename`)} }`,
  operations: (count) => times(count, (index) => `query Q${index} { __typename }`),
};

const refused = (surface: Surface, limit: string, actual: number) => {
  const max = LIMITS_BY_SURFACE[surface][limit as 'tokens'];
  return {
    message: `The query is too complex: the limit of ${limit} is ${max}, the query has ${actual}.`,
    code: 'QUERY_TOO_COMPLEX',
  };
};

describe.each(['customer', 'admin'] as const)('limits of the %s endpoint', (surface) => {
  test.each(Object.entries(DOCUMENTS))('%s', (limit, write) => {
    const max = LIMITS_BY_SURFACE[surface][limit as 'tokens'];
    expect(checkText(surface, write(max + 1))).toContainEqual(refused(surface, limit, max + 1));
    expect(checkText(surface, write(max))).toEqual([]);
  });

  test('limits the number of directives', () => {
    const document = (count: number) => `{ ${times(count, () => '__typename @include(if: true)')} }`;
    expect(checkText(surface, document(51))).toEqual([refused(surface, 'directives', 51)]);
    expect(checkText(surface, document(50))).toEqual([]);
  });

  test('pages, by literal', () => {
    const document = (first: number) =>
      `{ customer(id: "1") { subscriptionContracts(first: ${first}) { nodes { id } } } }`;
    expect(checkText(surface, document(251))[0]?.message).toContain('is 250, the query has 251.');
    expect(checkText(surface, document(250))).toEqual([]);
  });

  test('pages of line options, which are smaller', () => {
    const document = (first: number) =>
      `{ subscriptionLineOptions(contractId: "1", first: ${first}) { nodes { availableForSale } } }`;
    expect(checkText(surface, document(51))[0]?.message).toContain('is 50, the query has 51.');
    expect(checkText(surface, document(50))).toEqual([]);
  });

  test('fragments count at each of their uses', () => {
    const aliases = `fragment A on QueryRoot { ${times(10, (index) => `a${index}: __typename`)} }`;
    const uses = (count: number) => `{ ${times(count, () => '... { ...A }')} } ${aliases}`;
    const max = LIMITS_BY_SURFACE[surface].aliases;
    expect(checkText(surface, uses(max / 10))).toEqual([]);
    expect(checkText(surface, uses(max / 10 + 1))).toEqual([refused(surface, 'aliases', max + 10)]);
  });
});

describe('documents', () => {
  test('are refused for brackets in brackets before they are parsed', () => {
    const [error] = checkText('admin', `{ nodes(ids: ${'['.repeat(100)}${']'.repeat(100)}) { id } }`);
    expect(error).toEqual({
      message: 'The query is too complex: the limit of nesting is 64, the query has 102.',
      code: 'QUERY_TOO_COMPLEX',
    });
  });

  test('says that there are more tokens than were counted for an endless document', () => {
    expect(checkText('customer', '{a'.repeat(100_000))[0]?.message).toBe(
      'The query is too complex: the limit of tokens is 2000, the query has more than 20000.',
    );
  });

  test('returns GRAPHQL_PARSE_FAILED for a document that is not GraphQL', () => {
    expect(checkText('customer', '{ customer(id: "1" { id } }')[0]?.code).toBe('GRAPHQL_PARSE_FAILED');
    expect(checkText('customer', '')[0]?.code).toBe('GRAPHQL_PARSE_FAILED');
  });

  test('with a fragment bomb are refused by what they would spread out to', () => {
    const bomb = `{ ...F0 } ${times(24, (index) => `fragment F${index} on QueryRoot { ...F${index + 1} ... { ...F${index + 1} } }`)} fragment F24 on QueryRoot { __typename }`;
    expect(checkText('customer', bomb)[0]?.message).toContain('the limit of selections is 10000');
  });

  test('with a cycle are refused', () => {
    const cycle = '{ ...A } fragment A on QueryRoot { ...B } fragment B on QueryRoot { ...A }';
    expect(checkText('customer', cycle)[0]).toEqual({
      message: 'Cannot spread fragment "A" within itself via "B".',
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
  });

  test('returns a bounded number of errors with bounded messages', () => {
    const errors = checkText('admin', `{ ${times(1000, (index) => `u${index}`)} }`);
    expect(errors).toHaveLength(20);
    const long = checkText('admin', `{ customer(id: ${'9'.repeat(5000)}.5) { id } }`);
    expect(Math.max(...long.map(({ message }) => message.length))).toBeLessThanOrEqual(501);
  });
});

test('objects in lists that are answered here count as all others, for customers', () => {
  const actor = '... on SubscriptionEvent { actor { customer { id } } }';
  const events = (first: number) =>
    `{ customer(id: "1") { subscriptionContracts(first: 10) { nodes { events(first: ${first}) { nodes { ${actor} } } } } } }`;
  // The customer, ten contracts, and of each the events with actor and customer.
  expect(checkText('customer', events(67))).toContainEqual(
    refused('customer', 'objects', 1 + 10 * (1 + 67 * 3)),
  );
  expect(checkText('customer', events(66))).toEqual([]);
  expect(checkText('admin', events(250))).toEqual([]);
});
