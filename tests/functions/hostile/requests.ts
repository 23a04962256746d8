/** Requests of honest and of hostile clients: everything that a client decides is drawn at random. */
import fc from 'fast-check';
import { getAdminSchema, getSchema } from '../../../graphql/schema/schema.ts';
import { anyText } from '../../any-text.ts';
import { ADA } from '../../graphql/world/harness.ts';
import { BEN } from '../../graphql/world/owned-world.ts';
import { type RandomDocument, randomDocument } from '../../graphql/world/random-document.ts';
import type { Endpoint } from './endpoints.ts';

export type HostileRequest = {
  readonly endpoint: Endpoint;
  readonly headers: Record<string, string>;
  readonly body: string;
};

/** Ids of the store: contracts, their lines, variants, products. */
const KNOWN_IDS = [9101001, 9101002, 9101003, 9101004, 9102000, ADA, BEN];
const TEXTS = ['', ' ', '\n', '\u0000', '\ud800', '"', '\\', '🦊', 'x'.repeat(5_000), '{"a":1}', '__proto__'];
const NUMBERS = [0, -0, -1, 2_147_483_647, -2_147_483_648, 2_147_483_648, 1e300, 0.5];
const EXTREMES = {
  String: TEXTS,
  Int: NUMBERS.slice(0, 5),
  Date: ['0001-01-01', '9999-12-31', '2024-02-29'],
  DateTime: [
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-11-21T12:00:00+14:00',
    '0000-02-29T00:00:00.123456789-23:59',
    '2027-11-22T12:00:00Z',
  ],
  Decimal: ['0', '-1', '9'.repeat(38), '0.00000000000000000000000000000000000001'],
  ID: [
    'gid://platform/Customer/9007199254740993',
    'gid://platform/SubscriptionContract/9101001?x=1',
    'gid://platform/SubscriptionContract/9101001/9101002',
    'gid://platform/SubscriptionEvent/1',
    'gid://shopify/Product/1',
    'gid://platform/__proto__/1',
    '',
    ...TEXTS,
  ],
  UnsignedInt64: ['0', '18446744073709551615'],
  URL: ['https://example.com/', 'x://y'],
};

const documents = fc
  .record({
    endpoint: fc.constantFrom<Endpoint>('customer', 'admin'),
    seed: fc.nat(),
    operation: fc.constantFrom('query' as const, 'mutation' as const),
    // Deep ones are refused for their size, mostly.
    depth: fc.constantFrom(1, 2, 2, 3, 4),
  })
  .map(({ endpoint, seed, operation, depth }) => ({
    endpoint,
    document: randomDocument(endpoint === 'customer' ? getSchema('customer') : getAdminSchema(), seed, {
      operation,
      depth,
      customers: [`${ADA}`, `${ADA}`, `${BEN}`],
      withOwn: true,
      withOddVariables: true,
      ids: KNOWN_IDS,
      extremes: EXTREMES,
    }),
  }));

const nested = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"b":', '}]']),
    fc.constantFrom(1, 3, 20, 300, 20_000),
  )
  .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);
/** JSON texts, and a few invalid ones. */
const values = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    'null',
    '1e400',
    '-1e400',
    '-0',
    '1e-400',
    '"\\ud800"',
    '"\\u0000"',
    '[]',
    '{}',
    'true',
    '""',
  ),
  fc.constantFrom('{"__proto__":{"a":1},"constructor":null}', 'NaN', "'x'", '0x10', '1'.repeat(5_000)),
  fc.constantFrom(...TEXTS).map((text) => JSON.stringify(text)),
  nested,
);

type Fields = readonly (readonly [name: string, json: string])[];

function fieldsOf({ query, variables }: RandomDocument): Fields {
  return [
    ['query', JSON.stringify(query)],
    ...Object.entries({ variables }).map(([name, value]) => [name, JSON.stringify(value)] as const),
  ];
}

const write = (fields: Fields) =>
  `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

const FIELDS = ['query', 'variables', 'operationName', 'extensions', 'id', '__proto__'];
const overrides = fc.array(fc.tuple(fc.constantFrom(...FIELDS), values), { maxLength: 3 });

/** The document's own variables, some of them as no coercion likes them. */
function withValues(document: RandomDocument, texts: readonly string[]): Fields {
  const variables = Object.entries(document.variables).map(
    ([name, value], index) => [name, texts[index] ?? JSON.stringify(value)] as const,
  );
  return [
    ['query', JSON.stringify(document.query)],
    ['variables', write(variables)],
  ];
}

/** Names and punctuation of the document, mixed up. */
function shuffled({ query }: RandomDocument, cuts: readonly number[]): string {
  const tokens = query.match(/[\w$@]+|"[^"]*"|\S/g) ?? [];
  for (const [index, cut] of cuts.entries()) {
    const place = cut % Math.max(1, tokens.length);
    if (index % 3 === 0) tokens.splice(place, 1);
    else if (index % 3 === 1) tokens.splice(place, 0, tokens[(cut * 7) % tokens.length] ?? '{');
    else
      tokens[place] =
        ['null', '$v0', '-1', '"""x"""', '...', '[$v0]', '{a: $v1}', '__typename'][cut % 8] ?? '';
  }
  return tokens.join(' ');
}

const bodies = fc.oneof(
  {
    weight: 8,
    arbitrary: documents.map(({ endpoint, document }) => ({ endpoint, body: write(fieldsOf(document)) })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(documents, fc.array(values, { minLength: 1, maxLength: 4 }))
      .map(([{ endpoint, document }, texts]) => ({ endpoint, body: write(withValues(document, texts)) })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(documents, fc.array(fc.nat(), { minLength: 1, maxLength: 5 }))
      .map(([{ endpoint, document }, cuts]) => ({
        endpoint,
        body: write(fieldsOf({ ...document, query: shuffled(document, cuts) })),
      })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(documents, overrides, fc.boolean()).map(([{ endpoint, document }, more, first]) => ({
      endpoint,
      // The last of two equal keys counts.
      body: write(first ? [...more, ...fieldsOf(document)] : [...fieldsOf(document), ...more]),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      endpoint: fc.constantFrom<Endpoint>('customer', 'admin'),
      body: fc.oneof(values, anyText(), nested),
    }),
  },
);

const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      ...Array<string>(40).fill('application/json'),
      'application/json; charset=utf-8',
      'text/plain',
      '',
    ),
    accept: fc.constantFrom('application/json', 'application/graphql-response+json', '*/*', 'x;q=y,;', ''),
    'x-platform-customer-gid': fc.constantFrom(
      ...[ADA, ADA, ADA, BEN].flatMap((id) => Array<string>(4).fill(`gid://platform/Customer/${id}`)),
      'gid://platform/Customer/0',
      '',
    ),
  },
  { requiredKeys: ['content-type'] },
);

export const requests: fc.Arbitrary<HostileRequest> = fc
  .tuple(bodies, headers)
  .map(([{ endpoint, body }, given]) => ({ endpoint, body, headers: given as Record<string, string> }));
