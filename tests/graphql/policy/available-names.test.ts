import { describe, test } from '@jest/globals';
import {
  availableArgumentsRule,
  availableDirectivesRule,
  availableFieldsRule,
  availableInputFieldsRule,
  availableTypesRule,
  knownOperationsRule,
  noIntrospectionRule,
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

  test('availableFieldsRule reports fields only', () => {
    expectErrors(availableFieldsRule, 'customer', document).toEqual([
      messageOf('nope'),
      messageOf('nothing'),
    ]);
    expectValid(availableFieldsRule, 'customer', '{ customer(id: "1") { id __typename } }');
  });

  test('availableArgumentsRule reports arguments only', () => {
    expectErrors(availableArgumentsRule, 'customer', document).toEqual([messageOf('other')]);
    expectValid(availableArgumentsRule, 'customer', '{ customer(id: "1") { id @include(if: true) } }');
  });

  test('availableInputFieldsRule reports input fields only', () => {
    expectErrors(availableInputFieldsRule, 'customer', document).toEqual([messageOf('more')]);
    expectValid(
      availableInputFieldsRule,
      'customer',
      '{ subscriptionBillingCycle(billingCycleInput: { contractId: "1", selector: { index: 1 } }) { skipped } }',
    );
  });

  test('availableTypesRule reports types only', () => {
    expectErrors(availableTypesRule, 'customer', document).toEqual([messageOf('Nope')]);
    expectValid(
      availableTypesRule,
      'customer',
      'query($f: Float, $id: ID!) { ... on QueryRoot { customer(id: $id) { id } } }',
    );
  });

  test('availableDirectivesRule reports directives only', () => {
    expectErrors(availableDirectivesRule, 'customer', document).toEqual([messageOf('nope')]);
    expectValid(availableDirectivesRule, 'customer', '{ customer(id: "1") { id @skip(if: true) } }');
  });

  test('noIntrospectionRule reports meta fields only', () => {
    expectErrors(noIntrospectionRule, 'customer', document).toEqual([messageOf('__schema')]);
    expectValid(noIntrospectionRule, 'customer', '{ __typename }');
  });

  test('knownOperationsRule reports operations only, in the words of the surface', () => {
    const subscription = 'subscription { x }';
    expectErrors(knownOperationsRule('customer'), 'customer', subscription).toEqual([
      messageOf('subscription'),
    ]);
    expectErrors(knownOperationsRule('admin'), 'admin', subscription).toEqual([
      'There are no subscription operations: send a query or a mutation.',
    ]);
    expectValid(knownOperationsRule('customer'), 'customer', 'mutation { x }');
  });
});
