/** Customers see products that are listed or unlisted: on every path of their schema that leads to one. */
import { describe, expect, test } from '@jest/globals';
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { decideActingRoot, isOpenWhileActing } from '../../../graphql/policy/acting-customer.ts';
import { isServiceType } from '../../../graphql/schema/field-policy.ts';
import { getAdminSchema, getSchema } from '../../../graphql/schema/schema.ts';
import { ADA, type PlanRequest, runPlan } from '../world/harness.ts';
import { argumentIds } from '../world/id-policies.ts';
import { executeIn, objectOf, platformSchema, type TestObject } from '../world/world.ts';

const schema = getSchema('customer');
const WITHDRAWN = 'withdrawn';
type Step = { readonly type: GraphQLObjectType; readonly field: GraphQLField<unknown, unknown> };

/** Object types that a field can lead to. */
function targets({ type }: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] {
  const named = getNamedType(type);
  if (isAbstractType(named)) return schema.getPossibleTypes(named);
  return isObjectType(named) ? [named] : [];
}

/** The shortest way to every field that shows a product or a variant. */
function pathsToProducts(): Step[][] {
  const root = schema.getQueryType() as GraphQLObjectType;
  const found: Step[][] = [];
  const seen = new Set<string>([root.name]);
  let level: { type: GraphQLObjectType; path: Step[] }[] = [{ type: root, path: [] }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { type, path } of level) {
      for (const field of Object.values(type.getFields())) {
        if (isServiceType(getNamedType(field.type).name) && type.name !== 'QueryRoot') continue;
        for (const target of targets(field)) {
          const step = [...path, { type, field }];
          if (/^Product(Variant)?$/.test(target.name)) found.push(step);
          if (seen.has(target.name)) continue;
          seen.add(target.name);
          next.push({ type: target, path: step });
        }
      }
    }
    level = next;
  }
  return found;
}

const CYCLE =
  'billingCycleInput: { contractId: "gid://platform/SubscriptionContract/9", selector: { index: 1 } }';
const ids: Readonly<Record<string, string>> = { Customer: `${ADA}` };

function write(path: readonly Step[], index = 0): string {
  const step = path[index];
  const previous = path[index - 1];
  if (step === undefined) {
    const last = String(previous && getNamedType(previous.field.type));
    return last === 'Product' ? 'title' : 'title product { title }';
  }
  const { type, field } = step;
  const args = field.args
    .filter(
      (argument) =>
        isRequiredArgument(argument) || argument.name === 'first' || argument.name === 'contractId',
    )
    .map((argument) => {
      const idType = argumentIds(type.name, field.name, argument.name)?.types?.[0];
      if (argument.name === 'billingCycleInput') return CYCLE;
      if (idType === undefined) return argument.name === 'first' ? 'first: 1' : '';
      return `${argument.name}: "gid://platform/${idType}/${ids[idType] ?? '9'}"`;
    });
  const text = `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} { ${write(path, index + 1)} }`;
  return previous !== undefined && isAbstractType(getNamedType(previous.field.type))
    ? `... on ${type.name} { ${text} }`
    : text;
}

/** A store in which nothing is null, all is Ada's, and every product has this status. */
async function ask(as: PlanRequest['as'], query: string, status: string) {
  const standIn: PlanRequest['standIn'] = async ({ document, variables }) => {
    const request = { schema: platformSchema, namespace: 'shopify', document, variables };
    const { data, errors } = await executeIn(
      { seed: 1, failing: 0 },
      request,
      (parent, { id, ids: requestedIds }, _context, { returnType, fieldName }) => {
        if (fieldName === 'node' && id !== undefined) return objectOf(String(id));
        if (Array.isArray(requestedIds)) return requestedIds.map(objectOf);
        return answerOf(returnType, parent, status);
      },
    );
    expect(errors).toBeUndefined();
    return { data: data ?? null };
  };
  return runPlan({ as, query, standIn, acceptsDataText: true });
}

function answerOf(type: unknown, parent: TestObject, status: string): unknown {
  const text = String(type).replaceAll(/!$/g, '');
  if (text.startsWith('[')) return [answerOf(text.slice(1, -1), parent, status)];
  const named = platformSchema.getType(text);
  if (isAbstractType(named)) {
    const types = platformSchema.getPossibleTypes(named);
    // Chooses the types that have further fields.
    const one = types.find(({ name }) => /InsufficientStock|LineItem/.test(name)) ?? types[0];
    return { __typename: one?.name, seed: 1 };
  }
  if (isCompositeType(named)) return { __typename: text, seed: 1 };
  if (text === 'ID') return `gid://shopify/${parent.__typename}/${ids[parent.__typename] ?? '9'}`;
  if (text === 'ProductStatus') return status;
  if (text === 'Boolean') return true;
  return /^Product/.test(parent.__typename) ? WITHDRAWN : '1';
}

