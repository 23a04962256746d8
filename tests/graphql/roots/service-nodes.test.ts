/**
 * Ids of objects that only the service has: unknown ones, and types without nodes. Neither the platform nor the table
 * is read for them.
 */
import { expect, test } from '@jest/globals';
import { isServiceType } from '../../../graphql/schema/field-policy.ts';
import { schemaTable } from '../../../graphql/schema/generated/schema-table.ts';
import { neverCalled, runPlan } from '../world/harness.ts';

const types = Object.keys(schemaTable).filter(
  (name) => schemaTable[name]?.kind === 'OBJECT' && isServiceType(name) && name !== 'SubscriptionEvent',
);

test.each(['AdminKey', 'CustomerSession'])('%s is among them', (name) => {
  expect(types).toContain(name);
});

test.each(types)('%s', async (name) => {
  const id = `gid://platform/${name}/key_0123456789ab`;
  const query = `{ node(id: "${id}") { id } nodes(ids: ["${id}", "${id}"]) { id } }`;
  const { result } = await runPlan({ as: 'store', query, standIn: neverCalled });
  expect(result.data).toEqual({ node: null, nodes: [null, null] });
  expect(result.errors).toBeUndefined();
});
