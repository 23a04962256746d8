/** The end of a subscription, with the reason that the shop should know. */
import { change } from './change.js';

const CANCEL = `mutation Cancel($key: String!, $id: ID!, $reason: SubscriptionCancellationReasonInput) {
  subscriptionContractCancel(subscriptionContractId: $id, reason: $reason) @idempotent(key: $key) {
    contract { id }
    userErrors { field message }
  }
}`;

/** The service's codes of reasons, in the order in which they are offered. */
export const CANCELLATION_REASONS = /** @type {const} */ ([
  'TOO_EXPENSIVE',
  'TOO_MUCH_PRODUCT',
  'NOT_NEEDED',
  'QUALITY',
  'DELIVERY',
  'MOVED',
  'SWITCHED',
  'TEMPORARY',
  'OTHER',
]);

/** @param {string} id @param {{ code: string, comment: string | undefined }} reason */
export async function cancel(id, reason) {
  await change(CANCEL, { id, reason });
}
