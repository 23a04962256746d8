/**
 * Random stores and contracts, and the actions of customers and merchants: plans, groups, days, prices, currencies,
 * past orders, one change after another. The oracle determines each expected payment.
 */

import fc from 'fast-check';
import type { OrderRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { DAY_MS } from '../../../sandbox/platform/state/instant.ts';
import { addRequestedSeeds } from '../../../sandbox/platform/state/seed/seed-from-request.ts';
import type { GroupSeed, PlanSeed, PriceSeed } from '../../../sandbox/platform/state/seed/seed-plans.ts';
import { NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld } from '../../world/interval-world.ts';
import { WEEKLY } from '../../world/store-world.ts';
import type { Acting } from '../world/operation-world.ts';
import { deliveriesOf, type Frequency, type Interval } from './price-oracle.ts';

/** In place of the seed's. */
export const CONTRACT = WEEKLY;
const ADA = 7_001_001;
const PRODUCTS = [8_109_001, 8_109_002, 8_109_003] as const;
const GROUPS = [8_309_001, 8_309_002, 8_309_003] as const;
export const VARIANTS = PRODUCTS.flatMap((product) => [product * 100 + 1, product * 100 + 2]);

type Pair = readonly [Interval, number];
const PAIRS: readonly (readonly [billing: Pair, delivery: Pair])[] = [
  [
    ['WEEK', 1],
    ['WEEK', 1],
  ],
  [
    ['WEEK', 2],
    ['WEEK', 2],
  ],
  [
    ['WEEK', 6],
    ['WEEK', 2],
  ],
  [
    ['MONTH', 1],
    ['MONTH', 1],
  ],
  [
    ['MONTH', 3],
    ['MONTH', 3],
  ],
  [
    ['MONTH', 3],
    ['MONTH', 1],
  ],
  [
    ['MONTH', 6],
    ['MONTH', 1],
  ],
  [
    ['YEAR', 1],
    ['MONTH', 2],
  ],
  [
    ['YEAR', 1],
    ['YEAR', 1],
  ],
];
export const FREQUENCIES: readonly Frequency[] = [
  ...PAIRS.map(([[interval, intervalCount]]) => ({ interval, intervalCount })),
  { interval: 'WEEK', intervalCount: 3 },
  { interval: 'MONTH', intervalCount: 9 },
];

const DAYS: Readonly<Record<Interval, NonNullable<PlanSeed['anchors']>>> = {
  DAY: [],
  WEEK: [{ type: 'WEEKDAY', day: 3 }],
  MONTH: [{ type: 'MONTHDAY', day: 31 }],
  YEAR: [{ type: 'YEARDAY', day: 24, month: 12 }],
};

const percent = fc.oneof(fc.integer({ min: 0, max: 90 }), fc.constantFrom(33.33, 12.5, 0.1));
const percentStep = (afterCycle: number | null) =>
  percent.map((value): PriceSeed => ['PERCENTAGE', value, afterCycle]);
const step = (type: 'FIXED_AMOUNT' | 'PRICE') =>
  fc.integer({ min: 1, max: 3000 }).map((value): PriceSeed => [type, value]);
const prices: fc.Arbitrary<PriceSeed[]> = fc.oneof(
  fc.constant<PriceSeed[]>([]),
  fc.tuple(percentStep(null)),
  fc.tuple(percentStep(0), percentStep(2)),
  fc.tuple(percentStep(null), percentStep(1), percentStep(5)),
  fc.tuple(step('FIXED_AMOUNT')),
  fc.tuple(step('PRICE')),
);

const plan: fc.Arbitrary<PlanSeed> = fc
  .record({ pair: fc.constantFrom(...PAIRS), prices, isOnDays: fc.nat(3), name: fc.constantFrom('A', 'B') })
  .map(({ pair: [billing, delivery], isOnDays, ...seed }) => ({
    ...seed,
    billing,
    delivery,
    // The platform takes anchors where billing and delivery have the same unit.
    anchors: isOnDays === 0 && billing[0] === delivery[0] ? DAYS[billing[0]] : [],
  }));

const group = fc.record({
  productIds: fc.subarray([...PRODUCTS], { minLength: 1 }),
  plans: fc.array(plan, { minLength: 1, maxLength: 6 }),
});

const line = fc.record({
  variant: fc.nat(VARIANTS.length - 1),
  quantity: fc.integer({ min: 1, max: 3 }),
  baseMinor: fc.integer({ min: 100, max: 9000 }),
  kind: fc.constantFrom('plan', 'plan', 'plan', 'price by hand', 'no plan'),
});

export type Command =
  | { readonly kind: 'interval'; readonly as: Acting; readonly frequency: number }
  | { readonly kind: 'plan'; readonly as: Acting; readonly plan: number; readonly isOffered: boolean }
  | { readonly kind: 'lines'; readonly as: Acting; readonly variant: number; readonly isAdded: boolean }
  | { readonly kind: 'skip' }
  | { readonly kind: 'wait'; readonly days: number };

const as = fc.constantFrom<Acting>('customer', 'customer', 'store', 'store for a customer');
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('interval' as const),
      as,
      frequency: fc.nat(FREQUENCIES.length - 1),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('plan' as const),
      as,
      plan: fc.nat(17),
      isOffered: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('lines' as const),
      as,
      variant: fc.nat(VARIANTS.length - 1),
      isAdded: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('skip' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 200 }) }),
  },
);

