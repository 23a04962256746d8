/** Attempts that are not sent, because billing was stopped while they waited for points. */
import { expect, test } from '@jest/globals';
import { composeBillingCharges } from '../../../../functions/compose/compose-billing-charges.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../../../lib/billing/records/settings-record.ts';
import type { OrderToSend } from '../../../../lib/billing/run/evaluate-orders.ts';
import {
  createBatchLimits,
  type SendAttemptsDeps,
  sendAttempts,
} from '../../../../lib/billing/run/send-attempts.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { NOW_MS, store } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';

const now = () => NOW_MS;
const order = { shopId: store.shopId, contractNumber: '1' as ContractNumber, cycleIndex: 3 };
const time = new Date(NOW_MS).toISOString();

test.each(['DUE', 'RETRYING'] as const)(
  'leaves an order %s when billing was stopped before its attempt',
  async (state) => {
    const charges = composeBillingCharges({ table: createMemoryTable(), now });
    const retry = state === 'RETRYING' ? { nextTryAtMs: NOW_MS, remindAtMs: NOW_MS, failedTryCount: 1 } : {};
    const stored = await charges.create({
      ...{ ...order, state, runDate: '2026-12-01', expectedAtMs: NOW_MS, failedTryCount: 0, ...retry },
    });
    if (stored === 'refused') throw new Error('the order has a charge');
    const orderToSend = {
      ...{ storedCharge: stored, charge: stored },
      order: {
        ...{ cycleIndex: 3, billingAttemptExpectedDate: time, cycleStartAt: time, cycleEndAt: time },
        ...{ billingAttempts: { nodes: [] }, sourceContract: { id: 'gid://shopify/SubscriptionContract/1' } },
      },
    } as unknown as OrderToSend;
    const dropped: string[] = [];
    const deps = {
      ...{ charges, now, batchLimits: createBatchLimits(now), mayCharge: async () => false },
      timeline: { begin: () => async () => ({ settleAsNotDone: async () => void dropped.push('intent') }) },
      sendWithinBudget: ({ beforeSend }: { beforeSend: () => Promise<void> }) => beforeSend(),
    } as unknown as SendAttemptsDeps;
    const turn = { store, settings: DEFAULT_BILLING_SETTINGS, endAtMs: NOW_MS + 1000 };
    expect(await sendAttempts(deps, turn, [orderToSend])).toBe('stopped');
    expect(dropped).toEqual(['intent']);
    const { version: _before, ...expected } = stored;
    const { version: _after, ...found } = (await charges.find(order)) ?? {};
    expect(found).toEqual(expected);
  },
);
