import { describe, expect, test } from '@jest/globals';
import { singleMutationRootRule } from '../../../../graphql/policy/meaning/single-mutation-root.ts';
import { checkText, expectErrors, expectValid } from '../harness.ts';

const SKIP = 'subscriptionBillingCycleSkip(contractId: "1", billingCycleIndex: 1) { userErrors { message } }';
const REFUSED = ['A document can contain one mutation, not 2. Send them one after another.'];

describe('customers send one mutation a document', () => {
  test.each([
    ['beside each other', `mutation { a: ${SKIP} b: ${SKIP} }`],
    ['in a fragment', `mutation { a: ${SKIP} ...F } fragment F on Mutation { b: ${SKIP} }`],
    ['in an inline fragment', `mutation { a: ${SKIP} ... { b: ${SKIP} } }`],
    ['in two operations', `mutation A { ${SKIP} } mutation B { ${SKIP} }`],
    ['one of them skipped', `mutation { a: ${SKIP} b: ${SKIP.replace(' {', ' @skip(if: true) {')} }`],
  ])('%s is refused', (_, document) => {
    expectErrors(singleMutationRootRule, 'customer', document).toEqual(REFUSED);
  });

  test('one is fine, and so are many queries', () => {
    expectValid(singleMutationRootRule, 'customer', `mutation { __typename ${SKIP} }`);
    expectValid(
      singleMutationRootRule,
      'customer',
      'query A { a: __typename b: __typename } query B { __typename }',
    );
  });

  test('stores may send several', () => {
    expect(checkText('admin', `mutation { a: ${SKIP} b: ${SKIP} }`)).toEqual([]);
    expect(checkText('customer', `mutation { a: ${SKIP} b: ${SKIP} }`)[0]?.code).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    );
  });
});
