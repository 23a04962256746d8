/** Null for a nullable variable with a default, where null is not allowed, fails the whole request. */
import { describe, expect, test } from '@jest/globals';
import { ADA, neverCalled, type PlanRequest, runPlan } from '../world/harness.ts';

const ME = `gid://platform/Customer/${ADA}`;
const REFUSED = {
  errors: [
    {
      message: 'Variable "$f" must not be null where it is used.',
      locations: [{ line: 1, column: expect.any(Number) }],
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    },
  ],
};
const actors: readonly PlanRequest['as'][] = ['customer', 'store', 'store for a customer'];

describe.each(actors)(
  'a null where none may stand, sent by a %s, refuses the request and names the variable',
  (as) => {
    test.each([
      [
        'in a condition',
        `query ($f: Boolean = true) { customer(id: "${ME}") { id email @include(if: $f) } }`,
      ],
      [
        'in a condition of a part that is not selected',
        `query ($f: Boolean = true) { customer(id: "${ME}") { id ... @skip(if: true) { email @include(if: $f) } } }`,
      ],
      [
        'beside a mutation, which does not run',
        'mutation ($f: Boolean = true) { __typename @skip(if: $f) customerAddressUpdate(customerId: "gid://platform/Customer/7001001", addressId: "gid://platform/MailingAddress/1", address: {}) { userErrors { field } } }',
      ],
      [
        'in an argument of a mutation',
        'mutation ($f: Int = 3) { subscriptionBillingCycleSkip(contractId: "gid://platform/SubscriptionContract/1", billingCycleIndex: $f) { userErrors { code } } }',
      ],
      [
        'in a field of an input object',
        'query ($f: DateTime = "2026-11-21T12:00:00Z") { subscriptionBillingCycles(contractId: "gid://platform/SubscriptionContract/1", first: 1, billingCyclesDateRangeSelector: { startDate: $f, endDate: "2026-12-21T12:00:00Z" }) { nodes { cycleIndex } } }',
      ],
    ])('%s', async (_name, query) => {
      const { result } = await runPlan({ as, query, variables: { f: null }, standIn: neverCalled });
      expect(JSON.parse(JSON.stringify(result))).toEqual(REFUSED);
    });

    test.each([{ f: null }, {}])('refuses null as the one field of a OneOf input: %j', async (variables) => {
      if (as === 'customer') return;
      const query =
        'query ($f: String) { serviceInfo { __typename } collectionByIdentifier(identifier: { handle: $f }) { id } }';
      const { result } = await runPlan({ as, query, variables, standIn: neverCalled });
      expect(JSON.parse(JSON.stringify(result))).toEqual(REFUSED);
    });

    test('except where the default stands in for a variable that is absent', async () => {
      const query = 'query ($f: Boolean = true) { serviceInfo { __typename @include(if: $f) } }';
      const { result } = await runPlan({ as, query, variables: {}, standIn: neverCalled });
      expect(result.errors).toBeUndefined();
    });
  },
);
