import { expect, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import { schemaTable } from '../../../../graphql/schema/generated/schema-table.ts';
import {
  buildSchemaFromSource,
  createSourceOfAllTypes,
} from '../../../../graphql/schema/table/build-schema.ts';
import { selectCustomerTypes } from '../../../../graphql/schema/table/select-customer-types.ts';

test.each([
  ['admin', createSourceOfAllTypes(schemaTable)],
  ['customers’', selectCustomerTypes(schemaTable)],
])('builds only the types of the %s schema that a document meets, each once', (_which, source) => {
  const requests: string[] = [];
  const schema = buildSchemaFromSource({
    names: source.names,
    entryOf(name) {
      requests.push(name);
      return source.entryOf(name);
    },
  });
  const document = parse(
    'query ($id: ID!) { customer(id: $id) { id subscriptionContracts(first: 1) { nodes { id } } } }',
  );
  expect(validate(schema, document)).toEqual([]);
  expect(new Set(requests).size).toBe(requests.length);
  expect(requests).toEqual(expect.arrayContaining(['Customer', 'SubscriptionContractConnection']));
  // Beside what it meets: what QueryRoot, a customer and a contract have for fields, without the fields of those.
  expect(requests).not.toContain('Mutation');
  expect(requests.length).toBeLessThan(source.names.length / 2);
});
