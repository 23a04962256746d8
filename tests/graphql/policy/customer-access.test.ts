import { describe, expect, test } from '@jest/globals';
import { checkText, notAvailable } from './harness.ts';

/** A document that uses a name in some form → the name in the error. */
const CLOSED: Readonly<Record<string, readonly [document: string, name: string]>> = {
  'a closed root field': ['{ shop { name } }', 'shop'],
  'a root field that nobody has': ['{ shopp { name } }', 'shopp'],
  'a closed mutation': ['mutation { tagsAdd(id: "1", tags: []) { userErrors { message } } }', 'tagsAdd'],
  'a subscription': ['subscription { orders { id } }', 'subscription'],
  'a closed field': ['{ customer(id: "1") { note } }', 'note'],
  'a field that nobody has': ['{ customer(id: "1") { noted } }', 'noted'],
  'a closed field under an alias': ['{ customer(id: "1") { id: note } }', 'note'],
  'a closed field in an inline fragment': ['{ customer(id: "1") { ... { tags } } }', 'tags'],
  'a closed field in a typed fragment': ['{ customer(id: "1") { ... on Customer { tags } } }', 'tags'],
  'a closed field in a named fragment': [
    '{ customer(id: "1") { ...F } } fragment F on Customer { tags }',
    'tags',
  ],
  'a closed field that is never included': ['{ customer(id: "1") { note @include(if: false) } }', 'note'],
  'a closed field that is always skipped': ['{ customer(id: "1") { note @skip(if: true) } }', 'note'],
  'a closed field through an interface': [
    '{ subscriptionContract(id: "1") { ... on SubscriptionContractBase { note } } }',
    'note',
  ],
  'an interface that customers do not have': [
    '{ customer(id: "1") { ... on HasMetafields { metafield(key: "k") { value } } } }',
    'HasMetafields',
  ],
  'a closed type through an interface': [
    '{ subscriptionContract(id: "1") { events(first: 1) { nodes { ... on BasicEvent { author } } } } }',
    'BasicEvent',
  ],
  'a closed field of a union member': [
    '{ customer(id: "1") { paymentMethods(first: 1) { nodes { instrument { ... on CustomerCreditCard { firstDigits } } } } } }',
    'firstDigits',
  ],
  'a field of a union itself': [
    '{ customer(id: "1") { paymentMethods(first: 1) { nodes { instrument { lastDigits } } } } }',
    'lastDigits',
  ],
  'a closed argument': [
    'mutation { subscriptionContractPause(subscriptionContractId: "1", actor: CUSTOMER) { userErrors { message } } }',
    'actor',
  ],
  'a closed argument that is null': [
    'mutation { customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: "1", email: null) { userErrors { message } } }',
    'email',
  ],
  'a closed argument by variable': [
    'query($q: String) { customer(id: "1") { orders(first: 1, query: $q) { nodes { id } } } }',
    'query',
  ],
  'an argument that nobody has': ['{ customer(id: "1", ids: []) { id } }', 'ids'],
  'a closed input field': [
    'mutation { customerAddressUpdate(customerId: "1", addressId: "2", address: { id: "3" }) { userErrors { message } } }',
    'id',
  ],
  'a closed input field in an input of our own': [
    'mutation { subscriptionContractDeliveryUpdate(contractId: "1", deliveryMethod: { shipping: { id: "3" } }) { userErrors { message } } }',
    'id',
  ],
  "a closed input field in a variable's default": [
    'mutation($a: MailingAddressInput! = { id: "3" }) { customerAddressUpdate(customerId: "1", addressId: "2", address: $a) { userErrors { message } } }',
    'id',
  ],
  'a price of a line': [
    'mutation { subscriptionContractLinesUpdate(contractId: "1", update: [{ lineId: "2", currentPrice: "0.00" }]) { userErrors { message } } }',
    'currentPrice',
  ],
  'a price of delivery': [
    'mutation { subscriptionContractDeliveryUpdate(contractId: "1", deliveryMethod: {}, deliveryPrice: "0.00") { userErrors { message } } }',
    'deliveryPrice',
  ],
  'a change of a line in a draft of the platform': [
    'mutation { subscriptionDraftLineUpdate(draftId: "1", lineId: "2", input: { currentPrice: "0.00" }) { userErrors { message } } }',
    'subscriptionDraftLineUpdate',
  ],
  'a discount in a draft of the platform': [
    'mutation { subscriptionDraftDiscountAdd(draftId: "1", input: { title: "Mine" }) { userErrors { message } } }',
    'subscriptionDraftDiscountAdd',
  ],
  'a closed type of a variable': ['query($e: EmailInput) { customer(id: "1") { id } }', 'EmailInput'],
  'a directive of the policy': ['{ customer(id: "1") { id @customer } }', 'customer'],
  'an argument of a directive': ['{ customer(id: "1") { id @include(unless: true) } }', 'unless'],
};

