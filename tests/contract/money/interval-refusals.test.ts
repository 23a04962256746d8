/**
 * Rejected changes of the interval: each error has the path of the client's argument, nothing is changed, and nothing
 * is recorded.
 */
import { describe, expect, it, test } from '@jest/globals';
import type { ErrorDetails } from '../../../lib/subscriptions/error-details.ts';
import type { BillingAnchor, PricingPolicy } from '../../../sandbox/platform/state/catalogue-records.ts';
import type { ContractRecord, DiscountRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { addSellingPlanGroup } from '../../../sandbox/platform/state/seed/seed-plans.ts';
import type { StoreState } from '../../../sandbox/platform/state/state.ts';
import { NOW_MS, type PlanRequest } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, MONTHLY, PLAN, PREPAID_PLAN } from '../../world/interval-world.ts';
import { discountByHand } from '../world/discount-by-hand.ts';
import { gid } from '../world/operation-world.ts';

const begin = (contract?: number) =>
  createIntervalWorld({ table: createMemoryTable(), ...(contract && { contract }) });
const every = (intervalCount: number, interval: string) => ({ interval: { interval, intervalCount } });
const days = (count: number) => formatIsoInstant(NOW_MS + count * DAY_MS);
const monday: BillingAnchor = { type: 'WEEKDAY', day: 1, month: null, cutoffDay: 2 };

type Refusal = {
  readonly variables: object;
  readonly code: string;
  readonly field: readonly string[];
  readonly as?: PlanRequest['as'];
  readonly contract?: number;
  readonly prepare?: (contract: ContractRecord, store: StoreState) => void;
  readonly message?: string;
};

const closeBy: NonNullable<Refusal['prepare']> = (contract) => {
  // The sixth order of this interval is due in 40 hours.
  const startAt = formatIsoInstant(NOW_MS - 40 * DAY_MS - DAY_MS / 3);
  contract.schedule = [{ fromIndex: 1, startAt, policy: contract.content.billingPolicy }];
  contract.billedCycles = [1, 2, 3, 4, 5];
};

/** Three deliveries with each payment. */
const payAhead: Refusal['prepare'] = ({ content }) => {
  Object.assign(content.billingPolicy, { interval: 'MONTH', intervalCount: 3 });
  Object.assign(content.deliveryPolicy, { interval: 'MONTH', intervalCount: 1 });
};

const off = (minor: number): PricingPolicy => ({
  adjustmentType: 'FIXED_AMOUNT',
  adjustmentValue: minor,
  afterCycle: null,
  createdAt: formatIsoInstant(NOW_MS),
});

