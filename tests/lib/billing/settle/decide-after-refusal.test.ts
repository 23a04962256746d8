import { expect, it, test } from '@jest/globals';
import { type BillingCharge, withChargeChange } from '../../../../lib/billing/records/charge-record.ts';
import { decideAfterRefusal } from '../../../../lib/billing/settle/decide-after-refusal.ts';
import { berlinStore, berlinTime, chargeRecord } from './fixtures.ts';

const atMs = berlinTime('2026-12-01T10:07');

function refuse(charge: BillingCharge, code: string, onMs = atMs): BillingCharge {
  const change = decideAfterRefusal(charge, { code, atMs: onMs }, { hour: 10, ...berlinStore });
  return withChargeChange(charge, change);
}

test.each(['THROTTLED', 'PROCESSING_FAILED'])(
  '%s: sends the order again in 15 minutes, each time',
  (code) => {
    const nextTryAtMs = berlinTime('2026-12-01T10:22');
    const after = refuse(refuse(chargeRecord, code), code);
    expect(after).toMatchObject({ state: 'DUE', nextTryAtMs, remindAtMs: nextTryAtMs });
  },
);

it('sends the order of a contract under review on seven more days, and then reports it', () => {
  let charge = chargeRecord;
  for (let day = 1; day <= 7; day++) {
    charge = refuse(charge, 'CONTRACT_UNDER_REVIEW', berlinTime(`2026-12-0${day}T10:07`));
    expect(charge).toMatchObject({ state: 'DUE', nextTryAtMs: berlinTime(`2026-12-0${day + 1}T10:00`) });
  }
  charge = refuse(charge, 'CONTRACT_UNDER_REVIEW', berlinTime('2026-12-08T10:07'));
  expect(charge).toMatchObject({ state: 'REPORTED', reason: 'UNDER_REVIEW' });
  expect(charge).not.toHaveProperty('nextTryAtMs');
});

it('reads the order again at once after another code, and reports the same code a second time', () => {
  const once = refuse(chargeRecord, 'BILLING_CYCLE_SKIPPED');
  expect(once).toMatchObject({ state: 'DUE', nextTryAtMs: atMs, remindAtMs: atMs });
  expect(refuse(once, 'INVALID')).toMatchObject({ state: 'DUE', nextTryAtMs: atMs });
  expect(refuse(once, 'BILLING_CYCLE_SKIPPED')).toMatchObject({ state: 'REPORTED', reason: 'REFUSED' });
});

it('leaves an order with failed tries in dunning', () => {
  expect(refuse({ ...chargeRecord, failedTryCount: 1 }, 'THROTTLED').state).toBe('RETRYING');
});
