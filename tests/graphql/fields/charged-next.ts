/**
 * The next charge of a merchant who charges each order on its day, computed independently of the service: the clock of
 * the emulated platform advances, cycle by cycle, and the first charged order is read. Also generates random contracts.
 */
import fc from 'fast-check';
import { findCycleAt, findCycleByIndex } from '../../../sandbox/platform/state/billing-cycles.ts';
import type {
  ContractContent,
  ContractRecord,
  DiscountRecord,
  LineRecord,
} from '../../../sandbox/platform/state/contract-records.ts';
import { dayMs, type Json, type Platform } from '../../sandbox/platform/admin/harness.ts';

export type Charged = {
  readonly date: string;
  readonly cycleIndex: number;
  readonly total: { readonly amount: string; readonly currencyCode: string };
};

const CHARGE = `mutation ($id: ID!, $index: Int!, $key: String!) {
  subscriptionBillingAttemptCreate(subscriptionContractId: $id, subscriptionBillingAttemptInput: {
    idempotencyKey: $key, billingCycleSelector: { index: $index }, inventoryPolicy: ALLOW_OVERSELLING
  }) { subscriptionBillingAttempt { id } userErrors { code message } }
}`;
const ORDER = `query ($id: ID!) {
  subscriptionBillingAttempt(id: $id) { ready order { totalPriceSet { shopMoney { amount currencyCode } } } }
}`;

/**
 * Charges the next order, and leaves the platform's clock after the charge.
 * @returns null when nothing is charged within a year.
 */
export async function chargeNext(platform: Platform, contract: ContractRecord): Promise<Charged | null> {
  const fromMs = platform.holder.nowMs;
  const first = findCycleAt(contract, fromMs)?.index ?? 1;
  for (let index = first; ; index++) {
    const cycle = findCycleByIndex(contract, index);
    if (cycle === null || cycle.startMs > fromMs + 365 * dayMs) return null;
    // An order whose date has passed is due, not the next one.
    if (cycle.expectedMs < fromMs) continue;
    platform.holder.nowMs = Math.max(fromMs, cycle.expectedMs);
    platform.api.reset();
    const id = `gid://shopify/SubscriptionContract/${contract.id}`;
    const { subscriptionBillingAttemptCreate: payload } = await platform.data(CHARGE, {
      ...{ id, index, key: `cycle ${index}` },
    });
    if (payload.subscriptionBillingAttempt === null) continue;
    const date = cycleDate(cycle.expectedMs);
    platform.holder.nowMs += 3_600_000;
    const answer: Json = await platform.data(ORDER, { id: payload.subscriptionBillingAttempt.id });
    const { order } = answer.subscriptionBillingAttempt;
    return { date, cycleIndex: index, total: order.totalPriceSet.shopMoney };
  }
}

function cycleDate(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

export type Shaped = {
  readonly status: ContractContent['status'];
  readonly currencyCode: string;
  readonly billing: readonly [interval: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR', count: number];
  /** A payment for so many deliveries. */
  readonly deliveries: number;
  readonly maxCycles: number | null;
  readonly lines: readonly { readonly priceMinor: number; readonly quantity: number }[];
  readonly deliveryPriceMinor: number;
  readonly discounts: readonly Off[];
  /** From the cycle that now falls in: whether it is billed, and its edit. */
  readonly cycles: readonly {
    readonly billed: boolean;
    readonly skipped: boolean;
    /** Where in its own time the order is moved to, from 0 to 1. */
    readonly movedTo: number | null;
    readonly contract: { readonly times: number; readonly deliveryPriceMinor: number } | null;
  }[];
};

type Off = {
  readonly isShipping: boolean;
  readonly percentage: number | null;
  readonly amountMinor: number;
  readonly appliesOnEachItem: boolean;
  readonly onFirstLine: boolean;
  readonly limit: number | null;
  readonly used: number;
  readonly isRejected: boolean;
};

const off: fc.Arbitrary<Off> = fc.record({
  isShipping: fc.boolean(),
  percentage: fc.option(fc.integer({ min: 1, max: 100 }), { nil: null }),
  amountMinor: fc.integer({ min: 1, max: 5000 }),
  appliesOnEachItem: fc.boolean(),
  onFirstLine: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  used: fc.integer({ min: 0, max: 3 }),
  isRejected: fc.boolean(),
});

const often = { freq: 2, nil: null };

/**
 * Contracts of many shapes: discounts with limits, prepaid intervals, orders that are billed, skipped, moved, edited.
 */
export const shapedContracts: fc.Arbitrary<Shaped> = fc.record({
  status: fc.oneof(
    { weight: 8, arbitrary: fc.constant('ACTIVE' as const) },
    { weight: 1, arbitrary: fc.constantFrom('PAUSED' as const, 'CANCELLED' as const) },
  ),
  currencyCode: fc.constantFrom('USD', 'JPY', 'KWD'),
  billing: fc.tuple(fc.constantFrom('DAY', 'WEEK', 'MONTH', 'YEAR'), fc.integer({ min: 1, max: 3 })),
  deliveries: fc.constantFrom(1, 1, 3),
  maxCycles: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 4, nil: null }),
  lines: fc.array(
    fc.record({ priceMinor: fc.integer({ min: 0, max: 99_999 }), quantity: fc.integer({ min: 1, max: 9 }) }),
    { minLength: 1, maxLength: 6 },
  ),
  deliveryPriceMinor: fc.integer({ min: 0, max: 2000 }),
  discounts: fc.array(off, { maxLength: 4 }),
  cycles: fc.array(
    fc.record({
      billed: fc.boolean(),
      skipped: fc.boolean(),
      movedTo: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), often),
      contract: fc.option(
        fc.record({
          times: fc.integer({ min: 1, max: 5 }),
          deliveryPriceMinor: fc.integer({ min: 0, max: 2000 }),
        }),
        often,
      ),
    }),
    { maxLength: 6 },
  ),
});

