/** Attempts that are not sent: billing was stopped, or their process was paused, while they waited for points. */
import { expect, test } from '@jest/globals';
import { composeBillingCharges } from '../../../../functions/compose/compose-billing-charges.ts';
import type { BillingCharges } from '../../../../lib/billing/records/charges.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../../../lib/billing/records/settings-record.ts';
import type { OrderToSend } from '../../../../lib/billing/run/evaluate-orders.ts';
import {
  createBatchLimits,
  type SendAttemptsDeps,
  sendAttempts,
} from '../../../../lib/billing/run/send-attempts.ts';
import { createAdminClient } from '../../../../lib/platform/admin-api/admin-client.ts';
import { createStoreBudget } from '../../../../lib/platform/admin-api/send-within-budget.ts';
import { createThrottleBuckets } from '../../../../lib/platform/admin-api/throttle-buckets.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { NOW_MS, store } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';

const order = { shopId: store.shopId, contractNumber: '1' as ContractNumber, cycleIndex: 3 };
const time = new Date(NOW_MS).toISOString();
const turn = { store, settings: DEFAULT_BILLING_SETTINGS, endAtMs: NOW_MS + 22_000 };

async function createOrderToSend(charges: BillingCharges, state: 'DUE' | 'RETRYING'): Promise<OrderToSend> {
  const retry = state === 'RETRYING' ? { nextTryAtMs: NOW_MS, remindAtMs: NOW_MS, failedTryCount: 1 } : {};
  const stored = await charges.create({
    ...{ ...order, state, runDate: '2026-12-01', expectedAtMs: NOW_MS, failedTryCount: 0, ...retry },
  });
  if (stored === 'refused') throw new Error('the order has a charge');
  return {
    ...{ storedCharge: stored, charge: stored },
    order: {
      ...{ cycleIndex: 3, billingAttemptExpectedDate: time, cycleStartAt: time, cycleEndAt: time },
      ...{ billingAttempts: { nodes: [] }, sourceContract: { id: 'gid://shopify/SubscriptionContract/1' } },
    },
  } as unknown as OrderToSend;
}

/** Creates a process whose requests are counted. `mayCharge` is asked immediately before it sends. */
function createSender(mayCharge: (clock: { nowMs: number }) => boolean) {
  const clock = { nowMs: NOW_MS };
  const now = () => clock.nowMs;
  const seen = { requestCount: 0, droppedIntents: 0 };
  const send = createAdminClient({
    send: async () => {
      seen.requestCount += 1;
      return { status: 200, retryAfter: undefined, body: '{"data":{}}' };
    },
    grants: {
      read: async () => ({ accessToken: 'token', versionId: 'v1' }),
      renew: () => Promise.reject(new Error('the token is valid')),
    },
    ...{ platformOrigin: 'https://{shop}', platformApiVersion: '2026-07', random: () => 0.5 },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    ...{ now, wait: async () => undefined, buckets: createThrottleBuckets({ now }) },
  });
  const charges = composeBillingCharges({ table: createMemoryTable(), now });
  const deps = {
    ...{ charges, now, batchLimits: createBatchLimits(now), mayCharge: async () => mayCharge(clock) },
    timeline: {
      begin: () => async () => ({
        settleAsNotDone: async () => {
          seen.droppedIntents += 1;
        },
      }),
    },
    ...createStoreBudget({ send, now, wait: async () => undefined }),
  } as unknown as SendAttemptsDeps;
  return { charges, deps, seen };
}

async function findCharge(charges: BillingCharges) {
  const { version: _version, updatedAtMs: _updatedAtMs, ...charge } = (await charges.find(order)) ?? {};
  return charge;
}

test.each(['DUE', 'RETRYING'] as const)(
  'leaves an order %s when billing was stopped before its attempt',
  async (state) => {
    const { charges, deps, seen } = createSender(() => false);
    const orderToSend = await createOrderToSend(charges, state);
    const before = await findCharge(charges);
    expect(await sendAttempts(deps, turn, [orderToSend])).toBe('stopped');
    expect(seen).toEqual({ requestCount: 0, droppedIntents: 1 });
    expect(await findCharge(charges)).toEqual(before);
  },
);

test('sends no attempt when its process was paused until another one may have the contract', async () => {
  const { charges, deps, seen } = createSender((clock) => {
    clock.nowMs += 22_000;
    return true;
  });
  const orderToSend = await createOrderToSend(charges, 'DUE');
  const before = await findCharge(charges);
  await expect(sendAttempts(deps, turn, [orderToSend])).rejects.toMatchObject({
    code: 'PLATFORM_UNAVAILABLE',
  });
  expect(seen).toEqual({ requestCount: 0, droppedIntents: 1 });
  expect(await findCharge(charges)).toEqual(before);
});
