/** The admin schema with its descriptions, for introspection and GraphiQL. Other requests never load it. */
import type { GraphQLSchema } from 'graphql';
import { descriptions } from './generated/descriptions.ts';
import { schemaTable } from './generated/schema-table.ts';
import { allTypesOf, buildSchemaOf } from './table/build-schema.ts';

let described: GraphQLSchema | undefined;

/** Returns the schema, which is built at the first call. */
export function describedAdminSchema(): GraphQLSchema {
  described ??= buildSchemaOf(allTypesOf(schemaTable), descriptions);
  return described;
}
