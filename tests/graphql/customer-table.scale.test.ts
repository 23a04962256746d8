/**
 * The customers' function contains only the customers' part of the schema. Each customer request has the same upstream
 * documents, responses and rejections as with the whole schema.
 */
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { schemaTable as customerTable } from '../../graphql/schema/generated/customer-table.ts';
import { schemaTable } from '../../graphql/schema/generated/schema-table.ts';
import { getSchema, type Surface } from '../../graphql/schema/schema.ts';
import { hostileDocuments } from '../bench/measure/hostile-documents.ts';
import { isFullSize, propertyRuns } from '../full-size.ts';
import { createMemoryTable } from '../memory-table.ts';
import { adasPlatform, PAUSED_AND_SOLD } from './world/adas-store.ts';
import { documentsOf, leavesOf, type Operation } from './world/everything.ts';
import { ADA } from './world/harness.ts';
import { randomDocument } from './world/random-document.ts';
import { schemaRoots } from './world/schema-roots.ts';

type TestRequest = { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> };

const OPERATIONS: readonly Operation[] = ['query', 'mutation'];

/** Every field that customers may request, to depth 4. */
function everything(): TestRequest[] {
  const schema = getSchema('customer');
  return OPERATIONS.flatMap((operation) => {
    const type = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
    if (!type) throw new Error(`no ${operation}`);
    return Object.values(type.getFields()).flatMap((field) => {
      const leaves = leavesOf({ schema, depth: 4, customer: ADA, withOwn: true }, { type, field });
      return documentsOf(operation, leaves, 100).map((query) => ({ query }));
    });
  });
}

/** Returns requests with an id of every type, and of some unknown types, wherever a query accepts an id. */
function ids(): TestRequest[] {
  const roots = schemaRoots('customer', 'query').filter(({ query }) => query.includes('gid://'));
  const some = Object.keys(schemaTable).filter((_type, index) => isFullSize || index % 50 === 0);
  return [...some, 'constructor', '__proto__', 'Unknown'].flatMap((type) =>
    roots.map(({ query }) => ({
      query: query.replaceAll(/gid:\/\/platform\/\w+/g, `gid://platform/${type}`),
    })),
  );
}

const drawn = fc.record({
  seed: fc.nat(),
  surface: fc.constantFrom<Surface>('customer', 'customer', 'customer', 'admin'),
  operation: fc.constantFrom(...OPERATIONS),
  depth: fc.constantFrom(1, 2, 3, 4),
  withOddVariables: fc.boolean(),
});

function random(): TestRequest[] {
  return fc.sample(drawn, propertyRuns(10_000)).map(({ seed, surface, ...options }) => {
    const caller = { customers: [`${ADA}`, `${ADA}`, '7001002'], withOwn: true };
    return randomDocument(getSchema(surface), seed, { ...options, ...caller });
  });
}

const CORPORA = {
  'every field open to customers': everything(),
  'every root of the administration': OPERATIONS.flatMap((operation) => schemaRoots('admin', operation)),
  'ids of every type': ids(),
  'documents that are made to cost': Object.values(hostileDocuments).map((query) => ({ query })),
  'random documents': random(),
};
type Corpus = keyof typeof CORPORA;

/** Returns all effects of each request as text, from the service over the given table, in separate modules. */
async function outcomesOver(table: typeof schemaTable): Promise<ReadonlyMap<string, readonly string[]>> {
  jest.resetModules();
  jest.unstable_mockModule('../../graphql/schema/generated/schema-table.ts', () => ({ schemaTable: table }));
  const { runPlan } = await import('./world/harness.ts');
  const found = new Map<string, readonly string[]>();
  for (const [corpus, documents] of Object.entries<readonly TestRequest[]>(CORPORA)) {
    const reported: string[] = [];
    for (const { query, variables = {} } of documents) {
      for (const standIn of [adasPlatform(), adasPlatform(PAUSED_AND_SOLD)]) {
        const request = { query, variables, standIn, table: createMemoryTable() };
        const outcome = await runPlan({ ...request, as: 'customer' }).catch((error: Error) => [
          error.message,
        ]);
        reported.push(JSON.stringify(outcome));
      }
    }
    found.set(corpus, reported);
  }
  return found;
}

const whole = await outcomesOver(schemaTable);
const customers = await outcomesOver(customerTable);

test.each(Object.keys(CORPORA) as Corpus[])(
  'returns the same for the corpus %s with either table',
  (corpus) => {
    const expected = whole.get(corpus) ?? [];
    const differing = expected
      .map((reported, index) => ({ expected: reported, got: customers.get(corpus)?.[index] }))
      .filter((one) => one.expected !== one.got);
    expect(expected).toHaveLength(2 * CORPORA[corpus].length);
    // The first difference suffices.
    expect(differing.slice(0, 1)).toEqual([]);
  },
);

test('has responses, refusals and changes in the corpora', () => {
  const all = [...whole.values()].flat();
  const parts = ['FIELD_NOT_AVAILABLE', 'FORBIDDEN', '"mutates":true', '{"customer":{', '"outcome":"done"'];
  const counts = parts.map(
    (part) => [part, all.filter((reported) => reported.includes(part)).length] as const,
  );
  expect(counts.filter(([, count]) => count < 2)).toEqual([]);
});

test('the customers’ table is a part of the whole', () => {
  expect(Object.keys(customerTable).filter((name) => !(name in schemaTable))).toEqual([]);
  expect(JSON.stringify(customerTable).length).toBeLessThan(JSON.stringify(schemaTable).length * 0.4);
});