export const stories = fc.record({
  currency: fc.constantFrom('USD', 'JPY', 'KWD'),
  catalogue: fc.array(fc.integer({ min: 100, max: 9000 }), {
    minLength: VARIANTS.length,
    maxLength: VARIANTS.length,
  }),
  groups: fc.array(group, { minLength: 1, maxLength: GROUPS.length }),
  own: fc.nat(5),
  lines: fc.uniqueArray(line, { minLength: 1, maxLength: 3, selector: ({ variant }) => variant }),
  /** Which of the past cycles were skipped (every n-th), and whether the checkout's order is known. */
  cyclesOver: fc.nat(6),
  skippedEvery: fc.integer({ min: 2, max: 4 }),
  hasOrigin: fc.boolean(),
  commands: fc.array(command, { minLength: 1, maxLength: 7 }),
});

export type Scenario = typeof stories extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const LENGTH_DAYS: Readonly<Record<Interval, number>> = { DAY: 1, WEEK: 7, MONTH: 30.5, YEAR: 365 };

function isPricedFor({ billing, delivery = billing, prices: steps = [] }: PlanSeed): boolean {
  const frequency = ([interval, intervalCount]: Pair): Frequency => ({ interval, intervalCount });
  return (
    deliveriesOf(frequency(billing), frequency(delivery)) === 1 || !steps.some(([type]) => type === 'PRICE')
  );
}

/**
 * Creates Ada's contract in the scenario's store.
 * @returns undefined when no plan sells it for money.
 */
export function createPaymentWorld(scenario: Scenario) {
  const { currency, catalogue, lines, cyclesOver, own } = scenario;
  const groups: GroupSeed[] = scenario.groups.map((seed, index) => {
    const id = GROUPS[index] ?? 0;
    return { id, name: `Group ${id}`, ...seed };
  });
  const sellable = groups.flatMap(({ id, plans }) =>
    plans.flatMap((seed, index) => (isPricedFor(seed) ? [{ id: id * 100 + index + 1, seed }] : [])),
  );
  const sold = sellable[own % Math.max(sellable.length, 1)];
  if (sold === undefined) return undefined;
  const world = createIntervalWorld({ table: createMemoryTable() });
  const store = world.shop();
  for (const records of [store.orders, store.attempts]) {
    for (const { id, contractId } of records.values()) if (contractId === CONTRACT) records.delete(id);
  }
  const [interval, intervalCount] = sold.seed.billing;
  const lengthMs = LENGTH_DAYS[interval] * intervalCount * DAY_MS;
  const createdMs = NOW_MS - Math.ceil(cyclesOver * lengthMs) - 2 * DAY_MS;
  store.currencyCode = currency;
  const products = PRODUCTS.map((id, index) => ({
    id,
    title: `Product ${id}`,
    description: '',
    type: 'Coffee',
    asset: 'coffee-bag',
    optionName: 'Size',
    variants: [0, 1].map(
      (at) => [`${at}`, `V-${id}-${at}`, catalogue[index * 2 + at] ?? 100] as [string, string, number],
    ),
  }));
  const subscription = {
    id: CONTRACT,
    customerId: ADA,
    createdMs,
    planId: sold.id,
    history: true,
    lines: lines.map(({ variant, kind, ...seed }) => ({
      ...seed,
      variantId: VARIANTS[variant] ?? 0,
      ...(kind === 'no plan' && { planId: null }),
    })),
  };
  addRequestedSeeds(store, { products, sellingPlanGroups: groups, subscriptions: [subscription] }, NOW_MS);
  const contract = store.contracts.get(CONTRACT);
  if (contract === undefined) throw new Error('no contract');
  for (const [index, { kind }] of lines.entries()) {
    const record = contract.content.lines[index];
    if (kind === 'price by hand' && record) record.pricingPolicy = null;
  }
  // A line that the merchant gave away stays free.
  if (contract.content.lines.some(({ currentPriceMinor }) => currentPriceMinor === 0)) return undefined;
  contract.billedCycles = contract.billedCycles.filter((index) => index % scenario.skippedEvery !== 0);
  contract.originOrderId = scenario.hasOrigin ? originOf(world) : null;
  return world;
}

export type PaymentWorld = NonNullable<ReturnType<typeof createPaymentWorld>>;

/** An order that is no cycle's. */
function originOf({ shop }: ReturnType<typeof createIntervalWorld>): number {
  const [order] = shop().orders.values();
  const origin = { ...(order as OrderRecord), id: 9_999_001, cycleIndex: null, contractId: null };
  shop().orders.set(origin.id, origin);
  return origin.id;
}
