/** Random stores and subscriptions, and a merchant's manual grants: prices, discounts, gifts, delivery, codes. */
import fc from 'fast-check';
import type { DeliveryRate, IntervalUnit } from '../../../../sandbox/platform/state/catalogue-records.ts';
import type {
  ContractRecord,
  DiscountRecord,
  LineRecord,
} from '../../../../sandbox/platform/state/contract-records.ts';
import type { PlanSeed, PriceSeed } from '../../../../sandbox/platform/state/seed/seed-plans.ts';
import { discountByHand } from '../../world/discount-by-hand.ts';

export const PRODUCTS = [8_109_001, 8_109_002, 8_109_003, 8_109_004] as const;
export const VARIANTS = PRODUCTS.flatMap((product) => [product * 100 + 1, product * 100 + 2]);

type Frequency = readonly [IntervalUnit, number];
/** The billing and delivery intervals of a plan: one or several deliveries per payment. */
export const FREQUENCIES: readonly (readonly [billing: Frequency, delivery: Frequency])[] = [
  ...(
    [
      ['WEEK', 1],
      ['WEEK', 2],
      ['MONTH', 1],
      ['MONTH', 2],
      ['DAY', 10],
    ] as const
  ).map((one) => [one, one] as const),
  [
    ['WEEK', 6],
    ['WEEK', 2],
  ],
  [
    ['MONTH', 3],
    ['MONTH', 1],
  ],
];

const minor = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 100, max: 6000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 99 }) },
  { weight: 1, arbitrary: fc.constant(0) },
);
/** Discounts have whole numbers only. */
const percentage = fc.oneof(fc.constantFrom(10, 50, 99, 100), fc.integer({ min: 1, max: 100 }));
const planPercentage = fc.oneof(percentage, fc.constantFrom(33.33, 99.99, 0.1));

const priceSteps: fc.Arbitrary<PriceSeed[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<PriceSeed[]>([]) },
  { weight: 3, arbitrary: planPercentage.map((value): PriceSeed[] => [['PERCENTAGE', value % 100]]) },
  { weight: 1, arbitrary: planPercentage.map((value): PriceSeed[] => [['PERCENTAGE', value]]) },
  { weight: 2, arbitrary: minor.map((value): PriceSeed[] => [['FIXED_AMOUNT', value]]) },
  { weight: 1, arbitrary: minor.map((value): PriceSeed[] => [['PRICE', value]]) },
  {
    weight: 1,
    arbitrary: fc.tuple(planPercentage, planPercentage).map(([first, later]): PriceSeed[] => [
      ['PERCENTAGE', first, 0],
      ['PERCENTAGE', later % 100, 2],
    ]),
  },
);

const plans = fc.uniqueArray(
  fc
    .record({
      frequency: fc.constantFrom(...FREQUENCIES),
      prices: priceSteps,
      days: fc.constantFrom<number[]>([], [], [1], [4], [1, 4]),
    })
    .map(({ frequency: [billing, delivery], prices, days }): PlanSeed => {
      const weekdays = billing === delivery && billing[0] === 'WEEK' ? days : [];
      const anchors = weekdays.map((day) => ({ type: 'WEEKDAY' as const, day }));
      return {
        ...{ name: `${billing} ${delivery} on ${weekdays}`, billing, delivery, anchors },
        // The platform publishes no rule for a PRICE over several deliveries.
        prices: billing === delivery ? prices : prices.filter(([type]) => type !== 'PRICE'),
      };
    }),
  { minLength: 2, maxLength: FREQUENCIES.length, selector: ({ name }) => name },
);

const LINE_KINDS = [
  'plan',
  'plan',
  'plan',
  'plan',
  'plan',
  'plan',
  'plan',
  'no plan',
  'price by hand',
  'gift',
  'gift of a plan',
] as const;
const line = fc.record({
  variant: fc.nat(VARIANTS.length - 1),
  quantity: fc.integer({ min: 1, max: 4 }),
  kind: fc.constantFrom(...LINE_KINDS),
  /** The manual price. */
  price: minor,
});

/** For the first of several payments, or for all of them. */
const limit = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ recurringCycleLimit: null, usageCount: 0 }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.nat(4))
      .map(([payments, used]) => ({ recurringCycleLimit: payments, usageCount: Math.min(payments, used) })),
  },
);

const anyDiscount = fc.record({
  limit,
  value: fc.oneof(
    percentage.map((value) => ({ percentage: value })),
    // Percent of what the contract costs: amounts that almost make it free are the interesting ones.
    fc.record({
      share: fc.oneof(fc.integer({ min: 1, max: 130 }), fc.integer({ min: 40, max: 99 })),
      isForEachItem: fc.boolean(),
    }),
  ),
  /** The lines to which it applies, by their position; an empty list means all lines. */
  lines: fc.oneof(fc.constant<number[]>([]), fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 2 })),
  isFreeShipping: fc.nat(4).map((one) => one === 0),
});

/** Everything is free for some payments. */
const trial: typeof anyDiscount = fc.integer({ min: 1, max: 3 }).map((payments) => ({
  limit: { recurringCycleLimit: payments, usageCount: 0 },
  value: { percentage: 100 },
  lines: [],
  isFreeShipping: false,
}));
/** An amount off every payment, of which a free trial hides what it covers. */
const hiddenAmount = fc.tuple(
  fc.integer({ min: 40, max: 99 }).map(
    (share): Discount => ({
      ...{ limit: { recurringCycleLimit: null, usageCount: 0 }, value: { share, isForEachItem: false } },
      ...{ lines: [], isFreeShipping: false },
    }),
  ),
  trial,
);
const discount = fc.oneof({ weight: 4, arbitrary: anyDiscount }, { weight: 1, arbitrary: trial });

