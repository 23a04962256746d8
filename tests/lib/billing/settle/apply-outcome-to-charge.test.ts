import { beforeEach, describe, expect, it } from '@jest/globals';
import { type BillingCharge, withChargeChange } from '../../../../lib/billing/records/charge-record.ts';
import { createApplyOutcomeToCharge } from '../../../../lib/billing/settle/create-apply-outcome-to-charge.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import type { AttemptOutcome } from '../../../../lib/timeline/attempt-outcome.ts';
import { berlinTime, chargeRecord, settings } from './fixtures.ts';

const createdAt = '2026-12-01T09:07:00Z';
const nowMs = Date.parse('2026-12-01T09:20:00Z');
const shopId = chargeRecord.shopId;
const order = {
  id: 'gid://shopify/Order/1',
  totalPriceSet: { presentmentMoney: { amount: '19.90', currencyCode: 'EUR' } },
};

let stored: BillingCharge | undefined;
let writes = 0;
let refusals = 0;
let alarms: unknown[] = [];
let asksForMethod = false;
let installedAtMs = 0;

const applyOutcomeToCharge = createApplyOutcomeToCharge({
  charges: {
    find: async () => stored,
    async replace(before, after) {
      if (refusals-- > 0 || before.version !== stored?.version) return 'refused';
      writes += 1;
      const written = { ...after, version: before.version + 1, updatedAtMs: before.updatedAtMs };
      stored = written;
      return written;
    },
  },
  settings: { read: async () => ({ ...settings, askForNewMethod: asksForMethod }) },
  stores: { find: async () => ({ shopId, timeZone: 'Europe/Berlin', installedAtMs }) as StoreRecord },
  logger: { error: (_message, fields) => void alarms.push(fields) },
  now: () => nowMs,
});

beforeEach(() => {
  [writes, refusals, alarms, asksForMethod, installedAtMs] = [0, 0, [], false, 0];
  stored = { ...chargeRecord, state: 'WAITING', idempotencyKey: 'key-1', sentAtMs: nowMs - 780_000 };
});

function settle(
  outcome: AttemptOutcome | undefined,
  attempt: { id?: string; key?: string; isPaid?: boolean } = {},
) {
  const { id = 'gid://shopify/SubscriptionBillingAttempt/1', key = 'key-1', isPaid = false } = attempt;
  return applyOutcomeToCharge({
    ...{ shopId, contract: chargeRecord.contractNumber, cycleIndex: chargeRecord.cycleIndex, outcome },
    attempt: {
      ...{ id, idempotencyKey: key, createdAt, completedAt: '2026-12-01T09:08:00Z' },
      state: { __typename: 'any', ...(isPaid && { order }) },
    },
  });
}
const declined = (errorCode: string): AttemptOutcome => ({ kind: 'declined', errorCode });

it('says nothing about an order that billing has no charge of', async () => {
  stored = undefined;
  await expect(settle({ kind: 'charged' })).resolves.toBeUndefined();
});

describe('a success', () => {
  it('closes the charge with order and amount', async () => {
    await settle({ kind: 'charged' }, { isPaid: true });
    expect(stored).toMatchObject({ state: 'CHARGED', orderId: order.id, remindAtMs: nowMs });
    expect(stored?.amount).toEqual({ amount: '19.90', currencyCode: 'EUR' });
  });

  it('is written once when it is told twice', async () => {
    await settle({ kind: 'charged' }, { isPaid: true });
    await settle({ kind: 'charged' }, { isPaid: true });
    expect(writes).toBe(1);
  });

  it('leaves no reminder when another order of the contract follows', async () => {
    stored = withChargeChange(stored ?? chargeRecord, { isLastOrder: false });
    await settle({ kind: 'charged' });
    expect(stored).not.toHaveProperty('remindAtMs');
  });

  it('counts for a charge that was reported', async () => {
    await settle(undefined);
    expect(stored).toMatchObject({ state: 'REPORTED', reason: 'NO_OUTCOME' });
    await settle({ kind: 'charged' });
    expect(stored).toMatchObject({ state: 'CHARGED' });
    expect(stored).not.toHaveProperty('reason');
  });

  it('raises the alarm when another attempt of a paid order has succeeded', async () => {
    await settle({ kind: 'charged' });
    await settle({ kind: 'charged' }, { id: 'gid://shopify/SubscriptionBillingAttempt/2', key: 'foreign' });
    expect(alarms).toEqual([expect.objectContaining({ alarm: 'billing_charged_twice' })]);
    expect(writes).toBe(1);
  });
});

