/** One GraphQL operation as the signed-in customer: a fresh token first, the errors' codes after. */

import { callService } from '../service/call-service.js';
import { keepTrying } from '../service/keep-trying.js';
import { hasCode, ServiceError } from '../service/service-error.js';
import { freshAccessToken } from './fresh-token.js';

const PATH = '/api/storefront/unstable/graphql.json';

/**
 * @param {string} query
 * @param {Record<string, unknown>} variables
 * @param {{ isRepeatable?: boolean }} [options] Whether the request may be sent again when its answer was lost.
 * @returns {Promise<any>} `data`; an entry of `errors` is thrown as a ServiceError with its code.
 */
export async function execute(query, variables, { isRepeatable = true } = {}) {
  const request = async () => {
    const accessToken = await freshAccessToken();
    try {
      return await send({ query, variables }, accessToken);
    } catch (error) {
      // The service's clock decides, not this phone's: one refresh, one repeat.
      if (!hasCode(error, 'UNAUTHENTICATED')) throw error;
      return await send({ query, variables }, await freshAccessToken({ refused: accessToken }));
    }
  };
  return await (isRepeatable ? keepTrying(request) : request());
}

/** @param {unknown} body @param {string} accessToken */
async function send(body, accessToken) {
  const { data, errors } = await callService({ path: PATH, body, accessToken });
  const error = errors?.[0];
  if (error !== undefined)
    throw new ServiceError({
      code: error.extensions?.code ?? 'UNKNOWN',
      status: 200,
      message: error.message,
    });
  return data;
}
