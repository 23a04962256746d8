import { describe, expect, test } from '@jest/globals';
import { formatGid } from '../../../../lib/domain/gid.ts';
import { createFact, FACT_KINDS, type FactChange } from '../../../../lib/timeline/facts.ts';
import {
  type IntentEvidence,
  resolveIntent,
  toCurrentContractState,
} from '../../../../lib/timeline/settle/resolve-intent.ts';

const AT_MS = Date.parse('2026-11-21T12:00:00Z');
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const status = (before: string, after: string) => createFact('status', { before, after });
const PAUSE = status('ACTIVE', 'PAUSED');

function resolve(
  changes: readonly FactChange[],
  {
    now,
    updatedAtMs = AT_MS,
    later = [],
    earlier = [],
  }: {
    now?: Readonly<Record<string, string | null>>;
    updatedAtMs?: number;
    later?: readonly [number, FactChange][];
    earlier?: readonly FactChange[];
  } = {},
) {
  const evidence: IntentEvidence = {
    state: now && { updatedAtMs, textOf: (field) => now[field] },
    laterChanges: later.map(([afterMs, fact]) => ({ createdAtMs: AT_MS + afterMs, changes: [fact] })),
    earlierChanges: earlier.map((fact) => ({ changes: [fact] })),
  };
  return resolveIntent({ createdAtMs: AT_MS, changes }, evidence);
}

describe('by the real state', () => {
  test('resolves to done when the expected value is there', () => {
    expect(resolve([PAUSE], { now: { status: 'PAUSED' } })).toBe('done');
  });
  test('resolves to not done when the value from before is there', () => {
    expect(resolve([PAUSE], { now: { status: 'ACTIVE' } })).toBe('not done');
  });
  test('resolves to unknown when another value is there', () => {
    expect(resolve([PAUSE], { now: { status: 'CANCELLED' } })).toBe('unknown');
  });
  test('resolves to unknown when the expected value is there and an external change came since', () => {
    const updatedAtMs = AT_MS + 10 * MINUTE_MS;
    expect(resolve([PAUSE], { now: { status: 'PAUSED' }, updatedAtMs })).toBe('unknown');
  });
  test('resolves to done when the later change is the service’s own, of another field', () => {
    const updatedAtMs = AT_MS + 10 * MINUTE_MS;
    const skip = createFact(`billingCycles.${3}.skipped`, { before: 'false', after: 'true' });
    const later: [number, FactChange][] = [[10 * MINUTE_MS, skip]];
    expect(resolve([PAUSE], { now: { status: 'PAUSED' }, updatedAtMs, later })).toBe('done');
  });
  test('facts that do not agree: unknown', () => {
    const date = createFact('nextBillingDate', {
      before: '2026-12-01T00:00:00Z',
      after: '2026-12-08T00:00:00Z',
    });
    const now = { status: 'PAUSED', nextBillingDate: '2026-12-01T00:00:00Z' };
    expect(resolve([PAUSE, date], { now })).toBe('unknown');
  });
  test('matches the same instant in another form, and a discount under any name', () => {
    const date = createFact('nextBillingDate', { before: null, after: '2026-12-08T00:00:00.000Z' });
    const discount = createFact(`discounts.7`, {
      before: null,
      after: 'TEN',
    });
    const now = { nextBillingDate: '2026-12-08T01:00:00+01:00', 'discounts.7': 'Ten percent' };
    expect(resolve([date, discount], { now })).toBe('done');
  });
});

describe('when nothing can be told', () => {
  test('resolves to unknown without a fact with values', () => {
    expect(resolve([createFact('deliveryMethod')], { now: { status: 'ACTIVE' } })).toBe('unknown');
    expect(resolve([], { now: {} })).toBe('unknown');
  });
  test('a fact that the state does not hold, or no state: unknown', () => {
    expect(resolve([PAUSE], { now: {} })).toBe('unknown');
    expect(resolve([PAUSE])).toBe('unknown');
  });
});

