/** The payment method: change to another one of the customer's, or send the shop's e-mail to renew one. */

import { sentence } from '../messages/format.js';
import { t } from '../messages/translate.js';
import { execute } from '../session/graphql.js';
import { signedIn } from '../session/sessions.js';
import { change } from './change.js';
import { PAYMENT_METHODS } from './documents.js';

const PAYMENT = `mutation Payment($key: String!, $id: ID!, $method: ID!) {
  subscriptionContractPaymentMethodUpdate(contractId: $id, paymentMethodId: $method) @idempotent(key: $key) {
    contract { id }
    userErrors { field message }
  }
}`;

const EMAIL = `mutation PaymentEmail($key: String!, $method: ID!) {
  customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: $method) @idempotent(key: $key) { userErrors { field message } }
}`;

/** @type {Record<string, string>} */
const WALLETS = { CustomerPaypalBillingAgreement: 'PayPal', CustomerShopPayAgreement: 'Shop Pay' };

/**
 * @typedef {{
 *   __typename: string, brand?: string, lastDigits?: string, expiryMonth?: number, expiryYear?: number,
 * }} Instrument
 * @typedef {{ id: string, instrument: Instrument | null }} PaymentMethod
 */

/** @returns {Promise<PaymentMethod[]>} */
export async function loadPaymentMethods() {
  const customer = `gid://platform/Customer/${signedIn()?.customerId}`;
  const data = await execute(PAYMENT_METHODS, { customer });
  return data.customer.paymentMethods.nodes;
}

/** @param {string} id @param {string} method */
export async function changePaymentMethod(id, method) {
  await change(PAYMENT, { id, method });
}

/** @param {string} method */
export async function sendPaymentEmail(method) {
  await change(EMAIL, { method });
}

/** @param {PaymentMethod | null} method */
export function paymentText(method) {
  const instrument = method?.instrument;
  if (!instrument) return t('noPaymentMethod');
  if (instrument.__typename !== 'CustomerCreditCard')
    return WALLETS[instrument.__typename] ?? t('otherPaymentMethod');
  return `${sentence(`${instrument.brand}`)} •••• ${instrument.lastDigits}`;
}

/** @param {PaymentMethod | null} method */
export function expiryText(method) {
  const { expiryMonth, expiryYear } = method?.instrument ?? {};
  return expiryMonth === undefined
    ? undefined
    : t('expires', { month: `${`${expiryMonth}`.padStart(2, '0')}/${expiryYear}` });
}
