/**
 * Documents are validated against two schemas, the admin one and the customers' part of it. Each is built when it is
 * first needed.
 */
import type { GraphQLSchema } from 'graphql';
import { schemaTable } from './generated/schema-table.ts';
import { buildSchemaOf } from './table/build-schema.ts';
import { customerPart } from './table/customer-part.ts';
import type { SchemaTable } from './table/schema-table-format.ts';

export type Surface = 'admin' | 'customer';

const tables = new Map<Surface, SchemaTable>();
const schemas = new Map<Surface, GraphQLSchema>();

/** The compact table of a surface: the whole schema, or the customers' part of it. */
function tableOf(surface: Surface): SchemaTable {
  const known = tables.get(surface);
  if (known !== undefined) return known;
  const table = surface === 'admin' ? schemaTable : customerPart(schemaTable);
  tables.set(surface, table);
  return table;
}

/** The schema of a surface, without descriptions (described-admin-schema.ts has them, for introspection). */
export function schemaOf(surface: Surface): GraphQLSchema {
  const known = schemas.get(surface);
  if (known !== undefined) return known;
  const schema = buildSchemaOf(tableOf(surface));
  schemas.set(surface, schema);
  return schema;
}

/** The whole schema: the platform's subset with this service's extensions. */
export const adminSchema = (): GraphQLSchema => schemaOf('admin');