describe('a decline', () => {
  const nextTryAtMs = berlinTime('2026-12-04T10:00');

  it('names the number of tries and the next one', async () => {
    const next = { tryCount: 1, nextTryAt: '2026-12-04T09:00:00Z' };
    await expect(settle(declined('INSUFFICIENT_FUNDS'))).resolves.toEqual(next);
    expect(stored).toMatchObject({
      state: 'RETRYING',
      nextTryAtMs,
      remindAtMs: nextTryAtMs,
      failedTryCount: 1,
    });
    expect(stored).toMatchObject({
      lastErrorCode: 'INSUFFICIENT_FUNDS',
      firstTryAtMs: Date.parse(createdAt),
    });
  });

  it('counts once when it is told twice, and says the same', async () => {
    const first = await settle(declined('INSUFFICIENT_FUNDS'));
    await expect(settle(declined('INSUFFICIENT_FUNDS'))).resolves.toEqual(first);
    expect(stored?.failedTryCount).toBe(1);
  });

  it('counts as a try when somebody else made the attempt', async () => {
    await settle(declined('INSUFFICIENT_FUNDS'), {
      id: 'gid://shopify/SubscriptionBillingAttempt/2',
      key: 'foreign',
    });
    await settle(declined('INSUFFICIENT_FUNDS'));
    expect(stored).toMatchObject({ failedTryCount: 2, nextTryAtMs: berlinTime('2026-12-05T10:00') });
  });

  it('is written when somebody else changes the charge at the same time', async () => {
    refusals = 2;
    await settle(declined('INSUFFICIENT_FUNDS'));
    expect(stored?.state).toBe('RETRYING');
  });

  it('ends the order when billing was switched on in an earlier installation of the app', async () => {
    installedAtMs = nowMs;
    await settle(declined('INSUFFICIENT_FUNDS'));
    expect(stored).not.toHaveProperty('nextTryAtMs');
    expect(stored?.remindAtMs).toBe(Date.parse('2026-12-01T09:08:00Z'));
  });

  it('throws when the charge is changed again and again', async () => {
    refusals = 9;
    await expect(settle(declined('INSUFFICIENT_FUNDS'))).rejects.toMatchObject({
      code: 'TEMPORARILY_UNAVAILABLE',
    });
  });

  it('changes nothing in a charge that was closed', async () => {
    stored = { ...chargeRecord, state: 'ENDED', reason: 'BILLING_OFF' };
    await settle(declined('INSUFFICIENT_FUNDS'));
    expect(writes).toBe(0);
  });

  it('has the customer asked for another method at once, and the order ends when the days are over', async () => {
    asksForMethod = true;
    await expect(settle(declined('EXPIRED_CARD'))).resolves.toEqual({ tryCount: 1, nextTryAt: null });
    expect(stored).toMatchObject({ remindAtMs: nowMs, endsAtMs: berlinTime('2026-12-15T10:00') });
  });
});

describe('a payment that the customer has to confirm', () => {
  it('is given up after a week', async () => {
    await settle({ kind: 'action required' });
    const remindAtMs = Date.parse('2026-12-08T09:07:00Z');
    expect(stored).toMatchObject({ state: 'ACTION_REQUIRED', remindAtMs });
  });

  it('does not concern the charge when somebody else made the attempt', async () => {
    await settle(
      { kind: 'action required' },
      { id: 'gid://shopify/SubscriptionBillingAttempt/2', key: 'foreign' },
    );
    expect(stored?.state).toBe('WAITING');
  });
});
