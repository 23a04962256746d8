/** The admin schema with its descriptions, for introspection and GraphiQL. Other requests never load it. */
import type { GraphQLSchema } from 'graphql';
import { descriptions } from './generated/descriptions.ts';
import { schemaTable } from './generated/schema-table.ts';
import { buildSchemaFromSource, createSourceOfAllTypes } from './table/build-schema.ts';

let builtSchema: GraphQLSchema | undefined;

/** Returns the schema, which is built at the first call. */
export function getDescribedAdminSchema(): GraphQLSchema {
  builtSchema ??= buildSchemaFromSource(createSourceOfAllTypes(schemaTable), descriptions);
  return builtSchema;
}
