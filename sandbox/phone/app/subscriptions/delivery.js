/** A delivery's address and way. The service asks the shop for the ways; the customer chooses if there is a choice. */
import { changeOrChoose } from './change.js';

const DELIVERY = `mutation Delivery($key: String!, $id: ID!, $shipping: MailingAddressInput!, $option: String) {
  subscriptionContractDeliveryUpdate(contractId: $id, deliveryMethod: { shipping: $shipping }, optionCode: $option) @idempotent(key: $key) {
    deliveryOptions { code title price { amount currencyCode } }
    userErrors { message code }
  }
}`;

/**
 * Changes the address; or returns what can be chosen, and has changed nothing.
 * @param {string} id
 * @param {Record<string, string>} shipping
 * @param {string | undefined} option
 */
export function changeDelivery(id, shipping, option) {
  return changeOrChoose(DELIVERY, { id, shipping, option });
}
