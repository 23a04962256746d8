/**
 * A generated store for property tests: every field of every type has a value that depends only on its object and
 * arguments, so that the platform's schema and the service's can be executed over the same data.
 */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type ExecutionResult,
  execute,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { formatPortalUrl } from '../../../graphql/fields/portal-url.ts';
import { store } from './harness.ts';

const SUBSET = new URL('../../../graphql/schema/platform/admin-2026-07.graphql', import.meta.url);
export const platformSchema = buildSchema(readFileSync(SUBSET, 'utf8'));

/** An object of the world: its type and what its values are derived from. */
export type TestObject = {
  readonly __typename: string;
  readonly seed: number;
  /** The last part of the id; by default it follows from the seed. */
  readonly tail?: string;
};

export type World = {
  readonly seed: number;
  /** The number of failing fields in 100. */
  readonly failing: number;
};

/** A number that looks random and depends on `parts` alone (FNV-1a). */
export function hash(...parts: readonly (string | number)[]): number {
  let value = 0x811c9dc5;
  for (const character of parts.join('|')) {
    value ^= character.codePointAt(0) ?? 0;
    value = Math.imul(value, 0x01000193) >>> 0;
  }
  value ^= value >>> 15;
  return Math.imul(value, 0x2c1b3c6d) >>> 0;
}

