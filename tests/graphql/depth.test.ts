/**
 * For every root field of both schemas: everything reachable to depth 4 goes through the plan and comes back
 * whole. The made-up store belongs to the acting customer; the platform's schema answers what is sent to it.
 */
import { describe, expect, test } from '@jest/globals';
import {
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { fieldPolicy } from '../../graphql/schema/coordinates.ts';
import { type Surface, schemaOf } from '../../graphql/schema/schema.ts';
import { documentsOf, isOwnField, leavesOf, type Operation } from './everything.ts';
import { ADA, type PlanRequest, runPlan, type StandIn } from './plan/harness.ts';
import { executeIn, hash, make, platformSchema, type Thing, type World } from './plan/world.ts';

const DEPTH = 4;
/** Leaves in a document: far enough below the limit on tokens. */
const SIZE: Record<Surface, number> = { admin: 1500, customer: 400 };
const WORLD: World = { seed: 20261121, failing: 0 };

/** Everything that can belong to a customer belongs to Ada, wherever it is read from. */
function adasStore(namespace: string): GraphQLFieldResolver<Thing, unknown> {
  return (parent, args, _context, { fieldName, parentType, returnType }) => {
    const { id, ids } = args as { id?: string; ids?: readonly string[] };
    if (fieldName === 'nodes' && ids !== undefined) return ids.map(named);
    if (fieldName === 'node' && id !== undefined) return named(id);
    // The proof looks for the address in the customer's own.
    if (fieldName === 'addressesV2') return { __typename: 'MailingAddressConnection', seed: WORLD.seed };
    if (parent.__typename === 'MailingAddressConnection' && fieldName === 'nodes') return [ADDRESS];
    // The same through a root as through its customer: Ada's lists are the store's.
    const seed = hash(parent.seed, fieldName);
    const isSteady = ['id', 'customer', 'status', 'type', 'subscriptionBillingCycles'].includes(fieldName);
    return make(platformType(parentType.name, fieldName) ?? returnType, {
      seed,
      parent,
      fieldName,
      namespace,
      isSteady,
      spawn,
    });
  };
}

const ADDRESS = { __typename: 'MailingAddress', seed: hash('address'), tail: '11' };

/** Where the schemas differ, in the order of an enum for example, the data is the platform's. */
function platformType(typeName: string, fieldName: string): GraphQLOutputType | undefined {
  const type = platformSchema.getType(typeName);
  return isObjectType(type) ? type.getFields()[fieldName]?.type : undefined;
}

const spawn = (__typename: string, seed: number): Thing =>
  __typename === 'Customer' ? { __typename, seed: WORLD.seed, tail: `${ADA}` } : { __typename, seed };

function named(id: string): Thing {
  const [, type = '', tail = ''] = /^gid:\/\/\w+\/(\w+)\/(.+)$/.exec(id) ?? [];
  return { ...spawn(type, hash(type, tail)), tail };
}

const platform: StandIn = async ({ document, variables }) => {
  expect(validate(platformSchema, parse(document)).map(({ message }) => message)).toEqual([]);
  const request = { schema: platformSchema, namespace: 'shopify', document, variables };
  const { data, errors = [] } = await executeIn(WORLD, request, adasStore('shopify'));
  return { data: data ?? null, errors: JSON.parse(JSON.stringify(errors)) };
};

async function comesBackWhole(as: PlanRequest['as'], query: string): Promise<void> {
  const schema = schemaOf(as === 'customer' ? 'customer' : 'admin');
  const request = { schema, namespace: 'platform', document: query, variables: {} };
  const expected = await executeIn(WORLD, request, adasStore('platform'));
  const { result } = await runPlan({ as, query, standIn: platform });
  // Jest's own comparison and words would take longer than everything else.
  const [got, wanted] = [result, expected].map(({ data, errors }) => JSON.stringify([data, errors]));
  if (got !== wanted)
    expect({ query, ...result }).toEqual({ query, ...JSON.parse(JSON.stringify(expected)) });
}

type Root = { readonly operation: Operation; readonly type: GraphQLObjectType; readonly name: string };

function rootsOf(surface: Surface): Root[] {
  const schema = schemaOf(surface);
  const types = { query: schema.getQueryType(), mutation: schema.getMutationType() };
  return (['query', 'mutation'] as const).flatMap((operation) => {
    const type = types[operation];
    return type ? Object.keys(type.getFields()).map((name) => ({ operation, type, name })) : [];
  });
}

const customers = { schema: schemaOf('customer'), depth: DEPTH, customer: ADA };

function customersRoot(name: string) {
  const type = customers.schema.getMutationType();
  const field = type?.getFields()[name];
  if (!type || !field) throw new Error(`${name} is not open to customers`);
  return { type, field };
}

describe.each<Surface>(['customer', 'admin'])('on the %s endpoint', (surface) => {
  const every = { schema: schemaOf(surface), depth: DEPTH, customer: ADA };
  const roots = rootsOf(surface);

  test.each(roots.map((root) => [root.operation, root.name, root] as const))(
    '%s %s',
    async (operation, name, { type }) => {
      const field = type.getFields()[name];
      if (field === undefined || isOwnField(type, field)) return;
      const isActing = fieldPolicy(type.name, name)?.isActingCustomerRequired === true;
      // The same types as below `node`, where they are taken to the full depth.
      const of = name === 'nodes' ? { ...every, depth: DEPTH - 1 } : every;
      // In a customer's name a store's server sees what the customer does.
      const leaves = isActing ? leavesOf(customers, customersRoot(name)) : leavesOf(of, { type, field });
      expect(leaves.length).toBeGreaterThan(0);
      const as = surface === 'customer' ? surface : isActing ? 'store for a customer' : 'store';
      for (const query of documentsOf(operation, leaves, SIZE[surface])) await comesBackWhole(as, query);
    },
  );
});
