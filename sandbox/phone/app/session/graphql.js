/** One GraphQL operation as the signed-in customer. */
import { ServiceError } from '../../../../clients/typescript/src/client.ts';
import { clientOf } from './sessions.js';

/**
 * @param {string} query A change has `@idempotent(key: $key)`, so that it is made once however often it is sent.
 * @param {Record<string, unknown>} variables
 * @returns {Promise<any>} `data`; an entry of `errors` is thrown as a ServiceError with its code.
 */
export async function execute(query, variables) {
  const client = clientOf();
  if (client === undefined) throw new ServiceError('SIGNED_OUT');
  const { data, errors } = await client.request(query, variables);
  const [error] = errors;
  if (error !== undefined) throw new ServiceError(error.code, { status: 200, message: error.message });
  return data;
}