describe('by what a later change found', () => {
  const resumed: [number, FactChange] = [5 * MINUTE_MS, status('PAUSED', 'ACTIVE')];

  test('resolves to done when a later change found the expected value', () => {
    expect(resolve([PAUSE], { now: { status: 'ACTIVE' }, later: [resumed] })).toBe('done');
  });
  test('it found what was: not done, though the state shows what was to be', () => {
    const later: [number, FactChange][] = [[5 * MINUTE_MS, PAUSE]];
    expect(resolve([PAUSE], { now: { status: 'PAUSED' }, later })).toBe('not done');
  });
  test('resolves to not done when the same change was tried again at once', () => {
    expect(resolve([PAUSE], { now: { status: 'PAUSED' }, later: [[SECOND_MS, PAUSE]] })).toBe('not done');
  });
  test('another one, so soon that the first may still have been under way: unknown', () => {
    const later: [number, FactChange][] = [[SECOND_MS, status('ACTIVE', 'CANCELLED')]];
    expect(resolve([PAUSE], { now: { status: 'CANCELLED' }, later })).toBe('unknown');
  });
});

describe('by what was begun right before it, and made', () => {
  const now = { status: 'PAUSED' };

  test('resolves to not done when the same change came in between', () => {
    expect(resolve([PAUSE], { now, earlier: [PAUSE] })).toBe('not done');
    const later: [number, FactChange][] = [[5 * MINUTE_MS, status('PAUSED', 'ACTIVE')]];
    expect(resolve([PAUSE], { now: { status: 'ACTIVE' }, earlier: [PAUSE], later })).toBe('not done');
  });
  test('resolves to done when the same change and then its opposite came before', () => {
    expect(resolve([PAUSE], { now, earlier: [PAUSE, status('PAUSED', 'ACTIVE')] })).toBe('done');
  });
  test('resolves to done when only another field was changed before', () => {
    const skip = createFact(`billingCycles.${3}.skipped`, { before: 'false', after: 'true' });
    expect(resolve([PAUSE], { now, earlier: [skip] })).toBe('done');
  });
});

describe('the state of the contract', () => {
  /** Recorded without values by the service, or only changed outside of it: no intent is resolved by them. */
  const NOT_READ = [
    ...['currentPause.reason', 'deliveryMethod', 'customerPaymentMethod.instrument', 'billingCycles'],
    'billingCycles.*.editedContract',
  ];
  const money = { amount: '5.0', currencyCode: 'USD' };
  const weekly = { interval: 'WEEK', intervalCount: 1 };
  const pageInfo = { hasNextPage: false };
  const gid = (type: string, tail: string) => formatGid({ namespace: 'platform', type, tail });
  const line = {
    ...{ id: gid('SubscriptionLine', '7'), quantity: 1, currentPrice: money },
    ...{ variantId: gid('ProductVariant', '41'), sellingPlanId: gid('SellingPlan', '51') },
  };
  const contract = {
    ...{ id: gid('SubscriptionContract', '31'), updatedAt: '2026-11-21T12:00:00Z' },
    ...{ status: 'PAUSED', nextBillingDate: '2026-12-01T00:00:00Z', note: 'Ring', customAttributes: [] },
    ...{ billingPolicy: weekly, deliveryPolicy: weekly, deliveryPrice: money },
    customerPaymentMethod: { id: gid('CustomerPaymentMethod', '0ab7c1') },
    lines: { nodes: [line], pageInfo },
    discounts: { nodes: [{ id: gid('SubscriptionManualDiscount', '7'), title: 'WELCOME10' }], pageInfo },
  };
  const cycle7 = { skipped: true, billingAttemptExpectedDate: '2026-12-01T00:00:00Z', status: 'UNBILLED' };

  test('has each fact of lib/timeline/facts.ts: handle a new one in toCurrentContractState, or add it to NOT_READ', () => {
    const state = toCurrentContractState({ data: { contract, cycle7 }, pauseEnd: '2026-12-24T00:00:00Z' });
    const missing = FACT_KINDS.map(({ field }) => field).filter(
      (field) => (state?.textOf(field.replace('*', '7')) ?? undefined) === undefined,
    );
    expect(missing.sort()).toEqual(NOT_READ.sort());
  });
});
