/** Checks that the phone's price of an interval is the price that the service will charge, or none. */
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { computePlanPrice } from '../../../lib/subscriptions/selling-plans/plan-price.ts';

type Money = { readonly amount: string; readonly currencyCode: string };
type PricedPlan = {
  readonly id: string;
  readonly pricingPolicies: readonly {
    readonly adjustmentType: string;
    readonly adjustmentValue: { readonly percentage: number } | Money;
    readonly afterCycle?: number | null;
  }[];
};
type PricedLine = {
  readonly quantity: number;
  readonly sellingPlanId: string | null;
  readonly currentPrice: Money;
  readonly lineDiscountedPrice: Money;
  readonly pricingPolicy: { readonly basePrice: Money } | null;
};
type Terms = { readonly ordersMade: number; readonly deliveries: number; readonly currencyCode: string };

/** The page's script, which the compiler knows by its own settings alone. */
const SCRIPT = '../../../sandbox/phone/app/subscriptions/interval-price.js';
const { linesPrice, toMinor } = (await import(SCRIPT)) as {
  linesPrice: (pairs: readonly { line: PricedLine; plan: PricedPlan }[], terms: Terms) => bigint | undefined;
  toMinor: (money: Money) => bigint;
};

const currencies = fc.constantFrom(['USD', 2] as const, ['JPY', 0] as const, ['KWD', 3] as const);
/** In the smallest unit. */
const amounts = fc.integer({ min: 0, max: 9_999 });

const percentages = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc
    .double({ min: 0, max: 120, noNaN: true, noDefaultInfinity: true })
    .map((share) => Number(share.toFixed(3))),
);

const policies = fc.array(
  fc.record({
    adjustmentType: fc.constantFrom('PERCENTAGE', 'FIXED_AMOUNT', 'PRICE', 'LATER_KIND'),
    percentage: percentages,
    amount: amounts,
    afterCycle: fc.constantFrom(undefined, null, 0, 1, 3, 6),
  }),
  { maxLength: 4 },
);

test('the price of a line under another plan is the one that the service gives it', () => {
  const cases = fc.record({
    currency: currencies,
    base: amounts,
    policies,
    ordersMade: fc.integer({ min: 0, max: 8 }),
    deliveries: fc.constantFrom(1, 3),
    quantity: fc.integer({ min: 1, max: 20 }),
  });
  fc.assert(
    fc.property(cases, ({ currency, base, policies, ordersMade, deliveries, quantity }) => {
      const [currencyCode, digits] = currency;
      const text = (minor: number) => (minor / 10 ** digits).toFixed(Math.max(digits, 1));
      const money = (minor: number) => ({ amount: text(minor), currencyCode });
      const plan = {
        id: 'new',
        pricingPolicies: policies.map(({ adjustmentType, percentage, amount, afterCycle }) => ({
          adjustmentType,
          adjustmentValue: adjustmentType === 'PERCENTAGE' ? { percentage } : money(amount),
          ...(afterCycle === undefined ? {} : { afterCycle }),
        })),
      };
      const line: PricedLine = {
        quantity,
        sellingPlanId: 'old',
        currentPrice: money(100),
        lineDiscountedPrice: money(100),
        pricingPolicy: { basePrice: money(base) },
      };
      const planTotal = computePlanPrice({
        basePrice: text(base),
        policies: plan.pricingPolicies,
        ordersMade,
        deliveriesPerPayment: deliveries,
        currencyCode,
      });
      const linesTotal = linesPrice([{ line, plan }], { ordersMade, deliveries, currencyCode });
      // The phone shows no price if a step is unknown; a displayed price is correct.
      if (linesTotal === undefined) return;
      expect(planTotal).toBeDefined();
      expect(linesTotal).toBe(
        toMinor({ amount: planTotal?.currentPrice ?? '', currencyCode }) * BigInt(quantity),
      );
    }),
    { seed: 20, numRuns: 300 },
  );
});

test('a line that keeps its plan keeps its price; one without a policy, too', () => {
  const usd = (amount: string) => ({ amount, currencyCode: 'USD' });
  const plan = { id: 'plan', pricingPolicies: [] };
  const line = {
    quantity: 2,
    sellingPlanId: 'plan',
    currentPrice: usd('12.6'),
    lineDiscountedPrice: usd('20.00'),
    pricingPolicy: { basePrice: usd('14.0') },
  };
  const terms = { ordersMade: 1, deliveries: 1, currencyCode: 'USD' };
  expect(linesPrice([{ line, plan }], terms)).toBe(2000n);
  const unpriced = { ...line, sellingPlanId: 'other', pricingPolicy: null };
  expect(linesPrice([{ line: unpriced, plan }], terms)).toBe(2520n);
});

test('an amount off in another currency tells no price', () => {
  const eur = (amount: string) => ({ amount, currencyCode: 'EUR' });
  const pricingPolicies = [
    { adjustmentType: 'FIXED_AMOUNT', adjustmentValue: { amount: '1.0', currencyCode: 'USD' } },
  ];
  const line = {
    quantity: 1,
    sellingPlanId: 'old',
    currentPrice: eur('9.0'),
    lineDiscountedPrice: eur('9.0'),
    pricingPolicy: { basePrice: eur('10.0') },
  };
  const terms = { ordersMade: 0, deliveries: 1, currencyCode: 'EUR' };
  expect(linesPrice([{ line, plan: { id: 'new', pricingPolicies } }], terms)).toBeUndefined();
});
