/** Parses the endpoint of a command line: its id, or its global id. */
import { parseEndpointId } from '../../../lib/webhooks/endpoints.ts';
import type { EndpointRef } from '../../../lib/webhooks/manage/change-endpoints.ts';
import { type CommandRun, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';

export const EXAMPLE_STORE_DOMAIN = 'harbor-coffee.myshopify.com';
/** The arguments of examples: store and id. */
export const EXAMPLE_ENDPOINT_ARGUMENTS = `${EXAMPLE_STORE_DOMAIN} 0123456789abcdef01234567`;
export const UNKNOWN_ENDPOINT_MESSAGE = 'The endpoint was not found in the store. See webhook list.';

/**
 * Reads the endpoint from the first two arguments.
 * @throws OperatorError when the store does not exist or the text is not an id
 */
export async function parseEndpointRef(run: CommandRun): Promise<EndpointRef> {
  const { shopId } = await requireStore(run.operator, requireArgument(run, 0));
  const text = requireArgument(run, 1);
  const id = parseEndpointId(text.replace(/^gid:\/\/[a-z]+\/WebhookEndpoint\//, ''));
  if (id === undefined) throw new OperatorError(`${text} is not an endpoint id. See webhook list.`, 2);
  return { shopId, id };
}
