/** The end of a subscription, with the reason that the shop should know. */
import { change } from './change.js';

const CANCEL = `mutation Cancel($key: String!, $id: ID!, $reason: SubscriptionCancellationReasonInput) {
  subscriptionContractCancel(subscriptionContractId: $id, reason: $reason) @idempotent(key: $key) {
    contract { id }
    userErrors { field message }
  }
}`;

/** The reasons in the customer's words, by the service's codes. */
export const CANCELLATION_REASONS = {
  TOO_EXPENSIVE: 'It is too expensive',
  TOO_MUCH_PRODUCT: 'I have too much of it',
  NOT_NEEDED: 'I no longer need it',
  QUALITY: 'I am not happy with the quality',
  DELIVERY: 'I had problems with delivery',
  MOVED: 'I am moving',
  SWITCHED: 'I am switching to something else',
  TEMPORARY: 'I only needed it for a while',
  OTHER: 'Another reason',
};

/** @param {string} id @param {{ code: string, comment: string | undefined }} reason */
export async function cancel(id, reason) {
  await change(CANCEL, { id, reason });
}
