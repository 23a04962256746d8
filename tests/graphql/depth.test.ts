/**
 * For every root field of both schemas: everything reachable to depth 4 goes through the plan and comes back
 * whole. The made-up store belongs to the acting customer; the platform's schema answers what is sent to it.
 */
import { describe, expect, test } from '@jest/globals';
import type { GraphQLObjectType } from 'graphql';
import { findFieldPolicy } from '../../graphql/schema/field-policy.ts';
import { getSchema, type Surface } from '../../graphql/schema/schema.ts';
import { createMemoryTable } from '../memory-table.ts';
import { adasPlatform, adasStore, WORLD } from './world/adas-store.ts';
import { documentsOf, isOwnField, leavesOf, type Operation } from './world/everything.ts';
import { ADA, type PlanRequest, runPlan } from './world/harness.ts';
import { executeIn } from './world/world.ts';

const DEPTH = 4;
/** Leaves in a document: far enough below the limit on tokens. */
const SIZE: Record<Surface, number> = { admin: 1500, customer: 400 };

async function comesBackWhole(as: PlanRequest['as'], query: string): Promise<void> {
  const schema = getSchema(as === 'customer' ? 'customer' : 'admin');
  const request = { schema, namespace: 'platform', document: query, variables: {} };
  const expected = await executeIn(WORLD, request, adasStore('platform'));
  const { result } = await runPlan({ as, query, standIn: adasPlatform(), table: createMemoryTable() });
  // Jest's own comparison and messages would take longer than the rest of the test.
  const [got, expectedJson] = [result, expected].map(({ data, errors }) => JSON.stringify([data, errors]));
  if (got !== expectedJson)
    expect({ query, ...result }).toEqual({ query, ...JSON.parse(JSON.stringify(expected)) });
}

type Root = { readonly operation: Operation; readonly type: GraphQLObjectType; readonly name: string };

function rootsOf(surface: Surface): Root[] {
  const schema = getSchema(surface);
  const types = { query: schema.getQueryType(), mutation: schema.getMutationType() };
  return (['query', 'mutation'] as const).flatMap((operation) => {
    const type = types[operation];
    return type ? Object.keys(type.getFields()).map((name) => ({ operation, type, name })) : [];
  });
}

const customers = { schema: getSchema('customer'), depth: DEPTH, customer: ADA };

function customersRoot(name: string) {
  const type = customers.schema.getMutationType();
  const field = type?.getFields()[name];
  if (!type || !field) throw new Error(`${name} is not open to customers`);
  return { type, field };
}

describe.each<Surface>(['customer', 'admin'])('on the %s endpoint', (surface) => {
  const every = { schema: getSchema(surface), depth: DEPTH, customer: ADA };
  const roots = rootsOf(surface);

  test.each(roots.map((root) => [root.operation, root.name, root] as const))(
    '%s %s',
    async (operation, name, { type }) => {
      const field = type.getFields()[name];
      if (field === undefined || isOwnField(type, field)) return;
      const isActing = findFieldPolicy(type.name, name)?.isActingCustomerRequired === true;
      // In a customer's name a store's server sees what the customer does.
      const leaves = isActing ? leavesOf(customers, customersRoot(name)) : leavesOf(every, { type, field });
      expect(leaves.length).toBeGreaterThan(0);
      const as = surface === 'customer' ? surface : isActing ? 'store for a customer' : 'store';
      for (const query of documentsOf(operation, leaves, SIZE[surface])) await comesBackWhole(as, query);
    },
  );
});
