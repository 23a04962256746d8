/** GraphQL with a token that is still good. */
import { callService, hasCode, keepTrying, ServiceError } from './call-service.ts';
import type { Device } from './device.ts';
import { isChange } from './operation-type.ts';
import { freshAccessToken } from './session.ts';

const PATH = '/api/storefront/unstable/graphql.json';

/** `operationName`: which one, if `query` holds several. */
export type Operation = { query: string; variables?: object; operationName?: string };

/** One GraphQL operation as the customer, its `data`. Look at `userErrors` before you take a change for done. */
export async function ask(device: Device, operation: Operation) {
  const send = (accessToken: string) => callService(device, { path: PATH, body: operation, accessToken });
  const once = async () => {
    const accessToken = await freshAccessToken(device);
    try {
      return await send(accessToken);
    } catch (error) {
      // The service's clock decides, not this device's: one refresh, one repeat.
      if (!hasCode(error, 'UNAUTHENTICATED')) throw error;
      return await send(await freshAccessToken(device, accessToken));
    }
  };
  const { data, errors } = await keepTrying(device, once, {
    isChange: isChange(operation.query, operation.operationName),
  });
  if (errors === undefined) return data;
  throw new ServiceError(errors[0].extensions?.code ?? 'UNKNOWN', {
    status: 200,
    message: errors[0].message,
  });
}
