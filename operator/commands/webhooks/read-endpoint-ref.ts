/** The endpoint of a command line, by its id or by its global id. */
import { parseEndpointId } from '../../../lib/webhooks/endpoints.ts';
import type { EndpointRef } from '../../../lib/webhooks/manage/change-endpoints.ts';
import { type Run, requiredArgument } from '../../command.ts';
import { findStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';

export const EXAMPLE_STORE = 'harbor-coffee.myshopify.com';
/** The arguments of examples: store and id. */
export const EXAMPLE_ENDPOINT = `${EXAMPLE_STORE} 0123456789abcdef01234567`;
export const UNKNOWN_ENDPOINT = 'The endpoint was not found in the store. See webhook list.';

/**
 * Reads the endpoint from the first two arguments.
 * @throws OperatorError when the store does not exist or the text is not an id
 */
export async function readEndpointRef(run: Run): Promise<EndpointRef> {
  const { shopId } = await findStore(run.operator, requiredArgument(run, 0));
  const text = requiredArgument(run, 1);
  const id = parseEndpointId(text.replace(/^gid:\/\/[a-z]+\/WebhookEndpoint\//, ''));
  if (id === undefined) throw new OperatorError(`${text} is not an endpoint id. See webhook list.`, 2);
  return { shopId, id };
}