const paths = pathsToProducts();
const named = paths.map((path) => [path.map(({ field }) => field.name).join('.'), path] as const);

test('the paths are found', () => {
  const last = new Set(paths.map((path) => `${path.at(-1)?.type.name}.${path.at(-1)?.field.name}`));
  expect(last).toContain('LineItem.product');
  expect(last).toContain('LineItem.variant');
  expect(last).toContain('ProductVariant.product');
});

describe.each(named)('%s', (_name, path) => {
  const query = `{ ${write(path)} }`;

  test.each(['customer', 'store for a customer'] as const)(
    'returns only products for sale to a %s',
    async (as) => {
      for (const status of ['ACTIVE', 'UNLISTED']) {
        const { result } = await ask(as, query, status);
        expect(JSON.stringify(result)).toContain(WITHDRAWN);
        expect(JSON.stringify(result)).not.toContain('_svc');
      }
      for (const status of ['DRAFT', 'ARCHIVED']) {
        const { result } = await ask(as, query, status);
        expect(JSON.stringify(result)).not.toContain(WITHDRAWN);
        expect(result.errors).toBeUndefined();
      }
    },
  );

  test('a store sees them all', async () => {
    expect(JSON.stringify((await ask('store', query, 'DRAFT')).result)).toContain(WITHDRAWN);
  });
});

describe('roots of the catalogue, with the header of a customer', () => {
  test.each([
    '{ product(id: "gid://platform/Product/9") { title } }',
    '{ productVariant(id: "gid://platform/ProductVariant/9") { title } }',
    '{ node(id: "gid://platform/Product/9") { ... on Product { title } } }',
    '{ products(first: 1) { nodes { title } edges { node { title } } } }',
    '{ productVariants(first: 1) { nodes { title } } }',
    '{ collection(id: "gid://platform/Collection/9") { products(first: 1) { nodes { variants(first: 1) { nodes { title } } } } } }',
  ])('%s', async (query) => {
    expect(JSON.stringify((await ask('store', query, 'DRAFT')).result)).toContain(WITHDRAWN);
    const { result } = await ask('store for a customer', query, 'DRAFT');
    expect(JSON.stringify(result)).not.toContain(WITHDRAWN);
    expect(result.errors).toBeUndefined();
  });
});

describe('what tells of products without showing them, with the header of a customer', () => {
  const fields = Object.values(getAdminSchema().getTypeMap())
    .filter((type) => isObjectType(type))
    .flatMap((type) => Object.keys(type.getFields()).map((name) => [type.name, name] as const))
    .filter(([, name]) => /^product.*Count$|^hasProduct$|^appliesToProduct/.test(name));

  test('is closed, wherever it stands', () => {
    expect(fields.length).toBeGreaterThanOrEqual(8);
    const open = fields.filter(([type, name]) =>
      type === 'QueryRoot'
        ? decideActingRoot(`${type}.${name}`).kind !== 'closed'
        : isOpenWhileActing(type, name),
    );
    expect(open).toEqual([]);
  });

  test.each([
    ['productsCount', '{ productsCount(query: "status:draft") { count } }'],
    [
      'collection',
      '{ collection(id: "gid://platform/Collection/9") { productsCount { count } hasProduct(id: "gid://platform/Product/9") } }',
    ],
    [
      'sellingPlanGroup',
      '{ sellingPlanGroup(id: "gid://platform/SellingPlanGroup/9") { productsCount { count } productVariantsCount { count } } }',
    ],
  ])('%s: the key’s own name is what it needs', async (_root, query) => {
    const { result } = await ask('store for a customer', query, 'DRAFT');
    expect(result.errors?.map(({ extensions }) => extensions?.code)).toContain('FORBIDDEN');
    expect(JSON.stringify(result.data)).not.toMatch(/1|true/);
    expect((await ask('store', query, 'DRAFT')).result.errors).toBeUndefined();
  });
});

test('where a product may not be null, its variant is', async () => {
  expect(
    isNonNullType((schema.getType('ProductVariant') as GraphQLObjectType).getFields().product?.type),
  ).toBe(true);
});
