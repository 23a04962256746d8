/**
 * Null for a nullable variable with a default, where null may not stand, is answered with the error of that place
 * alone.
 */
import { describe, expect, test } from '@jest/globals';
import { ADA, neverAsked, type PlanRequest, runPlan } from '../world/harness.ts';

const ME = `gid://platform/Customer/${ADA}`;
const IF = 'Argument "if" of non-null type "Boolean!" must not be null.';
const actors: readonly PlanRequest['as'][] = ['customer', 'store', 'store for a customer'];

describe.each(actors)('a null where none may stand, asked by a %s', (as) => {
  test.each([
    [
      'a condition at a root takes everything along',
      'query ($f: Boolean = true) { __typename customer(id: "ID") @include(if: $f) { id } }',
      { data: null, errors: [{ message: IF }] },
    ],
    [
      'a mutation in such a document does not run',
      'mutation ($f: Boolean = true) { __typename @skip(if: $f) customerAddressUpdate(customerId: "ID", addressId: "gid://platform/MailingAddress/1", address: {}) { userErrors { field } } }',
      { data: null, errors: [{ message: IF }] },
    ],
    [
      'an argument of a mutation of ours',
      'mutation ($f: Int = 3) { done: subscriptionBillingCycleSkip(contractId: "gid://platform/SubscriptionContract/1", billingCycleIndex: $f) { userErrors { code } } }',
      {
        data: { done: null },
        errors: [
          {
            message: 'Argument "billingCycleIndex" of non-null type "Int!" must not be null.',
            path: ['done'],
          },
        ],
      },
    ],
    [
      'a field of an input object',
      'query ($f: DateTime = "2026-11-21T12:00:00Z") { subscriptionBillingCycles(contractId: "gid://platform/SubscriptionContract/1", first: 1, billingCyclesDateRangeSelector: { startDate: $f, endDate: "2026-12-21T12:00:00Z" }) { nodes { cycleIndex } } }',
      {
        data: { subscriptionBillingCycles: null },
        errors: [
          {
            message:
              'Argument "billingCyclesDateRangeSelector" has invalid value {startDate: $f, endDate: "2026-12-21T12:00:00Z"}.',
            path: ['subscriptionBillingCycles'],
          },
        ],
      },
    ],
  ])('%s', async (_name, text, expected) => {
    const query = text.replaceAll('"ID"', `"${ME}"`);
    const { result } = await runPlan({ as, query, variables: { f: null }, standIn: neverAsked });
    const errors = expected.errors.map((error) => ({
      ...error,
      locations: expect.any(Array),
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    }));
    expect(JSON.parse(JSON.stringify(result))).toEqual({ data: expected.data, errors });
  });

  test.each([{ f: null }, {}])('the one field of a OneOf input: %j', async (variables) => {
    if (as === 'customer') return;
    const query =
      'query ($f: String) { serviceInfo { __typename } collectionByIdentifier(identifier: { handle: $f }) { id } }';
    const { result } = await runPlan({ as, query, variables, standIn: neverAsked });
    expect(result.data).toEqual({ serviceInfo: { __typename: 'ServiceInfo' }, collectionByIdentifier: null });
    expect(result.errors).toMatchObject([
      {
        message: 'Argument "identifier" has invalid value {handle: $f}.',
        path: ['collectionByIdentifier'],
      },
    ]);
  });

  test('below a root: each object of the place, and what is null because of it', async () => {
    const query = `query ($f: Boolean = true) { customer(id: "${ME}") { id __typename defaultAddress { city @include(if: $f) } more: email } }`;
    const standIn = () => ({
      data: {
        customer: {
          id: `gid://shopify/Customer/${ADA}`,
          _svcSelf: `gid://shopify/Customer/${ADA}`,
          __typename: 'Customer',
          defaultAddress: { __typename: 'MailingAddress' },
          more: null,
        },
      },
    });
    const { result, sent } = await runPlan({ as, query, variables: { f: null }, standIn });
    expect(result.data).toEqual({
      customer: { id: ME, __typename: 'Customer', defaultAddress: null, more: null },
    });
    expect(result.errors).toMatchObject([{ message: IF, path: ['customer', 'defaultAddress'] }]);
    expect(sent).toHaveLength(1);
    const given = await runPlan({ as, query, variables: {}, standIn });
    expect(given.result.errors).toBeUndefined();
  });
});
