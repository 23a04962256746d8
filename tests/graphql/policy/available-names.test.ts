import { describe, test } from '@jest/globals';
import {
  availableArguments,
  availableDirectives,
  availableFields,
  availableInputFields,
  availableTypes,
  knownOperations,
  noIntrospection,
} from '../../../graphql/policy/name-rules.ts';
import { expectErrors, expectValid, notAvailable } from './harness.ts';

const messageOf = (name: string): string => notAvailable(name).message;

describe('each rule sees its own kind of name and no other', () => {
  const document = `query($a: Nope = { x: 1 }) @nope {
    nope(nope: { nope: 1 }) { id }
    customer(id: "1", other: 2) { nothing }
    __schema { types { name } }
    subscriptionBillingCycle(billingCycleInput: { contractId: "1", more: 2, selector: { index: 1 } }) { skipped }
  }`;

  test('availableFields reports fields only', () => {
    expectErrors(availableFields, 'customer', document).toEqual([messageOf('nope'), messageOf('nothing')]);
    expectValid(availableFields, 'customer', '{ customer(id: "1") { id __typename } }');
  });

  test('availableArguments reports arguments only', () => {
    expectErrors(availableArguments, 'customer', document).toEqual([messageOf('other')]);
    expectValid(availableArguments, 'customer', '{ customer(id: "1") { id @include(if: true) } }');
  });

  test('availableInputFields reports input fields only', () => {
    expectErrors(availableInputFields, 'customer', document).toEqual([messageOf('more')]);
    expectValid(
      availableInputFields,
      'customer',
      '{ subscriptionBillingCycle(billingCycleInput: { contractId: "1", selector: { index: 1 } }) { skipped } }',
    );
  });

  test('availableTypes reports types only', () => {
    expectErrors(availableTypes, 'customer', document).toEqual([messageOf('Nope')]);
    expectValid(
      availableTypes,
      'customer',
      'query($f: Float, $id: ID!) { ... on QueryRoot { customer(id: $id) { id } } }',
    );
  });

  test('availableDirectives reports directives only', () => {
    expectErrors(availableDirectives, 'customer', document).toEqual([messageOf('nope')]);
    expectValid(availableDirectives, 'customer', '{ customer(id: "1") { id @skip(if: true) } }');
  });

  test('noIntrospection reports meta fields only', () => {
    expectErrors(noIntrospection, 'customer', document).toEqual([messageOf('__schema')]);
    expectValid(noIntrospection, 'customer', '{ __typename }');
  });

  test('knownOperations reports operations only, in the words of the surface', () => {
    const subscription = 'subscription { x }';
    expectErrors(knownOperations('customer'), 'customer', subscription).toEqual([messageOf('subscription')]);
    expectErrors(knownOperations('admin'), 'admin', subscription).toEqual([
      'There are no subscription operations: send a query or a mutation.',
    ]);
    expectValid(knownOperations('customer'), 'customer', 'mutation { x }');
  });
});
