/** A delivery's address and way. The service asks the shop for the ways; the customer chooses if there is a choice. */
import { attempt, requireDone } from './change.js';

const DELIVERY = `mutation Delivery($key: String!, $id: ID!, $shipping: MailingAddressInput!, $option: String) {
  subscriptionContractDeliveryUpdate(contractId: $id, deliveryMethod: { shipping: $shipping }, optionCode: $option) @idempotent(key: $key) {
    deliveryOptions { code title price { amount currencyCode } }
    userErrors { message code }
  }
}`;

/**
 * @typedef {{ code: string, title: string, price: import('../words/format.js').Money }} DeliveryOption
 */

/**
 * Changes the address; or returns what can be chosen, and has changed nothing.
 * @param {string} id
 * @param {Record<string, string>} shipping
 * @param {string | undefined} option
 * @returns {Promise<DeliveryOption[]>}
 */
export async function changeDelivery(id, shipping, option) {
  const { userErrors, deliveryOptions } = await attempt(DELIVERY, { id, shipping, option });
  if (userErrors[0]?.code === 'DELIVERY_OPTION_REQUIRED' && deliveryOptions.length > 0)
    return deliveryOptions;
  requireDone(userErrors);
  return [];
}
