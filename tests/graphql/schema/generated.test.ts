import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  buildSchema,
  type GraphQLSchema,
  introspectionFromSchema,
  isScalarType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
} from 'graphql';
import config from '../../../examples/codegen.ts';
import { getDescribedAdminSchema } from '../../../graphql/schema/described-admin-schema.ts';
import { getAdminSchema, getSchema } from '../../../graphql/schema/schema.ts';
import { generateFiles, runGenerate } from '../../../tools/generate/generate.ts';

const FOLDER = 'graphql/schema/generated';
const CUSTOMER = `${FOLDER}/customer.graphql`;

/** Everything of a schema but its descriptions. */
const shape = (schema: GraphQLSchema) =>
  introspectionFromSchema(lexicographicSortSchema(schema), { descriptions: false });

/** A project of its own, with all generated files. */
const root = mkdtempSync(join(tmpdir(), 'generate-'));
let paths: readonly string[];
beforeAll(async () => {
  paths = await generateFiles(root, false);
});
afterAll(() => rmSync(root, { recursive: true }));

describe('the generated files', () => {
  test('are what the SDL says', () => {
    expect(paths.length).toBeGreaterThan(20);
    const differing = paths.filter(
      (path) => readFileSync(path, 'utf8') !== readFileSync(join(root, path), 'utf8'),
    );
    expect(differing).toEqual([]);
  });

  test('are schemas that tools can read, the same as those of the functions', () => {
    const read = (name: string) => buildSchema(readFileSync(`${FOLDER}/${name}`, 'utf8'));
    expect(shape(read('customer.graphql'))).toEqual(shape(getSchema('customer')));
    expect(shape(read('admin.graphql'))).toEqual(shape(getAdminSchema()));
    expect(shape(getDescribedAdminSchema())).toEqual(shape(getAdminSchema()));
  });

  test('shows nothing of the policy in the generated files', () => {
    for (const name of ['customer.graphql', 'admin.graphql']) {
      const sdl = readFileSync(`${FOLDER}/${name}`, 'utf8');
      expect(sdl).not.toMatch(/@(customer|owned|narrowed|catalogue|storeOnly|sameOwner|service)\b/);
      expect(sdl).not.toMatch(/\b(enum Owner|NOBODY)\b/);
    }
  });

  test('describe everything that is open to customers', () => {
    const schema = buildSchema(readFileSync(CUSTOMER, 'utf8'));
    const silent: string[] = [];
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__') || ['Boolean', 'Float', 'ID', 'Int', 'String'].includes(type.name))
        continue;
      if (!type.description) silent.push(type.name);
      if (!('getFields' in type)) continue;
      for (const field of Object.values(type.getFields())) {
        if (!field.description) silent.push(`${type.name}.${field.name}`);
        for (const argument of 'args' in field ? field.args : []) {
          if (!argument.description) silent.push(`${type.name}.${field.name}(${argument.name}:)`);
        }
      }
    }
    expect(silent).toEqual([]);
  });

  test('has a description of every root field in the generated files', () => {
    const schema = getDescribedAdminSchema();
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}),
    );
    expect(roots.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  });
});

describe('the configuration for code generation', () => {
  /** As the package brings it. */
  const schemaFile = String(config.schema).replace(
    'node_modules/subscription-management-client',
    'graphql/schema/generated',
  );
  const [output] = Object.values(config.generates);
  const options = (output as { config: { scalars: Record<string, string> } }).config;

  test('has a type for every scalar of both schemas, and no other', () => {
    const scalars = Object.values(getAdminSchema().getTypeMap()).filter(isScalarType);
    const own = scalars.filter((type) => !isSpecifiedScalarType(type)).map(({ name }) => name);
    expect(Object.keys(options.scalars).sort()).toEqual([...own, 'ID'].sort());
    expect(existsSync(schemaFile)).toBe(true);
  });

  // The generator of document types runs as its package ships it.
  test('makes types of a document, without any and open for values that come', async () => {
    const { codegen } = await import('@graphql-codegen/core');
    const operationTypes = await import('@graphql-codegen/typescript-operations');
    const query = 'query Contract($id: ID!) { subscriptionContract(id: $id) { status nextBillingDate } }';
    const text = await codegen({
      schema: parse(readFileSync(schemaFile, 'utf8')),
      documents: [{ location: 'contract.graphql', document: parse(query) }],
      filename: 'operations.ts',
      config: options,
      plugins: [{ 'typescript-operations': {} }],
      pluginMap: { 'typescript-operations': operationTypes },
    });
    expect(text).toContain('nextBillingDate: string | null');
    expect(text).toMatch(
      /type SubscriptionContractSubscriptionStatus =[^;]*'ACTIVE'[^;]*'%future added value'/,
    );
    expect(text).not.toMatch(/: any\b/);
  });
});

describe('the check', () => {
  test('names the file that drifted, writes nothing, and exits with 1', async () => {
    const consoleSpy = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      writeFileSync(join(root, CUSTOMER), '# edited by hand\n');
      expect(await runGenerate(root, ['--check'])).toBe(1);
      expect(consoleSpy.mock.calls).toEqual([
        [`${CUSTOMER} is not what its source says: run \`npm run generate\` and commit it.`],
      ]);
      expect(readFileSync(join(root, CUSTOMER), 'utf8')).toBe('# edited by hand\n');
    } finally {
      consoleSpy.mockRestore();
    }
  });

  test('a file that is missing is written, and only that', async () => {
    const consoleSpy = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      rmSync(join(root, CUSTOMER));
      expect(await runGenerate(root, [])).toBe(0);
      expect(consoleSpy.mock.calls).toEqual([[`wrote ${CUSTOMER}`]]);
      expect(readFileSync(join(root, CUSTOMER), 'utf8')).toBe(readFileSync(CUSTOMER, 'utf8'));
    } finally {
      consoleSpy.mockRestore();
    }
  });

  test('an option that it does not know is refused', async () => {
    const consoleSpy = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      expect(await runGenerate('.', ['--chek'])).toBe(1);
      expect(consoleSpy.mock.calls).toEqual([['generate knows no option --chek: use --check or nothing.']]);
    } finally {
      consoleSpy.mockRestore();
    }
  });
});
