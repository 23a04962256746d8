import { describe, expect, it } from '@jest/globals';
import type { BillingCharge } from '../../../../lib/billing/records/charge-record.ts';
import { decideOrder, type OrderView } from '../../../../lib/billing/run/decide-order.ts';
import type { OrderState } from '../../../../lib/billing/run/read-orders.ts';
import { berlin, berlinTime, chargeRecord, settings } from '../settle/fixtures.ts';

const nowMs = berlinTime('2026-12-01T10:05');
const DAY_MS = 86_400_000;
const contract = { id: 'c', status: 'ACTIVE', updatedAt: '', customerPaymentMethod: null } as const;
const order: OrderState = {
  ...{ cycleIndex: 4, billingAttemptExpectedDate: new Date(chargeRecord.expectedAtMs).toISOString() },
  ...{ cycleStartAt: '2026-11-01T00:00:00Z', cycleEndAt: '2026-12-01T00:00:00Z' },
  ...{ skipped: false, editedContract: null, status: 'UNBILLED', laterAttempts: [] },
  billingAttempts: { nodes: [] },
  sourceContract: { ...contract, billingPolicy: { maxCycles: null } },
};
const retrying: BillingCharge = { ...chargeRecord, state: 'RETRYING', failedTryCount: 1, sentAtMs: 1 };

function decide(view: Partial<OrderView> = {}, changes: Partial<OrderState> = {}) {
  return decideOrder({
    ...{ charge: chargeRecord, order: { ...order, ...changes }, settings, timeZone: berlin, nowMs },
    ...{ isEnding: false, wasInactiveWhenDue: false, paidOrderCount: undefined, olderCharges: [] },
    ...{ isLaterOrderPaid: false, isLaterOrderDue: false, ...view },
  });
}

const closed = (state: string, reason: string) => ({ kind: 'close', change: { state, reason } });
const inStatus = (status: string) => ({ sourceContract: { ...order.sourceContract, status } });

/** Attempts that have failed, one a day. */
function failedAttempts(count: number): Pick<OrderState, 'billingAttempts'> {
  const nodes = Array.from({ length: count }, (_, index) => {
    const createdAt = new Date(nowMs - (index + 1) * DAY_MS).toISOString();
    const state = { __typename: 'SubscriptionBillingAttemptFailedState', error: null };
    return { id: `a${index}`, idempotencyKey: `k${index}`, createdAt, completedAt: createdAt, state };
  });
  return { billingAttempts: { nodes } } as unknown as Pick<OrderState, 'billingAttempts'>;
}

function openAttempt(createdAtMs: number): Pick<OrderState, 'billingAttempts'> {
  const createdAt = new Date(createdAtMs).toISOString();
  const state = { __typename: 'SubscriptionBillingAttemptPendingState' };
  const nodes = [{ id: 'a1', idempotencyKey: 'job-1', createdAt, completedAt: null, state }];
  return { billingAttempts: { nodes } } as unknown as Pick<OrderState, 'billingAttempts'>;
}

