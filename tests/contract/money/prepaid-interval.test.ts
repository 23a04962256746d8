/** Payments for several deliveries: what a customer pays for each, before and after a change. */
import { describe, expect, test } from '@jest/globals';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import type { DeliveryRate } from '../../../sandbox/platform/state/catalogue-records.ts';
import type { DeliveryMethod, DiscountRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { addSellingPlanGroup, type GroupSeed } from '../../../sandbox/platform/state/seed/seed-plans.ts';
import { NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, PREPAID_PLAN, policiesOf } from '../../world/interval-world.ts';
import { discountByHand } from '../world/discount-by-hand.ts';
import { decaf250, LINES, lineId, linesOf } from '../world/lines-operation.ts';
import { gid } from '../world/operation-world.ts';

/** Ada's decaf, 13.50 every two weeks, which is also sold for three months at once. */
const DECAF = 9_101_003;
const FORTNIGHTLY_PLAN = gid('SellingPlan', 830_100_102);
const MONTHLY_PLAN = gid('SellingPlan', 830_100_103);
const QUARTER = { interval: { interval: 'MONTH', intervalCount: 3 } };

function begin(contract = DECAF) {
  const world = createIntervalWorld({ table: createMemoryTable(), contract });
  const add = (group: GroupSeed) => addSellingPlanGroup(world.shop(), group, formatIsoInstant(NOW_MS));
  // A commit replaces it.
  const content = () => world.contract.content;
  return { ...world, content, add };
}

/** Returns the prices of each line, and of the delivery. */
const payment = ({ content }: ReturnType<typeof begin>) => [
  ...content().lines.map(({ currentPriceMinor }) => currentPriceMinor),
  content().deliveryPriceMinor,
];

describe('an interval alone never changes for how many deliveries a payment is', () => {
  test.each(['customer', 'store for a customer'] as const)(
    'lists the offered intervals for a %s',
    async (as) => {
      const world = begin();
      const { payload } = await world.change(QUARTER, as);
      expect(payload.userErrors).toEqual([
        {
          field: ['interval'],
          code: 'INTERVAL_NOT_OFFERED',
          message:
            'Not every product in the subscription can be ordered every 3 months. Available intervals: “Every week” (every week), “Monthly, paid every 3 months” (every 3 months with 3 deliveries), “Every 2 weeks” (every 2 weeks) and “Every month” (every month).',
        },
      ]);
      expect([policiesOf(world.contract), payment(world)]).toEqual([
        ['2 WEEK', '2 WEEK'],
        [1350, 490],
      ]);
    },
  );

  test('a merchant gets one delivery every three months, at the price of one', async () => {
    const world = begin();
    expect((await world.change(QUARTER, 'store')).payload.userErrors).toEqual([]);
    expect([policiesOf(world.contract), payment(world)]).toEqual([
      ['3 MONTH', '3 MONTH'],
      [1350, 490],
    ]);
  });
});

test.each(['customer', 'store'] as const)(
  'a plan does, for a %s, and back: each delivery costs the same',
  async (as) => {
    const world = begin();
    expect((await world.change({ plan: PREPAID_PLAN }, as)).payload.userErrors).toEqual([]);
    expect([policiesOf(world.contract), payment(world)]).toEqual([
      ['3 MONTH', '1 MONTH'],
      [4050, 1470],
    ]);
    expect(world.content().lines[0]?.pricingPolicy?.cycleDiscounts[0]?.computedPriceMinor).toBe(4050);
    expect((await world.change({ plan: FORTNIGHTLY_PLAN }, as)).payload.userErrors).toEqual([]);
    expect([policiesOf(world.contract), payment(world)]).toEqual([
      ['2 WEEK', '2 WEEK'],
      [1350, 490],
    ]);
  },
);

test('a customer pays for all deliveries of a product that is added or swapped in', async () => {
  const world = begin();
  await world.change({ plan: PREPAID_PLAN });
  await world.ask(LINES, {
    update: [{ lineId: lineId(world.contract), productVariantId: gid('ProductVariant', 810_100_202) }],
    add: [{ productVariantId: decaf250, quantity: 2 }],
  });
  expect(linesOf(world.contract)).toEqual([
    [810_100_202, 1, 3 * 2520],
    [810_100_201, 2, 3 * 1350],
  ]);
});

test('removes the discount of one plan at the frequency of another', async () => {
  const world = begin();
  const plan = world.shop().sellingPlans.get(830_100_103);
  if (plan) plan.pricingPolicies = plan.pricingPolicies.map((each) => ({ ...each, adjustmentValue: 5 }));
  for (const as of ['customer', 'store'] as const) {
    await world.change({ interval: { interval: 'MONTH', intervalCount: 1 } }, as);
    expect(world.content().lines).toMatchObject([
      { sellingPlanName: 'Every month', currentPriceMinor: 1425 },
    ]);
    await world.change({ interval: { interval: 'WEEK', intervalCount: 2 } }, as);
    expect(world.content().lines).toMatchObject([
      { sellingPlanName: 'Every 2 weeks', currentPriceMinor: 1350 },
    ]);
  }
});

describe('a plan is named for one line; the others take, of their own groups,', () => {
  const prepaid = (percent: number) => ({
    name: `Ahead, ${percent} %`,
    billing: ['MONTH', 3] as const,
    delivery: ['MONTH', 1] as const,
    prices: [['PERCENTAGE', percent] as const],
  });

  function twoLines() {
    const world = begin();
    const [line] = world.content().lines;
    if (line)
      world.content().lines.push({
        ...structuredClone(line),
        id: 'house',
        productId: 8101001,
        variantId: 810_100_101,
      });
    return world;
  }

  test('takes the plan with the same prices for the other lines, else the first of the same terms', async () => {
    const world = twoLines();
    world.add({ id: 8301003, name: 'House', productIds: [8101001], plans: [prepaid(5), prepaid(10)] });
    expect((await world.change({ plan: PREPAID_PLAN })).payload.userErrors).toEqual([]);
    expect(world.content().lines.map(({ sellingPlanId }) => sellingPlanId)).toEqual([
      830_100_201, 830_100_301,
    ]);
    expect(payment(world)).toEqual([4050, 4275, 1470]);
    // A retry has to read the plans of the other lines.
    const again = await world.change({ plan: PREPAID_PLAN });
    expect([again.payload.userErrors, again.recorded, again.sent.length]).toEqual([[], [], 3]);
  });

  test.each(['customer', 'store'] as const)(
    'refuses the plan to a %s when another line has none',
    async (as) => {
      const world = twoLines();
      world.add({
        id: 8301003,
        name: 'House',
        productIds: [8101001],
        plans: [{ ...prepaid(10), anchors: [{ type: 'MONTHDAY', day: 1 }] }],
      });
      const { payload } = await world.change({ plan: PREPAID_PLAN }, as);
      expect(payload.userErrors).toMatchObject([{ field: ['sellingPlanId'], code: 'INTERVAL_NOT_OFFERED' }]);
    },
  );
});

describe('what the store takes off each payment', () => {
  const discount = (value: DiscountRecord['value'], more: Partial<DiscountRecord> = {}) =>
    discountByHand({ title: 'Sorry', value, ...more });

  test.each([
    [
      'a fixed amount is that of its deliveries',
      discount({ amountMinor: 1350, appliesOnEachItem: false }),
      450,
    ],
    ['of each piece too', discount({ amountMinor: 1000, appliesOnEachItem: true }), 333],
    [
      'a code has its own amount',
      discount(
        { amountMinor: 300, appliesOnEachItem: false },
        { type: 'CODE_DISCOUNT', redeemCode: 'THREE' },
      ),
      300,
    ],
  ])('%s', async (_name, given, after) => {
    const world = begin();
    await world.change({ plan: PREPAID_PLAN });
    world.content().discounts.push(given);
    expect((await world.change({ plan: MONTHLY_PLAN })).payload.userErrors).toEqual([]);
    expect(world.content().discounts).toEqual([{ ...given, value: { ...given.value, amountMinor: after } }]);
  });

  const AMOUNT = { amountMinor: 1200, appliesOnEachItem: false };
  test.each([
    // A discount for two payments does not extend to the deliveries of two larger ones.
    ['an amount', 'larger', discount(AMOUNT, { recurringCycleLimit: 2 }), { value: AMOUNT }],
    [
      'a percentage',
      'larger',
      discount({ percentage: 50 }, { recurringCycleLimit: 1 }),
      { value: { percentage: 16 } },
    ],
    ['a small percentage', 'larger', discount({ percentage: 2 }, { recurringCycleLimit: 1 }), undefined],
    // The discount is not lost either: three payments of one delivery equal one payment of three.
    [
      'an amount',
      'smaller',
      discount(AMOUNT, { recurringCycleLimit: 3, usageCount: 1 }),
      { value: { ...AMOUNT, amountMinor: 400 }, recurringCycleLimit: 7 },
    ],
    [
      'an amount that does not divide',
      'smaller',
      discount({ amountMinor: 200, appliesOnEachItem: false }, { recurringCycleLimit: 1 }),
      { value: { amountMinor: 66, appliesOnEachItem: false }, recurringCycleLimit: 3 },
    ],
    [
      'an amount on each item, of less than the smallest unit for a delivery,',
      'smaller',
      discount({ amountMinor: 2, appliesOnEachItem: true }, { recurringCycleLimit: 1 }),
      undefined,
    ],
    [
      'a percentage',
      'smaller',
      discount({ percentage: 50 }, { recurringCycleLimit: 1 }),
      { value: { percentage: 50 }, recurringCycleLimit: 3 },
    ],
    ['one that is used up', 'smaller', discount(AMOUNT, { recurringCycleLimit: 1, usageCount: 1 }), {}],
  ] as const)(
    '%s for some payments is worth no more when payments get %s',
    async (_name, size, given, after) => {
      const world = begin();
      if (size === 'smaller') await world.change({ plan: PREPAID_PLAN });
      world.content().discounts.push(given);
      const plan = size === 'smaller' ? FORTNIGHTLY_PLAN : PREPAID_PLAN;
      expect((await world.change({ plan })).payload.userErrors).toEqual([]);
      expect(world.content().discounts).toEqual(after === undefined ? [] : [{ ...given, ...after }]);
    },
  );

  test('counts a payment that waits for its confirmation as a use of a discount', async () => {
    const world = begin();
    await world.change({ plan: PREPAID_PLAN });
    world.content().status = 'ACTIVE';
    world.shop().chargeDelaySeconds = 200;
    const trial = discount({ percentage: 100 }, { recurringCycleLimit: 1 });
    world.content().discounts.push(trial);
    const index = findCycleAt(world.contract, NOW_MS)?.index ?? 0;
    const charge = `{ subscriptionBillingAttemptCreate(subscriptionContractId: "gid://shopify/SubscriptionContract/${DECAF}",
      subscriptionBillingAttemptInput: { idempotencyKey: "first", billingCycleSelector: { index: ${index} } }) { userErrors { code } } }`;
    world.platform.holder.nowMs += 14 * 86_400_000;
    expect((await world.platform.run(charge)).userErrors).toEqual([]);
    expect((await world.change({ plan: FORTNIGHTLY_PLAN })).payload.userErrors).toEqual([]);
    expect(world.content().discounts).toEqual([trial]);
  });

  const freeDelivery = (recurringCycleLimit: number | null, usageCount = 0) =>
    discount({ percentage: 100 }, { targetType: 'SHIPPING_LINE', recurringCycleLimit, usageCount });

  test.each([
    ['without an end stays', freeDelivery(null), freeDelivery(null), freeDelivery(null)],
    [
      'for seven payments is for six deliveries in larger ones, and in smaller ones again',
      freeDelivery(8, 1),
      freeDelivery(3, 1),
      freeDelivery(7, 1),
    ],
    ['for fewer deliveries than a larger payment has ends', freeDelivery(2), undefined, undefined],
  ])(
    'converts a discount of the delivery to the new payments: free delivery %s',
    async (_name, given, ahead, back) => {
      const world = begin();
      world.content().discounts.push(given);
      expect((await world.change({ plan: PREPAID_PLAN })).payload.userErrors).toEqual([]);
      expect(world.content().discounts).toEqual(ahead === undefined ? [] : [ahead]);
      expect((await world.change({ plan: FORTNIGHTLY_PLAN })).payload.userErrors).toEqual([]);
      expect(world.content().discounts).toEqual(back === undefined ? [] : [back]);
    },
  );

  test('a percentage stays', async () => {
    const world = begin();
    world.content().discounts.push(discount({ percentage: 20 }));
    await world.change({ plan: PREPAID_PLAN });
    expect(world.content().discounts).toEqual([discount({ percentage: 20 })]);
  });
});

/** The method with an address in Bath. */
function inBath(method: DeliveryMethod | null): DeliveryMethod | null {
  if (method?.kind !== 'shipping') return method;
  return { ...method, address: { ...method.address, city: 'Bath', countryCodeV2: 'GB', provinceCode: null } };
}

describe('another address, while a payment is for several deliveries', () => {
  const DELIVERY = `mutation ($contractId: ID!, $option: String) {
    subscriptionContractDeliveryUpdate(contractId: $contractId, optionCode: $option, deliveryMethod: { shipping: {
      firstName: "Ada", lastName: "Brewer", address1: "1 Main Street", city: "Bangor", countryCode: US, provinceCode: "ME", zip: "04401"
    } }) { contract { deliveryPrice { amount } } userErrors { field message code } }
  }`;

  test('keeps the price of the payment where one delivery costs what it did', async () => {
    const world = begin();
    await world.change({ plan: PREPAID_PLAN });
    const { payload } = await world.ask(DELIVERY, { option: 'standard' });
    expect(payload.userErrors).toEqual([]);
    expect(world.content().deliveryMethod).toMatchObject({ address: { city: 'Bangor' } });
    expect(payment(world)).toEqual([4050, 1470]);
    await world.change({ plan: FORTNIGHTLY_PLAN });
    expect(payment(world)).toEqual([1350, 490]);
  });

  const rate = (code: string, priceMinor: number, regions?: string[]): DeliveryRate => ({
    kind: 'shipping',
    code,
    title: code,
    description: '',
    priceMinor,
    ...(regions && { regions }),
  });

  test.each(['customer', 'store'] as const)(
    'refuses a %s another option at the very price of the payment',
    async (as) => {
      const world = begin();
      world.shop().deliveryRates = [rate('standard', 490), rate('express', 1470), rate('saver', 490)];
      await world.change({ plan: PREPAID_PLAN });
      for (const option of ['express', 'saver']) {
        const { payload } = await world.ask(DELIVERY, { option }, as);
        expect(payload.userErrors).toMatchObject([{ field: ['optionCode'], code: 'INVALID' }]);
      }
      expect(world.content().deliveryMethod).toMatchObject({
        address: { city: 'Portland' },
        option: { code: 'standard' },
      });
    },
  );

  test('refuses the same option where it costs something else, even the price of the payment', async () => {
    const world = begin();
    await world.change({ plan: PREPAID_PLAN });
    world.content().deliveryMethod = inBath(world.content().deliveryMethod);
    world.shop().shipsToCountries.push('GB');
    world.shop().deliveryRates = [rate('standard', 490, ['GB']), rate('standard', 1470)];
    const { payload } = await world.ask(DELIVERY, { option: 'standard' });
    expect(payload.userErrors).toMatchObject([{ field: ['optionCode'], code: 'INVALID' }]);
  });

  test('a way of delivery that is not offered any more is replaced by the cheapest when the customer leaves the plan', async () => {
    const world = begin();
    await world.change({ plan: PREPAID_PLAN });
    world.shop().deliveryRates = [rate('express', 1990), rate('post', 690)];
    const { payload } = await world.ask(DELIVERY, { option: 'post' });
    expect(payload.userErrors).toMatchObject([{ field: ['optionCode'], code: 'INVALID' }]);
    expect(payload.userErrors[0].message).toMatch(/First choose a plan that bills each delivery separately/);
    expect((await world.change({ plan: FORTNIGHTLY_PLAN })).payload.userErrors).toEqual([]);
    expect(payment(world)).toEqual([1350, 690]);
    expect(world.content().deliveryMethod).toMatchObject({
      kind: 'shipping',
      address: { city: 'Portland' },
      option: { code: 'post' },
    });
    const facts = (await world.entries()).at(-1)?.changes.map(({ field }) => field);
    expect(facts).toEqual(expect.arrayContaining(['deliveryMethod', 'deliveryPrice']));
    expect((await world.ask(DELIVERY, { option: 'express' })).payload.userErrors).toEqual([]);
  });

  test('keeps a price that the store set by hand', async () => {
    const world = begin();
    await world.change({ plan: PREPAID_PLAN });
    world.content().deliveryPriceMinor = 100;
    const { payload } = await world.ask(DELIVERY, { option: 'standard' });
    expect(payload.userErrors).toEqual([]);
    expect(world.content().deliveryMethod).toMatchObject({ address: { city: 'Bangor' } });
    expect(payment(world)).toEqual([4050, 100]);
  });

  test.each(['customer', 'store'] as const)(
    'refuses a %s another delivery option, because its price is unknown',
    async (as) => {
      const world = begin();
      await world.change({ plan: PREPAID_PLAN });
      const { payload } = await world.ask(DELIVERY, { option: 'express' }, as);
      expect(payload.userErrors).toMatchObject([{ field: ['optionCode'], code: 'INVALID' }]);
      expect(payment(world)).toEqual([4050, 1470]);
      expect(world.content().deliveryMethod).not.toMatchObject({ address: { city: 'Bangor' } });
    },
  );
});
