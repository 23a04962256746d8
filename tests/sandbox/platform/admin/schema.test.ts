import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  GraphQLObjectType,
  lexicographicSortSchema,
  printSchema,
  validateSchema,
} from 'graphql';
import { resolvers } from '../../../../sandbox/platform/admin/endpoint/all-resolvers.ts';
import { schema, schemaText } from '../../../../sandbox/platform/admin/endpoint/schema.ts';
import { newPlatform } from './harness.ts';

/** Root fields that answer NOT_EMULATED, as `QueryRoot.app`; derived from the resolvers that exist. */
const notEmulated = ['QueryRoot', 'Mutation'].flatMap((root) => {
  const type = schema.getType(root);
  if (!(type instanceof GraphQLObjectType)) throw new Error(`The schema has no ${root}.`);
  const missing = Object.keys(type.getFields()).filter((field) => resolvers[root]?.[field] === undefined);
  return missing.map((field) => `${root}.${field}`);
});

test('the executable schema is the SDL, type by type, and valid', () => {
  const printed = (built: typeof schema) => printSchema(lexicographicSortSchema(built));
  const validated = buildSchema(schemaText);
  expect(validateSchema(validated)).toEqual([]);
  expect(printed(schema)).toBe(printed(validated));
});

test('the areas that subscriptions need all behave', () => {
  const roots = [
    'customer',
    'product',
    'sellingPlan',
    'shop',
    'storefront',
    'subscription',
    'order',
    'location',
    'node',
    'tags',
  ];
  const missing = notEmulated.filter((name) => roots.some((root) => name.split('.')[1]?.startsWith(root)));
  expect(missing).toEqual([]);
});

/** The README's term for root fields that begin like this. */
const TERMS: Readonly<Record<string, string>> = {
  channel: 'channels',
  publication: 'publications',
  event: 'events',
  metafieldDefinition: 'metafield definitions',
  standardMetafieldDefinitionTemplate: 'templates',
};

test('the README names every root field that is not emulated', () => {
  const fields = notEmulated.map((name) => name.split('.')[1] ?? '');
  const [, list = ''] = /`NOT_EMULATED`: ([^.]*)\./.exec(readFileSync('README.md', 'utf8')) ?? [];
  const unnamed = fields.filter(
    (field) => !Object.entries(TERMS).some(([start, term]) => field.startsWith(start) && list.includes(term)),
  );
  expect(unnamed).toEqual([]);
  // A term that is emulated by now has to leave the list.
  const stale = Object.keys(TERMS).filter((start) => !fields.some((field) => field.startsWith(start)));
  expect(stale).toEqual([]);
});

describe('a root field that does not behave says so', () => {
  test.each(notEmulated)('%s', async (name) => {
    const [root = '', field = ''] = name.split('.');
    const definition = (schema.getType(root) as GraphQLObjectType).getFields()[field];
    const values: Record<string, string> = {
      id: '"gid://shopify/Thing/1"',
      handle: '"thing"',
      apiKey: '"thing"',
      identifier: '{ id: "gid://shopify/Collection/1" }',
      ownerType: 'CUSTOMER',
    };
    const required = (definition?.args ?? []).filter(
      ({ type, defaultValue }) => String(type).endsWith('!') && defaultValue === undefined,
    );
    const args = required.map((each) => `${each.name}: ${values[each.name]}`).join(', ');
    const selection = String(definition?.type).startsWith('Int') ? '' : '{ __typename }';
    const answer = await newPlatform().ask(`{ ${field}${args === '' ? '' : `(${args})`} ${selection} }`);
    expect(answer.errors[0]).toMatchObject({
      message: `"${field}" does not behave in this emulator yet`,
      extensions: { code: 'NOT_EMULATED' },
    });
  });
});
