import { describe, expect, test } from '@jest/globals';
import { errors } from './draft-steps.ts';
import { type Json, newPlatform } from './harness.ts';

describe('a selling plan', () => {
  const policy = (interval: string, more = '') => `{ recurring: { interval: ${interval} ${more} } }`;
  const plan = (billing: string, delivery: string) =>
    `sellingPlanGroupCreate(input: { name: "n", options: ["x"], sellingPlansToCreate: [{ name: "p", options: ["o"], billingPolicy: ${billing}, deliveryPolicy: ${delivery} }] }) { sellingPlanGroup { id } ${errors} }`;
  const monday = 'anchors: [{ type: WEEKDAY, day: 1 }]';

  test.each([
    [policy('MONTH, intervalCount: 6'), policy('MONTH, intervalCount: 2'), undefined],
    [policy('YEAR, intervalCount: 1'), policy('MONTH, intervalCount: 1'), undefined],
    [policy('WEEK, intervalCount: 4', monday), policy('WEEK, intervalCount: 2', monday), undefined],
    [
      policy('MONTH, intervalCount: 3'),
      policy('MONTH, intervalCount: 2'),
      'SELLING_PLAN_BILLING_CYCLE_MUST_BE_A_MULTIPLE_OF_DELIVERY_CYCLE',
    ],
    [
      policy('MONTH, intervalCount: 1'),
      policy('WEEK, intervalCount: 1'),
      'SELLING_PLAN_BILLING_CYCLE_MUST_BE_A_MULTIPLE_OF_DELIVERY_CYCLE',
    ],
    [
      policy('WEEK, intervalCount: 2', monday),
      policy('WEEK, intervalCount: 2'),
      'SELLING_PLAN_BILLING_AND_DELIVERY_POLICY_ANCHORS_MUST_BE_EQUAL',
    ],
    [
      policy('DAY, intervalCount: 7', monday),
      policy('DAY, intervalCount: 7', monday),
      'SELLING_PLAN_ANCHORS_NOT_ALLOWED',
    ],
    [
      policy('WEEK, intervalCount: 1', 'anchors: [{ type: WEEKDAY, day: 8 }]'),
      policy('WEEK, intervalCount: 1', 'anchors: [{ type: WEEKDAY, day: 8 }]'),
      'INVALID',
    ],
    [
      policy('YEAR, intervalCount: 1', 'anchors: [{ type: YEARDAY, day: 1, month: 2, cutoffDay: 3 }]'),
      policy('YEAR, intervalCount: 1', 'anchors: [{ type: YEARDAY, day: 1, month: 2, cutoffDay: 3 }]'),
      'INVALID',
    ],
    [
      policy('WEEK, intervalCount: 1', 'minCycles: 4, maxCycles: 3'),
      policy('WEEK, intervalCount: 1'),
      'SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES',
    ],
  ])('returns for a plan billed %s and delivered %s: %s', async (billing, delivery, code) => {
    const { sellingPlanGroup, userErrors } = await newPlatform().run(`{ ${plan(billing, delivery)} }`);
    expect(userErrors.map((error: Json) => error.code)).toEqual(code === undefined ? [] : [code]);
    expect(sellingPlanGroup === null).toBe(code !== undefined);
  });
});
