/** The schemas of both endpoints with their descriptions, for the types of clients. */
import type { GraphQLSchema } from 'graphql';
import { buildSchemaFromSource, createSourceOfAllTypes } from '../../graphql/schema/table/build-schema.ts';
import { selectCustomerTypes } from '../../graphql/schema/table/select-customer-types.ts';
import { collectDescriptions } from './make-descriptions.ts';
import { createSchemaTable } from './make-table.ts';
import { readSchema } from './read-schema.ts';

export function buildDescribedSchemas(): Readonly<Record<'customer' | 'admin', GraphQLSchema>> {
  const schema = readSchema();
  const [table, descriptions] = [createSchemaTable(schema), collectDescriptions(schema)];
  return {
    customer: buildSchemaFromSource(selectCustomerTypes(table), descriptions),
    admin: buildSchemaFromSource(createSourceOfAllTypes(table), descriptions),
  };
}
