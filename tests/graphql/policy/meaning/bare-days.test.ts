/** A day alone is a date only where an argument has `@day`: in literals, variables, defaults and input objects. */
import { describe, expect, test } from '@jest/globals';
import { createMemoryTable } from '../../../memory-table.ts';
import { runPlan } from '../../world/harness.ts';
import { checkText } from '../harness.ts';

const NOT_A_TIME =
  'DateTime must be an ISO 8601 date with a time, such as "2026-07-01T09:00:00Z" or, in UTC, "2026-07-01T09:00:00", not "2026-12-16".';
const ID = 'gid://platform/SubscriptionContract/9101001';
const errors = '{ userErrors { code } }';

const CHOSEN = [
  `subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: 8, billingDate: DATE) ${errors}`,
  `subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: DATE) ${errors}`,
  `subscriptionContractPause(subscriptionContractId: "${ID}", until: DATE) ${errors}`,
  `subscriptionContractIntervalUpdate(contractId: "${ID}", nextBillingDate: DATE) ${errors}`,
];
const skip = `subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 8, expectedDate: DATE) ${errors}`;
const FORWARDED = [
  `subscriptionContractSetNextBillingDate(contractId: "${ID}", date: DATE) ${errors}`,
  `subscriptionBillingCycleScheduleEdit(billingCycleInput: { contractId: "${ID}", selector: { date: DATE } }, input: { reason: DEV_INITIATED, skip: true }) ${errors}`,
  `subscriptionBillingCycleScheduleEdit(billingCycleInput: { contractId: "${ID}", selector: { index: 8 } }, input: { reason: DEV_INITIATED, billingDate: DATE }) ${errors}`,
];
const literal = (field: string) => `mutation { ${field.replace('DATE', '"2026-12-16"')} }`;
const variable = (field: string, type = 'DateTime!') =>
  `mutation ($d: ${type}) { ${field.replace('DATE', '$d')} }`;

/** Returns the messages of a request, or undefined when it passed all checks of its document and variables. */
async function refusalsOf(query: string, variables: Record<string, unknown>) {
  const reached = new Error('sent');
  try {
    const { result } = await runPlan({
      ...{ as: 'store', query, variables, table: createMemoryTable() },
      standIn: () => {
        throw reached;
      },
    });
    return result.errors?.map(({ message }) => message);
  } catch (error) {
    if (error === reached) return undefined;
    throw error;
  }
}

describe('a day alone', () => {
  test.each(CHOSEN)('is a date for %s', async (field) => {
    expect(checkText('customer', literal(field))).toEqual([]);
    expect(await refusalsOf(variable(field), { d: '2026-12-16' })).toBeUndefined();
    expect(await refusalsOf(variable(field, 'DateTime! = "2026-12-16"'), {})).toBeUndefined();
  });

  test.each([skip, ...FORWARDED])('is refused for %s', async (field) => {
    const expected = [{ message: NOT_A_TIME, code: 'GRAPHQL_VALIDATION_FAILED' }];
    expect(checkText('admin', literal(field))).toEqual(expected);
    const message = `Variable "$d" got invalid value "2026-12-16"; ${NOT_A_TIME}`;
    expect(await refusalsOf(variable(field), { d: '2026-12-16' })).toEqual([message]);
    expect(await refusalsOf(variable(field, 'DateTime! = "2026-12-16"'), {})).toEqual([message]);
  });

  test('is refused within the input objects of variables', async () => {
    const query = `mutation ($input: SubscriptionBillingCycleScheduleEditInput!) {
      subscriptionBillingCycleScheduleEdit(billingCycleInput: { contractId: "${ID}", selector: { index: 8 } }, input: $input) ${errors} }`;
    const input = { reason: 'DEV_INITIATED', billingDate: '2026-12-16' };
    expect(await refusalsOf(query, { input })).toEqual([
      `Variable "$input" got invalid value "2026-12-16" at "input.billingDate"; ${NOT_A_TIME}`,
    ]);
    const timed = { ...input, billingDate: '2026-12-16T09:00' };
    expect(await refusalsOf(query, { input: timed })).toBeUndefined();
  });

  test('is refused for a variable that also stands where a time is needed', async () => {
    const both = `mutation ($d: DateTime!) { a: ${CHOSEN[0]?.replace('DATE', '$d')} b: ${skip.replace('DATE', '$d')} }`;
    expect(await refusalsOf(both, { d: '2026-12-16' })).toHaveLength(1);
  });

  test('is no document error for a day that does not exist, but where a time is needed', async () => {
    const day = '2026-02-29';
    expect(await refusalsOf(variable(CHOSEN[0] ?? ''), { d: day })).toBeUndefined();
    expect(await refusalsOf(variable(skip), { d: day })).toEqual([
      expect.stringContaining('DateTime must be '),
    ]);
    expect(checkText('customer', `mutation { ${skip.replace('DATE', `"${day}"`)} }`)).toHaveLength(1);
  });
});
