/**
 * The two schemas for validation: the admin schema, and the customers' part of it. Each schema is made at its first
 * use, and so is each of its types.
 */
import type { GraphQLSchema } from 'graphql';
import { schemaTable } from './generated/schema-table.ts';
import { buildSchemaFromSource, createSourceOfAllTypes } from './table/build-schema.ts';
import { selectCustomerTypes } from './table/select-customer-types.ts';

export type Surface = 'admin' | 'customer';

const schemasBySurface = new Map<Surface, GraphQLSchema>();

/** Returns the schema of a surface, without descriptions (described-admin-schema.ts has them, for introspection). */
export function getSchema(surface: Surface): GraphQLSchema {
  const cachedSchema = schemasBySurface.get(surface);
  if (cachedSchema !== undefined) return cachedSchema;
  const schema = buildSchemaFromSource(
    surface === 'admin' ? createSourceOfAllTypes(schemaTable) : selectCustomerTypes(schemaTable),
  );
  schemasBySurface.set(surface, schema);
  return schema;
}

/** The whole schema: the platform's subset with this service's extensions. */
export const getAdminSchema = (): GraphQLSchema => getSchema('admin');
