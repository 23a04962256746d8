/** One change of a subscription; a refusal is a message for the customer. */
import { ServiceError } from '../../../../clients/typescript/src/client.ts';
import { execute } from '../session/graphql.js';

/**
 * @param {string} document One mutation.
 * @param {Record<string, unknown>} variables
 * @returns {Promise<any>} The mutation's payload. Throws the first one's code and message.
 */
export async function change(document, variables) {
  const payload = await attempt(document, variables);
  requireDone(payload.userErrors);
  return payload;
}

/**
 * The same, but a refusal is an answer.
 * @param {string} document
 * @param {Record<string, unknown>} variables
 * @returns {Promise<any>}
 */
async function attempt(document, variables) {
  const [payload] = Object.values(await execute(document, variables));
  return payload;
}

/**
 * @typedef {{ code: string, title: string, price: import('../messages/format.js').Money }} DeliveryOption
 */

/**
 * Makes a change that can depend on a way of delivery; or returns what can be chosen, and has changed nothing.
 * @param {string} document
 * @param {Record<string, unknown>} variables
 * @returns {Promise<DeliveryOption[]>}
 */
export async function changeOrChoose(document, variables) {
  const { userErrors, deliveryOptions } = await attempt(document, variables);
  if (userErrors[0]?.code === 'DELIVERY_OPTION_REQUIRED' && deliveryOptions.length > 0)
    return deliveryOptions;
  requireDone(userErrors);
  return [];
}

/** @param {import('../../../../clients/typescript/src/client.ts').UserError[]} userErrors */
function requireDone(userErrors) {
  const [problem] = userErrors;
  if (problem === undefined) return;
  throw new ServiceError(problem.code ?? 'UNKNOWN', { status: 200, message: problem.message, userErrors });
}
