/** The admin schema with its descriptions: for introspection and GraphiQL, kept off the way of other requests. */
import type { GraphQLSchema } from 'graphql';
import { descriptions } from './generated/descriptions.ts';
import { schemaTable } from './generated/schema-table.ts';
import { buildSchemaOf } from './table/build-schema.ts';

let described: GraphQLSchema | undefined;

/** Built when it is first asked for. */
export function describedAdminSchema(): GraphQLSchema {
  described ??= buildSchemaOf(schemaTable, descriptions);
  return described;
}