describe('customers are refused', () => {
  test.each(Object.entries(CLOSED))('%s', (_, [document, name]) => {
    expect(checkText('customer', document)).toContainEqual(notAvailable(name));
  });

  test('returns the same error for a closed and for an unknown name', () => {
    const [closed] = checkText('customer', '{ customer(id: "1") { id note } }');
    const [unknown] = checkText('customer', '{ customer(id: "1") { id nota } }');
    expect({ ...closed, message: closed?.message.replace('note', 'X') }).toEqual({
      ...unknown,
      message: unknown?.message.replace('nota', 'X'),
    });
  });

  test('reports nothing else while a name is not available', () => {
    const errors = checkText('customer', '{ customer(id: 1.5) { note id { x } subscriptionContracts } }');
    expect(errors).toEqual([notAvailable('note')]);
  });

  test('returns no suggestion anywhere', () => {
    const document = '{ customer(id: "1") { orders(first: 1, sortKey: PROCESSED_ATT) { nodes { id } } } }';
    const [error] = checkText('customer', document);
    expect(error?.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(error?.message).not.toMatch(/did you mean/i);
    expect(checkText('customer', "{ customer(id: '1') { id } }")[0]?.message).not.toMatch(/did you mean/i);
  });
});

describe('introspection is closed to customers', () => {
  const DISGUISES: Readonly<Record<string, readonly [string, string]>> = {
    schema: ['{ __schema { types { name } } }', '__schema'],
    type: ['{ __type(name: "Customer") { name } }', '__type'],
    alias: ['{ id: __schema { types { name } } }', '__schema'],
    fragment: ['{ ...F } fragment F on QueryRoot { __schema { types { name } } }', '__schema'],
    'fragment of introspection': [
      '{ customer(id: "1") { id } } fragment F on __Schema { types { name } }',
      '__Schema',
    ],
    variable: ['query($k: __TypeKind) { customer(id: "1") { id } }', '__TypeKind'],
    'below the root': ['{ customer(id: "1") { __schema { types { name } } } }', '__schema'],
    skipped: ['{ __schema @skip(if: true) { types { name } } }', '__schema'],
  };

  test.each(Object.entries(DISGUISES))('as %s', (_, [document, name]) => {
    expect(checkText('customer', document)).toContainEqual(notAvailable(name));
  });

  test('allows `__typename`', () => {
    expect(checkText('customer', '{ __typename customer(id: "1") { t: __typename id } }')).toEqual([]);
  });

  test('allows it to stores', () => {
    expect(checkText('admin', '{ __schema { types { name } } }')).toEqual([]);
  });
});

describe('customers may', () => {
  const OPEN: Readonly<Record<string, string>> = {
    'read their contracts': `query($id: ID!, $first: Int!) { customer(id: $id) { firstName subscriptionContracts(first: $first) {
      nodes { id status currentPause { resumesAt } lines(first: 5) { nodes { title variantImage { url(transform: { maxWidth: 200 }) } } } } } } }`,
    'read the next orders': `query($id: ID, $d: SubscriptionBillingCyclesDateRangeSelector) {
      subscriptionBillingCycles(contractId: $id, first: 6, billingCyclesDateRangeSelector: $d) { nodes { cycleIndex skipped } } }`,
    'read the details':
      '{ subscriptionContractDetails(contractId: "1") { lines { nodes { title } } billingCycles { nodes { cycleIndex } } } }',
    'search their own timeline': `{ subscriptionContract(id: "1") { events(first: 5, query: "action:x") { nodes { message ... on SubscriptionEvent { actor { kind } } } } } }`,
    'use an interface of what they see':
      '{ subscriptionContract(id: "1") { ... on Node { id } ... on SubscriptionContractBase { linesCount { count } } } }',
    'skip an order': `mutation { subscriptionBillingCycleSkip(contractId: "1", billingCycleIndex: 2, expectedDate: "2026-07-01T09:00:00Z") {
      billingCycle { skipped } userErrors { code field message ... on DisplayableError { message } } } }`,
    'pause until a date':
      'mutation { subscriptionContractPause(subscriptionContractId: "1", until: "2026-07-01T09:00:00+02:00", reason: "away") { contract { id } userErrors { message } } }',
    'change an address':
      'mutation($a: MailingAddressInput!) { customerAddressUpdate(customerId: "1", addressId: "2", address: $a) { address { city } userErrors { message } } }',
  };

  test.each(Object.entries(OPEN))('%s', (_, document) => {
    expect(checkText('customer', document)).toEqual([]);
  });

  test.each(Object.entries(OPEN))('%s, and so may stores', (_, document) => {
    expect(checkText('admin', document)).toEqual([]);
  });
});