const refusals: Record<string, Refusal> = {
  'neither interval nor plan': { variables: {}, code: 'INVALID', field: ['interval'] },
  'a date alone': { variables: { date: days(5) }, code: 'INVALID', field: ['interval'] },
  'a count of zero': { variables: every(0, 'WEEK'), code: 'INVALID', field: ['interval', 'intervalCount'] },
  'a negative count': {
    variables: every(-1, 'WEEK'),
    code: 'INVALID',
    field: ['interval', 'intervalCount'],
    as: 'store',
  },
  'an interval that no plan of the line has': {
    variables: every(3, 'WEEK'),
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
  },
  'an interval that only one of two lines has': {
    variables: every(3, 'MONTH'),
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
    contract: MONTHLY,
    as: 'store for a customer',
  },
  'a plan of another product': {
    variables: { plan: PREPAID_PLAN },
    code: 'INTERVAL_NOT_OFFERED',
    field: ['sellingPlanId'],
  },
  'a plan and another interval': {
    variables: { plan: PLAN, ...every(1, 'MONTH') },
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
  },
  'no such plan': {
    variables: { plan: gid('SellingPlan', 1) },
    code: 'INVALID',
    field: ['sellingPlanId'],
    as: 'store',
  },
  'a date that is past': {
    variables: { ...every(2, 'WEEK'), date: days(-1) },
    code: 'DATE_IN_PAST',
    field: ['nextBillingDate'],
  },
  'a date more than a year ahead': {
    variables: { ...every(2, 'WEEK'), date: days(367) },
    code: 'DATE_TOO_FAR',
    field: ['nextBillingDate'],
  },
  'anchors of another unit, in a rhythm of no plan': {
    variables: every(2, 'MONTH'),
    code: 'ANCHORS_DO_NOT_FIT',
    field: ['interval'],
    as: 'store',
    prepare: ({ content }) => {
      content.billingPolicy.anchors = [monday];
      content.deliveryPolicy.anchors = [monday];
    },
    message: 'billing on Monday and delivery on Monday',
  },
  'an order within 48 hours': {
    variables: every(2, 'WEEK'),
    code: 'ORDER_TOO_CLOSE',
    field: ['contractId'],
    prepare: closeBy,
    message: 'An order is due within 48 hours',
  },
  'a plan of the same interval with another price, within 48 hours of an order': {
    variables: { plan: gid('SellingPlan', 830_100_901) },
    code: 'ORDER_TOO_CLOSE',
    field: ['contractId'],
    prepare: (contract, store) => {
      closeBy(contract, store);
      const plans = [{ name: 'For friends', billing: ['WEEK', 1], prices: [['PERCENTAGE', 40]] }] as const;
      addSellingPlanGroup(
        store,
        { id: 8301009, name: 'Friends', productIds: [8101001], plans },
        formatIsoInstant(NOW_MS),
      );
    },
    message: 'An order is due within 48 hours',
  },
  'a prepaid rhythm that cannot be spread': {
    variables: every(4, 'WEEK'),
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
    as: 'store',
    prepare: payAhead,
    message: '3 deliveries',
  },
  'an interval that is sold for one delivery a payment, to who pays for three': {
    variables: every(1, 'MONTH'),
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
    prepare: payAhead,
    message:
      'every month with 3 deliveries. Available intervals: “Every week” (every week), “Every 2 weeks” (every 2 weeks)',
  },
  'a plan for a contract in another currency, which takes an amount off': {
    variables: { plan: PLAN },
    code: 'CURRENCY_NOT_SUPPORTED',
    field: ['sellingPlanId'],
    prepare: ({ content }, { sellingPlans }) => {
      content.currencyCode = 'CAD';
      for (const plan of sellingPlans.values()) plan.pricingPolicies = [off(100)];
    },
  },
  'a plan whose amount off would give the order away': {
    variables: every(2, 'WEEK'),
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
    prepare: (_contract, { sellingPlans }) => {
      for (const plan of sellingPlans.values()) plan.pricingPolicies = [off(1400)];
    },
    message: 'Every 2 weeks',
  },
  'a plan that is sold for a few orders': {
    variables: { plan: PLAN },
    code: 'INTERVAL_NOT_OFFERED',
    field: ['sellingPlanId'],
    prepare: (_contract, { sellingPlans }) => {
      for (const plan of sellingPlans.values()) plan.billingPolicy.maxCycles = 3;
    },
    message: 'ends after a fixed number of orders',
  },
  'an interval that is sold for a few orders': {
    variables: every(2, 'WEEK'),
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
    prepare: (_contract, { sellingPlans }) => {
      for (const plan of sellingPlans.values()) plan.billingPolicy.maxCycles = 3;
    },
  },
  'a line under no plan': {
    variables: every(2, 'WEEK'),
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
    prepare: ({ content }) => {
      for (const line of content.lines) line.sellingPlanId = null;
    },
    message: 'Only the store can change it',
  },
  'several plans of the interval that differ': {
    variables: every(2, 'WEEK'),
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
    as: 'store',
    prepare: (_contract, store) => {
      const plans = [{ name: 'For friends', billing: ['WEEK', 2], prices: [['PERCENTAGE', 40]] }] as const;
      addSellingPlanGroup(
        store,
        { id: 8301009, name: 'Friends', productIds: [8101001], plans },
        formatIsoInstant(NOW_MS),
      );
    },
    message: '“Every 2 weeks” and “For friends”. Choose one of them with sellingPlanId.',
  },
};

describe('refused, at the client’s own argument; nothing is changed and nothing told', () => {
  test.each(Object.entries(refusals))('%s', async (_name, refusal) => {
    const { variables, code, field, as = 'customer', contract: id, prepare, message = '' } = refusal;
    const world = begin(id);
    prepare?.(world.contract, world.shop());
    const content = structuredClone(world.contract);
    const { payload } = await world.change(variables, as);
    expect(payload).toMatchObject({ contract: null, droppedEdits: [], userErrors: [{ field, code }] });
    expect(payload.userErrors[0].message).toContain(message);
    expect(world.contract).toEqual(content);
    // Checks that there is neither an entry nor an open intent.
    expect([await world.settle(), await world.timeline()]).toEqual([0, []]);
  });
});