export type Discount = typeof discount extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const code = fc.record({ percentage, limit: fc.constantFrom(null, null, 1, 2), isRejected: fc.nat(7) });
export const CODES = ['SPRING', 'Two words', 'Straße'] as const;

/** A merchant changes a contract that runs. */
export const gift = fc.oneof(
  fc.record({ kind: fc.constant('discount' as const), discount }),
  fc.record({ kind: fc.constant('line' as const), line: fc.nat(3), price: fc.constantFrom(0, 1) }),
);

export type Gift = typeof gift extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** The dependence of an option's price on the order; `only` is not available above the step. */
const rate = fc.record({
  by: fc.constantFrom('nothing', 'amount', 'amount', 'weight', 'weight', 'region', 'only'),
  at: fc.integer({ min: 1, max: 12 }),
  prices: fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 })),
});

type Rate = typeof rate extends fc.Arbitrary<infer Drawn> ? Drawn : never;
export const OPTIONS = ['standard', 'express', 'local', 'pickup'] as const;

/** The rows of one option in the store's table. */
export function deliveryRates(code: (typeof OPTIONS)[number], { by, at, prices }: Rate): DeliveryRate[] {
  const kind = code === 'local' ? 'localDelivery' : code === 'pickup' ? 'pickup' : 'shipping';
  const row = (price: number, limits: Partial<DeliveryRate>): DeliveryRate => ({
    ...{ kind, code, title: code, description: '', priceMinor: price * 100 },
    ...limits,
  });
  const [first, second] = prices;
  if (by === 'amount') return [row(first, { belowMinor: at * 1000 }), row(second, { fromMinor: at * 1000 })];
  if (by === 'weight') return [row(first, { belowGrams: at * 250 }), row(second, { fromGrams: at * 250 })];
  if (by === 'region') return [row(first, { regions: ['US-ME'] }), row(second, { regions: ['CA'] })];
  return [row(first, by === 'only' ? { belowMinor: at * 2000 } : {})];
}

const subscription = fc.record({
  plan: fc.nat(FREQUENCIES.length - 1),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  discounts: fc.oneof(
    { weight: 4, arbitrary: fc.array(discount, { maxLength: 3 }) },
    { weight: 1, arbitrary: hiddenAmount },
  ),
  /** Codes that the customer has applied, by their position. */
  codes: fc.oneof(
    { weight: 2, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.nat(CODES.length - 1), { minLength: 1, maxLength: 2 }) },
  ),
  /** The manual delivery price in minor units, or null for the store's price. */
  deliveryPrice: fc.option(minor, { freq: 4 }),
  cyclesOver: fc.nat(3),
});

export const stores = fc.record({
  currency: fc.constantFrom('USD', 'USD', 'JPY'),
  catalogue: fc.array(minor, { minLength: VARIANTS.length, maxLength: VARIANTS.length }),
  plans,
  codes: fc.array(code, { minLength: CODES.length, maxLength: CODES.length }),
  rates: fc.option(fc.tuple(rate, rate, rate, rate), { freq: 3 }),
  subscriptions: fc.array(subscription, { minLength: 1, maxLength: 2 }),
});

export type Store = typeof stores extends fc.Arbitrary<infer Drawn> ? Drawn : never;
export type Subscription = Store['subscriptions'][number];

/** Applies the merchant's grants. */
export function giveTo({ content }: ContractRecord, one: Gift): void {
  if (one.kind === 'discount') content.discounts.push(discountRecord(content, one.discount));
  const given = content.lines[one.kind === 'line' ? one.line : -1];
  if (given !== undefined && one.kind === 'line') given.currentPriceMinor = one.price;
}

type Content = ContractRecord['content'];

/** A manual discount as the platform stores it. */
export function discountRecord(
  content: Content,
  { limit, value, lines, isFreeShipping }: Discount,
): DiscountRecord {
  const id = `0d0d0d0d-0000-4000-a000-${String(content.discounts.length + 1).padStart(12, '0')}`;
  if (isFreeShipping)
    return discountByHand({ id, ...limit, targetType: 'SHIPPING_LINE', value: { percentage: 100 } });
  const entitled = content.lines.filter((_line, index) => lines.includes(index));
  const lineIds = entitled.length === 0 ? null : entitled.map((one) => one.id);
  if ('percentage' in value) return discountByHand({ id, ...limit, lineIds, value });
  const ofLines = entitled.length === 0 ? content.lines : entitled;
  const whole = ofLines.reduce((sum, one) => sum + one.currentPriceMinor * one.quantity, 0);
  const items = value.isForEachItem ? ofLines.reduce((sum, one) => sum + one.quantity, 0) : 1;
  const amountMinor = Math.max(1, Math.floor((whole * value.share) / 100 / items));
  return discountByHand({
    id,
    ...limit,
    lineIds,
    value: { amountMinor, appliesOnEachItem: value.isForEachItem },
  });
}

/** Sets the price of a line that the merchant changed by hand. */
export function priceByHand(record: LineRecord, { kind, price }: Subscription['lines'][number]): void {
  if (kind === 'plan' || kind === 'no plan') return;
  record.currentPriceMinor = kind === 'price by hand' ? price : 0;
  if (kind !== 'gift of a plan') record.pricingPolicy = null;
}
