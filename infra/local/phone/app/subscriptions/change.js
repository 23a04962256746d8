/** One change of a subscription, sent once or until it is answered; a refusal comes as words for the customer. */

import { ServiceError } from '../service/service-error.js';
import { execute } from '../session/graphql.js';

/**
 * @param {string} document One mutation.
 * @param {Record<string, unknown>} variables
 * @param {{ isRepeatable?: boolean }} [options] Whether the same change sent twice is made once.
 * @returns {Promise<any>} The mutation's payload.
 */
export async function change(document, variables, { isRepeatable = true } = {}) {
  const payload = await attempt(document, variables, { isRepeatable });
  const [problem] = payload.userErrors;
  if (problem === undefined) return payload;
  throw new ServiceError({ code: 'NOT_APPLIED', status: 200, message: problem.message });
}

/**
 * The same, but a refusal is an answer.
 * @param {string} document
 * @param {Record<string, unknown>} variables
 * @param {{ isRepeatable?: boolean }} [options]
 * @returns {Promise<any>}
 */
export async function attempt(document, variables, { isRepeatable = true } = {}) {
  const data = await execute(document, variables, { isRepeatable });
  const [payload] = Object.values(data);
  return payload;
}