/** Applies this shape to a contract of the seed. */
export function shape(platform: Platform, contract: ContractRecord, shaped: Shaped): void {
  const { content } = contract;
  // Orders of an interval of years are charged years from now.
  const method = platform.store().paymentMethods.get(content.paymentMethodId ?? '');
  if (method !== undefined) Object.assign(method.instrument, { expiryYear: 2099 });
  const [interval, count] = shaped.billing;
  const billing = { interval, intervalCount: count * shaped.deliveries, anchors: [] };
  contract.schedule = [{ fromIndex: 1, startAt: contract.createdAt, policy: billing }];
  contract.billedCycles = [];
  contract.cycleEdits = {};
  Object.assign(content, {
    status: shaped.status,
    currencyCode: shaped.currencyCode,
    billingPolicy: { ...billing, minCycles: null, maxCycles: shaped.maxCycles },
    deliveryPolicy: { interval, intervalCount: count, anchors: [] },
    lines: linesOf(content, shaped),
    deliveryPriceMinor: shaped.deliveryPriceMinor,
  });
  content.discounts = shaped.discounts.map((one, index) => toDiscount(content, one, index));
  const first = findCycleAt(contract, platform.holder.nowMs)?.index ?? 1;
  for (const [offset, cycle] of shaped.cycles.entries()) {
    const found = findCycleByIndex(contract, first + offset);
    if (found === null) continue;
    // Only what runs now can have been billed already: up to a day before its date.
    if (cycle.billed && offset === 0) contract.billedCycles.push(found.index);
    const { skipped, movedTo, contract: own } = cycle;
    const spanMs = found.endMs - found.startMs;
    const movedMs = movedTo === null ? null : Math.floor((found.startMs + movedTo * spanMs) / 1000) * 1000;
    if (!skipped && movedMs === null && own === null) continue;
    contract.cycleEdits[found.index] = {
      skipped,
      billingDate: movedMs === null ? null : cycleDate(movedMs),
      contract: own === null ? null : editedContract(contract, own),
    };
  }
}

function editedContract(contract: ContractRecord, own: { times: number; deliveryPriceMinor: number }) {
  const content = structuredClone(contract.content);
  content.deliveryPriceMinor = own.deliveryPriceMinor;
  for (const line of content.lines) line.quantity *= own.times;
  return { content, createdAt: contract.createdAt, updatedAt: contract.createdAt, concatenated: [] };
}

function linesOf({ lines }: ContractContent, shaped: Shaped): LineRecord[] {
  const [pattern] = lines;
  if (pattern === undefined) throw new Error('The seed has a contract without lines.');
  return shaped.lines.map(({ priceMinor, quantity }, index) => ({
    ...pattern,
    id: `00000000-0000-4000-8000-${`${index}`.padStart(12, '0')}`,
    quantity,
    currentPriceMinor: priceMinor * shaped.deliveries,
    pricingPolicy: null,
  }));
}

function toDiscount(content: ContractContent, one: Off, index: number): DiscountRecord {
  const { isShipping, percentage, amountMinor, appliesOnEachItem } = one;
  const [line] = content.lines;
  return {
    id: `10000000-0000-4000-8000-${`${index}`.padStart(12, '0')}`,
    title: `Off ${index}`,
    type: 'MANUAL',
    targetType: isShipping ? 'SHIPPING_LINE' : 'LINE_ITEM',
    value:
      isShipping || percentage !== null
        ? { percentage: isShipping ? 100 : (percentage ?? 0) }
        : { amountMinor, appliesOnEachItem },
    lineIds: one.onFirstLine && !isShipping && line !== undefined ? [line.id] : null,
    recurringCycleLimit: one.limit,
    usageCount: one.used,
    redeemCode: null,
    rejectionReason: one.isRejected ? 'NOT_FOUND' : null,
  };
}
