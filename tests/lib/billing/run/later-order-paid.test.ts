import { expect, it } from '@jest/globals';
import { isLaterOrderPaid } from '../../../../lib/billing/run/read-order-context.ts';
import type { OrderState } from '../../../../lib/billing/run/read-orders.ts';
import { deriveIdempotencyKey } from '../../../../lib/subscriptions/charge/find-existing-attempt.ts';
import { chargeRecord as charge } from '../settle/fixtures.ts';

const contractId = `gid://shopify/SubscriptionContract/${charge.contractNumber}`;

/** The order of the charge. The next order of its contract was paid with this key, after the cycle of this order began. */
function orderBeforePayment(idempotencyKey: string): OrderState {
  const state = { __typename: 'SubscriptionBillingAttemptSuccessState' };
  const attempt = { id: 'gid://shopify/SubscriptionBillingAttempt/1', idempotencyKey, state };
  return {
    cycleStartAt: '2026-12-01T00:00:00Z',
    laterAttempts: [{ ...attempt, createdAt: '2026-12-10T00:00:00Z' }],
  } as unknown as OrderState;
}

it('takes a later order as paid by another server whose key begins like those of the service', () => {
  const order = orderBeforePayment(`charge-${charge.contractNumber}-2026-12-10`);
  expect(isLaterOrderPaid(charge, order)).toBe(true);
});

it('does not take a later order as paid by others that the service has charged', () => {
  const contract = {
    id: contractId,
    customerPaymentMethod: { id: 'gid://shopify/CustomerPaymentMethod/a1' },
  };
  const key = deriveIdempotencyKey(contract, { cycleIndex: 4, billingAttempts: { nodes: [] } });
  expect(isLaterOrderPaid(charge, orderBeforePayment(key))).toBe(false);
});
