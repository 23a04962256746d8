import { describe, expect, it, test } from '@jest/globals';
import { decideAfterDecline } from '../../../../lib/billing/settle/decide-after-decline.ts';
import { decideDueStep, decideEnd } from '../../../../lib/billing/settle/decide-due-step.ts';
import { berlinStore, berlinTime, chargeRecord, settings } from './fixtures.ts';

const endedAtMs = berlinTime('2026-12-01T10:07');

function decline(errorCode: string | null, scheduledTryCount = 1, change = {}) {
  return decideAfterDecline(
    { scheduledTryCount, scheduledFromMs: endedAtMs, errorCode, endedAtMs },
    { ...settings, ...change },
    berlinStore,
  );
}

describe('a payment that can succeed later', () => {
  test.each([
    [1, '2026-12-04T10:00'],
    [2, '2026-12-05T10:00'],
    [3, '2026-12-08T10:00'],
  ])('is tried again after failed try %s by the number of days that follows it', (failedTryCount, time) => {
    const nextTryAtMs = berlinTime(time);
    expect(decline('INSUFFICIENT_FUNDS', failedTryCount)).toEqual({
      ...{ state: 'RETRYING', nextTryAtMs, endsAtMs: undefined, remindAtMs: nextTryAtMs },
    });
  });

  it('ends at once when no number of days is left', () => {
    expect(decline('INSUFFICIENT_FUNDS', 4)).toEqual({
      ...{ state: 'RETRYING', nextTryAtMs: undefined, endsAtMs: endedAtMs, remindAtMs: endedAtMs },
    });
  });

  it.each(['A_CODE_OF_NEXT_YEAR', null])('is tried again when the code is %s', (code) => {
    expect(decline(code).nextTryAtMs).toBe(berlinTime('2026-12-04T10:00'));
  });

  it('is tried again at the hour of the store when the clocks change in between', () => {
    const days = { declined: { retryAfterDays: [1], finalAction: 'PAUSE' }, hour: 2 };
    const lateAtMs = berlinTime('2026-03-28T23:30');
    const late = { scheduledTryCount: 1, scheduledFromMs: lateAtMs, errorCode: null, endedAtMs: lateAtMs };
    // 02:00 does not exist on that day: the clocks are put forward to 03:00.
    expect(decideAfterDecline(late, { ...settings, ...days } as never, berlinStore).nextTryAtMs).toBe(
      Date.parse('2026-03-29T01:00:00Z'),
    );
  });
});

test.each(['AUTHENTICATION_REQUIRED', 'EXPIRED_CARD'])(
  '%s: a payment that only the customer can make possible ends after all the days that are left',
  (code) => {
    expect(decline(code, 1)).toMatchObject({
      nextTryAtMs: undefined,
      remindAtMs: berlinTime('2026-12-15T10:00'),
    });
    expect(decline(code, 3)).toMatchObject({
      nextTryAtMs: undefined,
      remindAtMs: berlinTime('2026-12-08T10:00'),
    });
    expect(decline(code, 4)).toMatchObject({ nextTryAtMs: undefined, remindAtMs: endedAtMs });
  },
);

test.each(['INSUFFICIENT_INVENTORY', 'MERCHANT_ACCOUNT_ERROR'])(
  '%s takes its days from outOfStock',
  (code) => {
    expect(decline(code).nextTryAtMs).toBe(berlinTime('2026-12-02T10:00'));
  },
);

test.each(['FRAUD_SUSPECTED', 'INVOICE_ALREADY_PAID'])('%s is never tried again', (code) => {
  expect(decline(code)).toMatchObject({ nextTryAtMs: undefined, remindAtMs: endedAtMs });
});

test('nothing is tried again in a store where billing is switched off', () => {
  expect(decline('INSUFFICIENT_FUNDS', 1, { enabled: false })).toMatchObject({ nextTryAtMs: undefined });
});

describe('the step that is due', () => {
  const remindAtMs = berlinTime('2026-12-04T10:00');
  const due = (change: object) =>
    decideDueStep({ ...chargeRecord, remindAtMs, ...change }, { atMs: remindAtMs });

  test.each([
    ['CHARGE', { state: 'RETRYING', nextTryAtMs: remindAtMs }],
    ['CHARGE', { state: 'WAITING' }],
    ['CHARGE', { state: 'DUE', nextTryAtMs: remindAtMs }],
    ['GIVE_UP', { state: 'ACTION_REQUIRED' }],
    ['END', { state: 'ACTION_REQUIRED', finalAction: 'CANCEL' }],
    ['END', { state: 'RETRYING', endsAtMs: remindAtMs }],
    ['ASK', { state: 'RETRYING', endsAtMs: remindAtMs + 1 }],
    ['EXPIRE', { state: 'CHARGED' }],
    ['RECORD', { state: 'REPORTED' }],
    ['NONE', { state: 'RETRYING', remindAtMs: remindAtMs + 1 }],
  ])('is %s for %p', (step, change) => {
    expect(due(change)).toBe(step);
  });
});

test.each([
  ['INSUFFICIENT_FUNDS', 'ENDED', 'TRIES_OVER'],
  ['EXPIRED_CARD', 'ENDED', 'TRIES_OVER'],
  ['FRAUD_SUSPECTED', 'ENDED', 'NEVER_RETRIED'],
  ['MERCHANT_RULE', 'REPORTED', 'MERCHANT_ACCOUNT'],
  ['INVOICE_ALREADY_PAID', 'REPORTED', 'PAID_ELSEWHERE'],
])('a charge that was last declined with %s ends as %s, %s', (lastErrorCode, state, reason) => {
  expect(decideEnd({ lastErrorCode }, true)).toEqual({ state, reason });
});

test('a charge that billing no longer covers ends as BILLING_OFF', () => {
  expect(decideEnd({ lastErrorCode: 'MERCHANT_RULE' }, false)).toEqual({
    state: 'ENDED',
    reason: 'BILLING_OFF',
  });
});
