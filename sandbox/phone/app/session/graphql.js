/** GraphQL operations as the signed-in customer. */
import { ServiceError } from '../../../../clients/typescript/src/client.ts';
import { clientOf } from './sessions.js';

/**
 * @param {string} query A change has `@idempotent(key: $key)`, so that it is made once however often it is sent.
 * @param {Record<string, unknown>} variables
 * @returns {Promise<any>} `data`; an entry of `errors` is thrown as a ServiceError with its code.
 */
export async function execute(query, variables) {
  const { data } = await readCompletely((client) => client.request(query, variables));
  return data;
}

/**
 * Returns the result of one of the client's functions.
 * @template {{ readonly errors: readonly { code: string, message: string }[] }} Result
 * @param {(client: import('../../../../clients/typescript/src/client.ts').CustomerClient) => Promise<Result>} read
 * @returns {Promise<Result>} An entry of `errors` is thrown as a ServiceError with its code.
 */
export async function readCompletely(read) {
  const client = clientOf();
  if (client === undefined) throw new ServiceError('SIGNED_OUT');
  const result = await read(client);
  const [error] = result.errors;
  if (error !== undefined) throw new ServiceError(error.code, { status: 200, message: error.message });
  return result;
}
