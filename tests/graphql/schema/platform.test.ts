import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, findBreakingChanges, isEnumType, isObjectType } from 'graphql';
import { findFieldPolicy, isServiceType } from '../../../graphql/schema/field-policy.ts';
import { getAdminSchema } from '../../../graphql/schema/schema.ts';

/** The platform's subset as the emulated platform serves it. */
const platform = buildSchema(readFileSync('graphql/schema/platform/admin-2026-07.graphql', 'utf8'));
const schema = getAdminSchema();

describe('documents of the platform run here unchanged', () => {
  test('allows every operation except the two that are redefined', () => {
    expect(findBreakingChanges(platform, schema).map(({ description }) => description)).toEqual([
      'QueryRoot.subscriptionBillingCycles changed type from SubscriptionBillingCycleConnection! to SubscriptionBillingCycleConnection.',
      'Mutation.subscriptionBillingCycleSkip arg billingCycleInput was removed.',
      'A required arg contractId on Mutation.subscriptionBillingCycleSkip was added.',
      'A required arg billingCycleIndex on Mutation.subscriptionBillingCycleSkip was added.',
    ]);
  });
});

describe('what the platform does not have is marked as this service’s own', () => {
  const own = Object.values(schema.getTypeMap()).filter(
    ({ name }) => !name.startsWith('__') && !platform.getType(name),
  );

  test('has the mark of the service on each of its own types', () => {
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter(({ name }) => !isServiceType(name)).map(({ name }) => name)).toEqual([]);
  });

  test('marks every field that the service adds to the platform’s types', () => {
    const unmarked: string[] = [];
    for (const type of Object.values(schema.getTypeMap())) {
      const platformType = platform.getType(type.name);
      if (!isObjectType(type) || !isObjectType(platformType) || type.name.startsWith('__')) continue;
      for (const name of Object.keys(type.getFields())) {
        const isOwn = !platformType.getFields()[name];
        if (isOwn && !findFieldPolicy(type.name, name)?.isService) unmarked.push(`${type.name}.${name}`);
      }
    }
    expect(unmarked).toEqual([]);
  });

  test('only the enums of charging, of skipping, of changing a status and of rejecting a discount have values that the platform’s do not have', () => {
    const added = Object.values(schema.getTypeMap()).filter((type) => {
      const platformType = platform.getType(type.name);
      if (!isEnumType(type) || !isEnumType(platformType)) return false;
      return type.getValues().length > platformType.getValues().length;
    });
    expect(added.map(({ name }) => name).sort()).toEqual([
      'BillingAttemptUserErrorCode',
      'SubscriptionBillingCycleBulkUserErrorCode',
      'SubscriptionBillingCycleSkipUserErrorCode',
      'SubscriptionContractStatusUpdateErrorCode',
      'SubscriptionDiscountRejectionReason',
    ]);
  });
});