describe('an order', () => {
  it('is charged when nothing is in the way', () => {
    expect(decide()).toEqual({ kind: 'send' });
  });

  it('is paid when the platform says that it is billed', () => {
    expect(decide({}, { status: 'BILLED', skipped: true })).toEqual({ kind: 'billed' });
  });

  it('waits for an attempt that has not ended, whoever made it', () => {
    const change = { state: 'WAITING', attemptId: 'a1', idempotencyKey: 'job-1' };
    expect(decide({}, openAttempt(nowMs - 60_000))).toMatchObject({ kind: 'wait', change });
  });

  it('is reported when its attempt has no result after a week', () => {
    expect(decide({}, openAttempt(nowMs - 7 * DAY_MS))).toMatchObject(closed('REPORTED', 'NO_OUTCOME'));
  });

  it('is skipped when it was skipped, or moved beyond the day', () => {
    expect(decide({}, { skipped: true })).toMatchObject(closed('SKIPPED', 'SKIPPED_ORDER'));
    const moved = { billingAttemptExpectedDate: '2026-12-05T00:00:00Z' };
    expect(decide({}, moved)).toMatchObject(closed('SKIPPED', 'MOVED'));
  });

  it.each(['PAUSED', 'FAILED'])('is not charged while its contract is %s', (status) => {
    expect(decide({}, inStatus(status))).toMatchObject(closed('SKIPPED', 'NOT_ACTIVE'));
  });

  it('is left to the next day while its contract is paused and its date is ahead', () => {
    const ahead = { billingAttemptExpectedDate: '2026-12-01T22:00:00Z', ...inStatus('PAUSED') };
    const charge = { ...chargeRecord, expectedAtMs: Date.parse(ahead.billingAttemptExpectedDate) };
    expect(decide({ charge }, ahead)).toMatchObject({ kind: 'leave' });
  });

  it('is not charged when its contract was paused on its date, though it is active now', () => {
    expect(decide({ wasInactiveWhenDue: true })).toMatchObject(closed('SKIPPED', 'NOT_ACTIVE'));
  });

  it.each(['CANCELLED', 'EXPIRED'])('ends when its contract is %s', (status) => {
    expect(decide({}, inStatus(status))).toMatchObject(closed('ENDED', 'CONTRACT_ENDED'));
  });

  it('is reported when it is more than two days late and was never tried', () => {
    const lateMs = chargeRecord.expectedAtMs + 2 * DAY_MS;
    expect(decide({ nowMs: lateMs })).toEqual({ kind: 'send' });
    expect(decide({ nowMs: lateMs + 1 })).toMatchObject(closed('REPORTED', 'OVERDUE'));
    expect(decide({ nowMs: lateMs + 1, charge: retrying })).toEqual({ kind: 'send' });
  });

  it('is reported when it was found in the older week', () => {
    const charge = { ...chargeRecord, isFoundInOlderWeek: true };
    expect(decide({ charge })).toMatchObject(closed('REPORTED', 'OVERDUE'));
  });

  it('is reported when its cycle has no length', () => {
    expect(decide({}, { cycleEndAt: order.cycleStartAt })).toMatchObject(closed('REPORTED', 'EMPTY_CYCLE'));
  });

  it('expires its contract when the contract has had its last order', () => {
    const sourceContract = { ...order.sourceContract, billingPolicy: { maxCycles: 3 } };
    expect(decide({ paidOrderCount: 2 }, { sourceContract })).toEqual({ kind: 'send' });
    expect(decide({ paidOrderCount: 3 }, { sourceContract })).toEqual({ kind: 'expire' });
  });

  it('is reported when others were paid for a later order since its cycle began', () => {
    expect(decide({ isLaterOrderPaid: true })).toMatchObject(closed('REPORTED', 'PAID_ELSEWHERE'));
  });

  it('ends after ten tries in 30 days', () => {
    expect(decide({ charge: retrying }, failedAttempts(9))).toEqual({ kind: 'send' });
    expect(decide({ charge: retrying }, failedAttempts(10))).toEqual({ kind: 'end' });
    const [first, ...others] = failedAttempts(10).billingAttempts.nodes.toReversed();
    if (first === undefined) throw new Error('There is no attempt.');
    const old = { ...first, completedAt: new Date(nowMs - 30 * DAY_MS).toISOString() };
    const billingAttempts = { nodes: [old, ...others] };
    expect(decide({ charge: retrying }, { billingAttempts })).toEqual({ kind: 'send' });
  });

  it('ends when its tries are over, or when a later order of its contract is due', () => {
    expect(decide({ charge: retrying, isEnding: true })).toEqual({ kind: 'end' });
    expect(decide({ charge: retrying, isLaterOrderDue: true })).toEqual({ kind: 'end' });
  });

  it('waits until its next try', () => {
    const charge = { ...retrying, nextTryAtMs: nowMs + 1 };
    expect(decide({ charge })).toEqual({ kind: 'wait', change: {} });
  });

  it('waits for the end of an older order, and ends one in dunning', () => {
    const older = { ...retrying, cycleIndex: 3 };
    expect(decide({ olderCharges: [{ ...older, state: 'WAITING' }] })).toMatchObject({ kind: 'wait' });
    expect(decide({ olderCharges: [older] })).toEqual({ kind: 'end older', olderCharges: [older] });
  });
});