describe('what the store gives without an end, and a shorter interval', () => {
  type Given = { readonly discounts?: readonly Partial<DiscountRecord>[]; readonly priceMinor?: number };
  const amount = (amountMinor: number, appliesOnEachItem = false) => ({
    value: { amountMinor, appliesOnEachItem },
  });
  const percent = (percentage: number) => ({ value: { percentage } });
  const papers = { lineIds: ['papers'] };

  /** Ada's monthly contract with these discounts by hand, its second line at another price if one is given. */
  function given({ discounts = [], priceMinor }: Given) {
    const world = begin(MONTHLY);
    const { content } = world.contract;
    const [, line] = content.lines;
    if (line)
      Object.assign(line, {
        id: 'papers',
        ...(priceMinor !== undefined && { currentPriceMinor: priceMinor, pricingPolicy: null }),
      });
    content.discounts = discounts.map((more, index) =>
      discountByHand({ id: `0f0f0f0f-0000-4000-a000-00000000000${index}`, ...more }),
    );
    return world;
  }

  /** The refused discounts by their position, and whether the second line is named. */
  const namedIn = (details: Partial<ErrorDetails> | null | undefined) => [
    (details?.discountIds ?? []).map((id) => Number(id.at(-1))),
    details?.lineIds,
  ];
  const PAPERS = [gid('SubscriptionLine', 'papers')];

  it.each<[string, Given, [number[], string[]]]>([
    ['an amount off every payment', { discounts: [amount(500)] }, [[0], []]],
    ['an amount off each piece', { discounts: [percent(10), amount(100, true)] }, [[1], []]],
    ['a line at no price', { priceMinor: 0 }, [[], PAPERS]],
    ['a line that is discounted by 100 %', { discounts: [{ ...percent(100), ...papers }] }, [[0], PAPERS]],
    [
      'a line that two percentages make free',
      {
        discounts: [
          { ...percent(50), ...papers },
          { ...percent(50), ...papers },
        ],
      },
      [[0, 1], PAPERS],
    ],
    [
      'a percentage that rounds to a free line',
      { priceMinor: 40, discounts: [{ ...percent(99), ...papers }] },
      [[0], PAPERS],
    ],
    [
      'a line that a code and a percentage make free together',
      {
        discounts: [
          { ...percent(20), ...papers },
          { ...percent(80), ...papers, type: 'CODE_DISCOUNT', redeemCode: 'MOST' },
        ],
      },
      [[0], PAPERS],
    ],
    [
      'a line that a code and a percentage make free together, during a discount for one payment',
      {
        discounts: [
          { ...percent(90), ...papers },
          { ...percent(10), ...papers, type: 'CODE_DISCOUNT', redeemCode: 'TENTH' },
          { ...percent(5), recurringCycleLimit: 1 },
        ],
      },
      [[0], PAPERS],
    ],
  ])('refuses customers a shorter one with %s', async (_name, what, named) => {
    for (const as of ['customer', 'store for a customer'] as const) {
      const world = given(what);
      const content = structuredClone(world.contract);
      const { payload, refusals, sent } = await world.change(every(2, 'WEEK'), as);
      expect(payload.userErrors).toEqual([
        {
          field: ['interval'],
          code: 'DISCOUNT_TIED_TO_INTERVAL',
          message:
            'Each delivery includes a free product or a discount, so only the store can choose a shorter interval.',
        },
      ]);
      expect(namedIn(refusals[0]?.details)).toEqual(named);
      expect(sent.flat()).not.toContain('subscriptionContractUpdate');
      expect(world.contract).toEqual(content);
      expect((await world.change({ plan: PLAN }, as)).payload.userErrors).toMatchObject([
        { field: ['sellingPlanId'], code: 'DISCOUNT_TIED_TO_INTERVAL' },
      ]);
    }
    expect((await given(what).change(every(2, 'WEEK'), 'store')).payload.userErrors).toEqual([]);
  });

  it.each<[string, Given]>([
    ['a percentage, whose price rises with the orders', { discounts: [percent(50)] }],
    ['an amount for some payments, which ends', { discounts: [{ ...amount(500), recurringCycleLimit: 3 }] }],
    [
      'a product that is free for some payments',
      { discounts: [{ ...percent(100), ...papers, recurringCycleLimit: 3 }] },
    ],
    ['an amount that is used up', { discounts: [{ ...amount(500), recurringCycleLimit: 1, usageCount: 1 }] }],
    ['an amount that does not apply', { discounts: [{ ...amount(500), rejectionReason: 'NOT_FOUND' }] }],
    ['a code', { discounts: [{ ...percent(100), type: 'CODE_DISCOUNT', redeemCode: 'ALL' }] }],
    [
      'a code for some payments that makes the goods free with a percentage',
      {
        discounts: [
          percent(20),
          { ...percent(80), type: 'CODE_DISCOUNT', redeemCode: 'MOST', recurringCycleLimit: 2 },
        ],
      },
    ],
    ['free delivery', { discounts: [{ ...percent(100), targetType: 'SHIPPING_LINE' }] }],
  ])('allows customers a shorter one with %s', async (_name, what) => {
    expect((await given(what).change(every(2, 'WEEK'))).payload.userErrors).toEqual([]);
  });

  it('compares deliveries, not payments, by their days', async () => {
    const world = begin(9_101_003);
    world.contract.content.discounts.push(discountByHand(amount(500)));
    // Three monthly deliveries are paid for together: payments get rarer, and then more frequent again.
    expect((await world.change({ plan: PREPAID_PLAN })).payload.userErrors).toEqual([]);
    const fortnightly = { plan: gid('SellingPlan', 830_100_102) };
    expect((await world.change(fortnightly)).payload.userErrors).toMatchObject([
      { code: 'DISCOUNT_TIED_TO_INTERVAL' },
    ]);
    expect((await world.change({ plan: gid('SellingPlan', 830_100_103) })).payload.userErrors).toEqual([]);
  });

  describe('days of an interval', () => {
    const PLANS: Readonly<Record<string, readonly number[]>> = {
      'Any day': [],
      Mondays: [1],
      Thursdays: [4],
      'Mondays and Thursdays': [1, 4],
    };
    const planOf = (name: string) =>
      gid(
        'SellingPlan',
        830_100_901 + Object.keys(PLANS).indexOf(name.split(', ')[0] ?? '') + (isRare(name) ? 4 : 0),
      );
    const isRare = (name: string) => name.endsWith(', every 2 weeks');

    /** A weekly contract on the days of this plan, with an amount off every payment. */
    async function onDaysOf(name: string) {
      const world = begin();
      const plans = [1, 2].flatMap((weeks) =>
        Object.entries(PLANS).map(([plan, weekdays]) => ({
          name: weeks === 1 ? plan : `${plan}, every 2 weeks`,
          billing: ['WEEK', weeks] as const,
          delivery: ['WEEK', weeks] as const,
          anchors: weekdays.map((day) => ({ type: 'WEEKDAY' as const, day })),
          prices: [],
        })),
      );
      addSellingPlanGroup(
        world.shop(),
        { id: 8301009, name: 'Days', productIds: [8101001], plans },
        formatIsoInstant(NOW_MS),
      );
      expect((await world.change({ plan: planOf(name) })).payload.userErrors).toEqual([]);
      world.contract.content.discounts.push(discountByHand(amount(500)));
      return world;
    }

    it.each([
      ['Mondays', 'Thursdays'],
      ['Mondays', 'Mondays and Thursdays'],
      ['Mondays', 'Thursdays, every 2 weeks'],
      ['Any day', 'Mondays'],
    ])('refuses to change from “%s” to “%s”', async (from, to) => {
      for (const as of ['customer', 'store for a customer'] as const) {
        const world = await onDaysOf(from);
        expect((await world.change({ plan: planOf(to) }, as)).payload.userErrors).toEqual([
          {
            field: ['sellingPlanId'],
            code: 'DISCOUNT_TIED_TO_INTERVAL',
            message: expect.stringContaining('only the store can choose other days'),
          },
        ]);
        world.contract.content.discounts = [];
        expect((await world.change({ plan: planOf(to) }, as)).payload.userErrors).toEqual([]);
      }
      const merchant = await onDaysOf(from);
      expect((await merchant.change({ plan: planOf(to) }, 'store')).payload.userErrors).toEqual([]);
    });

    it.each([
      ['Mondays and Thursdays', 'Thursdays'],
      ['Mondays', 'Any day'],
      ['Mondays', 'Mondays, every 2 weeks'],
    ])('allows to change from “%s” to “%s”', async (from, to) => {
      const world = await onDaysOf(from);
      expect((await world.change({ plan: planOf(to) })).payload.userErrors).toEqual([]);
    });
  });
});
