/** A root that does not say which scopes it needs stops the generation, and so the build. */
import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { POLICY_FLAGS } from '../../../graphql/schema/table/schema-table-format.ts';
import { readScopeBits } from '../../../tools/generate/key-scopes.ts';
import { createSchemaTable } from '../../../tools/generate/make-table.ts';
import { readSchema } from '../../../tools/generate/read-schema.ts';

const tableOf = (query: string, mutation = '') =>
  createSchemaTable(
    buildSchema(`
      directive @customer on FIELD_DEFINITION
      directive @scope(needs: [Scope!]!) on FIELD_DEFINITION
      enum Scope { READ WRITE WEBHOOKS BILLING }
      schema { query: QueryRoot mutation: Mutation }
      type QueryRoot { y: Int @customer @scope(needs: READ) ${query} }
      type Mutation { z: Int @customer @scope(needs: WRITE) ${mutation} }
    `),
  );

const flagsOf = (query: string) => {
  const type = tableOf(query).QueryRoot;
  return type?.kind === 'OBJECT' ? type.fields.a?.[1] : undefined;
};

test.each([
  ['READ', POLICY_FLAGS.needsRead],
  ['[READ, WEBHOOKS]', POLICY_FLAGS.needsRead | POLICY_FLAGS.needsWebhooks],
  ['[READ, BILLING]', POLICY_FLAGS.needsRead | POLICY_FLAGS.needsBilling],
  ['[]', POLICY_FLAGS.needsNoScope],
])('@scope(needs: %s) is in the table', (needs, bits) => {
  expect(flagsOf(`a: Int @scope(needs: ${needs})`)).toBe(bits);
});

test.each([
  ['a query', 'a: Int', undefined, /QueryRoot\.a needs @scope/],
  ['a mutation', 'a: Int @scope(needs: READ)', 'b: Int', /Mutation\.b needs @scope/],
  [
    'a mutation that reading is enough for',
    'a: Int @scope(needs: READ)',
    'b: Int @scope(needs: READ)',
    /not READ/,
  ],
])('%s without what it needs stops the generation', (_what, query, mutation, message) => {
  expect(() => tableOf(query, mutation)).toThrow(message);
});

test('each root of the schema stops it, once its directive is gone', () => {
  const schema = readSchema();
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map((field) => [`${type}`, field] as const),
  );
  expect(roots.length).toBeGreaterThan(130);
  for (const [type, field] of roots) {
    expect(readScopeBits(schema, type, field)).toBeGreaterThan(0);
    const { astNode } = field;
    const directives = astNode?.directives?.filter(({ name }) => name.value !== 'scope') ?? [];
    const bare = { ...field, astNode: astNode && { ...astNode, directives } };
    expect(() => readScopeBits(schema, type, bare)).toThrow(`${type}.${field.name} needs @scope`);
  }
});