export type WorldRequest = {
  readonly schema: GraphQLSchema;
  readonly namespace: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** Executes a document over the world; ids are written in the request's namespace. */
export async function executeIn(
  world: World,
  request: WorldRequest,
  fieldResolver: GraphQLFieldResolver<TestObject, unknown> = resolverOf(world, request.namespace),
): Promise<ExecutionResult> {
  return execute({
    schema: request.schema,
    document: parse(request.document),
    variableValues: request.variables,
    rootValue: { __typename: 'QueryRoot', seed: world.seed },
    fieldResolver,
    typeResolver: (value) => (value as TestObject).__typename,
  });
}

/**
 * What our documents need must be there and must not fail, and what is nullable in our schema alone is never
 * null at the platform; else it would be no fair comparison.
 */
const STEADY = new Set(['id', 'status', 'type', 'subscriptionBillingCycles']);

function resolverOf(world: World, namespace: string): GraphQLFieldResolver<TestObject, unknown> {
  return (parent, args, _context, { fieldName, returnType, parentType }) => {
    if (fieldName === 'portalUrl') return portalOf(parent);
    if (parentType.name === 'QueryRoot' && fieldName === 'node') return objectOf(String(args.id));
    if (parentType.name === 'QueryRoot' && fieldName === 'nodes') {
      return (args.ids as readonly string[]).map(objectOf);
    }
    const seed = seedOf(world, parent, { name: `${parentType.name}.${fieldName}`, args });
    const steady = STEADY.has(fieldName);
    if (!steady && seed % 100 < world.failing) throw new Error(`boom ${seed}`);
    const length = Array.isArray(args.ids) ? args.ids.length : undefined;
    return make(returnType, { seed, parent, fieldName, namespace, isSteady: steady, length });
  };
}

/** Returns an id's object: the same one wherever it is requested. */
export function objectOf(id: string): TestObject | null {
  const [, type = '', tail = ''] = /^gid:\/\/[a-z]+\/([A-Za-z]+)\/(.+)$/.exec(id) ?? [];
  if (!isObjectType(platformSchema.getType(type))) return null;
  return { __typename: type, seed: hash(type, tail), tail };
}

/** Returns the seed of a field's values: the same in both namespaces. */
export function seedOf(world: World, parent: TestObject, field: { name: string; args: unknown }): number {
  const normal = JSON.stringify(sorted(field.args)).replaceAll(/gid:\/\/(platform|shopify)\//g, 'gid://x/');
  return hash(world.seed, parent.seed, field.name, normal);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // The service sends the actor to the platform even if the client does not.
      .filter(([name]) => name !== 'actor')
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

export type Making = {
  readonly seed: number;
  readonly parent: TestObject;
  readonly fieldName: string;
  readonly namespace: string;
  readonly isSteady: boolean;
  /** The length of a list; small by default. */
  readonly length?: number | undefined;
  /** Makes an object of a type; by default nothing but that. */
  readonly spawn?: (typeName: string, seed: number) => TestObject;
  /** Prepended to every text of this object. */
  readonly suffix?: string;
};

/** A value of a type. */
export function make(type: GraphQLOutputType, making: Making): unknown {
  const { seed, isSteady } = making;
  if (isNonNullType(type)) return makeValue(type.ofType, making);
  if (!isSteady && hash(seed, 'null') % 8 === 0) return null;
  return makeValue(type, making);
}

function makeValue(type: GraphQLOutputType, making: Making): unknown {
  const { seed, spawn = (__typename, own) => ({ __typename, seed: own }) } = making;
  if (isListType(type)) {
    const length = making.length ?? hash(seed, 'length') % 3;
    return Array.from({ length }, (_, index) =>
      make(type.ofType as GraphQLOutputType, { ...making, seed: hash(seed, index) }),
    );
  }
  if (isObjectType(type)) return spawn(type.name, seed);
  if (isAbstractType(type)) {
    // The platform knows fewer types than we do: only those are in its answers.
    const abstract = platformSchema.getType(type.name);
    const types = isAbstractType(abstract) ? platformSchema.getPossibleTypes(abstract) : [];
    return spawn(types[seed % types.length]?.name ?? '', seed);
  }
  if (isEnumType(type)) {
    // It knows fewer codes, too.
    const known = platformSchema.getType(type.name);
    const values = isEnumType(known) ? known.getValues() : [];
    return values[seed % values.length]?.name;
  }
  return makeScalar(String(type), making);
}

const METAFIELD_TYPES = ['single_line_text_field', 'product_reference', 'list.product_reference'];
/** Texts that contain an id of the platform, or look like one, but are not ids: they have to pass through unchanged. */
export const LOOKALIKES = ['see gid://shopify/Product/1', 'gid://shopify/Lookalike/1'] as const;
const [TEXT, LOOKALIKE] = LOOKALIKES;

function makeScalar(type: string, { seed, parent, fieldName, namespace, suffix = '' }: Making): unknown {
  const gid = (name: string, number: number) => `gid://${namespace}/${name}/${(number % 100_000) + 1}`;
  if (parent.__typename === 'Metafield') {
    const own = METAFIELD_TYPES[hash(parent.seed, 'type') % METAFIELD_TYPES.length];
    const ids = [gid('Product', hash(parent.seed, 1)), gid('Product', hash(parent.seed, 2))];
    if (fieldName === 'type') return own;
    if (fieldName === 'value') {
      return own === 'product_reference' ? ids[0] : own?.startsWith('list') ? JSON.stringify(ids) : TEXT;
    }
    if (fieldName === 'jsonValue') {
      return own === 'product_reference' ? ids[0] : own?.startsWith('list') ? ids : { note: TEXT };
    }
  }
  switch (type) {
    case 'ID':
      if (fieldName === 'id' && parent.tail !== undefined) {
        return `gid://${namespace}/${parent.__typename}/${parent.tail}`;
      }
      return gid(fieldName === 'id' ? parent.__typename : 'Product', fieldName === 'id' ? parent.seed : seed);
    case 'Int':
      return seed % 1000;
    case 'Float':
      return (seed % 1000) / 4;
    case 'Boolean':
      return seed % 2 === 0;
    case 'Decimal':
    case 'Money':
      return `${seed % 1000}.25`;
    case 'JSON':
      return { note: TEXT, number: seed };
    default:
      return `${suffix}${[TEXT, LOOKALIKE, `text ${seed}`][seed % 3]}`;
  }
}

function portalOf({ __typename, seed }: TestObject): string | null {
  return __typename === 'Customer'
    ? formatPortalUrl(store)
    : formatPortalUrl(store, `gid://platform/${__typename}/${(seed % 100_000) + 1}`);
}
