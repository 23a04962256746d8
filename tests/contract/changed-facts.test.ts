/**
 * Checks that the schema describes the fields that the timeline records, and that customers see the fields that they
 * may read.
 */
import { expect, test } from '@jest/globals';
import { findMutation } from '../../graphql/mutations/mutations.ts';
import { findFieldPolicy } from '../../graphql/schema/field-policy.ts';
import { createFact, FACT_KINDS } from '../../lib/timeline/facts.ts';

const VALUES = { before: null, after: 'x' };
const reported = FACT_KINDS.map(({ field }) => createFact(field.replace('*', '1'), VALUES));
const OWNER = {
  subscriptionContracts: { nodes: [{ id: 'gid://shopify/SubscriptionContract/1', status: 'ACTIVE' }] },
};
const CLOSED = ['SubscriptionContract.customAttributes', 'SubscriptionContract.note'];

test('each is a field of the schema; note and attributes alone are closed to customers', () => {
  const record = findMutation('customerAddressUpdate');
  if (record?.kind !== 'forwarded') throw new Error('it has no record');
  const address = record.change.intentsOf({ subject: OWNER, cycle: null, address: null }, {});
  const closed = [...reported, ...(address[0]?.changes ?? [])].flatMap(({ coordinate }) => {
    const [type = '', field = ''] = coordinate.split('.');
    const policy = findFieldPolicy(type, field);
    expect([coordinate, policy]).toEqual([coordinate, expect.any(Object)]);
    return policy?.isCustomer ? [] : [coordinate];
  });
  expect(closed.sort()).toEqual(CLOSED);
});

test('records ids without their namespace', () => {
  const [platform, clients] = ['shopify', 'platform'].map((namespace) =>
    createFact('lines.1.variantId', { before: `gid://${namespace}/ProductVariant/41`, after: null }),
  );
  expect(platform).toEqual(clients);
  expect(platform).toMatchObject({ before: '41', after: null });
});
