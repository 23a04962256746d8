/** The end of a subscription, with the reason that the shop should know. */
import { change } from './change.js';

const CANCEL = `mutation Cancel($id: ID!, $reason: SubscriptionCancellationReasonInput) {
  subscriptionContractCancel(subscriptionContractId: $id, reason: $reason) {
    contract { id }
    userErrors { field message }
  }
}`;

/** The reasons in the customer's words, by the service's codes. */
export const CANCELLATION_REASONS = {
  TOO_EXPENSIVE: 'It costs too much',
  TOO_MUCH_PRODUCT: 'I have too much of it',
  NOT_NEEDED: 'I do not need it any more',
  QUALITY: 'I am not happy with the product',
  DELIVERY: 'There were problems with the delivery',
  MOVED: 'I am moving away',
  SWITCHED: 'I buy it elsewhere',
  TEMPORARY: 'I only wanted it for a while',
  OTHER: 'Something else',
};

/** @param {string} id @param {{ code: string, comment: string | undefined }} reason */
export async function cancel(id, reason) {
  await change(CANCEL, { id, reason });
}
