import { expect, it } from '@jest/globals';
import { coversOrder } from '../../../../lib/billing/settings/covers-order.ts';
import { berlin, berlinTime, chargeRecord } from '../settle/fixtures.ts';

const isCovered = (startsOn: string, changes: Partial<typeof chargeRecord> = {}, enabled = true) =>
  coversOrder({ enabled, startsOn }, { ...chargeRecord, ...changes }, berlin);

it('covers the orders from the first day on', () => {
  expect(isCovered('2026-11-01')).toBe(true);
  expect(isCovered('2026-12-01')).toBe(true);
});

it('covers no order that was found by an earlier installation, or before billing was switched off', () => {
  expect(isCovered('2026-12-02')).toBe(false);
});

it('covers an order of the first day that was found the day before', () => {
  expect(isCovered('2026-12-02', { expectedAtMs: berlinTime('2026-12-02T08:00') })).toBe(true);
});

it('covers an order of the first day when the time zone has changed since', () => {
  expect(isCovered('2026-12-01', { expectedAtMs: berlinTime('2026-11-30T23:30') })).toBe(true);
});

it('covers nothing while billing is off', () => {
  expect(isCovered('2026-11-01', {}, false)).toBe(false);
});
