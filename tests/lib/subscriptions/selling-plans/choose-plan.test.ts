import { describe, expect, test } from '@jest/globals';
import {
  choosePlanOfVariant,
  type PlanChoice,
} from '../../../../lib/subscriptions/selling-plans/choose-plan.ts';
import type { SellingPlan } from '../../../../lib/subscriptions/selling-plans/selling-plan.ts';

type Terms = {
  readonly position?: number;
  readonly day?: number;
  readonly minCycles?: number;
  readonly maxCycles?: number;
};

const plan = (
  id: string,
  [interval, billed, delivered = billed]: [string, number, number?],
  terms: Terms = {},
) =>
  ({
    id,
    name: id,
    position: terms.position ?? 1,
    pricingPolicies: [],
    billingPolicy: {
      interval,
      intervalCount: billed,
      minCycles: terms.minCycles ?? null,
      maxCycles: terms.maxCycles ?? null,
    },
    deliveryPolicy: { interval, intervalCount: delivered, anchors: daysOf(terms) },
  }) satisfies SellingPlan;

const daysOf = ({ day }: Terms) =>
  day === undefined ? [] : [{ type: 'WEEKDAY', day, month: null, cutoffDay: null }];

const weekly = plan('weekly', ['WEEK', 1]);
const monthly = plan('monthly', ['MONTH', 1]);
const ahead = plan('ahead', ['MONTH', 3, 1]);

/** The id of the plan, or why there is none, for a variant of these groups. */
function chosen(groups: readonly (readonly SellingPlan[])[], choice: PlanChoice): string {
  const nodes = groups.map((plans) => ({ sellingPlans: { nodes: plans } }));
  const found = choosePlanOfVariant({ sellingPlanGroups: { nodes } }, choice);
  return typeof found === 'string' ? found : found.id;
}

/** Creates a contract of these intervals, whose lines have these plans. */
const contract = (like: SellingPlan, ...planIds: (string | null)[]) =>
  ({
    billingPolicy: { interval: '', intervalCount: 0, ...like.billingPolicy },
    deliveryPolicy: { interval: '', intervalCount: 0, anchors: [], ...like.deliveryPolicy },
    lines: { nodes: planIds.map((sellingPlanId) => ({ sellingPlanId })) },
  }) as PlanChoice['contract'];

describe('without a name', () => {
  test('the plan that the line has, else the first of the lines', () => {
    const groups = [[weekly], [plan('other', ['WEEK', 1])]];
    expect(chosen(groups, { contract: contract(weekly, 'other', 'weekly') })).toBe('other');
    const replacedLine = { sellingPlanId: 'weekly' };
    expect(chosen(groups, { contract: contract(weekly, 'other', 'weekly'), replacedLine })).toBe('weekly');
    expect(chosen(groups, { contract: contract(weekly, 'gone') })).toBe('unoffered');
  });

  test('takes the plan of the same group with the contract’s frequency when the line’s plan has another one', () => {
    const replacedLine = { sellingPlanId: 'weekly' };
    const months = contract(monthly, 'weekly');
    expect(
      chosen([[plan('else', ['MONTH', 1])], [weekly, ahead, monthly]], { contract: months, replacedLine }),
    ).toBe('monthly');
    // As after a merchant's own interval.
    expect(chosen([[weekly, ahead]], { contract: months, replacedLine })).toBe('weekly');
    // Paid by the month or by the quarter is not the same, though both come monthly.
    expect(chosen([[monthly, ahead]], { contract: contract(ahead, 'monthly') })).toBe('ahead');
  });

  test('takes a plan of the frequency, on the same days first, then by position, when no line has one', () => {
    const monday = plan('monday', ['WEEK', 1], { day: 1 });
    const second = plan('second', ['WEEK', 1], { position: 2 });
    expect(chosen([[second, monday, weekly]], { contract: contract(weekly, null) })).toBe('weekly');
    expect(chosen([[second, monday, weekly]], { contract: contract(monday, null) })).toBe('monday');
    expect(chosen([[second], [monday]], { contract: contract(weekly, null) })).toBe('second');
    expect(chosen([[monthly]], { contract: contract(weekly, null) })).toBe('unoffered');
  });

  test('refuses a plan with a longer minimum, and accepts one with no longer one', () => {
    const loyal = plan('loyal', ['MONTH', 1], { minCycles: 6 });
    const replacedLine = { sellingPlanId: 'weekly' };
    for (const sellingPlanId of [null, 'loyal']) {
      const outcome = sellingPlanId === null ? 'unoffered' : 'unfit';
      expect(chosen([[loyal]], { contract: contract(monthly, null), sellingPlanId })).toBe(outcome);
      const committed = contract(plan('else', ['MONTH', 1], { minCycles: 6 }), null);
      expect(chosen([[loyal]], { contract: committed, sellingPlanId })).toBe('loyal');
    }
    expect(chosen([[weekly, loyal]], { contract: contract(monthly, 'weekly'), replacedLine })).toBe('weekly');
  });
});

describe('a plan that is named', () => {
  test.each([
    ['has the contract’s rhythm', plan('named', ['WEEK', 1]), 'named'],
    ['has another one', plan('named', ['WEEK', 2]), 'unfit'],
    ['is paid for more deliveries', plan('named', ['WEEK', 2, 1]), 'unfit'],
    ['comes on another day', plan('named', ['WEEK', 1], { day: 4 }), 'unfit'],
    ['ends by itself', plan('named', ['WEEK', 1], { maxCycles: 3 }), 'unfit'],
    ['asks for a longer minimum', plan('named', ['WEEK', 1], { minCycles: 12 }), 'unfit'],
  ])('%s', (_name, named, expected) => {
    expect(chosen([[weekly, named]], { contract: contract(weekly, 'weekly'), sellingPlanId: 'named' })).toBe(
      expected,
    );
  });

  test('accepts a named plan that a line has at its frequency, whatever its days and its minimum', () => {
    const named = plan('named', ['WEEK', 1], { day: 4, minCycles: 12 });
    expect(chosen([[weekly, named]], { contract: contract(weekly, 'named'), sellingPlanId: 'named' })).toBe(
      'named',
    );
    const months = contract(monthly, 'weekly');
    expect(chosen([[weekly, monthly]], { contract: months, sellingPlanId: 'weekly' })).toBe('unfit');
    expect(chosen([[weekly]], { contract: months, sellingPlanId: 'weekly' })).toBe('weekly');
  });
});
