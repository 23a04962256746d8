/**
 * Checks that the schema describes the fields that the timeline records, and that customers see the fields that they
 * may read.
 */
import { expect, test } from '@jest/globals';
import { findMutation } from '../../graphql/mutations/mutations.ts';
import { fieldPolicy } from '../../graphql/schema/field-policy.ts';
import * as facts from '../../lib/timeline/changed-fact.ts';

const VALUES = { before: null, after: 'x' };
const ID = 'gid://shopify/SubscriptionLine/1';
const reported = [
  facts.statusFact(VALUES),
  facts.nextBillingDateFact(VALUES),
  facts.billingIntervalFact(VALUES),
  facts.deliveryIntervalFact(VALUES),
  facts.deliveryPriceFact(VALUES),
  facts.deliveryMethodFact(),
  facts.paymentMethodFact(VALUES),
  facts.contractNoteFact(VALUES),
  facts.customAttributesFact(VALUES),
  facts.lineQuantityFact(ID, VALUES),
  facts.lineVariantFact(ID, VALUES),
  facts.linePriceFact(ID, VALUES),
  facts.linePlanFact(ID, VALUES),
  facts.discountFact(ID, VALUES),
  facts.pauseReasonFact(),
  facts.cycleSkippedFact(3, VALUES),
  facts.cycleDateFact(3, VALUES),
];
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
    const policy = fieldPolicy(type, field);
    expect([coordinate, policy]).toEqual([coordinate, expect.any(Object)]);
    return policy?.isCustomer ? [] : [coordinate];
  });
  expect(closed.sort()).toEqual(CLOSED);
});

test('a fact by its field is the same as by its name', () => {
  for (const fact of reported.filter((one) => !/^(?:deliveryMethod$|currentPause\.)/.test(one.field))) {
    const { before, after } = fact;
    expect(facts.factOf(fact.field, { before, after })).toEqual(fact);
  }
});
